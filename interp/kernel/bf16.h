// The bf16 twins: the kernels of the convolutions at rounded operands, then one rounding.
#pragma once

#include "interp/kernel/weight_gradient.h"
#include "interp/node/bf16.h"

namespace shardlaw::kernel {

/// Rounds every cell.
template <class D>
void roundCells(const D& domain, const View<const typename D::Scalar>& from, const View<typename D::Scalar>& to,
                bool parallel) {
  parallelBlocks(from.cells(), parallel, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) to[i] = domain.roundToBf16(from[i]);
  });
}

/// The operands of a call, rounded.
template <class D>
class RoundedCall {
  using S = typename D::Scalar;

 public:
  RoundedCall(const Call<D>& call, bool parallel) {
    for (const View<const S>& operand : call.operands) {
      Tensor<S>& rounded = tensors_.emplace_back(operand.shape());
      roundCells(call.domain, operand, rounded.view(), parallel);
    }
    for (const Tensor<S>& tensor : tensors_) views_.push_back(tensor.view());
  }
  std::span<const View<const S>> operands() const { return views_; }

 private:
  std::vector<Tensor<S>> tensors_;
  std::vector<View<const S>> views_;
};

template <class D>
void roundResult(const Call<D>& call, bool parallel) {
  roundCells(call.domain, View<const typename D::Scalar>(call.out.data(), call.out.shape()), call.out, parallel);
}

/// The bias is neither rounded nor summed: it is added after the rounding.
template <class D>
void convBf16(const Call<D>& call, bool parallel) {
  using S = typename D::Scalar;
  if (call.in(2).extent(0) == 0) return;  // the definition rounds W once per example
  const Tensor<S> zero(call.in(1).shape());
  const View<const S> operands[] = {call.in(0), zero.view(), call.in(2)};
  const RoundedCall<D> rounded(Call<D>{call.domain, operands, call.out, call.attributes}, parallel);
  conv(Call<D>{call.domain, rounded.operands(), call.out, call.attributes}, parallel);
  const std::int64_t map = call.out.extent(2) * call.out.extent(3);
  parallelBlocks(call.out.extent(0), parallel, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t n = first; n < last; ++n)
      for (std::int64_t o = 0; o < call.out.extent(1); ++o)
        for (std::int64_t i = 0; i < map; ++i) {
          S& cell = call.out[(n * call.out.extent(1) + o) * map + i];
          cell = call.domain.roundToBf16(cell) + call.in(1)[o];
        }
  });
}

template <class D>
void convBackBf16(const Call<D>& call, bool parallel) {
  if (call.in(1).extent(0) == 0) return;
  const RoundedCall<D> rounded(call, parallel);
  convBack(Call<D>{call.domain, rounded.operands(), call.out, call.attributes}, parallel);
  roundResult(call, parallel);
}

template <class D>
void convWeightGradBf16(const Call<D>& call, bool parallel) {
  const RoundedCall<D> rounded(call, parallel);
  convWeightGrad(Call<D>{call.domain, rounded.operands(), call.out, call.attributes}, parallel);
  roundResult(call, parallel);
}

}  // namespace shardlaw::kernel
