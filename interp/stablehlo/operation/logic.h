// Bits of integers, and i1.
#pragma once

#include <bit>

#include "interp/stablehlo/operation/pointwise.h"

namespace shardlaw::stablehlo {

/// The low bits of a value that the type has, as an unsigned number.
inline std::uint64_t patternOf(DType element, std::int64_t a) {
  const int bits = bitsOf(element);
  return bits == 64 ? static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a) & ((std::uint64_t{1} << bits) - 1);
}

struct And : BinaryOperation {
  static constexpr std::string_view name = "and";
  static constexpr std::string_view formula = "a ∧ b, bit by bit";
  static constexpr ElementTypes types{false, true, true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapIntegers(call, [](std::int64_t a, std::int64_t b) { return a & b; });
    mapBits(call, [](const auto& a, const auto& b) { return a & b; });
  }
};

struct Or : BinaryOperation {
  static constexpr std::string_view name = "or";
  static constexpr std::string_view formula = "a ∨ b, bit by bit";
  static constexpr ElementTypes types{false, true, true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapIntegers(call, [](std::int64_t a, std::int64_t b) { return a | b; });
    mapBits(call, [](const auto& a, const auto& b) { return a | b; });
  }
};

struct Xor : BinaryOperation {
  static constexpr std::string_view name = "xor";
  static constexpr std::string_view formula = "either a or b, bit by bit";
  static constexpr ElementTypes types{false, true, true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapIntegers(call, [](std::int64_t a, std::int64_t b) { return a ^ b; });
    mapBits(call, [](const auto& a, const auto& b) {
      const auto notBoth = !(a & b);
      return (a | b) & notBoth;
    });
  }
};

struct Not : UnaryOperation {
  static constexpr std::string_view name = "not";
  static constexpr std::string_view formula = "¬a, bit by bit";
  static constexpr ElementTypes types{false, true, true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapIntegers(call, [](std::int64_t a) { return ~a; });
    mapBits(call, [](const auto& a) { return !a; });
  }
};

/// What the shifts share: a count of the width or more, or a negative one, shifts every bit out.
struct ShiftOperation : BinaryOperation {
  static constexpr ElementTypes types{false, true, false};
  static bool shiftsOut(DType element, std::int64_t by) {
    return static_cast<std::uint64_t>(by) >= static_cast<std::uint64_t>(bitsOf(element));
  }
};

struct ShiftLeft : ShiftOperation {
  static constexpr std::string_view name = "shift_left";
  static constexpr std::string_view formula = "a·2^b modulo 2^bits; 0 where b is no number of 0 to bits − 1";

  template <class D>
  static void denote(const Call<D>& call) {
    const DType element = call.type(0).element;
    mapIntegers(call, [&](std::int64_t a, std::int64_t b) {
      return shiftsOut(element, b) ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b);
    });
  }
};

struct ShiftRightArithmetic : ShiftOperation {
  static constexpr std::string_view name = "shift_right_arithmetic";
  static constexpr std::string_view formula =
      "a/2^b rounded down, its highest bit read as a sign; all sign where b is too large";

  template <class D>
  static void denote(const Call<D>& call) {
    const DType element = call.type(0).element;
    const int unused = 64 - bitsOf(element);
    mapIntegers(call, [&](std::int64_t a, std::int64_t b) {
      const auto extended = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << unused) >> unused;
      return extended >> (shiftsOut(element, b) ? 63 : b);
    });
  }
};

struct ShiftRightLogical : ShiftOperation {
  static constexpr std::string_view name = "shift_right_logical";
  static constexpr std::string_view formula = "a/2^b rounded down, a read without a sign; 0 where b is too large";

  template <class D>
  static void denote(const Call<D>& call) {
    const DType element = call.type(0).element;
    mapIntegers(call, [&](std::int64_t a, std::int64_t b) {
      return shiftsOut(element, b) ? 0 : static_cast<std::int64_t>(patternOf(element, a) >> b);
    });
  }
};

struct Popcnt : UnaryOperation {
  static constexpr std::string_view name = "popcnt";
  static constexpr std::string_view formula = "how many bits of a are 1";
  static constexpr ElementTypes types{false, true, false};

  template <class D>
  static void denote(const Call<D>& call) {
    const DType element = call.type(0).element;
    mapIntegers(call, [&](std::int64_t a) { return std::int64_t{std::popcount(patternOf(element, a))}; });
  }
};

struct CountLeadingZeros : UnaryOperation {
  static constexpr std::string_view name = "count_leading_zeros";
  static constexpr std::string_view formula = "how many of a's highest bits are 0";
  static constexpr ElementTypes types{false, true, false};

  template <class D>
  static void denote(const Call<D>& call) {
    const DType element = call.type(0).element;
    mapIntegers(call, [&](std::int64_t a) {
      return std::int64_t{std::countl_zero(patternOf(element, a))} - (64 - bitsOf(element));
    });
  }
};

}  // namespace shardlaw::stablehlo
