// train_step: the forward pass, the loss, the tape backwards, the averages, the optimizer.
#include <map>

#include "interp/error.h"
#include "interp/node/nodes.h"
#include "interp/node/synchronised.h"
#include "net/forward.h"

namespace shardlaw {
namespace {

class Step {
 public:
  Step(Builder& builder, const Net& net, const StepOptions& options, const StepInputs& inputs)
      : builder_(builder), net_(net), options_(options), inputs_(inputs) {}

  StepValues run() {
    ForwardPass forward = addForward(builder_, net_, options_, inputs_.x, inputs_.theta);
    values_.logits = forward.logits;
    values_.landmarks = std::move(forward.landmarks);
    addStatistics(forward);
    addLoss(forward.logits);
    for (auto entry = forward.tape.rbegin(); entry != forward.tape.rend(); ++entry) stepBack(*entry);
    for (std::size_t i = 0; i < net_.parameters.size(); ++i) update(i);
    return std::move(values_);
  }

 private:
  void landmark(const std::string& name, ValueId value, Agrees agrees) {
    values_.landmarks.push_back({name, value, agrees});
  }

  /// What the host's running averages are fed with.
  void addStatistics(const ForwardPass& forward) {
    for (std::size_t i = 0; i < forward.normalised.size(); ++i) {
      const bool packed = options_.replicas > 1;
      const ValueId from = packed ? forward.packed[i] : forward.normalised[i];
      values_.statistics.push_back(builder_.apply(packed ? nodes::bnStatsMean : nodes::bnBatchMean, {from}));
      values_.statistics.push_back(builder_.apply(packed ? nodes::bnStatsVar : nodes::bnBatchVar, {from}));
    }
    for (std::size_t i = 0; i < values_.statistics.size(); ++i)
      landmark(net_.statistics[i].name, values_.statistics[i], Agrees::replicated);
  }

  void addLoss(ValueId logits) {
    const std::int64_t batch = builder_.type(logits).shape[0];
    values_.loss = builder_.apply(nodes::crossEntropyLoss, {logits, inputs_.onehot}, {{"batch", Attribute{batch}}});
    const std::int64_t divisor = options_.divisor == 0 ? batch : options_.divisor;
    const ValueId cotangent =
        builder_.apply(nodes::crossEntropyCotangent, {logits, inputs_.onehot}, {{"batch", Attribute{divisor}}});
    accumulate(logits, cotangent, "logits.d");
  }

  /// Cotangents of a value that is read more than once add up.
  void accumulate(ValueId value, ValueId cotangent, const std::string& name) {
    const auto [entry, isNew] = cotangents_.try_emplace(value, cotangent);
    landmark(name, cotangent, Agrees::cotangent);
    if (isNew) return;
    entry->second = builder_.apply(nodes::add, {entry->second, cotangent});
    landmark(name + " in all", entry->second, Agrees::cotangent);
  }

  std::vector<ValueId> cotangentsOf(const TapeEntry& entry, ValueId dy) {
    if (entry.statistics) {
      const SyncBackward back = addSyncBackward(builder_, entry.operands[0], entry.operands[1], dy, *entry.statistics,
                                                options_.constants.eps);
      return {back.dx, back.gammaGrad, back.betaGrad};
    }
    std::vector<bool> wanted;
    for (const ValueId operand : entry.operands) wanted.push_back(hasGradient(operand));
    return addAdjoint(builder_, entry.result, dy, wanted);
  }

  /// The images and a bias that is not there have none.
  bool hasGradient(ValueId value) const {
    const Value& of = builder_.program().value(value);
    return value != inputs_.x &&
           !(of.operation && (of.operation->node == &nodes::unflatten || of.operation->node == &nodes::zeroBias));
  }

  /// The second of two values that are joined.
  bool isShortcut(const TapeEntry& entry, std::size_t i) const {
    return i == 1 && builder_.program().value(entry.result).operation->node == &nodes::add;
  }

  void stepBack(const TapeEntry& entry) {
    const auto found = cotangents_.find(entry.result);
    if (found == cotangents_.end()) throw std::logic_error("no cotangent reaches layer " + entry.label);
    const std::vector<ValueId> cotangents = cotangentsOf(entry, found->second);
    for (std::size_t i = 0; i < entry.operands.size(); ++i) {
      if (cotangents[i] < 0 || !hasGradient(entry.operands[i])) continue;
      if (builder_.type(cotangents[i]).batched)
        accumulate(entry.operands[i], cotangents[i], entry.label + (isShortcut(entry, i) ? ".dshortcut" : ".dx"));
      else gradients_[entry.operands[i]] = cotangents[i];
    }
  }

  ValueId averagedGradient(std::size_t i) {
    const auto found = gradients_.find(inputs_.theta[i]);
    if (found == gradients_.end()) throw std::logic_error("no gradient reaches " + net_.parameters[i].name);
    if (options_.replicas == 1) return found->second;
    return builder_.apply(nodes::allReduceMean, {found->second});
  }

  void update(std::size_t i) {
    const std::string& name = net_.parameters[i].name;
    const ValueId theta = inputs_.theta[i], g = averagedGradient(i);
    landmark("gradient of " + name, g, Agrees::replicated);
    ValueId m = inputs_.m[i], v = inputs_.v[i], next = -1;
    const NetConstants& constants = options_.constants;
    switch (options_.optimizer) {
      case Optimizer::sgd: next = builder_.apply(nodes::sgd, {theta, g, inputs_.lr}); break;
      case Optimizer::mom: {
        const Attributes momentum{{"momentum", Attribute{constants.momentum}}};
        v = builder_.apply(nodes::nesterovVelocity, {v, g}, momentum);
        next = builder_.apply(nodes::nesterov, {theta, g, v, inputs_.lr}, momentum);
        break;
      }
      case Optimizer::adam:
        m = builder_.apply(
            nodes::adamwMoment, {m, g},
            {{"beta", Attribute{constants.beta1}}, {"oneMinusBeta", Attribute{constants.oneMinusBeta1}}});
        v = builder_.apply(
            nodes::adamwSquare, {v, g},
            {{"beta", Attribute{constants.beta2}}, {"oneMinusBeta", Attribute{constants.oneMinusBeta2}}});
        next = builder_.apply(nodes::adamw, {theta, m, v, inputs_.lr, inputs_.bc1, inputs_.bc2},
                              {{"eps", Attribute{constants.adamEps}}, {"decay", Attribute{constants.decay}}});
        break;
    }
    landmark(name + "m'", m, Agrees::replicated);
    landmark(name + "v'", v, Agrees::replicated);
    landmark(name + "'", next, Agrees::replicated);
    values_.theta.push_back(next);
    values_.m.push_back(m);
    values_.v.push_back(v);
  }

  Builder& builder_;
  const Net& net_;
  const StepOptions& options_;
  const StepInputs& inputs_;
  StepValues values_;
  std::map<ValueId, ValueId> cotangents_, gradients_;
};

}  // namespace

StepValues addTrainStep(Builder& builder, const Net& net, const StepOptions& options, const StepInputs& inputs) {
  return Step(builder, net, options, inputs).run();
}

}  // namespace shardlaw
