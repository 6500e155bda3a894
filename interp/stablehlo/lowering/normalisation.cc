// Batch normalisation (SEMANTICS 2.3). Rows of statistics are [C], or [N, C] for statistics per example.
#include "interp/stablehlo/lowering/lowering.h"

namespace shardlaw::stablehlo {
namespace {

/// Which axes of [N,C,H,W] a row runs over, and which remain.
struct Row {
  std::vector<std::int64_t> over{0, 2, 3}, along{1};
};
const Row batchRow{};
const Row exampleRow{{2, 3}, {0, 1}};

std::int64_t cellsOf(const Row& row, const Shape& x) {
  std::int64_t cells = 1;
  for (const std::int64_t axis : row.over) cells *= x[static_cast<int>(axis)];
  return cells;
}
ValueId spread(Lowering& at, ValueId row, const Shape& to, const Row& of = batchRow) {
  return at.emit.broadcast(row, to, of.along);
}
ValueId meanOf(Lowering& at, ValueId x, const Row& row = batchRow) {
  return at.emit.divideConstant(at.emit.sum(x, row.over), cellsOf(row, at.emit.shape(x)));
}
ValueId centred(Lowering& at, ValueId x, ValueId mean, const Row& row = batchRow) {
  return at.emit.subtract(x, spread(at, mean, at.emit.shape(x), row));
}
ValueId meanSquare(Lowering& at, ValueId x, const Row& row = batchRow) {
  return meanOf(at, at.emit.multiply(x, x), row);
}
ValueId inverseDeviation(Lowering& at, ValueId variance) {
  return at.emit.unary(operations::rsqrt, at.emit.addConstant(variance, at.rational("eps")));
}

/// x̂ and 1/√(σ²+ε) at the row's own statistics.
struct Normalised {
  ValueId xhat, istd;
};
Normalised normalised(Lowering& at, ValueId x, const Row& row = batchRow) {
  const ValueId deviations = centred(at, x, meanOf(at, x, row), row);
  const ValueId istd = inverseDeviation(at, meanSquare(at, deviations, row));
  return {at.emit.multiply(deviations, spread(at, istd, at.emit.shape(x), row)), istd};
}
Normalised normalisedAt(Lowering& at, ValueId x, ValueId mean, ValueId variance) {
  const ValueId istd = inverseDeviation(at, variance);
  return {at.emit.multiply(centred(at, x, mean), spread(at, istd, at.emit.shape(x))), istd};
}

ValueId scaled(Lowering& at, ValueId gamma, ValueId x) {
  return at.emit.multiply(spread(at, gamma, at.emit.shape(x)), x);
}
ValueId affine(Lowering& at, ValueId xhat, ValueId gamma, ValueId beta) {
  const ValueId product = scaled(at, gamma, xhat);
  return at.emit.add(product, spread(at, beta, at.emit.shape(xhat)));
}

/// istd·(g − mdy − x̂·mdyx).
ValueId backAt(Lowering& at, const Normalised& of, ValueId g, ValueId mdy, ValueId mdyx, const Row& row = batchRow) {
  const Shape& shape = at.emit.shape(g);
  const ValueId along = at.emit.multiply(of.xhat, spread(at, mdyx, shape, row));
  const ValueId inner = at.emit.subtract(at.emit.subtract(g, spread(at, mdy, shape, row)), along);
  return at.emit.multiply(spread(at, of.istd, shape, row), inner);
}

ValueId forward(Lowering& at, const Row& row) {
  return affine(at, normalised(at, at.in(0), row).xhat, at.in(1), at.in(2));
}
ValueId backward(Lowering& at, const Row& row) {
  const Normalised of = normalised(at, at.in(0), row);
  const ValueId g = scaled(at, at.in(1), at.in(2));
  const ValueId mdy = meanOf(at, g, row), mdyx = meanOf(at, at.emit.multiply(of.xhat, g), row);
  return backAt(at, of, g, mdy, mdyx, row);
}
ValueId gammaGradient(Lowering& at, const Row& row) {
  const ValueId dy = at.in(1), xhat = normalised(at, at.in(0), row).xhat;
  return at.emit.sum(at.emit.multiply(dy, xhat), {0, 2, 3});
}

/// Part k of packed statistics of C channels each.
ValueId part(Lowering& at, ValueId packed, std::int64_t k, std::int64_t channels) {
  return at.emit.slice(packed, k * channels, (k + 1) * channels);
}
Normalised normalisedByPacked(Lowering& at, ValueId x, ValueId packed) {
  const std::int64_t channels = at.emit.shape(x)[1];
  const ValueId mean = part(at, packed, 0, channels);
  return normalisedAt(at, x, mean, part(at, packed, 1, channels));
}

}  // namespace

namespace lowerings {

ValueId bnBatch(Lowering& at) { return forward(at, batchRow); }
ValueId bnBatchBack(Lowering& at) { return backward(at, batchRow); }
ValueId bnGammaGrad(Lowering& at) { return gammaGradient(at, batchRow); }
ValueId bnBetaGrad(Lowering& at) { return at.emit.sum(at.in(0), {0, 2, 3}); }
ValueId bnPerChannel(Lowering& at) { return forward(at, exampleRow); }
ValueId bnPerChannelBack(Lowering& at) { return backward(at, exampleRow); }
ValueId bnPerChannelGammaGrad(Lowering& at) { return gammaGradient(at, exampleRow); }

ValueId bnEval(Lowering& at) {
  return affine(at, normalisedAt(at, at.in(0), at.in(3), at.in(4)).xhat, at.in(1), at.in(2));
}
ValueId bnEvalBack(Lowering& at) {
  const ValueId istd = inverseDeviation(at, at.in(1));
  const ValueId factor = at.emit.multiply(at.in(0), istd);
  return scaled(at, factor, at.in(2));
}

ValueId bnBatchMean(Lowering& at) { return meanOf(at, at.in(0)); }
ValueId bnBatchVar(Lowering& at) {
  const ValueId x = at.in(0);
  return meanSquare(at, centred(at, x, meanOf(at, x)));
}
ValueId bnBatchVarAt(Lowering& at) {
  const ValueId x = at.in(0), mean = meanOf(at, x);
  const ValueId variance = meanSquare(at, centred(at, x, mean)), shift = at.emit.subtract(mean, at.in(1));
  return at.emit.add(variance, at.emit.multiply(shift, shift));
}
ValueId bnPack(Lowering& at) { return at.emit.concatenate({at.in(0), at.in(1)}); }
ValueId bnStatsMean(Lowering& at) { return part(at, at.in(0), 0, at.shape()[0]); }
ValueId bnStatsVar(Lowering& at) { return part(at, at.in(0), 1, at.shape()[0]); }

ValueId bnSync(Lowering& at) { return affine(at, normalisedByPacked(at, at.in(0), at.in(3)).xhat, at.in(1), at.in(2)); }
ValueId bnSyncDyStats(Lowering& at) {
  const Normalised of = normalisedByPacked(at, at.in(0), at.in(3));
  const ValueId g = scaled(at, at.in(1), at.in(2)), mdy = meanOf(at, g);
  return at.emit.concatenate({at.in(3), mdy, meanOf(at, at.emit.multiply(of.xhat, g))});
}
ValueId bnSyncBack(Lowering& at) {
  const ValueId x = at.in(0), packed = at.in(3);
  const std::int64_t channels = at.emit.shape(x)[1];
  const Normalised of = normalisedByPacked(at, x, packed);
  const ValueId mdy = part(at, packed, 2, channels);
  return backAt(at, of, scaled(at, at.in(1), at.in(2)), mdy, part(at, packed, 3, channels));
}
ValueId bnSyncGammaGrad(Lowering& at) {
  const Normalised of = normalisedByPacked(at, at.in(0), at.in(2));
  return at.emit.sum(at.emit.multiply(at.in(1), of.xhat), {0, 2, 3});
}

}  // namespace lowerings
}  // namespace shardlaw::stablehlo
