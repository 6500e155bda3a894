// The domains `f64` and `f32`: IEEE 754 binary64 and binary32, round to nearest even, no contraction.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "interp/number/rational.h"

namespace shardlaw {

/// Round to nearest even to bfloat16 (8 significant bits), returned in the wider type. From a double this
/// is one rounding, not two: the float on the way is rounded to odd (Boldo and Melquiond, 2008).
float bf16FromFloat(float x);
float bf16FromDouble(double x);

template <class F>
class IeeeSum {
 public:
  void add(F a) { total_ = total_ + a; }
  void addProduct(F a, F b) { total_ = total_ + a * b; }
  /// A left fold, in the order of the calls.
  F total() const { return total_; }

 private:
  F total_ = 0;
};

/// max and min are IEEE 754-2019 maximum and minimum: a NaN operand gives NaN, and +0 > −0.
template <class F>
class Ieee {
 public:
  static constexpr const char* name = sizeof(F) == 8 ? "f64" : "f32";
  using Scalar = F;
  using Truth = bool;
  using Sum = IeeeSum<F>;

  F literal(const Rational& q) const {
    if constexpr (sizeof(F) == 8) return toDouble(q);
    else return toFloat(q);
  }
  F lowest() const { return -std::numeric_limits<F>::infinity(); }
  F sqrt(F a) const { return std::sqrt(a); }
  F rsqrt(F a) const { return F(1) / std::sqrt(a); }
  F exp(F a) const { return std::exp(a); }
  F log(F a) const { return std::log(a); }
  F tanh(F a) const { return std::tanh(a); }
  F roundToBf16(F a) const {
    if constexpr (sizeof(F) == 8) return static_cast<F>(bf16FromDouble(a));
    else return bf16FromFloat(a);
  }
  F max(F a, F b) const {
    // Selections rather than branches, which random signs would mislead. Equal operands differ in the sign of a zero
    // at most: +0 if either is.
    const F greater = a > b ? a : b;  // b where either is NaN
    const F ordered = a == b ? fromBits(bits(a) & bits(b)) : greater;
    return a != a ? a : ordered;
  }
  F min(F a, F b) const {
    const F less = a < b ? a : b;
    const F ordered = a == b ? fromBits(bits(a) | bits(b)) : less;
    return a != a ? a : ordered;
  }
  bool less(F a, F b) const { return a < b; }
  bool exceeds(F a, F b) const { return (a > b) | ((a != a) & (b == b)); }
  F select(bool t, F a, F b) const { return t ? a : b; }

 private:
  using Bits = std::conditional_t<sizeof(F) == 8, std::uint64_t, std::uint32_t>;
  static Bits bits(F a) { return std::bit_cast<Bits>(a); }
  static F fromBits(Bits a) { return std::bit_cast<F>(a); }
};

using F64 = Ieee<double>;
using F32 = Ieee<float>;

inline float bf16FromFloat(float x) {
  auto bits = std::bit_cast<std::uint32_t>(x);
  if (x != x) return std::bit_cast<float>((bits | 0x00400000U) & 0xFFFF0000U);
  bits += 0x7FFFU + ((bits >> 16) & 1U);
  return std::bit_cast<float>(bits & 0xFFFF0000U);
}

inline float bf16FromDouble(double x) {
  auto f = static_cast<float>(x);
  const auto back = static_cast<double>(f);
  if (back != x && x == x && std::isfinite(f)) {
    // Round to odd: step back to the float nearer zero, then make its last bit record the inexactness.
    auto bits = std::bit_cast<std::uint32_t>(f);
    if (std::abs(back) > std::abs(x)) --bits;
    f = std::bit_cast<float>(bits | 1U);
  }
  return bf16FromFloat(f);
}

}  // namespace shardlaw
