// Known numbers as cells of a domain.
#pragma once

#include <cmath>

#include "interp/stablehlo/literal.h"
#include "interp/stablehlo/round.h"

namespace shardlaw::stablehlo {

namespace detail {

/// A float of the type, by its value as a double.
template <class D>
typename D::Scalar knownFloat(const D& domain, double x) {
  if constexpr (isIeee<D>) return static_cast<typename D::Scalar>(x);
  else if constexpr (isWide<D>) return domain.fromDouble(x);
  else {
    if (std::isfinite(x)) return domain.literal(Rational(x));
    if constexpr (isBounded<D>) return {static_cast<decltype(typename D::Scalar{}.value)>(x), 0};
    else {
      if (x < 0) return domain.lowest();
      refuseIn(D::name, std::isnan(x) ? "a NaN" : "infinity");
    }
  }
}

}  // namespace detail

/// The value of a known rational in a float type. What is rounded is the number, not the domain's scalar, so that a
/// constant is never opaque.
template <class D>
typename D::Scalar floatCell(const D& domain, DType element, const Rational& q) {
  if (element == DType::bf16) return detail::knownFloat(domain, static_cast<double>(toBf16(q)));
  if (element == DType::f16) {
    const double x = f16FromDouble(toOddDouble(q));
    if (!isIeee<D> && !(std::isfinite(x) && Rational(x) == q)) refuseIn(D::name, "rounding to f16");
    return detail::knownFloat(domain, x);
  }
  if constexpr (std::is_same_v<D, Native>) {
    if (element == DType::f32) return static_cast<double>(toFloat(q));
  }
  return domain.literal(q);
}

/// The value of an integer of type `from` in a float type.
template <class D>
typename D::Scalar floatCell(const D& domain, DType element, DType from, std::int64_t n) {
  // Integers of up to 8 bits are values of every float type, and those of up to 24 of f32.
  const bool negative = n < 0 && !isUnsigned(from);
  const std::uint64_t magnitude = negative ? ~static_cast<std::uint64_t>(n) + 1 : static_cast<std::uint64_t>(n);
  const std::uint64_t exact =
      element == DType::f64 ? std::uint64_t{1} << 53 : std::uint64_t{1} << (element == DType::f32 ? 24 : 8);
  if (magnitude <= exact) {
    if constexpr (isIeee<D>) {
      const auto x = static_cast<typename D::Scalar>(magnitude);
      return negative ? -x : x;
    }
    return domain.literal(negative ? Rational(-static_cast<long>(magnitude)) : Rational(static_cast<long>(magnitude)));
  }
  if constexpr (isIeee<D>) {
    // One rounding to the scalar, which rounds no further where it has the type's bits.
    if (element == DType::f64 || (element == DType::f32 && !std::is_same_v<D, Native>)) {
      const auto x = static_cast<typename D::Scalar>(magnitude);
      return negative ? -x : x;
    }
    if (element == DType::f32) {
      const auto x = static_cast<float>(magnitude);
      return static_cast<typename D::Scalar>(negative ? -x : x);
    }
  }
  Rational q(mpz_class(static_cast<unsigned long>(magnitude)));
  if (negative) q = -q;
  return floatCell(domain, element, q);
}

/// A number of a literal of a float type.
template <class D>
typename D::Scalar floatCell(const D& domain, DType element, const Number& number) {
  if (const auto* q = std::get_if<Rational>(&number)) return floatCell(domain, element, *q);
  if (const auto* x = std::get_if<double>(&number)) return detail::knownFloat(domain, *x);
  return floatCell(domain, element, DType::i64, std::get<std::int64_t>(number));
}

}  // namespace shardlaw::stablehlo
