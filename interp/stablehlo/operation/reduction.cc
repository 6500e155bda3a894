#include "interp/stablehlo/operation/reduction.h"

#include "interp/stablehlo/operation/collective.h"

namespace shardlaw::stablehlo {

void checkReducer(const TypeRule& rule, std::size_t inputs) {
  std::vector<TensorType> scalars;
  for (std::size_t i = 0; i < inputs; ++i) scalars.push_back({rule.operand(i).element, {}});
  for (std::size_t i = 0; i < inputs; ++i)
    if (rule.operand(inputs + i) != scalars[i])
      rule.refuse("expected an initial value of type " + toString(scalars[i]) + ", found " +
                  toString(rule.operand(inputs + i)));
  std::vector<TensorType> arguments = scalars;
  arguments.insert(arguments.end(), scalars.begin(), scalars.end());
  rule.requireRegion(0, arguments, scalars);
}

void Reduce::check(const TypeRule& rule) {
  rule.require(rule.operands() % 2 == 0,
               "expected an initial value for each input, found " + std::to_string(rule.operands()) + " operands");
  const std::size_t inputs = rule.operands() / 2;
  rule.require(rule.results() == inputs, "expected a result for each input, found " + std::to_string(rule.results()));
  const Shape& from = rule.operand(0).shape;
  const auto axes = rule.attributes().integers("dimensions");
  rule.requireAxes("dimensions", axes, from.rank());
  std::vector<std::int64_t> kept;
  for (int axis = 0; axis < from.rank(); ++axis)
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) kept.push_back(from[axis]);
  checkReducer(rule, inputs);
  for (std::size_t i = 0; i < inputs; ++i) {
    rule.require(rule.operand(i).shape == from, "expected inputs of one shape, found " + toString(rule.operand(0)) +
                                                    " and " + toString(rule.operand(i)));
    rule.result(i, {rule.operand(i).element, Shape(kept)});
  }
}

Reduce::Plan Reduce::planOf(const Attributes& attributes, const Shape& from, const Shape& to) {
  const auto axes = attributes.integers("dimensions");
  const auto strides = stridesOf(from);
  Walk kept(to);
  std::vector<std::int64_t> extents, steps;
  for (int axis = 0, result = 0; axis < from.rank(); ++axis) {
    const std::int64_t stride = strides[static_cast<std::size_t>(axis)];
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) {
      kept.along(static_cast<std::size_t>(result++)) = stride;
    } else if (!steps.empty() && steps.back() == stride * from[axis]) {
      // Neighbouring axes without a gap are one: longer runs, in the same order.
      extents.back() *= from[axis];
      steps.back() = stride;
    } else {
      extents.push_back(from[axis]);
      steps.push_back(stride);
    }
  }
  Walk folded{Shape(extents)};
  std::copy(steps.begin(), steps.end(), folded.stride[0].begin());
  return {kept, folded};
}

void AllReduce::check(const TypeRule& rule) {
  rule.require(rule.results() == rule.operands(), "expected a result for each operand, found " +
                                                      std::to_string(rule.results()) + " for " +
                                                      std::to_string(rule.operands()));
  const TensorType scalar{rule.operand(0).element, {}};
  const TensorType two[] = {scalar, scalar};
  rule.requireRegion(0, two, {two, 1});
  for (std::size_t i = 0; i < rule.operands(); ++i) {
    rule.requireElement(i, scalar.element);
    rule.result(i, rule.operand(i));
  }
}

}  // namespace shardlaw::stablehlo
