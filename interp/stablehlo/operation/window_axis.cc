#include "interp/stablehlo/operation/window_axis.h"

namespace shardlaw::stablehlo {
namespace {

std::vector<std::int64_t> listOr(const Attributes& attributes, std::string_view name, std::size_t count,
                                 std::int64_t otherwise) {
  std::vector<std::int64_t> all(count, otherwise);
  return name.empty() ? all : attributes.integers(name, all);
}

}  // namespace

std::vector<WindowAxis> windowAxes(const Attributes& attributes, const WindowNames& names,
                                   std::span<const std::int64_t> extents, std::span<const std::int64_t> sizes) {
  const std::size_t rank = extents.size();
  const auto strides = listOr(attributes, names.strides, rank, 1),
             base = listOr(attributes, names.baseDilations, rank, 1),
             dilations = listOr(attributes, names.dilations, rank, 1);
  const Matrix padding = attributes.matrix(names.padding, Matrix{2, std::vector<std::int64_t>(2 * rank)});
  std::vector<WindowAxis> axes;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const auto row = static_cast<std::int64_t>(axis);
    // A distance between neighbours says nothing where there is but one, and may be as large as it likes.
    axes.push_back({extents[axis], sizes[axis], strides[axis], padding.at(row, 0), padding.at(row, 1),
                    extents[axis] > 1 ? base[axis] : 1, sizes[axis] > 1 ? dilations[axis] : 1});
  }
  return axes;
}

std::vector<std::int64_t> windowCounts(const TypeRule& rule, const WindowNames& names,
                                       std::span<const std::int64_t> extents, std::span<const std::int64_t> sizes) {
  for (const std::string_view name : {names.strides, names.baseDilations, names.dilations}) {
    if (name.empty() || !rule.attributes().has(name)) continue;
    const auto list = rule.attributes().integers(name);
    rule.requireCount(name, list.size(), extents.size());
    requireAtLeast(rule, name, list, 1);
  }
  if (rule.attributes().has(names.padding)) {
    const Matrix padding = rule.attributes().matrix(names.padding);
    rule.require(padding.cells.size() == 2 * extents.size() && (extents.empty() || padding.columns == 2),
                 std::string(names.padding) + ": expected " + std::to_string(extents.size()) + " pairs, found " +
                     std::to_string(padding.rows()) + " rows of " + std::to_string(padding.columns));
  }
  std::vector<std::int64_t> counts;
  for (const WindowAxis& axis : windowAxes(rule.attributes(), names, extents, sizes)) {
    const auto where = static_cast<int>(counts.size());
    constexpr std::int64_t most = std::int64_t{1} << 61;
    rule.require(std::abs(axis.low / 2) < most / 2 && std::abs(axis.high / 2) < most / 2,
                 std::string(names.padding) + ": too large");
    const std::int64_t dilated =
        axis.extent == 0 ? 0 : extentOf(rule, where, Wide128{axis.extent - 1} * axis.baseDilation + 1);
    const std::int64_t padded = extentOf(rule, where, Wide128{axis.low} + dilated + axis.high);
    const Wide128 window = axis.size == 0 ? 0 : Wide128{axis.size - 1} * axis.dilation + 1;
    const bool none = padded == 0 || window > padded;
    counts.push_back(none ? 0 : static_cast<std::int64_t>((padded - window) / axis.stride + 1));
  }
  return counts;
}

}  // namespace shardlaw::stablehlo
