#include "interp/number/wide.h"

#include <mpfr.h>

#include <algorithm>
#include <utility>

#include "interp/error.h"
#include "interp/number/domain.h"
#include "interp/number/mpfr_format.h"

namespace shardlaw {

static_assert(Domain<Wide>);

struct WideScalar::Number {
  explicit Number(mpfr_prec_t bits) { mpfr_init2(value, bits); }
  Number(const Number& other) : Number(mpfr_get_prec(other.value)) { mpfr_set(value, other.value, MPFR_RNDN); }
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value); }

  mpfr_t value;
};

namespace {

using Number = WideScalar::Number;
using Pointer = std::shared_ptr<const Number>;

/// What is read where there is no number: an exact zero.
const Number& zero() {
  static const Number number = [] {
    Number n(MPFR_PREC_MIN);
    mpfr_set_zero(n.value, 1);
    return n;
  }();
  return number;
}

mpfr_srcptr read(const Pointer& number) { return number ? number->value : zero().value; }

mpfr_prec_t precisionOf(const Pointer& a, const Pointer& b) {
  return std::max({mpfr_get_prec(read(a)), mpfr_get_prec(read(b)), mpfr_prec_t{2}});
}

bool isNumber(const Pointer& a) { return !a || mpfr_number_p(a->value) != 0; }

/// A fresh number of so many bits, filled by f(its value).
template <class F>
Pointer make(mpfr_prec_t bits, const F& f) {
  auto number = std::make_shared<Number>(bits);
  f(number->value);
  return number;
}

using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

Pointer apply(Binary operation, const Pointer& a, const Pointer& b) {
  return make(precisionOf(a, b), [&](mpfr_ptr out) { operation(out, read(a), read(b), MPFR_RNDN); });
}

Pointer apply(Unary function, mpfr_prec_t bits, const Pointer& a) {
  return make(bits, [&](mpfr_ptr out) { function(out, read(a), MPFR_RNDN); });
}

}  // namespace

WideScalar operator+(const WideScalar& a, const WideScalar& b) {
  if (!a.number_) return b;
  if (!b.number_) return a;
  return WideScalar(apply(mpfr_add, a.number_, b.number_));
}
WideScalar operator-(const WideScalar& a, const WideScalar& b) {
  if (!b.number_) return a;
  return WideScalar(apply(mpfr_sub, a.number_, b.number_));
}
WideScalar operator*(const WideScalar& a, const WideScalar& b) {
  return WideScalar(apply(mpfr_mul, a.number_, b.number_));
}
WideScalar operator/(const WideScalar& a, const WideScalar& b) {
  return WideScalar(apply(mpfr_div, a.number_, b.number_));
}
WideScalar operator-(const WideScalar& a) {
  if (!a.number_) return a;
  return WideScalar(apply(mpfr_neg, mpfr_get_prec(a.number_->value), a.number_));
}
bool operator==(const WideScalar& a, const WideScalar& b) {
  return mpfr_equal_p(read(a.number_), read(b.number_)) != 0;
}

bool WideScalar::isNaN() const { return number_ && mpfr_nan_p(number_->value) != 0; }

long WideScalar::precision() const { return number_ ? mpfr_get_prec(number_->value) : 0; }

double WideScalar::toDouble() const { return mpfr_get_d(read(number_), MPFR_RNDN); }

Rational WideScalar::toRational() const {
  if (!isNumber(number_)) throw Error("an infinity or a NaN has no rational value");
  Rational q;
  mpfr_get_q(q.get_mpq_t(), read(number_));
  return q;
}

std::string WideScalar::toString(int digits) const {
  if (isNaN()) return "nan";
  const mpfr_srcptr value = read(number_);
  const std::string sign = mpfr_signbit(value) != 0 ? "-" : "";
  if (mpfr_inf_p(value) != 0) return sign + "inf";
  if (mpfr_zero_p(value) != 0) return sign + "0";
  mpfr_exp_t exponent = 0;
  char* text = mpfr_get_str(nullptr, &exponent, 10, static_cast<std::size_t>(std::max(digits, 2)), value, MPFR_RNDN);
  // MPFR's point stands before the first digit.
  std::string significand = text + sign.size();
  mpfr_free_str(text);
  significand.insert(1, ".");
  return sign + significand + "e" + std::to_string(exponent - 1);
}

void WideSum::add(const WideScalar& a) {
  if (!a.number_) return;
  if (!total_) {
    total_ = std::make_shared<WideScalar::Number>(*a.number_);
    return;
  }
  mpfr_prec_round(total_->value, precisionOf(total_, a.number_), MPFR_RNDN);
  mpfr_add(total_->value, total_->value, a.number_->value, MPFR_RNDN);
}

void WideSum::addProduct(const WideScalar& a, const WideScalar& b) {
  // Padding is most of what a small convolution reads.
  if ((!a.number_ && isNumber(b.number_)) || (!b.number_ && isNumber(a.number_))) return;
  const mpfr_prec_t bits = precisionOf(a.number_, b.number_);
  if (!total_) {
    total_ = std::make_shared<WideScalar::Number>(bits);
    mpfr_mul(total_->value, read(a.number_), read(b.number_), MPFR_RNDN);
    return;
  }
  mpfr_prec_round(total_->value, std::max(bits, mpfr_get_prec(total_->value)), MPFR_RNDN);
  mpfr_fma(total_->value, read(a.number_), read(b.number_), total_->value, MPFR_RNDN);
}

WideScalar WideSum::total() const {
  return total_ ? WideScalar(std::make_shared<const WideScalar::Number>(*total_)) : WideScalar();
}

Wide::Wide(long bits) : bits_(bits) {
  if (bits < 64 || bits > (1L << 20))
    throw Error("expected a precision of 64 to 1048576 bits, found " + std::to_string(bits));
}

WideScalar Wide::fromDouble(double x) const {
  return WideScalar(make(bits_, [&](mpfr_ptr out) { mpfr_set_d(out, x, MPFR_RNDN); }));
}
WideScalar Wide::literal(const Rational& q) const {
  return WideScalar(make(bits_, [&](mpfr_ptr out) { mpfr_set_q(out, q.get_mpq_t(), MPFR_RNDN); }));
}
WideScalar Wide::lowest() const {
  return WideScalar(make(bits_, [](mpfr_ptr out) { mpfr_set_inf(out, -1); }));
}
WideScalar Wide::sqrt(const Scalar& a) const { return WideScalar(apply(mpfr_sqrt, bits_, a.number_)); }
WideScalar Wide::rsqrt(const Scalar& a) const { return WideScalar(apply(mpfr_rec_sqrt, bits_, a.number_)); }
WideScalar Wide::exp(const Scalar& a) const { return WideScalar(apply(mpfr_exp, bits_, a.number_)); }
WideScalar Wide::log(const Scalar& a) const { return WideScalar(apply(mpfr_log, bits_, a.number_)); }
WideScalar Wide::tanh(const Scalar& a) const { return WideScalar(apply(mpfr_tanh, bits_, a.number_)); }

WideScalar Wide::elementary(Elementary f, const Scalar& a, const Scalar& b) const {
  return WideScalar(make(bits_, [&](mpfr_ptr out) {
    const mpfr_srcptr x = read(a.number_), y = read(b.number_);
    switch (f) {
      case Elementary::cbrt: mpfr_cbrt(out, x, MPFR_RNDN); return;
      case Elementary::sine: mpfr_sin(out, x, MPFR_RNDN); return;
      case Elementary::cosine: mpfr_cos(out, x, MPFR_RNDN); return;
      case Elementary::floor: mpfr_rint_floor(out, x, MPFR_RNDN); return;
      case Elementary::ceil: mpfr_rint_ceil(out, x, MPFR_RNDN); return;
      case Elementary::roundToEven: mpfr_rint_roundeven(out, x, MPFR_RNDN); return;
      case Elementary::roundAwayFromZero: mpfr_rint_round(out, x, MPFR_RNDN); return;
      case Elementary::power: mpfr_pow(out, x, y, MPFR_RNDN); return;
      case Elementary::atan2: mpfr_atan2(out, x, y, MPFR_RNDN); return;
      case Elementary::remainder: mpfr_fmod(out, x, y, MPFR_RNDN); return;
    }
  }));
}

WideScalar Wide::roundToBf16(const Scalar& a) const {
  mpfr_t rounded;
  mpfr_init2(rounded, bfloat16.precision);
  const int ternary = mpfr_set(rounded, read(a.number_), MPFR_RNDN);
  fitFormat(rounded, ternary, bfloat16);
  auto result = make(bits_, [&](mpfr_ptr out) { mpfr_set(out, rounded, MPFR_RNDN); });
  mpfr_clear(rounded);
  return WideScalar(std::move(result));
}

WideScalar Wide::max(const Scalar& a, const Scalar& b) const {
  if (a.isNaN()) return a;
  if (b.isNaN()) return b;
  return less(b, a) ? a : b;
}
WideScalar Wide::min(const Scalar& a, const Scalar& b) const {
  if (a.isNaN()) return a;
  if (b.isNaN()) return b;
  return less(a, b) ? a : b;
}
bool Wide::less(const Scalar& a, const Scalar& b) const { return mpfr_less_p(read(a.number_), read(b.number_)) != 0; }
bool Wide::exceeds(const Scalar& a, const Scalar& b) const { return less(b, a) || (a.isNaN() && !b.isNaN()); }

}  // namespace shardlaw
