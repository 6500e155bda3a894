#include "net/forward.h"

#include "interp/error.h"
#include "interp/node/nodes.h"
#include "interp/node/synchronised.h"

namespace shardlaw {
namespace {

class Forward {
 public:
  Forward(Builder& builder, const Net& net, const StepOptions& options, const std::vector<ValueId>& theta,
          const Frozen& frozen)
      : builder_(builder), net_(net), options_(options), theta_(theta), frozen_(frozen) {}

  ForwardPass run(ValueId x) {
    const Shape& map = net_.image;
    image_ = builder_.apply(nodes::unflatten, {x},
                            {{"C", Attribute{map[0]}}, {"H", Attribute{map[1]}}, {"W", Attribute{map[2]}}});
    for (const Layer& layer : net_.layers) {
      outputs_.push_back(apply(layer));
      pass_.landmarks.push_back({layer.label, outputs_.back(), Agrees::shard});
    }
    pass_.logits = outputs_.back();
    return std::move(pass_);
  }

 private:
  ValueId output(LayerId id) const { return id == imageInput ? image_ : outputs_[static_cast<std::size_t>(id)]; }
  ValueId parameter(const Layer& layer, std::size_t i) const {
    return theta_[static_cast<std::size_t>(layer.parameters[i])];
  }

  ValueId apply(const Layer& layer) {
    const ValueId x = output(layer.from[0]);
    switch (layer.kind) {
      case LayerKind::conv: return convolution(layer, options_.bf16 ? nodes::convBf16 : nodes::conv, x, {});
      case LayerKind::convStrided:
        if (options_.bf16) throw Error("net " + net_.name + ": convStrided has no bf16 twin (" + layer.label + ")");
        return convolution(layer, nodes::convStrided, x, {{"phase", Attribute{std::string("even")}}});
      case LayerKind::bn: return normalise(layer, x);
      case LayerKind::relu: return record(layer, nodes::relu, {x});
      case LayerKind::maxPool2: return record(layer, nodes::maxPool2, {x});
      case LayerKind::maxPool3: return record(layer, nodes::maxPool3, {x});
      case LayerKind::gap: return record(layer, nodes::gap, {x});
      case LayerKind::flatten: return record(layer, nodes::flatten, {x});
      case LayerKind::dense: return record(layer, nodes::dense, {parameter(layer, 0), parameter(layer, 1), x});
      case LayerKind::add: return record(layer, nodes::add, {x, output(layer.from[1])});
    }
    throw std::logic_error("a layer of no kind");
  }

  ValueId record(const Layer& layer, const Node& node, const std::vector<ValueId>& operands,
                 const Attributes& attributes = {}) {
    const ValueId result = builder_.apply(node, operands, attributes);
    pass_.tape.push_back({result, operands, layer.label, {}});
    return result;
  }

  ValueId convolution(const Layer& layer, const Node& node, ValueId x, const Attributes& attributes) {
    const ValueId weights = parameter(layer, 0);
    const bool biased = layer.parameters.size() > 1;
    const ValueId bias = biased ? parameter(layer, 1) : builder_.apply(nodes::zeroBias, {weights});
    return record(layer, node, {weights, bias, x}, attributes);
  }

  ValueId normalise(const Layer& layer, ValueId x) {
    const ValueId gamma = parameter(layer, 0), beta = parameter(layer, 1);
    const Rational& eps = options_.constants.eps;
    const Attributes attributes{{"eps", Attribute{eps}}};
    if (!frozen_.empty()) {
      const auto statistic = [&](std::size_t i) { return frozen_[static_cast<std::size_t>(layer.statistics[i])]; };
      return record(layer, nodes::bnEval, {x, gamma, beta, statistic(0), statistic(1)}, attributes);
    }
    pass_.normalised.push_back(x);
    if (options_.replicas == 1) return record(layer, nodes::bnBatch, {x, gamma, beta}, attributes);
    const SyncForward sync = addSyncForward(builder_, x, gamma, beta, eps);
    pass_.packed.push_back(sync.statistics);
    pass_.tape.push_back({sync.y, {x, gamma, beta}, layer.label, sync.statistics});
    return sync.y;
  }

  Builder& builder_;
  const Net& net_;
  const StepOptions& options_;
  const std::vector<ValueId>& theta_;
  const Frozen& frozen_;
  ValueId image_ = -1;
  std::vector<ValueId> outputs_;
  ForwardPass pass_;
};

}  // namespace

ForwardPass addForward(Builder& builder, const Net& net, const StepOptions& options, ValueId x,
                       const std::vector<ValueId>& theta, const Frozen& frozen) {
  if (theta.size() != net.parameters.size() || (!frozen.empty() && frozen.size() != net.statistics.size()))
    throw std::logic_error("a forward pass needs every parameter and statistic");
  return Forward(builder, net, options, theta, frozen).run(x);
}

}  // namespace shardlaw
