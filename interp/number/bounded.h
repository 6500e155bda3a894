// The domain `bounded`: a value with a rigorous bound on what an evaluation can be off by.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>

#include "interp/number/ieee.h"

namespace shardlaw {

/// One value of the type F (its own IEEE evaluation, to the bit), and a bound.
///
/// Invariant: with x the real value that the formula denotes, every evaluation in which each operation
/// rounds once with unit roundoff u of F and underflows gradually, and in which sums are taken in ANY order,
/// with or without fused multiply-add, lies within `bound` of x; `value` is one such evaluation. So two
/// evaluations of the same real number differ by at most the sum of their bounds.
///
/// A bound of infinity says that nothing is known: another evaluation may even be infinite or NaN. No bound
/// is NaN. An infinity or NaN with bound 0 is an input that every evaluation is given.
template <class F>
struct BoundedScalar {
  F value = 0;
  double bound = 0;

  static constexpr double u = static_cast<double>(std::numeric_limits<F>::epsilon()) / 2;
  static constexpr double unknown = std::numeric_limits<double>::infinity();
  /// Covers the absolute error where a result underflows, which is half of the least positive number. In
  /// double the terms of the bound are subnormal as well; each loses as much again, and there are seven.
  static constexpr double tiny = static_cast<double>(std::numeric_limits<F>::denorm_min()) * (sizeof(F) == 8 ? 4 : 1);
  /// From here on, u times the magnitude exceeds all that underflow can cost.
  static constexpr double smallNormal =
      static_cast<double>(std::numeric_limits<F>::min()) * (sizeof(F) == 8 ? 0x1p100 : 4.0);
  /// Beyond half of the largest number another evaluation may overflow where this one does not.
  static constexpr double limit = static_cast<double>(std::numeric_limits<F>::max()) / 2;

  double magnitude() const { return std::abs(static_cast<double>(value)); }
  /// The largest magnitude that another evaluation can have.
  double reach() const { return magnitude() + 2 * bound; }
  /// A bound on |x|.
  double size() const { return magnitude() + bound; }
  /// Zero in every evaluation.
  bool isZero() const { return value == 0 && bound == 0; }

  /// Bounds are sums and products of a few non-negative doubles, each rounded to nearest: fewer than 32
  /// roundings are covered by this factor, so that the bound stays one.
  static double upward(double b) { return b * (1 + 0x1p-47); }
  /// The rounding of one operation with a result of magnitude at most `most`.
  static double rounding(double most) { return u * most + (most > 0 && most < smallNormal ? tiny : 0); }
  /// The result of an operation that in no evaluation exceeds `most` before it is rounded.
  static BoundedScalar within(F value, double bound, double most) {
    if (value != value || !(most <= limit) || bound != bound) return {value, unknown};
    return {value, bound};
  }

  friend BoundedScalar operator+(BoundedScalar a, BoundedScalar b) { return added(a, b, a.value + b.value); }
  friend BoundedScalar operator-(BoundedScalar a, BoundedScalar b) { return added(a, b, a.value - b.value); }
  friend BoundedScalar operator-(BoundedScalar a) { return {-a.value, a.bound}; }
  friend BoundedScalar operator*(BoundedScalar a, BoundedScalar b) {
    // |a'b' − xy| ≤ |a'||b' − y| + |y||a' − x|.
    const double carried = a.reach() * b.bound + b.size() * a.bound;
    const double most = notZero(a.reach() * b.reach(), a, b);
    return within(a.value * b.value, upward(carried + rounding(most)), most);
  }
  friend BoundedScalar operator/(BoundedScalar a, BoundedScalar b) {
    const F quotient = a.value / b.value;
    const double least = b.magnitude() - 2 * b.bound;
    if (!(least > 0)) return {quotient, unknown};
    // |a'/b' − x/y| ≤ |a' − x|/|b'| + |x||b' − y|/(|b'||y|), and |y| ≥ least as well.
    const double carried = a.bound / least + a.size() / least * (b.bound / least);
    const double most = notZero(a.reach() / least, a, b);
    return within(quotient, upward(upward(carried + rounding(most))), most);
  }

 private:
  /// A magnitude that underflowed to 0 although neither operand is 0 must not look like an exact zero.
  static double notZero(double most, BoundedScalar a, BoundedScalar b) {
    return most == 0 && !a.isZero() && !b.isZero() ? std::numeric_limits<double>::denorm_min() : most;
  }
  static BoundedScalar added(BoundedScalar a, BoundedScalar b, F value) {
    const double carried = a.bound + b.bound;
    // Adding an exact zero does not round, and addition of floats underflows exactly.
    if (a.isZero() || b.isZero()) return {value, carried};
    const double most = upward(std::abs(static_cast<double>(value)) + 2 * carried) * (1 + 2 * u);
    return within(value, upward(carried + u * most), most);
  }
};

/// Σ in any order: n terms, each within its own bound, cost at most γ_{n−1}·Σ|term| more, whatever the
/// tree of additions (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., §4.2 and §3.1).
template <class F>
class BoundedSum {
  using S = BoundedScalar<F>;

 public:
  void add(S a) {
    value_ = value_ + a.value;
    count(a);
  }
  void addProduct(S a, S b) {
    const S product = a * b;
    value_ = value_ + product.value;
    count(product);
  }
  S total() const {
    if (terms_ <= 1) return {value_, S::upward(bounds_)};
    const double growth = static_cast<double>(terms_ - 1) * S::u;
    if (growth >= 0.5) return {value_, S::unknown};
    // The two running double sums lose at most terms · 2^-53 of their own.
    const double own = 1 + static_cast<double>(terms_) * 0x1p-52;
    const double bound = S::upward(S::upward(bounds_ + growth / (1 - growth) * reach_) * own);
    return S::within(value_, bound, reach_ * own);
  }

 private:
  void count(S a) {
    if (a.isZero()) return;  // adding an exact zero rounds nothing
    ++terms_;
    bounds_ += a.bound;
    reach_ += a.reach();
  }

  F value_ = 0;
  double bounds_ = 0, reach_ = 0;
  std::int64_t terms_ = 0;
};

/// A comparison, and whether every evaluation and the reals agree on it.
struct BoundedTruth {
  bool value = false;
  bool certain = true;

  friend BoundedTruth operator&(BoundedTruth a, BoundedTruth b) {
    const bool certainlyFalse = (a.certain && !a.value) || (b.certain && !b.value);
    return {a.value && b.value, (a.certain && b.certain) || certainlyFalse};
  }
  friend BoundedTruth operator|(BoundedTruth a, BoundedTruth b) { return !((!a) & (!b)); }
  friend BoundedTruth operator!(BoundedTruth a) { return {!a.value, a.certain}; }
};

/// Elementary functions (rsqrt, sqrt, exp, log, tanh) are taken to be within 6 units of roundoff of the
/// exact function at their rounded argument: the worst that all f32 numbers showed of XLA's on a CPU is 5.3, of exp
/// (tests/xla), and the libraries of other backends state less.
/// Where a comparison is uncertain, select covers both outcomes and counts a kink.
template <class F>
class Bounded {
  using Base = Ieee<F>;

 public:
  static constexpr const char* name = sizeof(F) == 8 ? "bounded64" : "bounded32";
  static constexpr double functionError = 6;
  using Scalar = BoundedScalar<F>;
  using Truth = BoundedTruth;
  using Sum = BoundedSum<F>;

  Bounded() = default;
  Bounded(const Bounded& other) : kinks_(other.kinks()) {}

  /// A literal is its nearest F. A backend may have read it through another format, and so have taken the
  /// neighbour on the other side.
  Scalar literal(const Rational& q) const {
    const F value = base_.literal(q);
    if (!std::isfinite(value)) return {value, Scalar::unknown};
    if (Rational(static_cast<double>(value)) == q) return {value, 0};
    const double most =
        std::max(std::abs(static_cast<double>(value)), static_cast<double>(std::numeric_limits<F>::denorm_min()));
    return Scalar::within(value, Scalar::upward(2 * Scalar::rounding(most)), most);
  }
  Scalar lowest() const { return {base_.lowest(), 0}; }

  /// Roots are taken only of what no evaluation makes negative (a sum of squares): a backend that gets a
  /// NaN here has left the formula, and is meant to fail its comparison.
  Scalar sqrt(Scalar a) const {
    const F root = base_.sqrt(a.value);
    if (a.isZero()) return {root, 0};
    if (!(a.value >= 0)) return {root, Scalar::unknown};
    const double least = static_cast<double>(a.value) - 2 * a.bound;
    // |√a' − √x| ≤ |a' − x|/(√a' + √x), and never more than √|a' − x|.
    double carried = std::sqrt(a.bound);
    if (least > 0) carried = std::min(carried, a.bound / (2 * std::sqrt(least)));
    return function(root, carried, std::sqrt(a.reach()));
  }
  Scalar rsqrt(Scalar a) const {
    const F root = base_.rsqrt(a.value);
    const double least = static_cast<double>(a.value) - 2 * a.bound;
    if (!(least > 0)) return {root, Scalar::unknown};
    // least^1.5 could underflow.
    return function(root, a.bound / least / (2 * std::sqrt(least)), 1 / std::sqrt(least));
  }
  Scalar exp(Scalar a) const {
    if (a.bound == 0 && a.value == base_.lowest()) return {base_.exp(a.value), 0};
    // The argument, below 2^10 where the result is finite, is rounded to within 2^-44. The exponential of a
    // number is never an exact zero.
    double most = std::exp(static_cast<double>(a.value) + 2 * a.bound) * (1 + 0x1p-40);
    if (most == 0) most = std::numeric_limits<double>::denorm_min();
    return function(base_.exp(a.value), most * a.bound, most);
  }
  Scalar log(Scalar a) const {
    const F value = base_.log(a.value);
    const double least = static_cast<double>(a.value) - 2 * a.bound;
    if (!(least > 0)) return {value, Scalar::unknown};
    double most = std::max(std::abs(std::log(least)), std::abs(std::log(a.reach()))) * (1 + 0x1p-50);
    if (a.bound > 0) most += 0x1p-52;  // near 1, the rounding of `least` is not a relative error
    return function(value, a.bound / least, most);
  }
  /// |tanh′| ≤ 1.
  Scalar tanh(Scalar a) const { return function(base_.tanh(a.value), a.bound, std::min(1.0, a.reach())); }
  /// Rounding is a step function: two arguments that may lie on different sides of a step can land one
  /// bf16 spacing apart on top of their own distance.
  Scalar roundToBf16(Scalar a) const {
    const F value = base_.roundToBf16(a.value);
    if (a.bound == 0) return {value, 0};
    // Outwards by a neighbour, as the ends are rounded themselves: `value` may be the very edge of a step.
    const auto roundedFrom = [](double x, double outwards) {
      return static_cast<double>(bf16FromDouble(std::nextafter(x, outwards)));
    };
    const double low = roundedFrom(static_cast<double>(a.value) - 2 * a.bound, -Scalar::unknown);
    const double high = roundedFrom(static_cast<double>(a.value) + 2 * a.bound, Scalar::unknown);
    if (low == high) return {value, 0};
    kinks_.fetch_add(1, std::memory_order_relaxed);
    return Scalar::within(value, Scalar::upward(high - low), std::max(-low, high));
  }
  Scalar max(Scalar a, Scalar b) const { return chosen(base_.max(a.value, b.value), less(b, a), a, b); }
  Scalar min(Scalar a, Scalar b) const { return chosen(base_.min(a.value, b.value), less(a, b), a, b); }
  Truth less(Scalar a, Scalar b) const { return {base_.less(a.value, b.value), apart(a, b)}; }
  Truth exceeds(Scalar a, Scalar b) const { return {base_.exceeds(a.value, b.value), apart(a, b)}; }
  Scalar select(Truth t, Scalar a, Scalar b) const {
    const Scalar taken = t.value ? a : b;
    if (t.certain) return taken;
    const double between = std::abs(static_cast<double>(a.value) - static_cast<double>(b.value));
    if (between == 0 && a.bound == 0 && b.bound == 0) return taken;
    kinks_.fetch_add(1, std::memory_order_relaxed);
    const double bound = Scalar::upward(between + 2 * (a.bound + b.bound));
    return Scalar::within(taken.value, bound, bound);
  }

  /// How many selections and roundings the bound could not decide so far.
  std::int64_t kinks() const { return kinks_.load(std::memory_order_relaxed); }

 private:
  /// max and min are continuous: the bounds of both operands hold even where it is uncertain which is taken.
  static Scalar chosen(F value, Truth first, Scalar a, Scalar b) {
    if (!first.certain) return {value, std::max(a.bound, b.bound)};
    return {value, first.value ? a.bound : b.bound};
  }
  static bool apart(Scalar a, Scalar b) {
    if (a.bound == 0 && b.bound == 0) return true;
    const double between = std::abs(static_cast<double>(a.value) - static_cast<double>(b.value));
    return between > 2 * Scalar::upward(a.bound + b.bound);
  }
  static Scalar function(F value, double carried, double most) {
    return Scalar::within(value, Scalar::upward(Scalar::upward(carried + functionError * Scalar::rounding(most))),
                          most);
  }

  Base base_;
  mutable std::atomic<std::int64_t> kinks_{0};
};

using Bounded64 = Bounded<double>;
using Bounded32 = Bounded<float>;

}  // namespace shardlaw
