// Windows that slide along the axes of a tensor: of reduce_window, select_and_scatter and convolution.
#pragma once

#include <algorithm>
#include <vector>

#include "interp/stablehlo/operation/rules.h"
#include "interp/stablehlo/operation/walk.h"

namespace shardlaw::stablehlo {

/// The windows along one axis: cell k of window o lies at o·stride + k·dilation − low between cells that are
/// baseDilation apart.
struct WindowAxis {
  std::int64_t extent = 1, size = 1;
  std::int64_t stride = 1, low = 0, high = 0, baseDilation = 1, dilation = 1;

  /// The index in the tensor, or −1 for padding.
  std::int64_t position(std::int64_t window, std::int64_t k) const {
    const std::int64_t at = window * stride + k * dilation - low;
    if (at < 0 || at % baseDilation != 0) return -1;
    return at / baseDilation < extent ? at / baseDilation : -1;
  }
  /// The k from `first` up to `end` lie in the tensor, where baseDilation is 1.
  std::int64_t first(std::int64_t window) const {
    const std::int64_t start = window * stride - low;
    return start >= 0 ? 0 : (-start + dilation - 1) / dilation;
  }
  std::int64_t end(std::int64_t window) const {
    const std::int64_t room = extent - (window * stride - low);
    return room <= 0 ? 0 : std::min(size, (room + dilation - 1) / dilation);
  }
};

/// Names of the attributes; empty where the operation has none of the kind.
struct WindowNames {
  std::string_view strides, padding, baseDilations, dilations;
};

/// Of a tensor with these extents and windows of these sizes. What is left out is 1, and padding 0.
std::vector<WindowAxis> windowAxes(const Attributes& attributes, const WindowNames& names,
                                   std::span<const std::int64_t> extents, std::span<const std::int64_t> sizes);
/// Checks the attributes; how many windows there are along each axis.
std::vector<std::int64_t> windowCounts(const TypeRule& rule, const WindowNames& names,
                                       std::span<const std::int64_t> extents, std::span<const std::int64_t> sizes);

/// All windows of a tensor.
struct Windows {
  std::vector<WindowAxis> axes;
  std::vector<std::int64_t> strides;  ///< of the tensor
  Shape counts;

  Windows(std::vector<WindowAxis> of, const Shape& tensor, const Shape& windows)
      : axes(std::move(of)), strides(stridesOf(tensor)), counts(windows) {}

  bool isDilated() const {
    return std::any_of(axes.begin(), axes.end(), [](const WindowAxis& axis) { return axis.baseDilation != 1; });
  }
  /// The index of window number `cell` in row-major order.
  Strides indexOf(std::int64_t cell) const {
    Strides at{};
    for (int axis = counts.rank() - 1; axis >= 0; --axis) {
      at[index(axis)] = cell % counts[axis];
      cell /= counts[axis];
    }
    return at;
  }
  /// f(position) for the cells of a window that lie in the tensor, in row-major order. Not for dilated tensors.
  template <class F>
  void eachInside(const Strides& window, const F& f, std::size_t axis = 0, std::int64_t at = 0) const {
    if (axis == axes.size()) return f(at);
    const WindowAxis& along = axes[axis];
    const std::int64_t end = along.end(window[axis]);
    std::int64_t k = along.first(window[axis]);
    at += (window[axis] * along.stride + k * along.dilation - along.low) * strides[axis];
    const std::int64_t step = along.dilation * strides[axis];
    if (axis + 1 == axes.size()) {
      for (; k < end; ++k, at += step) f(at);
    } else {
      for (; k < end; ++k, at += step) eachInside(window, f, axis + 1, at);
    }
  }
  /// f(position) for all cells of a window in row-major order; −1 for those of the padding.
  template <class F>
  void eachCell(const Strides& window, const F& f, std::size_t axis = 0, std::int64_t at = 0) const {
    if (axis == axes.size()) return f(at);
    for (std::int64_t k = 0; k < axes[axis].size; ++k) {
      const std::int64_t position = axes[axis].position(window[axis], k);
      eachCell(window, f, axis + 1, at < 0 || position < 0 ? -1 : at + position * strides[axis]);
    }
  }
};

}  // namespace shardlaw::stablehlo
