// Batch normalisation in the field, where every formula may be expanded: two expressions that are equal in every
// commutative ring have one canonical residue. So one pass over a row finds all of its sums, and a second writes
// out = a·dy + b·x + c.
#pragma once

#include "interp/kernel/contraction.h"
#include "interp/kernel/sync_batchnorm.h"

namespace shardlaw::kernel {

/// A field element is stored as its residue.
inline const std::uint64_t* residues(const Field* cells) {
  static_assert(sizeof(Field) == sizeof(std::uint64_t) && std::is_standard_layout_v<Field>);
  return reinterpret_cast<const std::uint64_t*>(cells);
}
inline std::uint64_t* residues(Field* cells) { return reinterpret_cast<std::uint64_t*>(cells); }

/// Channel row c of a batch, and means over it.
class FieldRow {
 public:
  FieldRow(const Shape& shape, std::int64_t c)
      : examples_(shape[0]),
        map_(shape[2] * shape[3]),
        first_(c * map_),
        next_(shape[1] * map_),
        overCells_(
            Field::fromUnsigned(static_cast<std::uint64_t>(std::max<std::int64_t>(1, examples_ * map_))).inverse()) {}

  /// Sums over the row. Throws Undefined if lowest() is among its cells.
  struct Sums {
    Field x, dy, xx, xdy;
  };
  Sums sums(const Field* x, const Field* dy) const {
    std::uint64_t sum[4] = {}, seen = 0;
    for (std::int64_t n = 0; n < examples_; ++n)
      seen |= fieldRows().addSums(residues(x) + at(n), residues(dy) + at(n), map_, sum);
    if (seen >> 52 != 0) Field::refuseLowest();
    return {Field::fromUnsigned(sum[0]), Field::fromUnsigned(sum[1]), Field::fromUnsigned(sum[2]),
            Field::fromUnsigned(sum[3])};
  }
  Field mean(Field sum) const { return sum * overCells_; }
  /// E x² − (E x)².
  Field variance(const Sums& sums) const { return mean(sums.xx) - mean(sums.x) * mean(sums.x); }

  /// out = a·x + b·y + c over the row.
  void combine(Field a, const Field* x, Field b, const Field* y, Field c, Field* out) const {
    for (std::int64_t n = 0; n < examples_; ++n)
      fieldRows().combine(a.residue(), residues(x) + at(n), b.residue(), residues(y) + at(n), c.residue(), map_,
                          residues(out) + at(n));
  }

 private:
  std::int64_t at(std::int64_t n) const { return n * next_ + first_; }

  std::int64_t examples_, map_, first_, next_;
  Field overCells_;
};

/// f(c, row) for every channel of a batch of this shape.
template <class F>
void forFieldRows(const Shape& shape, bool parallel, const F& f) {
  parallelFor(shape[1], parallel, [&](std::int64_t c) { f(c, FieldRow(shape, c)); });
}

/// Σ dy·x̂ = istd·(Σ x·dy − μ·Σ dy).
inline Field sumOfNormalised(const FieldRow::Sums& sums, Field mean, Field istd) {
  return istd * (sums.xdy - mean * sums.dy);
}

template <>
inline void bnBatch<Exact>(const Call<Exact>& call, bool parallel) {
  const Field *const x = call.in(0).data(), eps = call.literal("eps");
  forFieldRows(call.in(0).shape(), parallel, [&](std::int64_t c, const FieldRow& row) {
    const auto sums = row.sums(x, x);
    const Field a = call.in(1)[c] * call.domain.rsqrt(row.variance(sums) + eps);
    row.combine(a, x, Field(), x, call.in(2)[c] - a * row.mean(sums.x), call.out.data());
  });
}

template <>
inline void bnBatchBack<Exact>(const Call<Exact>& call, bool parallel) {
  const Field *const x = call.in(0).data(), *const dy = call.in(2).data(), eps = call.literal("eps");
  forFieldRows(call.in(0).shape(), parallel, [&](std::int64_t c, const FieldRow& row) {
    const auto sums = row.sums(x, dy);
    const Field gamma = call.in(1)[c], mean = row.mean(sums.x);
    const Field istd = call.domain.rsqrt(row.variance(sums) + eps);
    const Field mdy = gamma * row.mean(sums.dy), mdyx = gamma * row.mean(sumOfNormalised(sums, mean, istd));
    // istd·(γ·dy − mdy − (x − mean)·istd·mdyx).
    const Field b = -(istd * istd * mdyx);
    row.combine(istd * gamma, dy, b, x, -(istd * mdy) - b * mean, call.out.data());
  });
}

template <>
inline void bnGammaGrad<Exact>(const Call<Exact>& call, bool parallel) {
  const Field eps = call.literal("eps");
  forFieldRows(call.in(0).shape(), parallel, [&](std::int64_t c, const FieldRow& row) {
    const auto sums = row.sums(call.in(0).data(), call.in(1).data());
    call.out[c] = sumOfNormalised(sums, row.mean(sums.x), call.domain.rsqrt(row.variance(sums) + eps));
  });
}

template <>
inline void channelSums<Exact>(const Call<Exact>& call, bool parallel) {
  forFieldRows(call.in(0).shape(), parallel, [&](std::int64_t c, const FieldRow& row) {
    call.out[c] = row.sums(call.in(0).data(), call.in(0).data()).x;
  });
}

template <>
inline void bnBatchMean<Exact>(const Call<Exact>& call, bool parallel) {
  forFieldRows(call.in(0).shape(), parallel, [&](std::int64_t c, const FieldRow& row) {
    call.out[c] = row.mean(row.sums(call.in(0).data(), call.in(0).data()).x);
  });
}

template <>
inline void bnBatchVar<Exact>(const Call<Exact>& call, bool parallel) {
  forFieldRows(call.in(0).shape(), parallel, [&](std::int64_t c, const FieldRow& row) {
    call.out[c] = row.variance(row.sums(call.in(0).data(), call.in(0).data()));
  });
}

template <>
inline void bnBatchVarAt<Exact>(const Call<Exact>& call, bool parallel) {
  forFieldRows(call.in(0).shape(), parallel, [&](std::int64_t c, const FieldRow& row) {
    const auto sums = row.sums(call.in(0).data(), call.in(0).data());
    const Field offset = row.mean(sums.x) - call.in(1)[c];
    call.out[c] = row.variance(sums) + offset * offset;
  });
}

template <>
inline void bnSyncDyStats<Exact>(const Call<Exact>& call, bool parallel) {
  const std::int64_t channels = call.in(0).extent(1);
  const Field eps = call.literal("eps");
  forFieldRows(call.in(0).shape(), parallel, [&](std::int64_t c, const FieldRow& row) {
    const Field gamma = call.in(1)[c], mean = call.in(3)[c], var = call.in(3)[channels + c];
    const auto sums = row.sums(call.in(0).data(), call.in(2).data());
    call.out[c] = mean;
    call.out[channels + c] = var;
    call.out[2 * channels + c] = gamma * row.mean(sums.dy);
    call.out[3 * channels + c] = gamma * row.mean(sumOfNormalised(sums, mean, call.domain.rsqrt(var + eps)));
  });
}

template <>
inline void bnSyncGammaGrad<Exact>(const Call<Exact>& call, bool parallel) {
  const std::int64_t channels = call.in(0).extent(1);
  const Field eps = call.literal("eps");
  forFieldRows(call.in(0).shape(), parallel, [&](std::int64_t c, const FieldRow& row) {
    const auto sums = row.sums(call.in(0).data(), call.in(1).data());
    call.out[c] = sumOfNormalised(sums, call.in(2)[c], call.domain.rsqrt(call.in(2)[channels + c] + eps));
  });
}

}  // namespace shardlaw::kernel
