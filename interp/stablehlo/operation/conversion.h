// Changes of the element type.
#pragma once

#include <bit>
#include <limits>

#include "interp/stablehlo/operation/comparison.h"
#include "interp/stablehlo/operation/constant_cell.h"
#include "interp/stablehlo/operation/pointwise.h"
#include "interp/stablehlo/round.h"

namespace shardlaw::stablehlo {

/// Towards 0, the nearest value of the type where there is none, and 0 for a NaN: as XLA's CPU compiler has it.
std::int64_t integerOf(double x, DType element);
std::int64_t integerOf(const WideScalar& x, DType element);

/// Throws Error in domains whose scalars are no single numbers.
template <class D>
std::int64_t integerCell(const D&, const typename D::Scalar& x, DType element) {
  if constexpr (isIeee<D>) return integerOf(static_cast<double>(x), element);
  else if constexpr (isWide<D>) return integerOf(x, element);
  else refuseIn(D::name, "conversion of floats to integers");
}

struct Convert : PointwiseOperation {
  static constexpr std::string_view name = "convert";
  static constexpr std::string_view formula =
      "the nearest value of another type; floats to integers towards 0, at most the extreme values, 0 for a NaN; "
      "anything to i1 by x ≠ 0";
  static constexpr std::string_view format = "%0 ::function";
  static constexpr RefusedIn refused{.exact = true, .bounded = true, .degree = true, .what = "floats to integers"};
  static constexpr int least = 1, most = 1;
  static constexpr bool rounds = false;

  static void check(const TypeRule& rule) { rule.result(0, {rule.stated(0).element, rule.operand(0).shape}); }

  template <class D>
  static void denote(const Call<D>& call) {
    const DType to = call.resultType().element;
    if (isFloat(to)) toFloats(call, to);
    else if (isBoolean(to)) toBits(call);
    else toIntegers(call, to);
  }

 private:
  template <class D>
  static void toFloats(const Call<D>& call, DType to) {
    const D& domain = call.domain;
    const DType from = call.type(0).element;
    auto& out = call.out().floats();
    if (isBoolean(from)) {
      const auto one = domain.literal(1);
      const typename D::Scalar zero{};
      mapTensors(
          call.parallel, out, [&](const auto& a) { return domain.select(a.truth, one, zero); }, call.in(0).bits());
    } else if (isInteger(from)) {
      mapTensors(
          call.parallel, out, [&](std::int64_t a) { return floatCell(domain, to, from, a); }, call.in(0).integers());
    } else if (holdsAll(to, from)) {
      mapTensors(
          call.parallel, out, [](const auto& a) { return a; }, call.in(0).floats());
    } else {
      mapTensors(
          call.parallel, out, [&](const auto& a) { return roundTo(domain, to, a); }, call.in(0).floats());
    }
  }

  template <class D>
  static void toBits(const Call<D>& call) {
    auto& out = call.out().bits();
    if (isBoolean(call.type(0).element)) {
      mapTensors(
          call.parallel, out, [](const auto& a) { return a; }, call.in(0).bits());
    } else if (isInteger(call.type(0).element)) {
      mapTensors(
          call.parallel, out, [](std::int64_t a) { return Bit<D>{truthOf<D>(a != 0)}; }, call.in(0).integers());
    } else {
      const typename D::Scalar zero{};
      mapTensors(
          call.parallel, out, [&](const auto& a) { return Bit<D>{compareFloats<Direction::ne>(call.domain, a, zero)}; },
          call.in(0).floats());
    }
  }

  template <class D>
  static void toIntegers(const Call<D>& call, DType to) {
    auto& out = call.out().integers();
    if (isBoolean(call.type(0).element)) {
      mapTensors(
          call.parallel, out,
          [&](const auto& a) {
            if constexpr (isDegree<D>) refuseIn(D::name, "conversion of i1 to integers");
            return std::int64_t{certainly<D>(a.truth, "an integer") ? 1 : 0};
          },
          call.in(0).bits());
    } else if (isInteger(call.type(0).element)) {
      mapTensors(
          call.parallel, out, [&](std::int64_t a) { return wrapped(a, to); }, call.in(0).integers());
    } else {
      mapTensors(
          call.parallel, out, [&](const auto& a) { return integerCell(call.domain, a, to); }, call.in(0).floats());
    }
  }
};

/// `x`, a value of the type, to the nearest value of a format with so many bits: overflow gives an infinity, a result
/// below the format's least normal number a zero, as XLA has it.
double reducedPrecision(double x, DType element, std::int64_t exponentBits, std::int64_t mantissaBits);

struct ReducePrecision : PointwiseOperation {
  static constexpr std::string_view name = "reduce_precision";
  static constexpr std::string_view formula =
      "the nearest value of a float format, without its subnormals; the operand itself where the format holds its type";
  static constexpr std::string_view format = "::custom";
  static constexpr AttributeSpec specs[] = {{"exponent_bits", AttributeType::integer, true},
                                            {"mantissa_bits", AttributeType::integer, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr ElementTypes types{true, false, false};
  static constexpr RefusedIn refused{.exact = true,
                                     .wide = true,
                                     .bounded = true,
                                     .degree = true,
                                     .what = "formats narrower than the type, but bf16's"};
  static constexpr int least = 1, most = 1;
  static constexpr bool rounds = false;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    const DType element = call.type(0).element;
    const auto exponent = call.attributes().integer("exponent_bits");
    const auto mantissa = call.attributes().integer("mantissa_bits");
    const auto map = [&](const auto& f) { mapTensors(call.parallel, call.out().floats(), f, call.in(0).floats()); };
    if (holds(element, exponent, mantissa)) return map([](const auto& a) { return a; });
    if constexpr (isIeee<D>) {
      map([&](const auto& a) {
        return static_cast<typename D::Scalar>(reducedPrecision(static_cast<double>(a), element, exponent, mantissa));
      });
    } else {
      if (exponent != 8 || mantissa != 7)
        refuseIn(D::name, "rounding to e" + std::to_string(exponent) + "m" + std::to_string(mantissa));
      map([&](const auto& a) { return call.domain.roundToBf16(a); });
    }
  }

 private:
  /// The format has at least the bits of the type.
  static bool holds(DType element, std::int64_t exponent, std::int64_t mantissa);
};

/// The bits of a float of the type, or of an integer, as the low bits of a word; and back.
std::uint64_t bitsOfFloat(double x, DType element);
double floatOfBits(std::uint64_t bits, DType element);

struct BitcastConvert : PointwiseOperation {
  static constexpr std::string_view name = "bitcast_convert";
  static constexpr std::string_view formula = "the value of another type of as many bits whose bits are the same";
  static constexpr std::string_view format = "%0 ::function";
  static constexpr ElementTypes types{true, true, false};
  static constexpr RefusedIn refused{.exact = true,
                                     .wide = true,
                                     .bounded = true,
                                     .degree = true,
                                     .what = "from or to another type where one is a float"};
  static constexpr int least = 1, most = 1;
  static constexpr bool rounds = false;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    const DType from = call.type(0).element, to = call.resultType().element;
    if (isInteger(from) && isInteger(to))
      return mapTensors(
          call.parallel, call.out().integers(), [&](std::int64_t a) { return wrapped(a, to); }, call.in(0).integers());
    if (from == to)
      return mapTensors(
          call.parallel, call.out().floats(), [](const auto& a) { return a; }, call.in(0).floats());
    if constexpr (isIeee<D>) {
      using Scalar = typename D::Scalar;
      const auto bits = [&](Scalar a) { return bitsOfFloat(static_cast<double>(roundTo(call.domain, from, a)), from); };
      const auto value = [&](std::uint64_t a) { return static_cast<Scalar>(floatOfBits(a, to)); };
      if (isInteger(to))
        mapTensors(
            call.parallel, call.out().integers(),
            [&](Scalar a) { return wrapped(static_cast<std::int64_t>(bits(a)), to); }, call.in(0).floats());
      else if (isInteger(from))
        mapTensors(
            call.parallel, call.out().floats(), [&](std::int64_t a) { return value(static_cast<std::uint64_t>(a)); },
            call.in(0).integers());
      else
        mapTensors(
            call.parallel, call.out().floats(), [&](Scalar a) { return value(bits(a)); }, call.in(0).floats());
    } else {
      refuseIn(D::name, "the bits of a float");
    }
  }
};

}  // namespace shardlaw::stablehlo
