#include "interp/number/rational_domain.h"

#include <cmath>

#include "interp/error.h"
#include "interp/number/domain.h"

namespace shardlaw {

static_assert(Domain<RationalDomain>);

RationalScalar RationalScalar::lowest() {
  RationalScalar s;
  s.lowest_ = true;
  return s;
}

const Rational& RationalScalar::value() const {
  if (lowest_) throw Undefined("arithmetic on the least element (minus infinity) in the rationals");
  return value_;
}

RationalScalar operator+(const RationalScalar& a, const RationalScalar& b) {
  return RationalScalar(a.value() + b.value());
}
RationalScalar operator-(const RationalScalar& a, const RationalScalar& b) {
  return RationalScalar(a.value() - b.value());
}
RationalScalar operator*(const RationalScalar& a, const RationalScalar& b) {
  return RationalScalar(a.value() * b.value());
}
RationalScalar operator/(const RationalScalar& a, const RationalScalar& b) {
  if (b.value() == 0) throw Undefined("division by zero in the rationals");
  return RationalScalar(a.value() / b.value());
}
RationalScalar operator-(const RationalScalar& a) { return RationalScalar(-a.value()); }

RationalScalar RationalDomain::sqrt(const Scalar& a) const {
  const mpz_class &n = a.value().get_num(), &d = a.value().get_den();
  if (mpz_perfect_square_p(n.get_mpz_t()) == 0 || mpz_perfect_square_p(d.get_mpz_t()) == 0)
    throw Undefined("the square root of " + shardlaw::toString(a.value()) + " is not rational");
  return Scalar(Rational(mpz_class(::sqrt(n)), mpz_class(::sqrt(d))));
}
RationalScalar RationalDomain::rsqrt(const Scalar& a) const { return Scalar(1) / sqrt(a); }
RationalScalar RationalDomain::exp(const Scalar& a) const {
  if (a.isLowest()) return Scalar();
  if (a.value() != 0) throw Undefined("exp of a rational other than 0 is not rational");
  return Scalar(1);
}
RationalScalar RationalDomain::log(const Scalar& a) const {
  if (a.value() != 1) throw Undefined("log of a rational other than 1 is not rational");
  return Scalar();
}
RationalScalar RationalDomain::tanh(const Scalar& a) const {
  if (a.value() != 0) throw Undefined("tanh of a rational other than 0 is not rational");
  return Scalar();
}
RationalScalar RationalDomain::roundToBf16(const Scalar& a) const {
  const float rounded = toBf16(a.value());
  if (!std::isfinite(rounded)) throw Undefined("a rational too large for bf16");
  return Scalar(Rational(static_cast<double>(rounded)));
}

bool RationalDomain::less(const Scalar& a, const Scalar& b) const {
  if (b.isLowest()) return false;
  return a.isLowest() || a.value() < b.value();
}

}  // namespace shardlaw
