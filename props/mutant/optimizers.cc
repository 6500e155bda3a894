// Rival conventions of optimizers.
#include "props/mutant/nodes.h"
#include "props/mutant/rewrites.h"

namespace shardlaw::rewrites {

Replaced classicalMomentum(const MutantSite& at) {
  if (!at.is(nodes::nesterov)) return {};
  return at.apply(nodes::sgd, {at.operands[0], at.operands[2], at.operands[3]});
}

Replaced staleVelocity(const MutantSite& at) {
  if (!at.is(nodes::nesterov) || !at.operandIs(2, nodes::nesterovVelocity)) return {};
  const ValueId old = at.builder.program().value(at.operands[2]).operation->operands[0];
  return at.again({at.operands[0], at.operands[1], old, at.operands[3]});
}

Replaced correctionsSwapped(const MutantSite& at) {
  if (!at.is(nodes::adamw)) return {};
  const auto& o = at.operands;
  return at.again({o[0], o[1], o[2], o[3], o[5], o[4]});
}

Replaced adamwEpsInside(const MutantSite& at) {
  if (!at.is(nodes::adamw)) return {};
  return at.apply(mutant_nodes::adamwEpsInside, at.operands, at.operation.attributes);
}

Replaced decayWithoutRate(const MutantSite& at) {
  if (!at.is(nodes::adamw)) return {};
  return at.apply(mutant_nodes::adamwDecayWithoutRate, at.operands, at.operation.attributes);
}

namespace {

/// The θ that an optimizer's moment belongs to: its namesake without the suffix in a network, else the only one.
std::optional<ValueId> thetaOf(const MutantSite& at, ValueId moment) {
  const Program& program = at.builder.program();
  const std::string& name = program.value(moment).name;
  for (const ValueId input : program.inputs()) {
    const std::string& candidate = program.value(input).name;
    if (candidate == "θ" || candidate + "m" == name || candidate + "v" == name) return input;
  }
  return {};
}

}  // namespace

/// wd·θ is added to the gradient, so that it goes through the moments.
Replaced coupledDecay(const MutantSite& at) {
  if (at.is(nodes::adamw)) {
    Attributes attributes = at.operation.attributes;
    attributes.set("decay", Attribute{Rational(0)});
    return at.apply(nodes::adamw, at.operands, attributes);
  }
  if (!at.is(nodes::adamwMoment) && !at.is(nodes::adamwSquare)) return {};
  const auto theta = thetaOf(at, at.operands[0]);
  if (!theta) return {};
  const ValueId decayed = scaled(at, *theta, ratio(1, 10));
  return at.again({at.operands[0], at.apply(nodes::add, {at.operands[1], decayed})});
}

}  // namespace shardlaw::rewrites
