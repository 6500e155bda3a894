// Input tensors, derived from a case: the same cells for every compiler, thread count and shape order.
#pragma once

#include <cmath>
#include <limits>
#include <map>

#include "interp/number/domains.h"
#include "interp/number/hash.h"
#include "interp/tensor/tensor.h"
#include "props/claim.h"

namespace shardlaw {

/// A cell before a domain reads it: a fixed number, or a variable. Equal variables are equal cells (a tie,
/// a constant channel), which is how a prime field, where nothing is small or large, still meets ties.
struct PlannedCell {
  bool isVariable = true;
  std::uint64_t variable = 0;  ///< identity of the variable
  double number = 0;           ///< its value in a floating-point domain
};

/// Unit of the smallest magnitudes that DataClass::subnormal draws in each floating-point format.
template <class F>
inline constexpr double smallestScale = static_cast<double>(std::numeric_limits<F>::min());

/// Plans the cells of one input, by row-major position. `smallest` as above. Half of a run would go into drawing
/// if what all cells of an input share were found again for each. Refers to its arguments.
class InputPlan {
 public:
  InputPlan(const ClaimInput& input, const Case& c, double smallest);

  PlannedCell operator()(std::int64_t cell) const;

 private:
  struct Place;
  Place placeOf(std::int64_t cell) const;
  double numberOf(const Place& place, double u) const;
  double activation(const Place& place, double u) const;
  bool mustBePositive(const Place& place) const;

  const ClaimInput& input_;
  DataClass data_;
  double smallest_, scale_;
  std::uint64_t key_;
  /// Of the whole input (at least 1), of one example and one shard, and of one channel of an example.
  std::int64_t cells_, perExample_ = 1, perShard_ = 1, perChannel_ = 1;
  /// Cells that the case sets by hand; null for none.
  const std::map<std::int64_t, int>* byHand_ = nullptr;
};

/// One cell of such a plan.
inline PlannedCell planCell(const ClaimInput& input, const Case& c, std::int64_t cell, double smallest) {
  return InputPlan(input, c, smallest)(cell);
}

/// What a domain makes of planned cells. `trial` selects the random point in `exact`.
template <class D>
struct Reader;

template <>
struct Reader<Exact> {
  std::uint64_t seed;
  bool integers = false;  ///< read variables of DataClass::integers as their small integers

  double smallest() const { return 0; }
  Field operator()(const PlannedCell& cell) const {
    if (!cell.isVariable || integers) return Field::fromSigned(std::llround(cell.number));
    return Field::fromUnsigned(mix64(seed, cell.variable));
  }
};

template <>
struct Reader<Degree> {
  double smallest() const { return 0; }
  DegreeScalar operator()(const PlannedCell& cell) const { return {cell.isVariable ? 1.0 : 0.0, 0}; }
};

template <>
struct Reader<SharedDegree> {
  const SharedDegree* domain;

  double smallest() const { return 0; }
  SharedDegreeScalar operator()(const PlannedCell& cell) const {
    return cell.isVariable ? domain->variable() : SharedDegreeScalar{};
  }
};

template <class F>
struct Reader<Bounded<F>> {
  double smallest() const { return smallestScale<F>; }
  /// An input is exact: both sides are given the same F.
  BoundedScalar<F> operator()(const PlannedCell& cell) const { return {static_cast<F>(cell.number), 0}; }
};

template <>
struct Reader<Wide> {
  const Wide* domain;

  /// The same numbers as in f64.
  double smallest() const { return smallestScale<double>; }
  WideScalar operator()(const PlannedCell& cell) const { return domain->fromDouble(cell.number); }
};

template <class D>
Tensor<typename D::Scalar> drawInput(const ClaimInput& input, const Shape& shape, const Case& c,
                                     const Reader<D>& reader) {
  Tensor<typename D::Scalar> tensor(shape);
  const InputPlan plan(input, c, reader.smallest());
  for (std::int64_t i = 0; i < tensor.cells(); ++i) tensor[i] = reader(plan(i));
  return tensor;
}

}  // namespace shardlaw
