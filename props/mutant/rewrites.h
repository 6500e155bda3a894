// The changes that mutants make, one function each; props/mutant/table.cc says what they are.
#pragma once

#include "interp/node/nodes.h"
#include "props/mutant/mutant.h"

namespace shardlaw::rewrites {

/// Another value for the operation at hand, or nullopt to keep it.
using Replaced = std::optional<ValueId>;

inline ValueId scaled(const MutantSite& at, ValueId value, const Rational& by) {
  return at.apply(nodes::scale, {value}, {{"by", Attribute{by}}});
}
inline Rational replicasOf(const MutantSite& at) { return Rational(static_cast<long>(at.c[Dimension::R])); }
/// An all-reduce of the packed dy statistics.
inline bool isDyCollective(const MutantSite& at) {
  return at.is(nodes::allReduceMean) && at.operandIs(0, nodes::bnSyncDyStats);
}

Replaced averagedTwice(const MutantSite& at);
Replaced bf16NotRounded(const MutantSite& at);
Replaced bf16WeightGradient(const MutantSite& at);
Replaced bothDivisors(const MutantSite& at);
Replaced divisorOfThree(const MutantSite& at);
Replaced droppedBatchSum(const MutantSite& at);
Replaced epsFloor(const MutantSite& at);
Replaced epsMissing(const MutantSite& at);
Replaced epsOutside(const MutantSite& at);
Replaced everyMaximum(const MutantSite& at);
Replaced gammaMissing(const MutantSite& at);
Replaced gammaTwice(const MutantSite& at);
Replaced gradientNotReduced(const MutantSite& at);
Replaced instanceForBatch(const MutantSite& at);
Replaced lastMaximum(const MutantSite& at);
Replaced localMdy(const MutantSite& at);
Replaced localMdyx(const MutantSite& at);
Replaced localUnbiasedVariance(const MutantSite& at);
Replaced localXhat(const MutantSite& at);
Replaced maskAtSix(const MutantSite& at);
Replaced maskAtZero(const MutantSite& at);
Replaced maskOfCotangent(const MutantSite& at);
Replaced maskOfOtherLayer(const MutantSite& at);
Replaced meanOfShardVariances(const MutantSite& at);
Replaced otherLayersStatistics(const MutantSite& at);
Replaced padsSwapped(const MutantSite& at);
Replaced perReplicaBackward(const MutantSite& at);
Replaced perReplicaForward(const MutantSite& at);
Replaced poolZeroPadded(const MutantSite& at);
Replaced stopGradient(const MutantSite& at);
Replaced sumAnything(const MutantSite& at);
Replaced sumDyStatistics(const MutantSite& at);
Replaced sumGradient(const MutantSite& at);
Replaced sumMean(const MutantSite& at);
Replaced sumVariance(const MutantSite& at);
Replaced sumsForMeans(const MutantSite& at);
Replaced trainingStatisticsInEval(const MutantSite& at);
Replaced transposeIsIdentity(const MutantSite& at);
Replaced transposeOverReplicas(const MutantSite& at);
Replaced transposeTimesReplicas(const MutantSite& at);
Replaced unbiasedVariance(const MutantSite& at);
Replaced wrongAux(const MutantSite& at);
Replaced wrongForwardPhase(const MutantSite& at);
Replaced wrongPhase(const MutantSite& at);
Replaced classicalMomentum(const MutantSite& at);
Replaced staleVelocity(const MutantSite& at);
Replaced correctionsSwapped(const MutantSite& at);
Replaced adamwEpsInside(const MutantSite& at);
Replaced decayWithoutRate(const MutantSite& at);
Replaced coupledDecay(const MutantSite& at);
Replaced statisticSlotsSwapped(const MutantSite& at);
Replaced oneGradientNotReduced(const MutantSite& at);
Replaced otherBiasGradient(const MutantSite& at);
Replaced otherMoments(const MutantSite& at);

}  // namespace shardlaw::rewrites
