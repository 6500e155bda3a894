#include "interp/stablehlo/operation/window.h"

namespace shardlaw::stablehlo {
namespace {

constexpr WindowNames names{"window_strides", "padding", "base_dilations", "window_dilations"};

/// The windows of an operand of this shape, by its attributes.
std::vector<std::int64_t> countWindows(const TypeRule& rule, const Shape& shape) {
  const auto ones = std::vector<std::int64_t>(index(shape.rank()), 1);
  const auto sizes = rule.attributes().integers("window_dimensions", ones);
  rule.requireCount("window_dimensions", sizes.size(), ones.size());
  requireAtLeast(rule, "window_dimensions", sizes, 1);
  return windowCounts(rule, names, shape.extents(), sizes);
}

}  // namespace

Windows ReduceWindow::windowsOf(const Attributes& attributes, const Shape& tensor, const Shape& counts) {
  const auto sizes = attributes.integers("window_dimensions", std::vector<std::int64_t>(index(tensor.rank()), 1));
  return {windowAxes(attributes, names, tensor.extents(), sizes), tensor, counts};
}

void ReduceWindow::check(const TypeRule& rule) {
  rule.require(rule.operands() % 2 == 0,
               "expected as many initial values as inputs, found " + std::to_string(rule.operands()) + " operands");
  const std::size_t inputs = rule.operands() / 2;
  checkReducer(rule, inputs);
  const Shape& shape = rule.operand(0).shape;
  for (std::size_t i = 1; i < inputs; ++i)
    rule.require(rule.operand(i).shape == shape, "operand " + std::to_string(i) + ": expected the shape of " +
                                                     toString(rule.operand(0)) + ", found " +
                                                     toString(rule.operand(i)));
  const Shape counts = shapeOf(rule, countWindows(rule, shape));
  for (std::size_t i = 0; i < inputs; ++i) rule.result(i, {rule.operand(i).element, counts});
}

void SelectAndScatter::check(const TypeRule& rule) {
  const TensorType &operand = rule.operand(0), &source = rule.operand(1);
  rule.requireElement(1, operand.element);
  rule.requireElement(2, operand.element);
  rule.requireRank(2, 0);
  const Shape counts = shapeOf(rule, countWindows(rule, operand.shape));
  rule.require(source.shape == counts,
               "operand 1: expected one cell per window, " + toString(counts) + ", found " + toString(source));
  const TensorType scalar{operand.element, Shape{}}, truth{DType::boolean, Shape{}};
  const TensorType pair[] = {scalar, scalar};
  rule.requireRegion(0, pair, std::span(&truth, 1));
  rule.requireRegion(1, pair, std::span(&scalar, 1));
  rule.result(0, operand);
}

}  // namespace shardlaw::stablehlo
