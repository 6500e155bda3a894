// Slips between the parameters of a network: each type-checks, as many of them have one shape.
#include "props/mutant/rewrites.h"

namespace shardlaw::rewrites {

Replaced statisticSlotsSwapped(const MutantSite& at) {
  if (at.is(nodes::bnStatsMean)) return at.apply(nodes::bnStatsVar, at.operands);
  if (at.is(nodes::bnStatsVar)) return at.apply(nodes::bnStatsMean, at.operands);
  return {};
}

namespace {

/// The input after `id`, of the same shape, that plays the same part: its name ends alike. Itself where there is none.
ValueId sibling(const MutantSite& at, ValueId id, std::string_view ending) {
  const Program& program = at.builder.program();
  for (const ValueId other : program.inputs()) {
    const Value& value = program.value(other);
    if (other > id && value.type == program.value(id).type && value.name.ends_with(ending)) return other;
  }
  return id;
}

bool isInput(const MutantSite& at, ValueId id) { return !at.builder.program().value(id).operation; }

/// One operand of an optimizer node is replaced by the latest earlier one of the same making and shape.
ValueId earlierLike(const MutantSite& at, ValueId id) {
  const Program& program = at.builder.program();
  const auto& made = program.value(id).operation;
  if (!made) return id;
  for (ValueId other = id; other-- > 0;) {
    const Value& value = program.value(other);
    if (value.operation && value.operation->node == made->node && value.type == program.value(id).type) return other;
  }
  return id;
}

/// Nodes whose operand 1 is a gradient, and which every optimizer has one of per parameter.
bool isUpdate(const Node& node) {
  return &node == &nodes::sgd || &node == &nodes::nesterovVelocity || &node == &nodes::adamwMoment;
}

}  // namespace

/// The first all-reduce of a gradient of β in the program is left out: one parameter's.
Replaced oneGradientNotReduced(const MutantSite& at) {
  if (!at.is(nodes::allReduceMean) || !at.operandIs(0, nodes::bnBetaGrad)) return {};
  const Program& program = at.builder.program();
  const auto isMade = [&](ValueId id, const Node& by) {
    const auto& made = program.value(id).operation;
    return made && made->node == &by;
  };
  for (const Value& value : program.values()) {
    // It was left out where an update reads a gradient as its replica made it.
    const bool updates = value.operation && isUpdate(*value.operation->node);
    if (updates && isMade(value.operation->operands[1], nodes::bnBetaGrad)) return {};
  }
  return at.operands[0];
}

/// A β gets the gradient of another parameter of its shape. (One of a convolution's bias in front of BN is 0 anyway.)
Replaced otherBiasGradient(const MutantSite& at) {
  if (!isUpdate(*at.operation.node)) return {};
  const Program& program = at.builder.program();
  const auto& reduced = program.value(at.operands[1]).operation;
  const bool isAverage = reduced && reduced->node == &nodes::allReduceMean;
  const ValueId gradient = isAverage ? reduced->operands[0] : at.operands[1];
  const auto& made = program.value(gradient).operation;
  if (!made || made->node != &nodes::bnBetaGrad) return {};
  const ValueId other = earlierLike(at, at.operands[1]);
  if (other == at.operands[1]) return {};
  std::vector<ValueId> operands = at.operands;
  operands[1] = other;
  return at.again(std::move(operands));
}

Replaced otherMoments(const MutantSite& at) {
  const bool first = at.is(nodes::adamwMoment);
  if (!first && !at.is(nodes::adamwSquare) && !at.is(nodes::nesterovVelocity)) return {};
  if (!isInput(at, at.operands[0])) return {};
  const ValueId other = sibling(at, at.operands[0], first ? "m" : "v");
  if (other == at.operands[0]) return {};
  return at.again({other, at.operands[1]});
}

}  // namespace shardlaw::rewrites
