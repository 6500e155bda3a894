// Walking the cells of a result in row-major order while following a position in an operand.
#pragma once

#include <cstdint>
#include <vector>

#include "interp/exec/parallel.h"
#include "interp/stablehlo/operation.h"

namespace shardlaw::stablehlo {

/// How far apart neighbours along each axis are in row-major order.
inline std::vector<std::int64_t> stridesOf(const Shape& shape) {
  std::vector<std::int64_t> strides(static_cast<std::size_t>(shape.rank()), 1);
  for (int axis = shape.rank() - 2; axis >= 0; --axis)
    strides[static_cast<std::size_t>(axis)] = strides[static_cast<std::size_t>(axis) + 1] * shape[axis + 1];
  return strides;
}

/// An affine map from the cells of a result to positions: start + Σ index[axis]·stride[axis]. Strides start at 0.
struct Walk {
  Shape shape;
  std::int64_t start = 0;
  std::vector<std::int64_t> stride;

  explicit Walk(const Shape& of) : shape(of), stride(static_cast<std::size_t>(of.rank()), 0) {}

  /// Calls f(cell, position) for the cells [first, last) of the result, in order.
  template <class F>
  void each(std::int64_t first, std::int64_t last, const F& f) const {
    if (first >= last) return;
    const int rank = shape.rank();
    std::vector<std::int64_t> index(static_cast<std::size_t>(rank));
    std::int64_t rest = first, position = start;
    for (int axis = rank - 1; axis >= 0; --axis) {
      const auto a = static_cast<std::size_t>(axis);
      index[a] = rest % shape[axis];
      rest /= shape[axis];
      position += index[a] * stride[a];
    }
    if (rank == 0) return f(first, position);
    const auto inner = static_cast<std::size_t>(rank - 1);
    for (std::int64_t cell = first; cell < last;) {
      const std::int64_t run = std::min(last - cell, shape[rank - 1] - index[inner]);
      for (std::int64_t i = 0; i < run; ++i) f(cell + i, position + i * stride[inner]);
      cell += run;
      position -= index[inner] * stride[inner];
      index[inner] = 0;
      for (int axis = rank - 2; axis >= 0; --axis) {
        const auto a = static_cast<std::size_t>(axis);
        position += stride[a];
        if (++index[a] < shape[axis]) break;
        position -= index[a] * stride[a];
        index[a] = 0;
      }
    }
  }
};

/// out[cell] = operand[position] along the walk, whatever the cells are.
template <class D>
void copyCells(const Call<D>& call, std::size_t operand, const Walk& walk) {
  call.in(operand).visit([&](const auto& from) {
    auto& to = std::get<std::decay_t<decltype(from)>>(call.out().variant());
    parallelBlocks(to.cells(), call.parallel && to.cells() >= 4096, [&](std::int64_t first, std::int64_t last) {
      walk.each(first, last, [&](std::int64_t cell, std::int64_t position) { to[cell] = from[position]; });
    });
  });
}

}  // namespace shardlaw::stablehlo
