// Walking the cells of a result in row-major order while following a position in an operand.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "interp/exec/parallel.h"
#include "interp/stablehlo/operation.h"
#include "interp/stablehlo/operation/pointwise.h"

namespace shardlaw::stablehlo {

/// How far apart neighbours along each axis are in row-major order; 0 where there are no cells, as then products of
/// extents can be anything.
inline std::vector<std::int64_t> stridesOf(const Shape& shape) {
  if (shape.cells() == 0) return std::vector<std::int64_t>(static_cast<std::size_t>(shape.rank()), 0);
  std::vector<std::int64_t> strides(static_cast<std::size_t>(shape.rank()), 1);
  for (int axis = shape.rank() - 2; axis >= 0; --axis)
    strides[static_cast<std::size_t>(axis)] = strides[static_cast<std::size_t>(axis) + 1] * shape[axis + 1];
  return strides;
}

using Strides = std::array<std::int64_t, Shape::maxRank>;

/// Affine maps from the cells of a shape to positions: start + Σ index[axis]·stride[axis]. Strides start at 0.
template <std::size_t maps>
struct Walks {
  Shape shape;
  std::array<std::int64_t, maps> start{};
  std::array<Strides, maps> stride{};

  explicit Walks(const Shape& of) : shape(of) {}

  /// Distance of neighbours along the last axis.
  std::int64_t step(std::size_t map) const {
    return shape.rank() == 0 ? 0 : stride[map][static_cast<std::size_t>(shape.rank() - 1)];
  }

  /// Calls f(cell, positions, length) for runs of cells along the last axis that together are [first, last), in order.
  template <class F>
  void runs(std::int64_t first, std::int64_t last, const F& f) const {
    if (first >= last) return;
    const int rank = shape.rank();
    std::array<std::int64_t, maps> position = start;
    if (rank == 0) return f(first, position, std::int64_t{1});
    Strides index{};
    std::int64_t rest = first;
    for (int axis = rank - 1; axis >= 0; --axis) {
      const auto a = static_cast<std::size_t>(axis);
      index[a] = rest % shape[axis];
      rest /= shape[axis];
      for (std::size_t m = 0; m < maps; ++m) position[m] += index[a] * stride[m][a];
    }
    const auto inner = static_cast<std::size_t>(rank - 1);
    for (std::int64_t cell = first; cell < last;) {
      const std::int64_t length = std::min(last - cell, shape[rank - 1] - index[inner]);
      f(cell, position, length);
      cell += length;
      for (std::size_t m = 0; m < maps; ++m) position[m] -= index[inner] * stride[m][inner];
      index[inner] = 0;
      for (int axis = rank - 2; axis >= 0; --axis) {
        const auto a = static_cast<std::size_t>(axis);
        for (std::size_t m = 0; m < maps; ++m) position[m] += stride[m][a];
        if (++index[a] < shape[axis]) break;
        for (std::size_t m = 0; m < maps; ++m) position[m] -= index[a] * stride[m][a];
        index[a] = 0;
      }
    }
  }
};

/// One affine map.
struct Walk : Walks<1> {
  explicit Walk(const Shape& of) : Walks<1>(of) {}
  std::int64_t& origin() { return start[0]; }
  std::int64_t& along(std::size_t axis) { return stride[0][axis]; }

  /// Calls f(cell, position) for the cells [first, last), in order.
  template <class F>
  void each(std::int64_t first, std::int64_t last, const F& f) const {
    const std::int64_t by = step(0);
    runs(first, last, [&](std::int64_t cell, const auto& position, std::int64_t length) {
      for (std::int64_t i = 0; i < length; ++i) f(cell + i, position[0] + i * by);
    });
  }
};

/// out[cell] = operand[position] along the walk, whatever the cells are.
template <class D>
void copyCells(const Call<D>& call, std::size_t operand, const Walk& walk) {
  call.in(operand).visit([&](const auto& from) {
    auto& to = std::get<std::decay_t<decltype(from)>>(call.out().variant());
    parallelBlocks(
        to.cells(), call.parallel && to.cells() >= parallelCells, [&](std::int64_t first, std::int64_t last) {
          auto* const out = to.view().data();
          const auto* const in = from.view().data();
          walk.each(first, last, [&](std::int64_t cell, std::int64_t position) { out[cell] = in[position]; });
        });
  });
}

/// Both maps follow the cells of a box: f(position in a, position in b).
template <class F>
void eachPair(const Walks<2>& box, std::int64_t first, std::int64_t last, const F& f) {
  const std::int64_t a = box.step(0), b = box.step(1);
  box.runs(first, last, [&](std::int64_t, const auto& position, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) f(position[0] + i * a, position[1] + i * b);
  });
}

/// Copies a box of one tensor's cells to places of another's: map 0 says where they are, map 1 where they go.
template <class D>
void copyBox(const Cells<D>& from, Cells<D>& to, const Walks<2>& box, bool parallel) {
  from.visit([&](const auto& cells) {
    const auto* const in = cells.view().data();
    auto* const out = std::get<std::decay_t<decltype(cells)>>(to.variant()).view().data();
    parallelBlocks(box.shape.cells(), parallel && box.shape.cells() >= parallelCells,
                   [&](std::int64_t first, std::int64_t last) {
                     eachPair(box, first, last, [&](std::int64_t a, std::int64_t b) { out[b] = in[a]; });
                   });
  });
}

}  // namespace shardlaw::stablehlo
