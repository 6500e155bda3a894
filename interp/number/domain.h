// What a number system must offer so that every node of the IR has a meaning in it.
//
// A node's denotation is written once, as a template over a Domain, and uses only what is listed here.
// Arithmetic is the scalar's own + - * /; what a prime field does not have goes through the domain
// object, which carries the context that such functions need (random functions, precision, unit roundoff).
#pragma once

#include <concepts>
#include <string>

#include "interp/number/rational.h"

namespace shardlaw {

/// `Scalar{}` is zero. `Truth` is bool, or a three-valued truth where a comparison can be uncertain; it
/// has & | and !. `Sum` accumulates a sum of terms and products: sums go through it and never through a
/// loop of +, because only a whole sum can be bounded for every order of summation.
///
/// max(a, b) and min(a, b) return b on ties, so that a derivative taken through max(x, 0) is 0 at x = 0,
/// and one taken through a running maximum max(cell, best) belongs to the first of equal cells.
/// exceeds(a, b): a replaces b as a running maximum; a NaN, where the domain has one, exceeds all but NaN.
// Version 14 reads a * b as a declaration and packs the statements.
// clang-format off
template <class D>
concept Domain = requires(const D d, const typename D::Scalar a, const typename D::Scalar b,
                          const typename D::Truth t, typename D::Sum s, const Rational& q) {
  { a + b } -> std::same_as<typename D::Scalar>;
  { a - b } -> std::same_as<typename D::Scalar>;
  { a* b } -> std::same_as<typename D::Scalar>;
  { a / b } -> std::same_as<typename D::Scalar>;
  { -a } -> std::same_as<typename D::Scalar>;
  { d.literal(q) } -> std::same_as<typename D::Scalar>;
  { d.lowest() } -> std::same_as<typename D::Scalar>;
  { d.sqrt(a) } -> std::same_as<typename D::Scalar>;
  { d.rsqrt(a) } -> std::same_as<typename D::Scalar>;
  { d.exp(a) } -> std::same_as<typename D::Scalar>;
  { d.log(a) } -> std::same_as<typename D::Scalar>;
  { d.tanh(a) } -> std::same_as<typename D::Scalar>;
  { d.roundToBf16(a) } -> std::same_as<typename D::Scalar>;
  { d.max(a, b) } -> std::same_as<typename D::Scalar>;
  { d.min(a, b) } -> std::same_as<typename D::Scalar>;
  { d.less(a, b) } -> std::same_as<typename D::Truth>;
  { d.exceeds(a, b) } -> std::same_as<typename D::Truth>;
  { d.select(t, a, b) } -> std::same_as<typename D::Scalar>;
  {s.add(a)};
  {s.addProduct(a, b)};
  { s.total() } -> std::same_as<typename D::Scalar>;
  { D::name } -> std::convertible_to<std::string>;
};
// clang-format on

}  // namespace shardlaw
