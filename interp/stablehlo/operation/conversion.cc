#include "interp/stablehlo/operation/conversion.h"

#include <cmath>

#include "interp/stablehlo/operation/logic.h"

namespace shardlaw::stablehlo {
namespace {

/// Bits of the exponent and of the significand behind its point.
struct Format {
  std::int64_t exponent, mantissa;
};

Format formatOf(DType element) {
  switch (element) {
    case DType::f64: return {11, 52};
    case DType::f32: return {8, 23};
    case DType::bf16: return {8, 7};
    default: return {5, 10};
  }
}

/// The least and the largest value; a ui64's as the i64 of the same bits.
std::pair<std::int64_t, std::int64_t> rangeOf(DType element) {
  const int bits = bitsOf(element);
  if (isUnsigned(element)) return {0, wrapped(-1, element)};
  const std::int64_t least = std::numeric_limits<std::int64_t>::min() >> (64 - bits);
  return {least, ~least};
}

}  // namespace

std::int64_t integerOf(double x, DType element) {
  if (std::isnan(x)) return 0;
  const auto [least, largest] = rangeOf(element);
  const int bits = bitsOf(element);
  if (x >= std::ldexp(1.0, isUnsigned(element) ? bits : bits - 1)) return largest;
  if (isUnsigned(element)) return x <= 0 ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(x));
  return x <= static_cast<double>(least) ? least : static_cast<std::int64_t>(x);
}

std::int64_t integerOf(const WideScalar& x, DType element) {
  const double near = x.toDouble();
  // Beyond 2^65 the nearest double decides; a number of huge exponent must not be written out.
  if (!std::isfinite(near) || std::abs(near) >= 0x1p65 || std::abs(near) < 0.5) return integerOf(near, element);
  const Rational q = x.toRational();
  const mpz_class whole = q.get_num() / q.get_den();
  const auto [least, largest] = rangeOf(element);
  const auto wide = [&](std::int64_t n) {
    return isUnsigned(element) ? mpz_class(static_cast<unsigned long>(n)) : mpz_class(static_cast<long>(n));
  };
  if (whole <= wide(least)) return least;
  if (whole >= wide(largest)) return largest;
  return isUnsigned(element) ? static_cast<std::int64_t>(whole.get_ui()) : whole.get_si();
}

double reducedPrecision(double x, DType element, std::int64_t exponentBits, std::int64_t mantissaBits) {
  if (x == 0 || std::isinf(x)) return x;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // Without bits behind the point there is no NaN.
  if (std::isnan(x)) return mantissaBits == 0 ? std::copysign(infinity, x) : x;
  const auto biasOf = [](std::int64_t bits) { return (1 << (bits - 1)) - 1; };
  const Format format = formatOf(element);
  const int own = biasOf(format.exponent);
  const int lastBit = std::max(std::ilogb(x), 1 - own) - static_cast<int>(std::min(mantissaBits, format.mantissa));
  const double value = std::ldexp(std::nearbyint(std::ldexp(std::abs(x), -lastBit)), lastBit);
  if (exponentBits >= format.exponent || value == 0) {
    const bool overflows = value != 0 && std::ilogb(value) > own;
    return std::copysign(overflows ? infinity : value, x);
  }
  const int bias = biasOf(exponentBits), power = std::ilogb(value);
  if (power > bias) return std::copysign(infinity, x);
  return std::copysign(power <= -bias ? 0.0 : value, x);
}

bool ReducePrecision::holds(DType element, std::int64_t exponent, std::int64_t mantissa) {
  const Format format = formatOf(element);
  return exponent >= format.exponent && mantissa >= format.mantissa;
}

void ReducePrecision::check(const TypeRule& rule) {
  const auto exponent = rule.attributes().integer("exponent_bits"),
             mantissa = rule.attributes().integer("mantissa_bits");
  rule.require(exponent >= 1, "exponent_bits: expected at least 1, found " + std::to_string(exponent));
  rule.require(mantissa >= 0, "mantissa_bits: expected at least 0, found " + std::to_string(mantissa));
  rule.result(0, rule.operand(0));
}

std::uint64_t bitsOfFloat(double x, DType element) {
  switch (element) {
    case DType::f64: return std::bit_cast<std::uint64_t>(x);
    case DType::f32: return std::bit_cast<std::uint32_t>(static_cast<float>(x));
    case DType::bf16: return std::bit_cast<std::uint32_t>(static_cast<float>(x)) >> 16;
    default: break;
  }
  const std::uint64_t sign = std::signbit(x) ? 0x8000 : 0;
  const double magnitude = std::abs(x);
  if (std::isnan(x)) return sign | 0x7E00;
  if (std::isinf(x)) return sign | 0x7C00;
  if (magnitude < 0x1p-14) return sign | static_cast<std::uint64_t>(std::ldexp(magnitude, 24));
  const int exponent = std::ilogb(magnitude);
  const auto steps = static_cast<std::uint64_t>(std::ldexp(magnitude, 10 - exponent)) - 1024;
  return sign | (static_cast<std::uint64_t>(exponent + 15) << 10) | steps;
}

double floatOfBits(std::uint64_t bits, DType element) {
  switch (element) {
    case DType::f64: return std::bit_cast<double>(bits);
    case DType::f32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case DType::bf16: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
    default: break;
  }
  const auto exponent = static_cast<int>((bits >> 10) & 0x1F);
  const auto steps = static_cast<double>(bits & 0x3FF);
  double magnitude = exponent == 0 ? std::ldexp(steps, -24) : std::ldexp(steps + 1024, exponent - 25);
  if (exponent == 31)
    magnitude = steps == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

void BitcastConvert::check(const TypeRule& rule) {
  const TensorType &from = rule.operand(0), &to = rule.stated(0);
  rule.require(!isBoolean(to.element) && bitsOf(from.element) == bitsOf(to.element),
               "expected a result with " + std::to_string(bitsOf(from.element)) + " bits per cell, found " +
                   toString(to) + "; other widths are not supported");
  rule.result(0, {to.element, from.shape});
}

}  // namespace shardlaw::stablehlo
