// Functions that the concept of a domain lacks.
#pragma once

#include <cmath>

#include "interp/number/elementary.h"
#include "interp/stablehlo/operation/truth.h"

namespace shardlaw::stablehlo {

namespace detail {

template <Elementary f, class F>
F ieeeFunction(F a, F b) {
  if constexpr (f == Elementary::cbrt) return std::cbrt(a);
  else if constexpr (f == Elementary::sine) return std::sin(a);
  else if constexpr (f == Elementary::cosine) return std::cos(a);
  else if constexpr (f == Elementary::floor) return std::floor(a);
  else if constexpr (f == Elementary::ceil) return std::ceil(a);
  else if constexpr (f == Elementary::roundToEven) return std::nearbyint(a);
  else if constexpr (f == Elementary::roundAwayFromZero) return std::round(a);
  else if constexpr (f == Elementary::power) return std::pow(a, b);
  else if constexpr (f == Elementary::atan2) return std::atan2(a, b);
  else return std::fmod(a, b);
}

template <class S>
const S& last(const S& a) {
  return a;
}
template <class S>
const S& last(const S&, const S& b) {
  return b;
}

}  // namespace detail

/// f(a), or f(a, b) where f has two arguments: the C library's in f64, f32 and native, correctly rounded in wide,
/// uninterpreted but consistent in exact. Throws Error in bounded, where no bound of it is known.
template <Elementary f, class D, class... Other>
typename D::Scalar elementary(const D& domain, const typename D::Scalar& a, const Other&... b) {
  if constexpr (isIeee<D>) return detail::ieeeFunction<f>(a, detail::last(a, b...));
  else if constexpr (isWide<D>) return domain.elementary(f, a, b...);
  else if constexpr (isBounded<D>) refuseIn(D::name, std::string(toString(f)));
  else if constexpr (isDegree<D>) return domain.uninterpreted(larger(a, detail::last(a, b...)));
  else return domain.uninterpreted(static_cast<std::uint64_t>(f), a, b...);
}

template <class D>
typename D::Scalar absolute(const D& domain, const typename D::Scalar& a) {
  if constexpr (isIeee<D>) return std::abs(a);
  else return domain.max(a, -a);
}

/// In IEEE's types NaN for NaN, and a zero for itself.
template <class D>
typename D::Scalar signOf(const D& domain, const typename D::Scalar& a) {
  using Scalar = typename D::Scalar;
  if constexpr (isIeee<D>) return a > 0 ? Scalar(1) : a < 0 ? Scalar(-1) : a;
  else {
    const Scalar one = domain.literal(1);
    return domain.select(domain.less(Scalar{}, a), one, domain.select(domain.less(a, Scalar{}), -one, Scalar{}));
  }
}

template <class D>
typename D::Scalar logistic(const D& domain, const typename D::Scalar& a) {
  const typename D::Scalar one = domain.literal(1);
  return one / (one + domain.exp(-a));
}

template <class D>
typename D::Scalar exponentialMinusOne(const D& domain, const typename D::Scalar& a) {
  if constexpr (isIeee<D>) return std::expm1(a);
  else return domain.exp(a) - domain.literal(1);
}

template <class D>
typename D::Scalar logPlusOne(const D& domain, const typename D::Scalar& a) {
  if constexpr (isIeee<D>) return std::log1p(a);
  else return domain.log(domain.literal(1) + a);
}

template <class D>
typename D::Scalar tangent(const D& domain, const typename D::Scalar& a) {
  if constexpr (isIeee<D>) return std::tan(a);
  else return elementary<Elementary::sine>(domain, a) / elementary<Elementary::cosine>(domain, a);
}

template <class D>
typename D::Truth isFinite(const D&, const typename D::Scalar& a) {
  if constexpr (isIeee<D>) return std::isfinite(a);
  else if constexpr (isBounded<D>) return {std::isfinite(a.value), std::isfinite(a.bound)};
  else if constexpr (isWide<D>) return !(a.isNaN() || (a - a).isNaN());
  else if constexpr (isDegree<D>) return true;
  else return !a.isLowest();
}

}  // namespace shardlaw::stablehlo
