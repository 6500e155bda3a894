// Dense layers as matrix products, in the order of summation of interp/node/dense.h.
#pragma once

#include "interp/kernel/convolution.h"

namespace shardlaw::kernel {

/// Cells [rows][columns] with the rows made long enough for whole vectors, `transposed` or not.
template <class D>
struct LaneMatrix {
  std::int64_t lanes, room;
  std::vector<Cell<D>> cells;

  LaneMatrix(const View<const typename D::Scalar>& matrix, bool transposed)
      : lanes(matrix.extent(transposed ? 0 : 1)),
        room(roundedUp<Cell<D>>(lanes)),
        cells(size(matrix.extent(transposed ? 1 : 0) * room)) {
    Copier copier;
    const std::int64_t width = matrix.extent(1);
    for (std::int64_t i = 0; i < matrix.extent(0); ++i)
      for (std::int64_t j = 0; j < width; ++j)
        cells[size(transposed ? j * room + i : i * room + j)] = copier.cell(matrix[i * width + j]);
    copier.requireNumbers();
  }
};

/// out[m, l] = Σ_k a[m·rowStep + k·termStep]·b[k, l], then finish(m, the row's sums) before it is stored.
template <class D, class Finish>
void multiplyMatrices(const std::vector<Cell<D>>& a, std::int64_t rowStep, std::int64_t terms, std::int64_t termStep,
                      const LaneMatrix<D>& b, const View<typename D::Scalar>& out, bool parallel,
                      const Finish& finish) {
  using C = Cell<D>;
  const std::vector<std::int64_t> step = multiples(terms, termStep), read = multiples(terms, b.room),
                                  row = multiples(out.extent(0), rowStep);
  parallelBlocks(out.extent(0), parallel, [&](std::int64_t first, std::int64_t last) {
    std::vector<C> sums(size((last - first) * b.room));
    const std::span<const std::int64_t> mine = std::span(row).subspan(size(first), size(last - first));
    contract(Contraction<C>{a.data(), mine, step, b.cells.data(), read, b.lanes, sums.data(), b.room});
    for (std::int64_t m = first; m < last; ++m) {
      C* const sum = sums.data() + (m - first) * b.room;
      finish(sum);
      store(out.data() + m * b.lanes, sum, b.lanes);
    }
  });
}

template <class D>
void dense(const Call<D>& call, bool parallel) {
  if (call.out.cells() == 0) return;
  const Shape& w = call.in(0).shape();
  const std::vector<Cell<D>> bias = copied<D>(call.in(1)), x = copied<D>(call.in(2));
  multiplyMatrices<D>(x, w[0], w[0], 1, LaneMatrix<D>(call.in(0), false), call.out, parallel, [&](Cell<D>* sum) {
    for (std::int64_t j = 0; j < w[1]; ++j) {
      sum[j] += bias[size(j)];
      if constexpr (std::is_same_v<D, Exact>) sum[j] %= Field::modulus;
    }
  });
}

template <class D>
void denseBack(const Call<D>& call, bool parallel) {
  if (call.out.cells() == 0) return;
  const Shape& w = call.in(0).shape();
  multiplyMatrices<D>(copied<D>(call.in(1)), w[1], w[1], 1, LaneMatrix<D>(call.in(0), true), call.out, parallel,
                      [](Cell<D>*) {});
}

template <class D>
void denseWeightGrad(const Call<D>& call, bool parallel) {
  if (call.out.cells() == 0) return;
  const std::int64_t examples = call.in(0).extent(0), inputs = call.in(0).extent(1);
  multiplyMatrices<D>(copied<D>(call.in(0)), 1, examples, inputs, LaneMatrix<D>(call.in(1), false), call.out, parallel,
                      [](Cell<D>*) {});
}

}  // namespace shardlaw::kernel
