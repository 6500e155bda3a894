// Row-major tensors over any scalar, and views of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "interp/error.h"
#include "interp/tensor/memory.h"
#include "interp/tensor/shape.h"

namespace shardlaw {

/// A view of consecutive cells under a shape. It owns nothing.
template <class S>
class View {
 public:
  View() = default;
  View(S* data, const Shape& shape) : data_(data), shape_(shape) {}

  const Shape& shape() const { return shape_; }
  std::int64_t extent(int axis) const { return shape_[axis]; }
  std::int64_t cells() const { return shape_.cells(); }
  S* data() const { return data_; }

  /// The cell at a linear, row-major position.
  S& operator[](std::int64_t position) const { return data_[position]; }
  /// The cell at one index per axis.
  template <class... Index>
  S& operator()(Index... index) const {
    int axis = 0;
    std::int64_t position = 0;
    ((position = position * shape_[axis++] + static_cast<std::int64_t>(index)), ...);
    return data_[position];
  }
  /// The cell [c, i, j] of a [C,H,W] map, or zero where (i, j) lies outside the map.
  auto padded(std::int64_t c, std::int64_t i, std::int64_t j) const {
    using Value = std::remove_const_t<S>;
    if (i < 0 || i >= shape_[1] || j < 0 || j >= shape_[2]) return Value{};
    return Value{data_[(c * shape_[1] + i) * shape_[2] + j]};
  }
  /// The i-th slice along the leading axis.
  View slice(std::int64_t i) const {
    const Shape tail = shape_.tail();
    return View(data_ + i * tail.cells(), tail);
  }

 private:
  S* data_ = nullptr;
  Shape shape_;
};

/// A tensor that owns its cells; zero when made from a shape alone.
template <class S>
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(const Shape& shape) : shape_(shape), cells_(static_cast<std::size_t>(shape.cells()), S{}) {}
  /// `cells` in row-major order. Throws Error where their number does not match.
  Tensor(const Shape& shape, const std::vector<S>& cells) : shape_(shape), cells_(cells.begin(), cells.end()) {
    if (this->cells() != shape.cells())
      throw Error(std::to_string(this->cells()) + " cells for a tensor of shape " + toString(shape));
  }
  /// Cells of no particular value: each must be written before it is read.
  static Tensor unwritten(const Shape& shape) {
    Tensor tensor;
    tensor.shape_ = shape;
    tensor.cells_.resize(static_cast<std::size_t>(shape.cells()));
    return tensor;
  }
  /// This tensor's cells under another shape of as many cells, their values as they are.
  Tensor reshaped(const Shape& shape) && {
    shape_ = shape;
    return std::move(*this);
  }

  const Shape& shape() const { return shape_; }
  std::int64_t cells() const { return static_cast<std::int64_t>(cells_.size()); }
  S& operator[](std::int64_t position) { return cells_[static_cast<std::size_t>(position)]; }
  const S& operator[](std::int64_t position) const { return cells_[static_cast<std::size_t>(position)]; }

  View<S> view() { return {cells_.data(), shape_}; }
  View<const S> view() const { return {cells_.data(), shape_}; }

 private:
  Shape shape_;
  std::vector<S, CellAllocator<S>> cells_;
};

/// batchSlice(v, n) of SEMANTICS 1: example n of a batched value.
template <class S>
Tensor<S> batchSlice(const Tensor<S>& batch, std::int64_t n) {
  const View<const S> slice = batch.view().slice(n);
  return Tensor<S>(slice.shape(), std::vector<S>(slice.data(), slice.data() + slice.cells()));
}

/// batchShard(X, r) of SEMANTICS 1: the contiguous block of examples [r·N, (r+1)·N) of a batch of R·N.
/// Throws Error where the batch does not divide into R shards or r is not one of them.
template <class S>
Tensor<S> batchShard(const Tensor<S>& batch, std::int64_t r, std::int64_t replicas) {
  if (batch.shape().rank() == 0 || replicas < 1 || r < 0 || r >= replicas || batch.shape()[0] % replicas != 0)
    throw Error("shard " + std::to_string(r) + " of " + std::to_string(replicas) +
                ": expected a batch that divides, found " + toString(batch.shape()));
  const std::int64_t examples = batch.shape()[0] / replicas;
  const Shape shape = batch.shape().tail().batchOf(examples);
  const S* first = batch.view().data() + r * shape.cells();
  return Tensor<S>(shape, std::vector<S>(first, first + shape.cells()));
}

}  // namespace shardlaw
