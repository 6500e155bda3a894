// The domain `rational`: exact arithmetic, as an oracle for the other domains.
#pragma once

#include "interp/number/rational.h"

namespace shardlaw {

/// A rational number, or lowest(), which stands for −∞ and may only be compared and selected: arithmetic
/// on it throws Undefined, as does division by zero.
class RationalScalar {
 public:
  RationalScalar() = default;
  explicit RationalScalar(Rational q) : value_(std::move(q)) {}
  static RationalScalar lowest();

  bool isLowest() const { return lowest_; }
  /// Throws Undefined at lowest().
  const Rational& value() const;

  friend bool operator==(const RationalScalar&, const RationalScalar&) = default;
  friend RationalScalar operator+(const RationalScalar& a, const RationalScalar& b);
  friend RationalScalar operator-(const RationalScalar& a, const RationalScalar& b);
  friend RationalScalar operator*(const RationalScalar& a, const RationalScalar& b);
  friend RationalScalar operator/(const RationalScalar& a, const RationalScalar& b);
  friend RationalScalar operator-(const RationalScalar& a);

 private:
  Rational value_;
  bool lowest_ = false;
};

class RationalSum {
 public:
  void add(const RationalScalar& a) { total_ = total_ + a; }
  void addProduct(const RationalScalar& a, const RationalScalar& b) { total_ = total_ + a * b; }
  RationalScalar total() const { return total_; }

 private:
  RationalScalar total_;
};

/// + − × ÷ and comparisons are exact; so are bf16 rounding where it is finite, roots of squares, and the
/// functions at the argument where they are rational. Everywhere else a function throws Undefined.
class RationalDomain {
 public:
  static constexpr const char* name = "rational";
  using Scalar = RationalScalar;
  using Truth = bool;
  using Sum = RationalSum;

  Scalar literal(const Rational& q) const { return Scalar(q); }
  Scalar lowest() const { return Scalar::lowest(); }
  Scalar sqrt(const Scalar& a) const;
  Scalar rsqrt(const Scalar& a) const;
  Scalar exp(const Scalar& a) const;
  Scalar log(const Scalar& a) const;
  Scalar tanh(const Scalar& a) const;
  Scalar roundToBf16(const Scalar& a) const;
  Scalar max(const Scalar& a, const Scalar& b) const { return less(b, a) ? a : b; }
  Scalar min(const Scalar& a, const Scalar& b) const { return less(a, b) ? a : b; }
  bool less(const Scalar& a, const Scalar& b) const;
  bool exceeds(const Scalar& a, const Scalar& b) const { return less(b, a); }
  Scalar select(bool t, const Scalar& a, const Scalar& b) const { return t ? a : b; }
};

}  // namespace shardlaw
