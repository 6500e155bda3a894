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
/// rounds once with unit roundoff u of F, and in which sums are taken in ANY order, with or without fused
/// multiply-add, lies within `bound` of x; `value` is one such evaluation. So two evaluations of the same
/// real number differ by at most the sum of their bounds.
///
/// A bound of infinity says that nothing is known; so does a NaN, which no bound survives.
template <class F>
struct BoundedScalar {
  F value = 0;
  double bound = 0;

  static constexpr double u = std::numeric_limits<F>::epsilon() / 2;
  /// Half the spacing of the subnormal numbers: the absolute error where a product underflows.
  static constexpr double tiny = std::numeric_limits<F>::denorm_min();

  double magnitude() const { return std::abs(static_cast<double>(value)); }
  /// The largest magnitude that another evaluation can have.
  double reach() const { return magnitude() + 2 * bound; }
  /// A bound on |x|.
  double size() const { return magnitude() + bound; }

  /// Bounds are sums and products of a few non-negative doubles, each rounded to nearest: fewer than 32
  /// roundings are covered by this factor, so that the bound stays one.
  static double upward(double b) { return b * (1 + 0x1p-47); }
  /// The rounding of one operation with a result of magnitude at most `most`.
  static double rounding(double most) { return u * most + (most > 0 && most < smallNormal ? tiny : 0); }
  /// Below this, terms of a bound can be subnormal themselves; `tiny` covers what they lose.
  static constexpr double smallNormal = std::numeric_limits<F>::min() * (sizeof(F) == 8 ? 0x1p100 : 4.0);

  friend BoundedScalar operator+(BoundedScalar a, BoundedScalar b) { return added(a, b, a.value + b.value); }
  friend BoundedScalar operator-(BoundedScalar a, BoundedScalar b) { return added(a, b, a.value - b.value); }
  friend BoundedScalar operator-(BoundedScalar a) { return {-a.value, a.bound}; }
  friend BoundedScalar operator*(BoundedScalar a, BoundedScalar b) {
    // |a'b' − xy| ≤ |a'||b' − y| + |y||a' − x|.
    const double carried = times(a.reach(), b.bound) + times(b.size(), a.bound);
    return {a.value * b.value, upward(carried + rounding(notZero(times(a.reach(), b.reach()), a, b)))};
  }
  friend BoundedScalar operator/(BoundedScalar a, BoundedScalar b) {
    const F quotient = a.value / b.value;
    const double least = b.magnitude() - 2 * b.bound;
    if (!(least > 0)) return {quotient, std::numeric_limits<double>::infinity()};
    // |a'/b' − x/y| ≤ |a' − x|/|b'| + |x||b' − y|/(|b'||y|), and |y| ≥ least as well.
    const double carried = a.bound / least + times(a.size() / least, b.bound / least);
    return {quotient, upward(upward(carried + rounding(notZero(a.reach() / least, a, b))))};
  }

  /// 0·∞ = 0 here: an exact zero stays exact whatever it multiplies.
  static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

 private:
  /// A magnitude that underflowed to 0 although neither factor is 0 must not look like an exact zero.
  static double notZero(double most, BoundedScalar a, BoundedScalar b) {
    return most == 0 && a.reach() != 0 && b.reach() != 0 ? std::numeric_limits<double>::denorm_min() : most;
  }
  static BoundedScalar added(BoundedScalar a, BoundedScalar b, F value) {
    const double carried = a.bound + b.bound;
    // Addition of floats underflows exactly; adding an exact zero does not round.
    const bool exact = (a.value == 0 && a.bound == 0) || (b.value == 0 && b.bound == 0);
    const double most = std::abs(static_cast<double>(value)) + 2 * carried;
    return {value, exact ? carried : upward(carried + u * upward(most) * (1 + 2 * u))};
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
    if (growth >= 0.5) return {value_, std::numeric_limits<double>::infinity()};
    // The two running double sums lose at most terms · 2^-53 of their own.
    const double own = 1 + static_cast<double>(terms_) * 0x1p-52;
    return {value_, S::upward(S::upward(bounds_ + growth / (1 - growth) * reach_) * own)};
  }

 private:
  void count(S a) {
    if (a.value == 0 && a.bound == 0) return;  // adding an exact zero rounds nothing
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

/// Elementary functions (rsqrt, sqrt, exp, log, tanh) are taken to be within 4 units of roundoff of the
/// exact function at their rounded argument, which covers the libraries and GPUs that backends use.
/// Where a comparison is uncertain, select covers both outcomes and counts a kink.
template <class F>
class Bounded {
  using Base = Ieee<F>;

 public:
  static constexpr const char* name = sizeof(F) == 8 ? "bounded64" : "bounded32";
  static constexpr double functionError = 4;
  using Scalar = BoundedScalar<F>;
  using Truth = BoundedTruth;
  using Sum = BoundedSum<F>;

  Bounded() = default;
  Bounded(const Bounded& other) : kinks_(other.kinks()) {}

  /// A literal is its nearest F; a backend may have read it either way.
  Scalar literal(const Rational& q) const {
    const F value = base_.literal(q);
    if (Rational(static_cast<double>(value)) == q) return {value, 0};
    return {value, Scalar::upward(Scalar::rounding(std::abs(static_cast<double>(value))))};
  }
  Scalar lowest() const { return {base_.lowest(), 0}; }

  Scalar sqrt(Scalar a) const {
    const F root = base_.sqrt(a.value);
    if (a.bound == 0 && a.value == 0) return {root, 0};
    const double least = a.magnitude() - 2 * a.bound;
    // |√a' − √x| ≤ |a' − x|/(√a' + √x), and never more than √|a' − x|.
    const double carried = least > 0 ? a.bound / (2 * std::sqrt(least)) : std::sqrt(3 * a.bound);
    return bounded(root, carried, std::sqrt(a.reach()));
  }
  Scalar rsqrt(Scalar a) const {
    const F root = base_.rsqrt(a.value);
    const double least = static_cast<double>(a.value) - 2 * a.bound;
    if (!(least > 0)) return {root, std::numeric_limits<double>::infinity()};
    return bounded(root, a.bound / (2 * least * std::sqrt(least)), 1 / std::sqrt(least));
  }
  Scalar exp(Scalar a) const {
    const double most = std::exp(static_cast<double>(a.value) + 2 * a.bound) * (1 + 0x1p-50);
    return bounded(base_.exp(a.value), Scalar::times(most, a.bound), most);
  }
  Scalar log(Scalar a) const {
    const F value = base_.log(a.value);
    const double least = static_cast<double>(a.value) - 2 * a.bound;
    if (!(least > 0)) return {value, std::numeric_limits<double>::infinity()};
    const double most = std::max(std::abs(std::log(least)), std::abs(std::log(a.reach()))) * (1 + 0x1p-50);
    return bounded(value, a.bound / least, most);
  }
  /// |tanh′| ≤ 1.
  Scalar tanh(Scalar a) const { return bounded(base_.tanh(a.value), a.bound, std::min(1.0, a.reach())); }
  /// Rounding is a step function: two arguments that may lie on different sides of a step can land one
  /// bf16 spacing apart on top of their own distance.
  Scalar roundToBf16(Scalar a) const {
    const F value = base_.roundToBf16(a.value);
    const double low = static_cast<double>(a.value) - 2 * a.bound;
    const double high = static_cast<double>(a.value) + 2 * a.bound;
    if (bf16FromDouble(low) == bf16FromDouble(high)) return {value, 0};
    kinks_.fetch_add(1, std::memory_order_relaxed);
    return {value,
            Scalar::upward(static_cast<double>(bf16FromDouble(high)) - static_cast<double>(bf16FromDouble(low)))};
  }
  Scalar max(Scalar a, Scalar b) const { return {base_.max(a.value, b.value), std::max(a.bound, b.bound)}; }
  Scalar min(Scalar a, Scalar b) const { return {base_.min(a.value, b.value), std::max(a.bound, b.bound)}; }
  Truth less(Scalar a, Scalar b) const { return {base_.less(a.value, b.value), apart(a, b)}; }
  Truth exceeds(Scalar a, Scalar b) const { return {base_.exceeds(a.value, b.value), apart(a, b)}; }
  Scalar select(Truth t, Scalar a, Scalar b) const {
    const Scalar chosen = t.value ? a : b;
    if (t.certain) return chosen;
    const double between = std::abs(static_cast<double>(a.value) - static_cast<double>(b.value));
    if (between == 0 && a.bound == 0 && b.bound == 0) return chosen;
    kinks_.fetch_add(1, std::memory_order_relaxed);
    return {chosen.value, Scalar::upward(between + 2 * (a.bound + b.bound))};
  }

  /// How many selections and roundings the bound could not decide so far.
  std::int64_t kinks() const { return kinks_.load(std::memory_order_relaxed); }

 private:
  static bool apart(Scalar a, Scalar b) {
    if (a.bound == 0 && b.bound == 0) return true;
    const double between = std::abs(static_cast<double>(a.value) - static_cast<double>(b.value));
    return between > 2 * Scalar::upward(a.bound + b.bound);
  }
  static Scalar bounded(F value, double carried, double most) {
    return {value, Scalar::upward(Scalar::upward(carried + functionError * Scalar::rounding(most)))};
  }

  Base base_;
  mutable std::atomic<std::int64_t> kinks_{0};
};

using Bounded64 = Bounded<double>;
using Bounded32 = Bounded<float>;

}  // namespace shardlaw
