#include "props/mutant/nodes.h"
#include "props/mutant/rewrites.h"

namespace shardlaw::rewrites {

using enum Dimension;

namespace {

ValueId first(const MutantSite& at, ValueId packed) { return at.apply(nodes::bnStatsMean, {packed}); }
ValueId second(const MutantSite& at, ValueId packed) { return at.apply(nodes::bnStatsVar, {packed}); }
ValueId pack(const MutantSite& at, ValueId a, ValueId b) { return at.apply(nodes::bnPack, {a, b}); }

/// [st ‖ mdy ‖ mdyx] with other second half.
ValueId withReductions(const MutantSite& at, ValueId ds, ValueId mdy, ValueId mdyx) {
  return pack(at, first(at, ds), pack(at, mdy, mdyx));
}
Rational cellsOf(const MutantSite& at, std::int64_t examples) {
  return Rational(static_cast<long>(examples * at.c[H] * at.c[W]));
}

}  // namespace

// Statistics.

Replaced meanOfShardVariances(const MutantSite& at) {
  if (!at.is(nodes::bnBatchVarAt)) return {};
  return at.apply(nodes::bnBatchVar, {at.operands[0]});
}
Replaced unbiasedVariance(const MutantSite& at) {
  const bool synchronised = at.is(nodes::allReduceMean) && at.operandIs(0, nodes::bnBatchVarAt);
  if (!synchronised && !at.is(nodes::bnBatchVar)) return {};
  const Rational cells = cellsOf(at, at.c.globalBatch());
  if (cells < 2) return {};
  return scaled(at, at.again(at.operands), cells / (cells - 1));
}
Replaced localUnbiasedVariance(const MutantSite& at) {
  if (!at.is(nodes::allReduceMean) || !at.operandIs(0, nodes::bnBatchVarAt)) return {};
  const Rational cells = cellsOf(at, at.c[N]);
  if (cells < 2) return {};
  return scaled(at, at.again(at.operands), cells / (cells - 1));
}
Replaced otherLayersStatistics(const MutantSite& at) {
  if (!at.is(nodes::bnSync)) return {};
  const auto& values = at.builder.program().values();
  for (auto id = static_cast<ValueId>(values.size()); id-- > 0;) {
    const Value& value = values[static_cast<std::size_t>(id)];
    if (id == at.operands[3] || !value.operation || value.operation->node != &nodes::bnPack) continue;
    if (!(value.type == at.builder.type(at.operands[3]))) continue;
    return at.again({at.operands[0], at.operands[1], at.operands[2], id});
  }
  return {};
}

// Per-replica batch normalisation.

Replaced perReplicaForward(const MutantSite& at) {
  if (!at.is(nodes::bnSync)) return {};
  return at.apply(nodes::bnBatch, {at.operands[0], at.operands[1], at.operands[2]}, at.operation.attributes);
}
Replaced instanceForBatch(const MutantSite& at) {
  if (!at.is(nodes::bnSync)) return {};
  return at.apply(nodes::bnPerChannel, {at.operands[0], at.operands[1], at.operands[2]}, at.operation.attributes);
}
Replaced perReplicaBackward(const MutantSite& at) {
  if (!at.is(nodes::bnSyncBack)) return {};
  return at.apply(nodes::bnBatchBack, {at.operands[0], at.operands[1], at.operands[2]}, at.operation.attributes);
}
Replaced localXhat(const MutantSite& at) {
  if (!at.is(nodes::bnSyncGammaGrad)) return {};
  return at.apply(nodes::bnGammaGrad, {at.operands[0], at.operands[1]}, at.operation.attributes);
}
Replaced stopGradient(const MutantSite& at) {
  if (!at.is(nodes::bnSyncBack)) return {};
  const ValueId var = second(at, first(at, at.operands[3]));
  return at.apply(nodes::bnEvalBack, {at.operands[1], var, at.operands[2]}, at.operation.attributes);
}

// The backward reductions.

Replaced localMdy(const MutantSite& at) {
  if (!isDyCollective(at)) return {};
  const ValueId global = at.again(at.operands), local = at.operands[0];
  return withReductions(at, global, first(at, second(at, local)), second(at, second(at, global)));
}
Replaced localMdyx(const MutantSite& at) {
  if (!isDyCollective(at)) return {};
  const ValueId global = at.again(at.operands), local = at.operands[0];
  return withReductions(at, global, first(at, second(at, global)), second(at, second(at, local)));
}
Replaced sumsForMeans(const MutantSite& at) {
  if (!at.is(nodes::bnSyncDyStats)) return {};
  const ValueId ds = at.again(at.operands);
  const ValueId sums = scaled(at, second(at, ds), cellsOf(at, at.c[N]));
  return withReductions(at, ds, first(at, sums), second(at, sums));
}
/// g = dy in the reductions where g = γ·dy is meant: dy/γ restores it, so γ is taken out of the means.
Replaced gammaMissing(const MutantSite& at) {
  if (!at.is(nodes::bnSyncDyStats)) return {};
  const ValueId zero = at.apply(nodes::sub, {at.operands[1], at.operands[1]});
  const ValueId one = at.apply(nodes::shift, {zero}, {{"by", Attribute{Rational(1)}}});
  return at.again({at.operands[0], one, at.operands[2], at.operands[3]});
}
Replaced gammaTwice(const MutantSite& at) {
  if (!at.is(nodes::bnSyncDyStats)) return {};
  const ValueId squared = at.apply(nodes::mul, {at.operands[1], at.operands[1]});
  return at.again({at.operands[0], squared, at.operands[2], at.operands[3]});
}

// ε.

Replaced epsOutside(const MutantSite& at) {
  if (!at.is(nodes::bnSync)) return {};
  return at.apply(mutant_nodes::bnSyncEpsOutside, at.operands, at.operation.attributes);
}
Replaced epsMissing(const MutantSite& at) {
  if (!at.is(nodes::bnSync)) return {};
  return at.apply(mutant_nodes::bnSyncEpsMissing, at.operands, at.operation.attributes);
}
Replaced epsFloor(const MutantSite& at) {
  if (!at.is(nodes::bnSync)) return {};
  return at.apply(mutant_nodes::bnSyncEpsFloor, at.operands, at.operation.attributes);
}

}  // namespace shardlaw::rewrites
