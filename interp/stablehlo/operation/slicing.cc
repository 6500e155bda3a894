#include "interp/stablehlo/operation/slicing.h"

namespace shardlaw::stablehlo {

void Slice::check(const TypeRule& rule) {
  const TensorType& from = rule.operand(0);
  const auto starts = rule.attributes().integers("start_indices"), limits = rule.attributes().integers("limit_indices"),
             steps = rule.attributes().integers("strides");
  const auto rank = static_cast<std::size_t>(from.shape.rank());
  rule.requireCount("start_indices", starts.size(), rank);
  rule.requireCount("limit_indices", limits.size(), rank);
  rule.requireCount("strides", steps.size(), rank);
  requireAtLeast(rule, "strides", steps, 1);
  std::vector<std::int64_t> extents;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::int64_t start = starts[axis], limit = limits[axis], extent = from.shape[static_cast<int>(axis)];
    rule.require(0 <= start && start <= limit && limit <= extent,
                 "axis " + std::to_string(axis) + ": expected 0 ≤ start ≤ limit ≤ " + std::to_string(extent) +
                     ", found start " + std::to_string(start) + " and limit " + std::to_string(limit));
    extents.push_back((limit - start) / steps[axis] + ((limit - start) % steps[axis] != 0 ? 1 : 0));
  }
  rule.result(0, {from.element, shapeOf(rule, extents)});
}

void Pad::check(const TypeRule& rule) {
  const TensorType& from = rule.operand(0);
  rule.requireRank(1, 0);
  rule.requireElement(1, from.element);
  const auto low = rule.attributes().integers("edge_padding_low"),
             high = rule.attributes().integers("edge_padding_high"),
             interior = rule.attributes().integers("interior_padding");
  const auto rank = static_cast<std::size_t>(from.shape.rank());
  rule.requireCount("edge_padding_low", low.size(), rank);
  rule.requireCount("edge_padding_high", high.size(), rank);
  rule.requireCount("interior_padding", interior.size(), rank);
  requireAtLeast(rule, "interior_padding", interior, 0);
  std::vector<std::int64_t> extents;
  for (int axis = 0; axis < from.shape.rank(); ++axis) {
    const std::int64_t extent = from.shape[axis];
    const auto a = index(axis);
    extents.push_back(extentOf(
        rule, axis, Wide128{low[a]} + high[a] + extent + Wide128{std::max<std::int64_t>(extent - 1, 0)} * interior[a]));
  }
  rule.result(0, {from.element, shapeOf(rule, extents)});
}

Walks<2> Pad::kept(const Shape& from, const Shape& to, const Attributes& attributes) {
  const auto low = attributes.integers("edge_padding_low"), interior = attributes.integers("interior_padding");
  const std::vector<std::int64_t> fromStrides = stridesOf(from), toStrides = stridesOf(to);
  std::vector<std::int64_t> extents;
  Walks<2> box{Shape{}};
  for (int axis = 0; axis < from.rank(); ++axis) {
    const auto a = index(axis);
    // Cell i goes to low + i·step; those from `first` up to `end` lie in the result.
    const Wide128 step = Wide128{interior[a]} + 1;
    const Wide128 first = low[a] >= 0 ? 0 : (-Wide128{low[a]} + step - 1) / step;
    const Wide128 room = Wide128{to[axis]} - low[a];
    const Wide128 end = std::min<Wide128>(from[axis], room <= 0 ? 0 : (room + step - 1) / step);
    extents.push_back(end > first ? static_cast<std::int64_t>(end - first) : 0);
    if (extents.back() == 0) continue;
    box.start[0] += static_cast<std::int64_t>(first) * fromStrides[a];
    box.start[1] += static_cast<std::int64_t>(low[a] + first * step) * toStrides[a];
    box.stride[0][a] = fromStrides[a];
    box.stride[1][a] = extents.back() > 1 ? static_cast<std::int64_t>(step) * toStrides[a] : 0;
  }
  box.shape = Shape(extents);
  return box;
}

void Concatenate::check(const TypeRule& rule) {
  const TensorType& first = rule.operand(0);
  const std::int64_t dimension = rule.attributes().integer("dimension");
  requireAxis(rule, "dimension", dimension, first.shape.rank());
  std::vector<std::int64_t> extents = extentsOf(first.shape);
  for (std::size_t i = 1; i < rule.operands(); ++i) {
    const TensorType& next = rule.operand(i);
    bool fits = next.element == first.element && next.shape.rank() == first.shape.rank();
    for (int axis = 0; fits && axis < first.shape.rank(); ++axis)
      fits = axis == dimension || next.shape[axis] == first.shape[axis];
    rule.require(fits, "operand " + std::to_string(i) + ": expected " + toString(first) + " but for axis " +
                           std::to_string(dimension) + ", found " + toString(next));
    extents[index(dimension)] = extentOf(rule, static_cast<int>(dimension),
                                         Wide128{extents[index(dimension)]} + next.shape[static_cast<int>(dimension)]);
  }
  rule.result(0, {first.element, shapeOf(rule, extents)});
}

void requireStarts(const TypeRule& rule, std::size_t first, int rank) {
  rule.require(rule.operands() == first + index(rank),
               "expected " + std::to_string(rank) + " start indices, found " + std::to_string(rule.operands() - first));
  for (std::size_t i = first; i < rule.operands(); ++i) {
    rule.requireRank(i, 0);
    requireIntegers(rule, i);
    rule.requireSameType(first, i);
  }
}

void DynamicSlice::check(const TypeRule& rule) {
  const TensorType& from = rule.operand(0);
  requireStarts(rule, 1, from.shape.rank());
  const auto sizes = rule.attributes().integers("slice_sizes");
  rule.requireCount("slice_sizes", sizes.size(), index(from.shape.rank()));
  for (std::size_t axis = 0; axis < sizes.size(); ++axis)
    rule.require(0 <= sizes[axis] && sizes[axis] <= from.shape[static_cast<int>(axis)],
                 "slice_sizes: expected sizes of at most those of " + toString(from) + ", found " + listed(sizes));
  rule.result(0, {from.element, shapeOf(rule, sizes)});
}

void DynamicUpdateSlice::check(const TypeRule& rule) {
  const TensorType &whole = rule.operand(0), &part = rule.operand(1);
  bool fits = part.element == whole.element && part.shape.rank() == whole.shape.rank();
  for (int axis = 0; fits && axis < whole.shape.rank(); ++axis) fits = part.shape[axis] <= whole.shape[axis];
  rule.require(fits, "operand 1: expected an update that fits into " + toString(whole) + ", found " + toString(part));
  requireStarts(rule, 2, whole.shape.rank());
  rule.result(0, whole);
}

}  // namespace shardlaw::stablehlo
