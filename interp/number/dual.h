// Dual numbers over any domain: forward-mode derivatives of the denotations themselves.
#pragma once

#include <string>

#include "interp/error.h"
#include "interp/number/domain.h"

namespace shardlaw {

/// primal + tangent·ε with ε² = 0.
template <class S>
struct DualScalar {
  S primal{};
  S tangent{};

  friend DualScalar operator+(DualScalar a, DualScalar b) { return {a.primal + b.primal, a.tangent + b.tangent}; }
  friend DualScalar operator-(DualScalar a, DualScalar b) { return {a.primal - b.primal, a.tangent - b.tangent}; }
  friend DualScalar operator-(DualScalar a) { return {-a.primal, -a.tangent}; }
  friend DualScalar operator*(DualScalar a, DualScalar b) {
    return {a.primal * b.primal, a.primal * b.tangent + a.tangent * b.primal};
  }
  friend DualScalar operator/(DualScalar a, DualScalar b) {
    const S quotient = a.primal / b.primal;
    return {quotient, (a.tangent - quotient * b.tangent) / b.primal};
  }
};

template <class D>
class DualSum {
  using S = DualScalar<typename D::Scalar>;

 public:
  void add(S a) {
    primal_.add(a.primal);
    tangent_.add(a.tangent);
  }
  void addProduct(S a, S b) {
    primal_.addProduct(a.primal, b.primal);
    tangent_.addProduct(a.primal, b.tangent);
    tangent_.addProduct(a.tangent, b.primal);
  }
  S total() const { return {primal_.total(), tangent_.total()}; }

 private:
  typename D::Sum primal_, tangent_;
};

/// The derivative of a piecewise function is that of the piece which the comparison, made on the primals,
/// selects. d(1/√x) = −½(1/√x)³·dx holds for the uninterpreted root of `exact` by definition of its tangent.
template <class D>
class Dual {
 public:
  static constexpr const char* name = "dual";
  using Scalar = DualScalar<typename D::Scalar>;
  using Truth = typename D::Truth;
  using Sum = DualSum<D>;

  explicit Dual(const D& inner) : inner_(inner) {}
  const D& inner() const { return inner_; }

  Scalar literal(const Rational& q) const { return {inner_.literal(q), {}}; }
  Scalar lowest() const { return {inner_.lowest(), {}}; }
  Scalar sqrt(Scalar a) const {
    const auto root = inner_.sqrt(a.primal);
    return {root, a.tangent / (root + root)};
  }
  Scalar rsqrt(Scalar a) const {
    const auto root = inner_.rsqrt(a.primal);
    return {root, -(root * root * root * a.tangent / inner_.literal(2))};
  }
  Scalar exp(Scalar a) const {
    const auto value = inner_.exp(a.primal);
    return {value, value * a.tangent};
  }
  Scalar log(Scalar a) const { return {inner_.log(a.primal), a.tangent / a.primal}; }
  Scalar tanh(Scalar a) const {
    const auto value = inner_.tanh(a.primal);
    return {value, a.tangent - value * value * a.tangent};
  }
  Scalar roundToBf16(Scalar) const { throw Undefined("rounding to bf16 has no derivative"); }
  /// The primal is the inner domain's own maximum, with its rule for NaN, signed zeros and bounds.
  Scalar max(Scalar a, Scalar b) const {
    const Truth first = inner_.less(b.primal, a.primal);
    return {inner_.max(a.primal, b.primal), inner_.select(first, a.tangent, b.tangent)};
  }
  Scalar min(Scalar a, Scalar b) const {
    const Truth first = inner_.less(a.primal, b.primal);
    return {inner_.min(a.primal, b.primal), inner_.select(first, a.tangent, b.tangent)};
  }
  Truth less(Scalar a, Scalar b) const { return inner_.less(a.primal, b.primal); }
  Truth exceeds(Scalar a, Scalar b) const { return inner_.exceeds(a.primal, b.primal); }
  Scalar select(Truth t, Scalar a, Scalar b) const {
    return {inner_.select(t, a.primal, b.primal), inner_.select(t, a.tangent, b.tangent)};
  }

 private:
  D inner_;
};

}  // namespace shardlaw
