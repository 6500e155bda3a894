// Folding cells with the body of a reduction.
#pragma once

#include <vector>

#include "interp/stablehlo/operation.h"
#include "interp/stablehlo/operation/pointwise.h"

namespace shardlaw::stablehlo {

/// What the body of a reduction does with its two arguments. `general` is any other body, which the evaluator runs cell
/// by cell. Only a body whose order of application cannot show may be known by name: all of these are associative and
/// commutative in the reals.
enum class Combiner { add, multiply, maximum, minimum, conjunction, disjunction, general };

/// Of a region on two scalars.
Combiner combinerOf(const Region& region);

/// A left fold over floats that starts at `initial`. A sum goes through the domain's Sum, which knows bounds for every
/// order of summation.
template <class D>
class FloatSum {
 public:
  FloatSum(const D&, const typename D::Scalar& initial) { sum_.add(initial); }
  void add(const typename D::Scalar& cell) { sum_.add(cell); }
  typename D::Scalar total() const { return sum_.total(); }

 private:
  typename D::Sum sum_;
};

template <class D, Combiner combiner>
class FloatFold {
 public:
  FloatFold(const D& domain, const typename D::Scalar& initial) : domain_(domain), total_(initial) {}
  void add(const typename D::Scalar& cell) {
    if constexpr (combiner == Combiner::multiply) total_ = total_ * cell;
    else if constexpr (combiner == Combiner::maximum) total_ = domain_.max(cell, total_);
    else total_ = domain_.min(cell, total_);
  }
  typename D::Scalar total() const { return total_; }

 private:
  const D& domain_;
  typename D::Scalar total_;
};

template <class D>
class IntegerFold {
 public:
  IntegerFold(Combiner combiner, DType element, std::int64_t initial)
      : combiner_(combiner), element_(element), total_(initial) {}
  void add(std::int64_t cell) { total_ = wrapped(combined(cell), element_); }
  std::int64_t total() const { return total_; }

 private:
  std::int64_t combined(std::int64_t cell) const {
    switch (combiner_) {
      case Combiner::add: return wrappingAdd(total_, cell);
      case Combiner::multiply: return wrappingMultiply(total_, cell);
      case Combiner::maximum: return lessThan(element_, total_, cell) ? cell : total_;
      case Combiner::minimum: return lessThan(element_, cell, total_) ? cell : total_;
      case Combiner::conjunction: return total_ & cell;
      default: return total_ | cell;
    }
  }
  Combiner combiner_;
  DType element_;
  std::int64_t total_;
};

/// On i1, add and maximum are ∨, multiply and minimum are ∧.
template <class D>
class BitFold {
 public:
  BitFold(Combiner combiner, Bit<D> initial)
      : conjunction_(combiner == Combiner::multiply || combiner == Combiner::minimum ||
                     combiner == Combiner::conjunction),
        total_(initial) {}
  void add(Bit<D> cell) { total_.truth = conjunction_ ? total_.truth & cell.truth : total_.truth | cell.truth; }
  Bit<D> total() const { return total_; }

 private:
  bool conjunction_;
  Bit<D> total_;
};

/// The cell of a tensor as a scalar tensor.
template <class D>
Cells<D> cellAt(const Cells<D>& cells, std::int64_t position) {
  return cells.visit([&](const auto& tensor) -> Cells<D> {
    std::decay_t<decltype(tensor)> one{Shape{}};
    one[0] = tensor[position];
    return one;
  });
}
template <class D>
void setCell(Cells<D>& cells, std::int64_t position, const Cells<D>& scalar) {
  scalar.visit([&](const auto& from) { std::get<std::decay_t<decltype(from)>>(cells.variant())[position] = from[0]; });
}

/// Calls use(fold maker) with a maker of folds over the cells of `cells`: maker(initial position in `initials`) gives a
/// fold with add(cell) and total(). Not for Combiner::general. `use` is called with (tensor, initials, out, maker).
template <class D, class F>
void withFold(const D& domain, Combiner combiner, DType element, const Cells<D>& cells, const Cells<D>& initials,
              Cells<D>& out, const F& use) {
  using Scalar = typename D::Scalar;
  if (isBoolean(element))
    return use(cells.bits(), initials.bits(), out.bits(), [&](Bit<D> from) { return BitFold<D>(combiner, from); });
  if (isInteger(element))
    return use(cells.integers(), initials.integers(), out.integers(),
               [&](std::int64_t from) { return IntegerFold<D>(combiner, element, from); });
  const auto with = [&](const auto& maker) { use(cells.floats(), initials.floats(), out.floats(), maker); };
  switch (combiner) {
    case Combiner::add: return with([&](const Scalar& from) { return FloatSum<D>(domain, from); });
    case Combiner::multiply:
      return with([&](const Scalar& from) { return FloatFold<D, Combiner::multiply>(domain, from); });
    case Combiner::maximum:
      return with([&](const Scalar& from) { return FloatFold<D, Combiner::maximum>(domain, from); });
    case Combiner::minimum:
      return with([&](const Scalar& from) { return FloatFold<D, Combiner::minimum>(domain, from); });
    default: throw std::logic_error("a bitwise body on floats");
  }
}

}  // namespace shardlaw::stablehlo
