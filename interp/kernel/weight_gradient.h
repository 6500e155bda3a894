// Weight gradients of convolutions as matrix products whose lanes are the output channels.
#pragma once

#include "interp/kernel/convolution.h"

namespace shardlaw::kernel {

/// Cells of the prepared operands of so many examples as stay in a cache while all rows of a gradient meet them.
inline constexpr std::int64_t preparedCells = std::int64_t{1} << 18;

/// dW[o, m] = Σ_n Σ_{i,j} (x_n at tap m)·dy_n[o,i,j], m = (c, a, b'): rows of a product over the terms (i, j) with
/// lanes o, over a padded copy of x and a transposed one of dy; the sums of one example go on where those of the one
/// before it ended.
template <class D>
class WeightGradient {
  using S = typename D::Scalar;
  using C = Cell<D>;

 public:
  /// dy's cell (u, v) stands at (step·u + offset, step·v + offset) of x's map, with zeros between.
  WeightGradient(const Call<D>& call, std::int64_t step, std::int64_t offset)
      : call_(call),
        layout_(forwardLayout({call.in(0).extent(2), call.in(0).extent(3), call.out.extent(2), call.out.extent(3)})),
        outputs_(call.out.extent(0)),
        lanes_(roundedUp<C>(outputs_)),
        terms_(layout_.height * layout_.width),
        step_(step),
        offset_(offset) {
    for (std::int64_t c = 0; c < call.out.extent(1); ++c)
      for (const std::int64_t tap : layout_.tap) rows_.push_back(c * layout_.channel + tap);
    for (std::int64_t i = 0; i < layout_.height; ++i)
      for (std::int64_t j = 0; j < layout_.width; ++j) positions_.push_back(i * layout_.stride + j);
    transposed_ = multiples(terms_, lanes_);
  }

  void compute(bool parallel) {
    const std::int64_t examples = call_.in(0).extent(0), rows = static_cast<std::int64_t>(rows_.size());
    const std::int64_t padded = call_.in(0).extent(1) * layout_.channel, spread = terms_ * lanes_;
    const std::int64_t together =
        std::min(examples, std::max<std::int64_t>(4, preparedCells / std::max<std::int64_t>(1, padded + spread)));
    std::vector<C> x(size(together * padded)), dy(size(together * spread)), sums(size(rows * lanes_));
    for (std::int64_t first = 0; first < examples; first += together) {
      const std::int64_t count = std::min(together, examples - first);
      parallelBlocks(count, parallel, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t n = begin; n < end; ++n) {
          place<D>(layout_, call_.in(0).slice(first + n), x.data() + n * padded);
          transpose(call_.in(1).slice(first + n), dy.data() + n * spread);
        }
      });
      // Eight rows are the most that one tile has.
      parallelBlocks((rows + 7) / 8, parallel, [&](std::int64_t begin, std::int64_t end) {
        const std::int64_t row = 8 * begin;
        const std::span<const std::int64_t> mine =
            std::span(rows_).subspan(size(row), size(std::min(8 * end, rows) - row));
        for (std::int64_t n = 0; n < count; ++n)
          contract(Contraction<C>{x.data() + n * padded, mine, positions_, dy.data() + n * spread, transposed_,
                                  outputs_, sums.data() + row * lanes_, lanes_});
      });
    }
    std::vector<C> row(size(rows));
    for (std::int64_t o = 0; o < outputs_; ++o) {
      for (std::int64_t m = 0; m < rows; ++m) row[size(m)] = sums[size(m * lanes_ + o)];
      store(call_.out.data() + o * rows, row.data(), rows);
    }
  }

 private:
  /// Example dy [O,·,·] as [position][lane].
  void transpose(const View<const S>& dy, C* to) const {
    Copier copier;
    const std::int64_t cells = dy.extent(1) * dy.extent(2);
    for (std::int64_t u = 0; u < dy.extent(1); ++u)
      for (std::int64_t v = 0; v < dy.extent(2); ++v) {
        const std::int64_t position = (step_ * u + offset_) * layout_.width + step_ * v + offset_;
        for (std::int64_t o = 0; o < outputs_; ++o)
          to[position * lanes_ + o] = copier.cell(dy[o * cells + u * dy.extent(2) + v]);
      }
    copier.requireNumbers();
  }

  const Call<D>& call_;
  MapLayout layout_;
  std::int64_t outputs_, lanes_, terms_, step_, offset_;
  std::vector<std::int64_t> rows_, positions_, transposed_;
};

template <class D>
void convWeightGrad(const Call<D>& call, bool parallel) {
  if (call.out.cells() > 0) WeightGradient<D>(call, 1, 0).compute(parallel);
}
template <class D>
void convStridedWeightGrad(const Call<D>& call, bool parallel) {
  if (call.out.cells() > 0) WeightGradient<D>(call, 2, phaseOffset(call.attributes)).compute(parallel);
}

}  // namespace shardlaw::kernel
