#include <algorithm>
#include "props/mutant/rewrites.h"

#include "props/mutant/nodes.h"

namespace shardlaw::rewrites {

using enum Dimension;

// Collectives and divisors.

static Replaced sumInsteadOfMean(const MutantSite& at, bool (*applies)(const MutantSite&)) {
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
static bool isGradientCollective(const MutantSite& at) {
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
/// In an adjoint claim the all-reduce of dy is the transpose of the forward one.
static bool isTranspose(const MutantSite& at) {
  return at.is(nodes::allReduceMean) && at.builder.program().value(at.operands[0]).name == "dy";
}
Replaced transposeIsIdentity(const MutantSite& at) {
  if (!isTranspose(at)) return {};
  return at.operands[0];
}
Replaced transposeTimesReplicas(const MutantSite& at) {
  if (!isTranspose(at)) return {};
  return scaled(at, at.again(at.operands), replicasOf(at));
}
Replaced transposeOverReplicas(const MutantSite& at) {
  if (!isTranspose(at)) return {};
  return scaled(at, at.again(at.operands), 1 / replicasOf(at));
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
static Attributes otherPhase(const MutantSite& at) {
  Attributes attributes = at.operation.attributes;
  attributes.set("phase", Attribute{std::string(attributes.keyword("phase") == "odd" ? "even" : "odd")});
  return attributes;
}
Replaced wrongPhase(const MutantSite& at) {
  const Node* backward[] = {&nodes::convStridedBack, &nodes::convStridedWeightGrad, &nodes::depthwiseStridedBack,
                            &nodes::depthwiseStridedWeightGrad};
  if (std::none_of(std::begin(backward), std::end(backward), [&](const Node* node) { return at.is(*node); })) return {};
  return at.apply(*at.operation.node, at.operands, otherPhase(at));
}
Replaced wrongForwardPhase(const MutantSite& at) {
  if (!at.is(nodes::convStrided) && !at.is(nodes::depthwiseStrided)) return {};
  return at.apply(*at.operation.node, at.operands, otherPhase(at));
}
Replaced padsSwapped(const MutantSite& at) {
  if (!at.is(nodes::conv)) return {};
  return at.apply(mutant_nodes::convPadsSwapped, at.operands);
}
Replaced poolZeroPadded(const MutantSite& at) {
  if (!at.is(nodes::maxPool3)) return {};
  return at.apply(mutant_nodes::maxPool3ZeroPadded, at.operands);
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

// Rounding.

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

}  // namespace shardlaw::rewrites
