// The pooling that is worth a kernel.
#pragma once

#include "interp/exec/parallel.h"
#include "interp/ir/node.h"

namespace shardlaw::kernel {

/// Every 2×2 window adds its dy to its first maximum. `exceeds` is a strict order in which cells may tie, so three
/// comparisons find what the definition asks of each cell in turn. Windows do not overlap: a sum is 0 + dy.
template <class D>
void maxPool2Back(const Call<D>& call, bool parallel) {
  using S = typename D::Scalar;
  const Shape& shape = call.in(1).shape();
  const std::int64_t height = shape[2], width = shape[3];
  parallelBlocks(shape[0] * shape[1] * height, parallel, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const S *const x = call.in(0).data() + row * 4 * width, *const dy = call.in(1).data() + row * width;
      S* const out = call.out.data() + row * 4 * width;
      for (std::int64_t j = 0; j < width; ++j) {
        const S a = x[2 * j], b = x[2 * j + 1], c = x[2 * width + 2 * j], d = x[2 * width + 2 * j + 1];
        const bool second = call.domain.exceeds(b, a), fourth = call.domain.exceeds(d, c);
        const bool lower = call.domain.exceeds(fourth ? d : c, second ? b : a);
        const S sum = S{} + dy[j];
        out[2 * j] = (!lower & !second) ? sum : S{};
        out[2 * j + 1] = (!lower & second) ? sum : S{};
        out[2 * width + 2 * j] = (lower & !fourth) ? sum : S{};
        out[2 * width + 2 * j + 1] = (lower & fourth) ? sum : S{};
      }
    }
  });
}

}  // namespace shardlaw::kernel
