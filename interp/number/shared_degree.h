// The domain `shared degree`: degrees of rational functions over one common denominator.
#pragma once

#include <algorithm>
#include <mutex>

#include "interp/number/domain.h"
#include "interp/number/opaque.h"

namespace shardlaw {

class SharedDegree;

/// A bound on a rational function of the random inputs into which only structure enters, not how many cells are
/// summed: it is N/Δ^power with deg N ≤ degree + (power + extra)·deg Δ + roots·s. Δ is the product of all divisors of
/// the computation, each once; s is the number of arguments of which both √ and 1/√ were taken. Where a sum of many
/// fractions keeps the common Δ here, `Degree` multiplies their denominators.
struct SharedDegreeScalar {
  double degree = 0, power = 0, extra = 0, roots = 0;
  /// Keeps count of divisions; null in a constant.
  const SharedDegree* domain = nullptr;

  bool isConstant() const { return degree == 0 && power == 0 && extra == 0 && roots == 0; }
  /// An upper bound on deg N.
  double numerator(double divisors, double sharedRoots) const {
    return degree + (power + extra) * divisors + roots * sharedRoots;
  }
};

/// A bound for a value that may be either.
inline SharedDegreeScalar larger(SharedDegreeScalar a, SharedDegreeScalar b) {
  return {std::max(a.degree, b.degree), std::max(a.power, b.power), std::max(a.extra, b.extra),
          std::max(a.roots, b.roots), a.domain != nullptr ? a.domain : b.domain};
}
inline SharedDegreeScalar operator+(SharedDegreeScalar a, SharedDegreeScalar b) { return larger(a, b); }
inline SharedDegreeScalar operator-(SharedDegreeScalar a, SharedDegreeScalar b) { return larger(a, b); }
inline SharedDegreeScalar operator-(SharedDegreeScalar a) { return a; }
inline SharedDegreeScalar operator*(SharedDegreeScalar a, SharedDegreeScalar b) {
  return {a.degree + b.degree, a.power + b.power, a.extra + b.extra, a.roots + b.roots,
          a.domain != nullptr ? a.domain : b.domain};
}
SharedDegreeScalar operator/(SharedDegreeScalar a, SharedDegreeScalar b);

class SharedDegreeSum {
 public:
  void add(SharedDegreeScalar a) { total_ = total_ + a; }
  void addProduct(SharedDegreeScalar a, SharedDegreeScalar b) { total_ = total_ + a * b; }
  SharedDegreeScalar total() const { return total_; }

 private:
  SharedDegreeScalar total_;
};

/// √x is a variable of its own, and so is 1/√x; a polynomial in both is brought to one of them by clearing a power of
/// it, which `roots` bounds. Degrees hold for every evaluation of the same operations at larger sizes; the number of
/// divisions is that of this evaluation.
class SharedDegree {
 public:
  static constexpr const char* name = "shared degree";
  using Scalar = SharedDegreeScalar;
  using Truth = bool;
  using Sum = SharedDegreeSum;

  struct Counts {
    double divisions = 0;         ///< by a divisor that is not constant
    double divisor = 0;           ///< the largest degree of a divisor, but for roots
    double divisorRoots = 0;      ///< its largest `roots`
    bool nested = false;          ///< a divisor is a fraction itself: then no bound is known
    SharedDegreeScalar compared;  ///< bounds the arguments of comparisons
    PerOpaque<SharedDegreeScalar> arguments;
  };

  Scalar literal(const Rational&) const { return {}; }
  Scalar variable() const { return {1, 0, 0, 0, this}; }
  Scalar lowest() const { return {}; }
  Scalar sqrt(Scalar a) const {
    opaque(Opaque::sqrt, a);
    return {1, 0, 0, 1, this};
  }
  Scalar rsqrt(Scalar a) const { return opaque(Opaque::rsqrt, a); }
  Scalar exp(Scalar a) const { return opaque(Opaque::exp, a); }
  Scalar log(Scalar a) const { return opaque(Opaque::log, a); }
  Scalar tanh(Scalar a) const { return opaque(Opaque::tanh, a); }
  Scalar roundToBf16(Scalar a) const { return opaque(Opaque::round, a); }
  /// Exact's uninterpreted functions: of one argument, or of a bound for both.
  Scalar uninterpreted(Scalar a) const { return opaque(Opaque::other, a); }
  Scalar max(Scalar a, Scalar b) const { return select(less(a, b), a, b); }
  Scalar min(Scalar a, Scalar b) const { return select(less(a, b), a, b); }
  Truth less(Scalar a, Scalar b) const {
    const std::lock_guard lock(guard_);
    counts_.compared = larger(counts_.compared, larger(a, b));
    return true;
  }
  Truth exceeds(Scalar a, Scalar b) const { return less(a, b); }
  /// Along the comparisons drawn, either may have been chosen.
  Scalar select(Truth, Scalar a, Scalar b) const { return larger(a, b); }

  Counts counts() const {
    const std::lock_guard lock(guard_);
    return counts_;
  }
  void noteDivisor(Scalar divisor) const {
    const std::lock_guard lock(guard_);
    ++counts_.divisions;
    counts_.divisor = std::max(counts_.divisor, divisor.degree);
    counts_.divisorRoots = std::max(counts_.divisorRoots, divisor.roots);
    counts_.nested = counts_.nested || divisor.power > 0 || divisor.extra > 0;
  }

 private:
  Scalar opaque(Opaque f, Scalar a) const {
    const std::lock_guard lock(guard_);
    counts_.arguments[f] = larger(counts_.arguments[f], a);
    return variable();
  }

  mutable std::mutex guard_;
  mutable Counts counts_;
};

/// With b = N/(Δ^power·M), M the monomial of roots that was cleared, 1/b is M·Δ^power·(Δ/N)/Δ: one power more, and the
/// factors Δ^power and M.
inline SharedDegreeScalar operator/(SharedDegreeScalar a, SharedDegreeScalar b) {
  if (b.isConstant()) return a;
  b.domain->noteDivisor(b);
  return {a.degree, a.power + 1, a.extra + b.power, a.roots + b.roots, b.domain};
}

}  // namespace shardlaw
