#include "interp/stablehlo/operation/contraction.h"

namespace shardlaw::stablehlo {

void requireFactors(const TypeRule& rule) {
  const DType element = rule.operand(0).element, result = rule.stated(0).element;
  rule.requireElement(1, element);
  rule.require(isFloat(element) == isFloat(result) && isBoolean(element) == isBoolean(result),
               "expected a result of the operands' kind of numbers, " + toString(rule.operand(0)) + ", found " +
                   toString(rule.stated(0)));
}

Shape contractedShape(const TypeRule& rule, const Contraction& axes) {
  const TensorType &left = rule.operand(0), &right = rule.operand(1);
  rule.requireCount("rhs_batching_dimensions", axes.rightBatch.size(), axes.leftBatch.size());
  rule.requireCount("rhs_contracting_dimensions", axes.right.size(), axes.left.size());
  const auto joined = [](std::vector<std::int64_t> a, const std::vector<std::int64_t>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  rule.requireAxes("lhs batching and contracting dimensions", joined(axes.leftBatch, axes.left), left.shape.rank());
  rule.requireAxes("rhs batching and contracting dimensions", joined(axes.rightBatch, axes.right), right.shape.rank());
  const auto requireEqual = [&](const std::vector<std::int64_t>& ofLeft, const std::vector<std::int64_t>& ofRight) {
    for (std::size_t i = 0; i < ofLeft.size(); ++i)
      rule.require(left.shape[static_cast<int>(ofLeft[i])] == right.shape[static_cast<int>(ofRight[i])],
                   "expected axis " + std::to_string(ofLeft[i]) + " of " + toString(left) + " as long as axis " +
                       std::to_string(ofRight[i]) + " of " + toString(right));
  };
  requireEqual(axes.leftBatch, axes.rightBatch);
  requireEqual(axes.left, axes.right);
  std::vector<std::int64_t> extents;
  const auto append = [&](const Shape& shape, const std::vector<std::int64_t>& some) {
    for (const std::int64_t axis : some) extents.push_back(shape[static_cast<int>(axis)]);
  };
  append(left.shape, axes.leftBatch);
  append(left.shape, axesWithout(left.shape.rank(), axes.leftBatch, axes.left));
  append(right.shape, axesWithout(right.shape.rank(), axes.rightBatch, axes.right));
  return shapeOf(rule, extents);
}

ContractionWalks walksOf(const Contraction& axes, const Shape& left, const Shape& right, const Shape& result) {
  const std::vector<std::int64_t> leftStrides = stridesOf(left), rightStrides = stridesOf(right);
  ContractionWalks walks{Walks<2>(result), Walks<2>(Shape{})};
  std::size_t to = 0;
  for (std::size_t i = 0; i < axes.leftBatch.size(); ++i, ++to) {
    walks.cells.stride[0][to] = leftStrides[index(axes.leftBatch[i])];
    walks.cells.stride[1][to] = rightStrides[index(axes.rightBatch[i])];
  }
  for (const std::int64_t axis : axesWithout(left.rank(), axes.leftBatch, axes.left))
    walks.cells.stride[0][to++] = leftStrides[index(axis)];
  for (const std::int64_t axis : axesWithout(right.rank(), axes.rightBatch, axes.right))
    walks.cells.stride[1][to++] = rightStrides[index(axis)];
  std::vector<std::int64_t> extents;
  for (std::size_t i = 0; i < axes.left.size(); ++i) {
    extents.push_back(left[static_cast<int>(axes.left[i])]);
    walks.terms.stride[0][i] = leftStrides[index(axes.left[i])];
    walks.terms.stride[1][i] = rightStrides[index(axes.right[i])];
  }
  walks.terms.shape = Shape(extents);
  return walks;
}

}  // namespace shardlaw::stablehlo
