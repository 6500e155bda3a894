// Arithmetic, cell by cell.
#pragma once

#include <limits>
#include <type_traits>

#include "interp/stablehlo/operation.h"
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
    mapIntegers(call, [&](std::int64_t a, std::int64_t b) {
      const bool isUnsignedType = isUnsigned(call.resultType().element);
      // The specification leaves both to the implementation; these are what XLA's CPU compiler gives.
      if (b == 0) return std::int64_t{-1};
      if (isUnsignedType) return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) / static_cast<std::uint64_t>(b));
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

}  // namespace shardlaw::stablehlo
