#include "interp/stablehlo/operation/rules.h"

#include <algorithm>

namespace shardlaw::stablehlo {

Shape shapeOf(const TypeRule& rule, const std::vector<std::int64_t>& extents) {
  try {
    return Shape(extents);
  } catch (const Error& error) {
    rule.refuse(error.what());
  }
}

std::int64_t extentOf(const TypeRule& rule, int axis, Wide128 extent) {
  rule.require(extent >= 0,
               "axis " + std::to_string(axis) + " of the result: expected an extent of at least 0, found less");
  rule.require(extent <= Wide128{1} << 62, "axis " + std::to_string(axis) + " of the result: too large an extent");
  return static_cast<std::int64_t>(extent);
}

void requireAtLeast(const TypeRule& rule, std::string_view attribute, std::span<const std::int64_t> list,
                    std::int64_t least) {
  for (const std::int64_t entry : list)
    rule.require(entry >= least, std::string(attribute) + ": expected entries of at least " + std::to_string(least) +
                                     ", found " + listed(list));
}

void requireAscending(const TypeRule& rule, std::string_view attribute, std::span<const std::int64_t> list) {
  rule.require(std::is_sorted(list.begin(), list.end()),
               std::string(attribute) + ": expected axes in ascending order, found " + listed(list));
}

void requireAxis(const TypeRule& rule, std::string_view attribute, std::int64_t axis, int rank) {
  rule.require(axis >= 0 && axis < rank, std::string(attribute) + ": expected an axis of a tensor of rank " +
                                             std::to_string(rank) + ", found " + std::to_string(axis));
}

void requireIntegers(const TypeRule& rule, std::size_t i) {
  rule.require(isInteger(rule.operand(i).element),
               "operand " + std::to_string(i) + ": expected integers, found " + toString(rule.operand(i)));
}

std::string listed(std::span<const std::int64_t> list) {
  std::string text = "[";
  for (const std::int64_t entry : list) text += (text.size() > 1 ? ", " : "") + std::to_string(entry);
  return text + "]";
}

bool contains(std::span<const std::int64_t> list, std::int64_t entry) {
  return std::find(list.begin(), list.end(), entry) != list.end();
}

std::vector<std::int64_t> axesWithout(int rank, std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  std::vector<std::int64_t> axes;
  for (int axis = 0; axis < rank; ++axis)
    if (!contains(a, axis) && !contains(b, axis)) axes.push_back(axis);
  return axes;
}

std::vector<std::int64_t> extentsOf(const Shape& shape) {
  const auto extents = shape.extents();
  return {extents.begin(), extents.end()};
}

}  // namespace shardlaw::stablehlo
