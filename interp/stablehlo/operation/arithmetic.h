// Arithmetic, cell by cell.
#pragma once

#include <limits>
#include <type_traits>

#include "interp/stablehlo/operation.h"
#include "interp/stablehlo/operation/functions.h"
#include "interp/stablehlo/operation/pointwise.h"

namespace shardlaw::stablehlo {

struct Add : BinaryOperation {
  static constexpr std::string_view name = "add";
  static constexpr std::string_view formula = "a + b; modulo 2^bits for integers, a ∨ b for i1";
  static constexpr ElementTypes types{true, true, true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [](const auto& a, const auto& b) { return a + b; });
    mapIntegers(call, [](std::int64_t a, std::int64_t b) { return wrappingAdd(a, b); });
    mapBits(call, [](const auto& a, const auto& b) { return a | b; });
  }
};

struct Subtract : BinaryOperation {
  static constexpr std::string_view name = "subtract";
  static constexpr std::string_view formula = "a − b; modulo 2^bits for integers";
  static constexpr ElementTypes types{true, true, false};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [](const auto& a, const auto& b) { return a - b; });
    mapIntegers(call, [](std::int64_t a, std::int64_t b) { return wrappingSubtract(a, b); });
  }
};

struct Multiply : BinaryOperation {
  static constexpr std::string_view name = "multiply";
  static constexpr std::string_view formula = "a·b; modulo 2^bits for integers, a ∧ b for i1";
  static constexpr ElementTypes types{true, true, true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [](const auto& a, const auto& b) { return a * b; });
    mapIntegers(call, [](std::int64_t a, std::int64_t b) { return wrappingMultiply(a, b); });
    mapBits(call, [](const auto& a, const auto& b) { return a & b; });
  }
};

struct Divide : BinaryOperation {
  static constexpr std::string_view name = "divide";
  static constexpr std::string_view formula = "a/b; towards 0 for integers";
  static constexpr ElementTypes types{true, true, false};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [](const auto& a, const auto& b) { return a / b; });
    const bool isUnsignedType = isUnsigned(call.resultType().element);
    mapIntegers(call, [&](std::int64_t a, std::int64_t b) {
      // The specification leaves both to the implementation; these are what XLA's CPU compiler gives.
      if (b == 0) return std::int64_t{-1};
      if (isUnsignedType)
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) / static_cast<std::uint64_t>(b));
      return b == -1 ? wrappingSubtract(0, a) : a / b;
    });
  }
};

struct Maximum : BinaryOperation {
  static constexpr std::string_view name = "maximum";
  static constexpr std::string_view formula = "max(a, b), a NaN if either is; a ∨ b for i1";
  static constexpr ElementTypes types{true, true, true};
  static constexpr bool rounds = false;

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a, const auto& b) { return call.domain.max(a, b); });
    mapIntegers(call, [&](std::int64_t a, std::int64_t b) { return lessThan(call.type(0).element, a, b) ? b : a; });
    mapBits(call, [](const auto& a, const auto& b) { return a | b; });
  }
};

struct Minimum : BinaryOperation {
  static constexpr std::string_view name = "minimum";
  static constexpr std::string_view formula = "min(a, b), a NaN if either is; a ∧ b for i1";
  static constexpr ElementTypes types{true, true, true};
  static constexpr bool rounds = false;

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a, const auto& b) { return call.domain.min(a, b); });
    mapIntegers(call, [&](std::int64_t a, std::int64_t b) { return lessThan(call.type(0).element, a, b) ? a : b; });
    mapBits(call, [](const auto& a, const auto& b) { return a & b; });
  }
};

/// The result has the sign of the dividend.
struct Remainder : BinaryOperation {
  static constexpr std::string_view name = "remainder";
  static constexpr std::string_view formula = "a − b·(a/b rounded towards 0); a itself for integers where b = 0";
  static constexpr ElementTypes types{true, true, false};
  static constexpr RefusedIn refused{.bounded = true, .what = "of floats"};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a, const auto& b) { return elementary<Elementary::remainder>(call.domain, a, b); });
    const bool isUnsignedType = isUnsigned(call.resultType().element);
    mapIntegers(call, [&](std::int64_t a, std::int64_t b) {
      if (b == 0) return a;
      if (isUnsignedType)
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) % static_cast<std::uint64_t>(b));
      return b == -1 ? 0 : a % b;
    });
  }
};

struct Power : BinaryOperation {
  static constexpr std::string_view name = "power";
  static constexpr std::string_view formula =
      "a^b; modulo 2^bits for integers, where a negative b gives 0 but for the powers of 1 and −1";
  static constexpr ElementTypes types{true, true, false};
  static constexpr RefusedIn refused{.bounded = true, .what = "of floats"};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a, const auto& b) { return elementary<Elementary::power>(call.domain, a, b); });
    const bool isUnsignedType = isUnsigned(call.resultType().element);
    mapIntegers(call, [&](std::int64_t a, std::int64_t b) {
      if (b < 0 && !isUnsignedType) return a == 1 ? 1 : a == -1 ? ((b & 1) != 0 ? -1 : 1) : std::int64_t{0};
      std::int64_t power = 1;
      for (auto rest = static_cast<std::uint64_t>(b); rest != 0; rest >>= 1) {
        if ((rest & 1) != 0) power = wrappingMultiply(power, a);
        a = wrappingMultiply(a, a);
      }
      return power;
    });
  }
};

struct Atan2 : BinaryOperation {
  static constexpr std::string_view name = "atan2";
  static constexpr std::string_view formula = "the angle of the point (b, a), from −π to π";
  static constexpr ElementTypes types{true, false, false};
  static constexpr RefusedIn refused{.bounded = true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a, const auto& b) { return elementary<Elementary::atan2>(call.domain, a, b); });
  }
};

}  // namespace shardlaw::stablehlo
