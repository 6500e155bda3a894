// The domain `wide`: multiprecision floats, to tell a wrong identity from rounding.
#pragma once

#include <memory>
#include <string>

#include "interp/number/elementary.h"
#include "interp/number/rational.h"

namespace shardlaw {

/// A float of many bits, rounded to nearest even by every operation; it has IEEE's infinities and NaN, and
/// exponents so large that nothing underflows. It carries its precision, and a result has the larger one of
/// its operands: so nothing depends on a default that another thread, or another Wide, may have set.
///
/// Immutable, hence cheap to copy and safe to share between threads. The default is 0, at no precision.
///
/// MPFR is called directly, and only in wide.cc. Boost.Multiprecision's variable-precision float takes its
/// precision in decimal digits, so that most numbers of bits cannot be asked for; gives temporaries the
/// default precision of the thread, which a worker thread reads once and never again; and changes that
/// default inside its elementary functions.
class WideScalar {
 public:
  struct Number;

  WideScalar() = default;

  friend WideScalar operator+(const WideScalar& a, const WideScalar& b);
  friend WideScalar operator-(const WideScalar& a, const WideScalar& b);
  friend WideScalar operator*(const WideScalar& a, const WideScalar& b);
  friend WideScalar operator/(const WideScalar& a, const WideScalar& b);
  friend WideScalar operator-(const WideScalar& a);
  /// As IEEE: NaN differs from itself, and the zeros are equal.
  friend bool operator==(const WideScalar& a, const WideScalar& b);

  bool isNaN() const;
  /// Bits of significand; 0 for the default zero.
  long precision() const;
  double toDouble() const;
  /// Exact; throws Error for an infinity or a NaN.
  Rational toRational() const;
  /// Scientific notation with so many significant digits: "-1.25e-40".
  std::string toString(int digits) const;

 private:
  friend class Wide;
  friend class WideSum;
  explicit WideScalar(std::shared_ptr<const Number> number) : number_(std::move(number)) {}

  std::shared_ptr<const Number> number_;
};

/// A left fold in which a product is not rounded before it is added.
class WideSum {
 public:
  WideSum() = default;
  WideSum(const WideSum&) = delete;
  WideSum& operator=(const WideSum&) = delete;

  void add(const WideScalar& a);
  void addProduct(const WideScalar& a, const WideScalar& b);
  WideScalar total() const;

 private:
  std::shared_ptr<WideScalar::Number> total_;
};

/// max, min and the comparisons follow Ieee's rules. Functions are correctly rounded.
class Wide {
 public:
  static constexpr const char* name = "wide";
  using Scalar = WideScalar;
  using Truth = bool;
  using Sum = WideSum;

  /// Numbers of `bits` bits, 64 to 2^20; throws Error beyond.
  explicit Wide(long bits = 256);
  long bits() const { return bits_; }

  /// Exact.
  Scalar fromDouble(double x) const;
  Scalar literal(const Rational& q) const;
  Scalar lowest() const;
  Scalar sqrt(const Scalar& a) const;
  Scalar rsqrt(const Scalar& a) const;
  Scalar exp(const Scalar& a) const;
  Scalar log(const Scalar& a) const;
  Scalar tanh(const Scalar& a) const;
  /// Correctly rounded; `b` is read by functions of two arguments.
  Scalar elementary(Elementary f, const Scalar& a, const Scalar& b = {}) const;
  /// One rounding, from all the bits, to bf16's precision and range.
  Scalar roundToBf16(const Scalar& a) const;
  Scalar max(const Scalar& a, const Scalar& b) const;
  Scalar min(const Scalar& a, const Scalar& b) const;
  bool less(const Scalar& a, const Scalar& b) const;
  bool exceeds(const Scalar& a, const Scalar& b) const;
  Scalar select(bool t, const Scalar& a, const Scalar& b) const { return t ? a : b; }

 private:
  long bits_;
};

}  // namespace shardlaw
