// The laws Step and Lockstep: whole train steps of networks.
#include <algorithm>
#include <cmath>

#include "net/program.h"
#include "props/law/common.h"

namespace shardlaw::laws {
namespace {

struct Shapes {
  Net net;
  std::int64_t replicas, examples;
};

struct StepPair {
  StepInputs left, right;
};

class StepClaim {
 public:
  StepClaim(const Shapes& shapes, const StepOptions& options, std::int64_t steps)
      : shapes_(shapes), options_(options), steps_(steps), claim_(shapes.replicas, shapes.examples) {}

  Claim build() {
    StepPair inputs = stateInputs();
    for (std::int64_t step = 1; step <= steps_; ++step) {
      const std::string suffix = step == 1 ? "" : "@" + std::to_string(step);
      addData(inputs, suffix);
      const auto [left, right] = addSteps(inputs);
      equate(left, right, steps_ == 1 ? "" : "step " + std::to_string(step) + ": ");
      inputs.left.theta = left.theta, inputs.left.m = left.m, inputs.left.v = left.v;
      inputs.right.theta = right.theta, inputs.right.m = right.m, inputs.right.v = right.v;
    }
    return std::move(claim_).finish();
  }

 private:
  Pair shared(const std::string& name, Role role, const Shape& shape) { return claim_.shared(name, role, shape); }

  /// Weights as large as they start, so that logits stay where floats can take their exponential.
  static double heSize(const Parameter& parameter, Role role) {
    return role == Role::variance ? parameter.heVariance() : std::sqrt(parameter.heVariance());
  }

  /// θ, m and v: equal on every replica.
  StepPair stateInputs() {
    StepPair inputs{};
    const auto add = [&](const std::string& suffix, Role role, std::vector<ValueId> StepInputs::*slot) {
      for (const Parameter& parameter : shapes_.net.parameters) {
        const Pair pair = shared(parameter.name + suffix, role, parameter.shape);
        if (parameter.initial == Initial::heNormal) claim_.scaleBy(heSize(parameter, role));
        (inputs.left.*slot).push_back(pair.left);
        (inputs.right.*slot).push_back(pair.right);
      }
    };
    add("", Role::weight, &StepInputs::theta);
    add("m", Role::weight, &StepInputs::m);
    add("v", Role::variance, &StepInputs::v);
    return inputs;
  }

  /// What the host hands to each step anew; the rate and the corrections change from step to step.
  void addData(StepPair& inputs, const std::string& suffix) {
    const auto set = [&](Pair pair, ValueId StepInputs::*slot) {
      inputs.left.*slot = pair.left;
      inputs.right.*slot = pair.right;
    };
    set(claim_.batched("x" + suffix, Role::activation, Shape{shapes_.net.image.cells()}), &StepInputs::x);
    set(claim_.batched("onehot" + suffix, Role::label, Shape{shapes_.net.classes}), &StepInputs::onehot);
    set(shared("lr" + suffix, Role::variance, Shape{}), &StepInputs::lr);
    set(shared("bc1" + suffix, Role::variance, Shape{}), &StepInputs::bc1);
    set(shared("bc2" + suffix, Role::variance, Shape{}), &StepInputs::bc2);
  }

  std::pair<StepValues, StepValues> addSteps(const StepPair& inputs) {
    StepOptions left = options_, right = options_;
    left.replicas = shapes_.replicas;
    // Rounding does not commute with a division by R: both sides divide by the global batch.
    if (options_.bf16) left.divisor = shapes_.replicas * shapes_.examples;
    right.replicas = 1;
    StepValues leftValues = addTrainStep(claim_.left, shapes_.net, left, inputs.left);
    return {std::move(leftValues), addTrainStep(claim_.right, shapes_.net, right, inputs.right)};
  }

  /// Every landmark in the order of computation, so that the first wrong one is named.
  void equate(const StepValues& left, const StepValues& right, const std::string& prefix) {
    for (std::size_t i = 0; i < left.landmarks.size(); ++i) {
      const Landmark& mark = left.landmarks[i];
      Pair values{mark.value, right.landmarks[i].value};
      if (options_.bf16 && isRoundedSum(mark, values.right)) continue;
      values.left = timesReplicas(mark, values.left);
      if (mark.agrees == Agrees::replicated) claim_.everywhere(prefix + mark.name, values);
      else claim_.shard(prefix + mark.name, values);
    }
    const ValueId loss = shapes_.replicas > 1 ? claim_.left.apply(nodes::allReduceMean, {left.loss}) : left.loss;
    claim_.everywhere(prefix + "mean loss", {loss, right.loss});
  }

  /// A weight gradient of a bf16 convolution is rounded on each replica (SEMANTICS 2.5), so it does not shard; nor does
  /// what an optimizer makes of gradients.
  bool isRoundedSum(const Landmark& mark, ValueId right) const {
    const auto& operation = claim_.right.program().value(right).operation;
    return mark.name.ends_with('\'') || (operation && operation->node == &nodes::convWeightGradBf16);
  }

  /// A replica that divides by its own batch has cotangents R times too large; one that divides by the global batch,
  /// as rounding wants it, averages to gradients R times too small.
  ValueId timesReplicas(const Landmark& mark, ValueId left) {
    if (shapes_.replicas == 1) return left;
    const auto scaled = [&](const Rational& by) {
      return claim_.left.apply(nodes::scale, {left}, {{"by", Attribute{by}}});
    };
    if (!options_.bf16) return mark.agrees == Agrees::cotangent ? scaled(ratio(1, shapes_.replicas)) : left;
    return mark.name.starts_with("gradient of ") ? scaled(ratio(shapes_.replicas, 1)) : left;
  }

  Shapes shapes_;
  StepOptions options_;
  std::int64_t steps_;
  ClaimBuilder claim_;
};

/// The claim, and beside it the one at the least sizes. That of several steps has one: each is the same program on the
/// state that the one before hands on, so where programs differ the first step, whose state is random, does. The bound
/// is on that. Of slips between steps it says nothing: there degrees multiply from step to step, and the bound that
/// they give after three is none.
Claim claimSteps(const Case& c, std::int64_t steps, bool bf16) {
  const NamedNet& named = netOf(c[Dimension::net]);
  StepOptions options;
  options.bf16 = bf16;
  options.optimizer = static_cast<Optimizer>(c[Dimension::optimizer]);
  Claim claim = StepClaim({named.make(), c[R], c[N]}, options, steps).build();
  const std::int64_t replicas = c[R] == 1 ? 1 : 2;
  claim.skeleton = std::make_shared<const Claim>(StepClaim({named.skeleton(), replicas, 1}, options, 1).build());
  return claim;
}

Claim claimStep(const Case& c) { return claimSteps(c, 1, false); }
Claim claimLockstep(const Case& c) { return claimSteps(c, c[Dimension::steps], false); }
Claim claimStepBf16(const Case& c) { return claimSteps(c, 1, true); }

bool isNamed(Dimension dimension, std::int64_t value) { return dimension != Dimension::net || value != randomNet; }

/// The strided convolutions of residual nets have no bf16 twin.
bool hasTwin(Dimension dimension, std::int64_t value) {
  if (dimension != Dimension::net) return true;
  if (value == randomNet) return false;
  const Net net = netOf(value).skeleton();
  return std::none_of(net.layers.begin(), net.layers.end(),
                      [](const Layer& layer) { return layer.kind == LayerKind::convStrided; });
}

std::vector<Use> stepUses(std::vector<Use> more = {}) {
  // With integers or equal shards whole layers of comparisons would be of equal values.
  std::vector<Use> uses{
      {R, {1, 8}},
      {N, {1, 4}},
      {Dimension::net, smallNets()},
      Dimension::optimizer,
      {Dimension::data, {static_cast<int>(DataClass::generic), static_cast<int>(DataClass::shifted)}}};
  uses.insert(uses.end(), more.begin(), more.end());
  return uses;
}

}  // namespace

extern const Law step{
    "step",
    "the data-parallel train step is the single-device step at the global batch: every θ', m', v' and "
    "statistic, and every value in between",
    stepUses(),
    claimStep,
    {},
    {},
    isNamed};

extern const Law lockstep{"lockstep",
                          "data-parallel train steps one after the other are as many single-device steps at the "
                          "global batch, from equal states",
                          stepUses({{Dimension::steps, {2, 3}}}),
                          claimLockstep,
                          {},
                          {},
                          isNamed};

extern const Law stepBf16{"step-bf16",
                          "with bf16 convolutions and one divisor, every value of the train step shards but the "
                          "convolutions' weight gradients",
                          stepUses(),
                          claimStepBf16,
                          {},
                          {},
                          hasTwin};

}  // namespace shardlaw::laws
