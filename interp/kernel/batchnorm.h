// Batch normalisation over several channel rows at once, in the order of summation of interp/node/batchnorm.h.
#pragma once

#include <array>

#include "interp/exec/parallel.h"
#include "interp/node/syncbn.h"

namespace shardlaw::kernel {

/// A left fold waits for each addition before the next; so up to so many channels' folds are made side by side.
inline constexpr std::int64_t rowsTogether = 8;

/// f(first, rows) for the channels [first, first + rows) in groups of 8, 4, 2 and 1, `rows` being a compile-time
/// constant; in smaller groups where there would otherwise be fewer groups than threads.
template <class F>
void forChannelGroups(std::int64_t channels, bool parallel, const F& f) {
  std::int64_t together = rowsTogether;
  while (parallel && together > 1 && channels < together * omp_get_max_threads()) together /= 2;
  parallelFor((channels + together - 1) / together, parallel, [&](std::int64_t group) {
    std::int64_t c = group * together;
    const std::int64_t end = std::min(channels, c + together);
    const auto take = [&](auto rows) {
      for (; end - c >= rows; c += rows) f(c, rows);
    };
    take(std::integral_constant<int, 8>{});
    take(std::integral_constant<int, 4>{});
    take(std::integral_constant<int, 2>{});
    take(std::integral_constant<int, 1>{});
  });
}

/// The rows of G channels from `first` on, of batches that all have the shape [N,C,H,W].
template <class D, int G>
class Rows {
  using S = typename D::Scalar;

 public:
  using Values = std::array<S, G>;

  Rows(const D& domain, const Shape& shape, std::int64_t first)
      : domain_(domain), examples_(shape[0]), channels_(shape[1]), map_(shape[2] * shape[3]), first_(first) {}

  /// Σ over each row of what add(sum, g, k) adds for the cell at linear position k of row first + g.
  template <class Add>
  Values sums(const Add& add) const {
    std::array<typename D::Sum, G> sum;
    for (std::int64_t n = 0; n < examples_; ++n) {
      const std::int64_t start = (n * channels_ + first_) * map_;
      for (std::int64_t k = start; k < start + map_; ++k)
        for (int g = 0; g < G; ++g) add(sum[static_cast<std::size_t>(g)], static_cast<std::size_t>(g), k + g * map_);
    }
    Values totals;
    for (std::size_t g = 0; g < G; ++g) totals[g] = sum[g].total();
    return totals;
  }
  /// The row means of value(g, k).
  template <class Value>
  Values means(const Value& value) const {
    return overCells(sums([&](typename D::Sum& sum, std::size_t g, std::int64_t k) { sum.add(value(g, k)); }));
  }
  Values overCells(Values totals) const {
    const S cells = domain_.literal(examples_ * map_);
    for (S& total : totals) total = total / cells;
    return totals;
  }
  /// f(g, k) at every cell.
  template <class F>
  void each(const F& f) const {
    for (std::int64_t n = 0; n < examples_; ++n)
      for (int g = 0; g < G; ++g) {
        const std::int64_t start = (n * channels_ + first_ + g) * map_;
        for (std::int64_t k = start; k < start + map_; ++k) f(static_cast<std::size_t>(g), k);
      }
  }
  Values slice(const View<const S>& parameter) const {
    Values values;
    for (std::size_t g = 0; g < G; ++g) values[g] = parameter[first_ + static_cast<std::int64_t>(g)];
    return values;
  }
  void store(const Values& values, const View<S>& out, std::int64_t offset = 0) const {
    for (std::size_t g = 0; g < G; ++g) out[offset + first_ + static_cast<std::int64_t>(g)] = values[g];
  }

 private:
  const D& domain_;
  std::int64_t examples_, channels_, map_, first_;
};

/// rowStatistics of the definition, and 1/√(var + ε) where it is asked for.
template <class D, int G>
struct GroupStatistics {
  using S = typename D::Scalar;
  std::array<S, G> mean, var, istd{};

  GroupStatistics(const Rows<D, G>& rows, const S* x) {
    mean = rows.means([&](std::size_t, std::int64_t k) { return x[k]; });
    const auto residue = rows.means([&](std::size_t g, std::int64_t k) { return x[k] - mean[g]; });
    var = rows.means([&](std::size_t g, std::int64_t k) {
      const S deviation = (x[k] - mean[g]) - residue[g];
      return deviation * deviation;
    });
  }
  void invert(const D& domain, S eps) {
    for (std::size_t g = 0; g < G; ++g) istd[g] = domain.rsqrt(var[g] + eps);
  }
};

/// f(rows, first) for every group of the channels of a batch of this shape.
template <class D, class F>
void forRowGroups(const D& domain, const Shape& shape, bool parallel, const F& f) {
  forChannelGroups(shape[1], parallel,
                   [&](std::int64_t first, auto rows) { f(Rows<D, decltype(rows)::value>(domain, shape, first)); });
}

template <class D>
void bnBatch(const Call<D>& call, bool parallel) {
  using S = typename D::Scalar;
  const S *const x = call.in(0).data(), eps = call.literal("eps");
  S* const out = call.out.data();
  forRowGroups(call.domain, call.in(0).shape(), parallel, [&]<int G>(const Rows<D, G>& rows) {
    const auto gamma = rows.slice(call.in(1)), beta = rows.slice(call.in(2));
    GroupStatistics<D, G> row(rows, x);
    row.invert(call.domain, eps);
    rows.each(
        [&](std::size_t g, std::int64_t k) { out[k] = gamma[g] * ((x[k] - row.mean[g]) * row.istd[g]) + beta[g]; });
  });
}

template <class D>
void bnBatchBack(const Call<D>& call, bool parallel) {
  using S = typename D::Scalar;
  const S *const x = call.in(0).data(), *const dy = call.in(2).data(), eps = call.literal("eps");
  S* const out = call.out.data();
  forRowGroups(call.domain, call.in(0).shape(), parallel, [&]<int G>(const Rows<D, G>& rows) {
    const auto gamma = rows.slice(call.in(1));
    GroupStatistics<D, G> row(rows, x);
    row.invert(call.domain, eps);
    const auto xhat = [&](std::size_t g, std::int64_t k) { return (x[k] - row.mean[g]) * row.istd[g]; };
    const auto mdy = rows.means([&](std::size_t g, std::int64_t k) { return gamma[g] * dy[k]; });
    const auto mdyx = rows.means([&](std::size_t g, std::int64_t k) { return xhat(g, k) * (gamma[g] * dy[k]); });
    rows.each([&](std::size_t g, std::int64_t k) {
      out[k] = row.istd[g] * (gamma[g] * dy[k] - mdy[g] - xhat(g, k) * mdyx[g]);
    });
  });
}

template <class D>
void bnGammaGrad(const Call<D>& call, bool parallel) {
  using S = typename D::Scalar;
  const S *const x = call.in(0).data(), *const dy = call.in(1).data(), eps = call.literal("eps");
  forRowGroups(call.domain, call.in(0).shape(), parallel, [&]<int G>(const Rows<D, G>& rows) {
    GroupStatistics<D, G> row(rows, x);
    row.invert(call.domain, eps);
    rows.store(rows.sums([&](typename D::Sum& sum, std::size_t g, std::int64_t k) {
      sum.addProduct(dy[k], (x[k] - row.mean[g]) * row.istd[g]);
    }),
               call.out);
  });
}

/// Σ_k dy_k over every channel row: the β gradient, and a convolution's bias gradient.
template <class D>
void channelSums(const Call<D>& call, bool parallel) {
  const auto* const dy = call.in(0).data();
  forRowGroups(call.domain, call.in(0).shape(), parallel, [&]<int G>(const Rows<D, G>& rows) {
    rows.store(rows.sums([&](typename D::Sum& sum, std::size_t, std::int64_t k) { sum.add(dy[k]); }), call.out);
  });
}

template <class D>
void bnBatchMean(const Call<D>& call, bool parallel) {
  const auto* const x = call.in(0).data();
  forRowGroups(call.domain, call.in(0).shape(), parallel, [&]<int G>(const Rows<D, G>& rows) {
    rows.store(rows.means([&](std::size_t, std::int64_t k) { return x[k]; }), call.out);
  });
}

template <class D>
void bnBatchVar(const Call<D>& call, bool parallel) {
  forRowGroups(call.domain, call.in(0).shape(), parallel, [&]<int G>(const Rows<D, G>& rows) {
    rows.store(GroupStatistics<D, G>(rows, call.in(0).data()).var, call.out);
  });
}

template <class D>
void bnBatchVarAt(const Call<D>& call, bool parallel) {
  forRowGroups(call.domain, call.in(0).shape(), parallel, [&]<int G>(const Rows<D, G>& rows) {
    const GroupStatistics<D, G> row(rows, call.in(0).data());
    auto at = rows.slice(call.in(1));
    for (std::size_t g = 0; g < G; ++g) {
      const auto offset = row.mean[g] - at[g];
      at[g] = row.var[g] + offset * offset;
    }
    rows.store(at, call.out);
  });
}

}  // namespace shardlaw::kernel
