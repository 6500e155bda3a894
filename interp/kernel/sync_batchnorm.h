// The sums of synchronised batch normalisation over several channel rows at once, as in interp/node/syncbn.h.
#pragma once

#include "interp/kernel/batchnorm.h"

namespace shardlaw::kernel {

/// The statistics of G channels that a packed vector [μ ‖ σ² ‖ …] hands in, and 1/√(σ² + ε).
template <class D, int G>
struct GivenStatistics {
  std::array<typename D::Scalar, G> mean, var, istd;

  GivenStatistics(const Call<D>& call, const Rows<D, G>& rows, const View<const typename D::Scalar>& packed,
                  std::int64_t channels)
      : mean(rows.slice(packed)), var(rows.slice(View(packed.data() + channels, Shape{channels}))) {
    for (std::size_t g = 0; g < G; ++g) istd[g] = call.domain.rsqrt(var[g] + call.literal("eps"));
  }
};

template <class D>
void bnSyncDyStats(const Call<D>& call, bool parallel) {
  const auto *const x = call.in(0).data(), *const dy = call.in(2).data();
  const std::int64_t channels = call.in(0).extent(1);
  forRowGroups(call.domain, call.in(0).shape(), parallel, [&]<int G>(const Rows<D, G>& rows) {
    const GivenStatistics<D, G> st(call, rows, call.in(3), channels);
    const auto gamma = rows.slice(call.in(1));
    rows.store(st.mean, call.out);
    rows.store(st.var, call.out, channels);
    rows.store(rows.means([&](std::size_t g, std::int64_t k) { return gamma[g] * dy[k]; }), call.out, 2 * channels);
    rows.store(rows.means([&](std::size_t g, std::int64_t k) {
      return ((x[k] - st.mean[g]) * st.istd[g]) * (gamma[g] * dy[k]);
    }),
               call.out, 3 * channels);
  });
}

template <class D>
void bnSyncGammaGrad(const Call<D>& call, bool parallel) {
  const auto *const x = call.in(0).data(), *const dy = call.in(1).data();
  const std::int64_t channels = call.in(0).extent(1);
  forRowGroups(call.domain, call.in(0).shape(), parallel, [&]<int G>(const Rows<D, G>& rows) {
    const GivenStatistics<D, G> st(call, rows, call.in(2), channels);
    rows.store(rows.sums([&](typename D::Sum& sum, std::size_t g, std::int64_t k) {
      sum.addProduct(dy[k], (x[k] - st.mean[g]) * st.istd[g]);
    }),
               call.out);
  });
}

}  // namespace shardlaw::kernel
