#include <algorithm>

#include "interp/node/nodes.h"
#include "props/mutant/mutant.h"
#include "props/mutant/nodes.h"

namespace shardlaw {
namespace {

using enum Dimension;
using Replaced = std::optional<ValueId>;

ValueId scaled(const MutantSite& at, ValueId value, const Rational& by) {
  return at.apply(nodes::scale, {value}, {{"by", Attribute{by}}});
}
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
Rational replicasOf(const MutantSite& at) { return Rational(static_cast<long>(at.c[R])); }

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

bool isDyCollective(const MutantSite& at) {
  return at.is(nodes::allReduceMean) && at.operandIs(0, nodes::bnSyncDyStats);
}
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

// Collectives and divisors.

Replaced sumInsteadOfMean(const MutantSite& at, bool (*applies)(const MutantSite&)) {
  if (!at.is(nodes::allReduceMean) || !applies(at)) return {};
  return scaled(at, at.again(at.operands), replicasOf(at));
}
Replaced sumMean(const MutantSite& at) {
  return sumInsteadOfMean(at, [](const MutantSite& s) { return s.operandIs(0, nodes::bnBatchMean); });
}
Replaced sumAnything(const MutantSite& at) {
  return sumInsteadOfMean(at, [](const MutantSite&) { return true; });
}
Replaced sumVariance(const MutantSite& at) {
  return sumInsteadOfMean(at, [](const MutantSite& s) { return s.operandIs(0, nodes::bnBatchVarAt); });
}
Replaced sumDyStatistics(const MutantSite& at) { return sumInsteadOfMean(at, isDyCollective); }
bool isGradientCollective(const MutantSite& at) {
  const auto& made = at.builder.program().value(at.operands[0]).operation;
  return made && (made->node->sumsExamples || made->node == &nodes::convWeightGradBf16);
}
Replaced sumGradient(const MutantSite& at) { return sumInsteadOfMean(at, isGradientCollective); }
Replaced averagedTwice(const MutantSite& at) {
  if (!at.is(nodes::allReduceMean) || !isGradientCollective(at)) return {};
  return scaled(at, at.again(at.operands), 1 / replicasOf(at));
}
Replaced gradientNotReduced(const MutantSite& at) {
  if (!at.is(nodes::allReduceMean) || !isGradientCollective(at)) return {};
  return at.operands[0];
}
Replaced bothDivisors(const MutantSite& at) {
  if (!at.is(nodes::crossEntropyCotangent) && !at.is(nodes::crossEntropySmoothedCotangent)) return {};
  Attributes attributes = at.operation.attributes;
  attributes.set("batch", Attribute{at.c.globalBatch()});
  return at.apply(*at.operation.node, at.operands, attributes);
}
Replaced transposeIsIdentity(const MutantSite& at) {
  // In an adjoint claim the second all-reduce is the transpose of the first.
  if (!at.is(nodes::allReduceMean) || at.builder.program().value(at.operands[0]).name != "dy") return {};
  return at.operands[0];
}

// Per-example maps.

Replaced wrongAux(const MutantSite& at) {
  const Node* lifted[] = {&nodes::selectPos,    &nodes::selectMid,   &nodes::maxPool2Back,
                          &nodes::maxPool3Back, &nodes::softmaxBack, &nodes::bnPerChannelBack};
  if (std::none_of(std::begin(lifted), std::end(lifted), [&](const Node* node) { return at.is(*node); })) return {};
  std::vector<ValueId> operands = at.operands;
  if (!at.builder.type(operands[0]).batched || at.builder.type(operands[0]).shape[0] < 2) return {};
  operands[0] = at.apply(mutant_nodes::rotateExamples, {operands[0]});
  return at.again(std::move(operands));
}
Replaced droppedBatchSum(const MutantSite& at) {
  if (!at.operation.node->sumsExamples || at.operation.node->cotangent < 0) return {};
  std::vector<ValueId> operands = at.operands;
  const auto dy = static_cast<std::size_t>(at.operation.node->cotangent);
  if (at.builder.type(operands[dy]).shape[0] < 2) return {};
  operands[dy] = at.apply(mutant_nodes::firstExampleOnly, {operands[dy]});
  return at.again(std::move(operands));
}
Replaced wrongPhase(const MutantSite& at) {
  const Node* backward[] = {&nodes::convStridedBack, &nodes::convStridedWeightGrad, &nodes::depthwiseStridedBack,
                            &nodes::depthwiseStridedWeightGrad};
  if (std::none_of(std::begin(backward), std::end(backward), [&](const Node* node) { return at.is(*node); })) return {};
  Attributes attributes = at.operation.attributes;
  attributes.set("phase", Attribute{std::string(attributes.keyword("phase") == "odd" ? "even" : "odd")});
  return at.apply(*at.operation.node, at.operands, attributes);
}
Replaced lastMaximum(const MutantSite& at) {
  if (at.is(nodes::maxPool2Back)) return at.apply(mutant_nodes::maxPool2BackLast, at.operands);
  if (at.is(nodes::maxPool3Back)) return at.apply(mutant_nodes::maxPool3BackLast, at.operands);
  return {};
}
Replaced everyMaximum(const MutantSite& at) {
  if (at.is(nodes::maxPool2Back)) return at.apply(mutant_nodes::maxPool2BackAll, at.operands);
  if (at.is(nodes::maxPool3Back)) return at.apply(mutant_nodes::maxPool3BackAll, at.operands);
  return {};
}
Replaced maskAtZero(const MutantSite& at) {
  if (!at.is(nodes::selectPos)) return {};
  return at.apply(mutant_nodes::selectPosAtZero, at.operands);
}
Replaced maskAtSix(const MutantSite& at) {
  if (!at.is(nodes::selectMid)) return {};
  return at.apply(mutant_nodes::selectMidAtSix, at.operands);
}
/// The mask is taken from what went into the layer below instead of what came out of it.
Replaced maskOfOtherLayer(const MutantSite& at) {
  if (!at.is(nodes::selectPos)) return {};
  const auto& made = at.builder.program().value(at.operands[0]).operation;
  if (!made) return {};
  for (const ValueId below : made->operands)
    if (at.builder.type(below) == at.builder.type(at.operands[0])) return at.again({below, at.operands[1]});
  return {};
}

Replaced maskOfCotangent(const MutantSite& at) {
  if (!at.is(nodes::selectPos) && !at.is(nodes::selectMid)) return {};
  return at.again({at.operands[1], at.operands[1]});
}
Replaced trainingStatisticsInEval(const MutantSite& at) {
  if (!at.is(nodes::bnEval)) return {};
  return at.apply(nodes::bnBatch, {at.operands[0], at.operands[1], at.operands[2]}, at.operation.attributes);
}

// ε, and rounding.

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
Replaced bf16WeightGradient(const MutantSite& at) {
  if (!at.is(nodes::convWeightGrad)) return {};
  return at.apply(nodes::convWeightGradBf16, at.operands, at.operation.attributes);
}

Replaced bf16NotRounded(const MutantSite& at) {
  if (at.is(nodes::convBf16)) return at.apply(nodes::conv, at.operands);
  if (at.is(nodes::convBackBf16)) return at.apply(nodes::convBack, at.operands);
  return {};
}
Replaced divisorOfThree(const MutantSite& at) {
  if (!at.is(nodes::divConst)) return {};
  return at.apply(nodes::divConst, at.operands, {{"by", Attribute{Rational(3)}}});
}

const std::vector<Mutant>& table() {
  using enum MutantSide;
  static const std::vector<Mutant> mutants{
      {"mean-of-variances",
       "σ² is the mean of the shards' variances",
       {"S3", "P1", "P2", "P2γ", "statistics", "graph"},
       left,
       meanOfShardVariances},
      {"unbiased-variance",
       "variance with divisor M−1",
       {"S3", "S4", "P1", "P2", "P2γ", "statistics", "R1"},
       left,
       unbiasedVariance},
      {"local-unbiased-variance",
       "variance with divisor m−1, m the cells of one replica",
       {"S3", "P1", "statistics", "R1"},
       left,
       localUnbiasedVariance},
      {"other-layers-statistics",
       "bnSync reads the statistics of another layer",
       {"graph"},
       left,
       otherLayersStatistics},
      {"per-replica-bn",
       "the forward normalises by the replica's own statistics",
       {"P1", "graph"},
       left,
       perReplicaForward},
      {"per-replica-bn-back",
       "bnBatchBack on the shard instead of bnSyncBack",
       {"P2", "graph"},
       left,
       perReplicaBackward},
      {"local-xhat", "the γ gradient at the replica's own x̂", {"P2γ", "graph"}, left, localXhat},
      {"stop-gradient",
       "dx = γ·istd·dy: the statistics are treated as constants",
       {"P2", "P2a", "R1", "graph"},
       left,
       stopGradient},
      {"local-mdy", "mean(g) stays local", {"P2", "graph"}, left, localMdy},
      {"local-mdyx", "mean(x̂·g) stays local", {"P2", "graph"}, left, localMdyx},
      {"sums-for-means", "sums in place of means in [… ‖ mdy ‖ mdyx]", {"P2", "R1", "graph"}, left, sumsForMeans},
      {"gamma-missing", "γ is missing from the dy reductions", {"P2", "R1", "graph"}, left, gammaMissing},
      {"gamma-twice", "γ is applied twice in the dy reductions", {"P2", "R1", "graph"}, left, gammaTwice},
      {"sum-mean", "a sum collective for the means", {"S1", "S3", "P1", "statistics", "graph"}, left, sumMean},
      {"sum-anywhere",
       "a sum collective wherever a mean is meant",
       {"S1", "S2", "S3", "S5", "S6", "one-round", "P1", "P2", "P2γ", "P4", "divisor", "statistics", "graph"},
       left,
       sumAnything},
      {"sum-variance",
       "a sum collective for the variances",
       {"S3", "P1", "P2", "statistics", "graph"},
       left,
       sumVariance},
      {"sum-dy-statistics", "a sum collective for the dy statistics", {"P2", "graph"}, left, sumDyStatistics},
      {"sum-gradient",
       "a sum collective for the gradients: the divisor N in place of R·N",
       {"P2γ", "P4", "divisor", "graph"},
       left,
       sumGradient},
      {"averaged-twice", "a gradient is reduced twice", {"P2γ", "P4", "divisor", "graph"}, left, averagedTwice},
      {"gradient-not-reduced",
       "a gradient is not reduced",
       {"P2γ", "P4", "divisor", "graph"},
       left,
       gradientNotReduced},
      {"both-divisors", "a replica divides by R·N and the mean divides again", {"divisor"}, left, bothDivisors},
      {"transpose-is-identity",
       "the transpose of an all-reduce mean is taken as the identity",
       {"adjoint"},
       both,
       transposeIsIdentity},
      {"interleaved",
       "inputs and labels are dealt out one by one, the rest in blocks",
       {"P4", "divisor", "graph"},
       left,
       nullptr,
       {"x", "t"}},
      {"wrong-aux", "a VJP recomputes from another example's activation", {"P3", "chain", "graph"}, left, wrongAux},
      {"dropped-batch-sum",
       "a Σ_n gradient keeps only the first example",
       {"P2γ", "P4", "divisor", "graph", "adjoint"},
       left,
       droppedBatchSum},
      {"wrong-phase", "a stride-2 backward at the other phase", {"adjoint"}, both, wrongPhase},
      {"last-maximum", "a pool's dy goes to the last maximum of a window", {"adjoint"}, both, lastMaximum},
      {"every-maximum", "a pool's dy goes to every maximal cell", {"adjoint"}, both, everyMaximum},
      {"mask-at-zero", "the relu mask is p ≥ 0", {"adjoint"}, both, maskAtZero},
      {"mask-at-six", "the relu6 mask is 0 < p ≤ 6", {"adjoint"}, both, maskAtSix},
      {"mask-of-other-layer", "the relu mask is taken at the layer below", {"graph", "chain"}, left, maskOfOtherLayer},
      {"mask-of-cotangent",
       "the relu mask is taken from the cotangent",
       {"linear", "P3", "chain"},
       left,
       maskOfCotangent},
      {"training-statistics-in-eval",
       "evaluation normalises by the batch it sees",
       {"eval", "P3"},
       left,
       trainingStatisticsInEval},
      {"eps-outside", "√σ² + ε in place of √(σ² + ε)", {"P1", "R1", "P1a", "graph"}, left, epsOutside},
      {"eps-missing", "√σ² in place of √(σ² + ε)", {"P1", "R1", "P1a", "graph"}, left, epsMissing},
      {"eps-floor", "√max(σ², ε) in place of √(σ² + ε)", {"P1", "R1", "P1a", "graph"}, left, epsFloor},
      {"bf16-not-rounded",
       "a bf16 convolution of operands that were not rounded",
       {"bf16", "P3"},
       left,
       bf16NotRounded},
      {"divisor-of-three",
       "the divisor step is claimed to survive bf16 rounding at R = 3",
       {"bf16-divisor"},
       both,
       divisorOfThree},
      {"bf16-weight-gradient",
       "a bf16 conv weight gradient is claimed to shard exactly",
       {"P4"},
       both,
       bf16WeightGradient},
  };
  return mutants;
}

}  // namespace

std::span<const Mutant> allMutants() { return table(); }

}  // namespace shardlaw
