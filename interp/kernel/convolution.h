// Convolutions as matrix products over padded copies, in the order of summation of interp/node/convolution.h.
#pragma once

#include <omp.h>

#include <numeric>
#include <vector>

#include "interp/exec/parallel.h"
#include "interp/kernel/cells.h"
#include "interp/kernel/contraction.h"
#include "interp/kernel/layout.h"
#include "interp/node/convolution.h"

namespace shardlaw::kernel {

inline std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// A copy of consecutive cells. Throws Undefined if lowest() is among them.
template <class D>
std::vector<Cell<D>> copied(const View<const typename D::Scalar>& cells) {
  std::vector<Cell<D>> copy(size(cells.cells()));
  Copier copier;
  copier.copy(copy.data(), cells.data(), cells.cells());
  copier.requireNumbers();
  return copy;
}

/// Puts one example [C,·,·] where the layout says; the rest of `to` is left alone.
template <class D>
void place(const MapLayout& layout, const View<const typename D::Scalar>& map, Cell<D>* to) {
  Copier copier;
  const auto width = static_cast<std::int64_t>(layout.columns.size());
  const auto* from = map.data();
  for (std::int64_t c = 0; c < map.extent(0); ++c, to += layout.channel)
    for (const std::int64_t row : layout.rows) {
      if (row >= 0 && layout.contiguous) copier.copy(to + row + layout.columns[0], from, width);
      if (row >= 0 && !layout.contiguous)
        for (std::int64_t j = 0; j < width; ++j)
          if (layout.columns[size(j)] >= 0) to[row + layout.columns[size(j)]] = copier.cell(from[j]);
      from += width;
    }
  copier.requireNumbers();
}

/// Rows of a product whose lanes are the positions of a map, for each example:
/// out[n, m, i, j] = start[m] + Σ_{c,t} weights[row[m] + step[c·taps + t]]·(channel c of the map at tap t).
template <class D>
struct MapProduct {
  MapLayout layout;
  std::vector<Cell<D>> weights, start;
  std::vector<std::int64_t> row, step;
};

template <class D>
void multiplyMaps(const MapProduct<D>& product, const View<const typename D::Scalar>& maps,
                  const View<typename D::Scalar>& out, bool parallel) {
  using C = Cell<D>;
  const MapLayout& layout = product.layout;
  const std::int64_t channels = maps.extent(1), rows = out.extent(1);
  const std::int64_t positions = layout.positions(), room = roundedUp<C>(positions);
  std::vector<std::int64_t> read;
  for (std::int64_t c = 0; c < channels; ++c)
    for (const std::int64_t tap : layout.tap) read.push_back(c * layout.channel + tap);
  parallelBlocks(maps.extent(0), parallel, [&](std::int64_t first, std::int64_t last) {
    std::vector<C> padded(size(channels * layout.channel + room - positions)), sums(size(rows * room));
    for (std::int64_t n = first; n < last; ++n) {
      place<D>(layout, maps.slice(n), padded.data());
      for (std::int64_t m = 0; m < rows; ++m)
        std::fill_n(sums.data() + m * room, room, product.start.empty() ? C{} : product.start[size(m)]);
      contract(Contraction<C>{product.weights.data(), product.row, product.step, padded.data(), read, positions,
                              sums.data(), room});
      auto* to = out.slice(n).data();
      for (std::int64_t m = 0; m < rows; ++m)
        for (std::int64_t i = 0; i < layout.height; ++i, to += layout.width)
          store(to, sums.data() + m * room + i * layout.stride, layout.width);
    }
  });
}

/// The sums of a left fold start at +0, so that a bias of −0 becomes +0.
template <class C>
void addZero(std::vector<C>& start) {
  if constexpr (std::is_floating_point_v<C>)
    for (C& cell : start) cell = C{} + cell;
}

/// 0·factor, 1·factor, …
inline std::vector<std::int64_t> multiples(std::int64_t count, std::int64_t factor) {
  std::vector<std::int64_t> all(size(count));
  for (std::int64_t i = 0; i < count; ++i) all[size(i)] = i * factor;
  return all;
}

/// y = conv(W, b, x) at the positions of the layout.
template <class D>
void forwardConvolution(const Call<D>& call, const MapLayout& layout, bool parallel) {
  if (call.out.cells() == 0) return;
  const Shape& w = call.in(0).shape();
  const std::int64_t terms = w[1] * w[2] * w[3];
  MapProduct<D> product{layout, copied<D>(call.in(0)), copied<D>(call.in(1)), multiples(w[0], terms),
                        multiples(terms, 1)};
  addZero(product.start);
  multiplyMaps(product, call.in(2), call.out, parallel);
}

/// dx = convBack(W, dy) at the positions of the layout; terms in the order o, a, b'.
template <class D>
void backConvolution(const Call<D>& call, const MapLayout& layout, bool parallel) {
  if (call.out.cells() == 0) return;
  const Shape& w = call.in(0).shape();
  const std::int64_t taps = w[2] * w[3];
  MapProduct<D> product{layout, copied<D>(call.in(0)), {}, multiples(w[1], taps), {}};
  for (std::int64_t o = 0; o < w[0]; ++o)
    for (std::int64_t t = 0; t < taps; ++t) product.step.push_back(o * w[1] * taps + t);
  multiplyMaps(product, call.in(1), call.out, parallel);
}

template <class D>
void conv(const Call<D>& call, bool parallel) {
  const Shape &w = call.in(0).shape(), &y = call.out.shape();
  forwardConvolution(call, forwardLayout({y[2], y[3], w[2], w[3]}), parallel);
}
template <class D>
void convBack(const Call<D>& call, bool parallel) {
  const Shape &w = call.in(0).shape(), &dx = call.out.shape();
  backConvolution(call, backLayout({dx[2], dx[3], w[2], w[3]}), parallel);
}
template <class D>
void convStrided(const Call<D>& call, bool parallel) {
  const Shape &w = call.in(0).shape(), &y = call.out.shape();
  forwardConvolution(call, stridedLayout({y[2], y[3], w[2], w[3]}, phaseOffset(call.attributes)), parallel);
}
template <class D>
void convStridedBack(const Call<D>& call, bool parallel) {
  const Shape &w = call.in(0).shape(), &dx = call.out.shape();
  backConvolution(call, scatteredBackLayout({dx[2], dx[3], w[2], w[3]}, phaseOffset(call.attributes)), parallel);
}

}  // namespace shardlaw::kernel
