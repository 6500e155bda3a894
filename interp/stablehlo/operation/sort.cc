#include "interp/stablehlo/operation/sort.h"

namespace shardlaw::stablehlo {

void Sort::check(const TypeRule& rule) {
  const Shape& shape = rule.operand(0).shape;
  const std::int64_t axis = rule.attributes().integer("dimension", -1);
  rule.require(shape.rank() == 0 || (axis >= -shape.rank() && axis < shape.rank()),
               "dimension: expected an axis of a tensor of rank " + std::to_string(shape.rank()) + ", found " +
                   std::to_string(axis));
  std::vector<TensorType> pairs;
  for (std::size_t i = 0; i < rule.operands(); ++i) {
    rule.require(rule.operand(i).shape == shape, "operand " + std::to_string(i) + ": expected the shape of " +
                                                     toString(rule.operand(0)) + ", found " +
                                                     toString(rule.operand(i)));
    for (int twice = 0; twice < 2; ++twice) pairs.push_back({rule.operand(i).element, Shape{}});
    rule.result(i, rule.operand(i));
  }
  const TensorType truth{DType::boolean, Shape{}};
  rule.requireRegion(0, pairs, std::span(&truth, 1));
}

void Map::check(const TypeRule& rule) {
  const Shape& shape = rule.operand(0).shape;
  const auto axes = rule.attributes().integers("dimensions");
  std::vector<std::int64_t> all(index(shape.rank()));
  std::iota(all.begin(), all.end(), 0);
  rule.require(axes == all, "dimensions: expected all axes in order, " + listed(all) + ", found " + listed(axes));
  std::vector<TensorType> scalars;
  for (std::size_t i = 0; i < rule.operands(); ++i) {
    rule.require(rule.operand(i).shape == shape, "operand " + std::to_string(i) + ": expected the shape of " +
                                                     toString(rule.operand(0)) + ", found " +
                                                     toString(rule.operand(i)));
    scalars.push_back({rule.operand(i).element, Shape{}});
  }
  const TensorType result{rule.stated(0).element, Shape{}};
  rule.requireRegion(0, scalars, std::span(&result, 1));
  rule.result(0, {result.element, shape});
}

}  // namespace shardlaw::stablehlo
