// The domain `degree`: how large the polynomials behind an exact evaluation can be.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>

#include "interp/number/domain.h"

namespace shardlaw {

/// Degrees of the numerator and the denominator of a rational function of the random inputs. Every
/// application of an opaque function is a fresh variable.
struct DegreeScalar {
  double numerator = 0;
  double denominator = 0;

  bool isConstant() const { return numerator == 0 && denominator == 0; }

  friend DegreeScalar operator+(DegreeScalar a, DegreeScalar b) {
    return {std::max(a.numerator + b.denominator, b.numerator + a.denominator), a.denominator + b.denominator};
  }
  friend DegreeScalar operator-(DegreeScalar a, DegreeScalar b) { return a + b; }
  friend DegreeScalar operator-(DegreeScalar a) { return a; }
  friend DegreeScalar operator*(DegreeScalar a, DegreeScalar b) {
    return {a.numerator + b.numerator, a.denominator + b.denominator};
  }
  friend DegreeScalar operator/(DegreeScalar a, DegreeScalar b) {
    return {a.numerator + b.denominator, a.denominator + b.numerator};
  }
};

/// A bound for a value that may be either.
inline DegreeScalar larger(DegreeScalar a, DegreeScalar b) {
  return {std::max(a.numerator, b.numerator), std::max(a.denominator, b.denominator)};
}

class DegreeSum {
 public:
  void add(DegreeScalar a) { total_ = total_ + a; }
  void addProduct(DegreeScalar a, DegreeScalar b) { total_ = total_ + a * b; }
  DegreeScalar total() const { return total_; }

 private:
  DegreeScalar total_;
};

/// Counts the opaque applications (functions and comparisons) and the largest degree of an argument: two
/// arguments that differ as expressions may collide in value, which the false-pass bound must include.
class Degree {
 public:
  static constexpr const char* name = "degree";
  using Scalar = DegreeScalar;
  using Truth = bool;
  using Sum = DegreeSum;

  Degree() = default;
  Degree(const Degree& other)
      : applications_(other.applications()),
        numerator_(other.numerator_.load()),
        denominator_(other.denominator_.load()) {}

  Scalar literal(const Rational&) const { return {}; }
  Scalar lowest() const { return {}; }
  Scalar sqrt(Scalar a) const { return {0, opaque(a).numerator}; }  // 1/rsqrt
  Scalar rsqrt(Scalar a) const { return opaque(a); }
  Scalar exp(Scalar a) const { return opaque(a); }
  Scalar log(Scalar a) const { return opaque(a); }
  Scalar tanh(Scalar a) const { return opaque(a); }
  Scalar roundToBf16(Scalar a) const { return opaque(a); }
  Scalar max(Scalar a, Scalar b) const { return select(less(a, b), a, b); }
  Scalar min(Scalar a, Scalar b) const { return select(less(a, b), a, b); }
  Truth less(Scalar a, Scalar b) const {
    opaque(a);
    opaque(b);
    return true;
  }
  Truth exceeds(Scalar a, Scalar b) const { return less(a, b); }
  /// Along the comparisons drawn, either may have been chosen.
  Scalar select(Truth, Scalar a, Scalar b) const { return larger(a, b); }
  /// Any other function.
  Scalar uninterpreted(Scalar a) const { return opaque(a); }

  double applications() const { return applications_.load(std::memory_order_relaxed); }
  /// The largest degree of a difference of two arguments, brought to one denominator.
  double argument() const { return numerator_.load() + denominator_.load(); }

 private:
  Scalar opaque(Scalar a) const {
    applications_.fetch_add(1, std::memory_order_relaxed);
    raise(numerator_, a.numerator);
    raise(denominator_, a.denominator);
    return {1, 0};
  }
  static void raise(std::atomic<double>& most, double degree) {
    double seen = most.load(std::memory_order_relaxed);
    while (seen < degree && !most.compare_exchange_weak(seen, degree, std::memory_order_relaxed)) {
    }
  }

  mutable std::atomic<double> applications_{0};
  mutable std::atomic<double> numerator_{0};
  mutable std::atomic<double> denominator_{0};
};

/// log2 of a bound on the probability that two different rational functions agree at one uniformly random
/// point of a field with p elements (Schwartz 1980, Zippel 1979), or that two of the opaque applications
/// collide. `difference` is the degree of the numerator of left − right.
double falsePassLog2(double difference, const Degree& opaque, double p);

}  // namespace shardlaw
