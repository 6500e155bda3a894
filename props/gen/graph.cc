#include "props/gen/graph.h"

#include <map>

#include "interp/node/nodes.h"
#include "interp/node/synchronised.h"
#include "interp/number/hash.h"

namespace shardlaw {
namespace {

using enum Dimension;

class Network {
 public:
  Network(const Case& c, BnFlavour flavour) : case_(c), flavour_(flavour), claim_(c[R], c[N]) {}

  Claim build() {
    Pair value = claim_.batched("x", Role::activation, Shape{case_[C], 2 * case_[H], 2 * case_[W]});
    for (std::int64_t i = 0; i < case_[depth]; ++i) value = layer(value, i);
    if (flavour_ == BnFlavour::frozen) value = normalise(value);
    value = apply(nodes::gap, {value});
    value = dense(value, case_[K]);
    backward(value);
    return std::move(claim_).finish();
  }

 private:
  /// A step of the forward pass, remembered for the backward one.
  struct Step {
    std::vector<Pair> operands;
    Pair result;
    std::optional<ValueId> syncStatistics;  ///< set for a normalisation by batch statistics
  };

  std::uint64_t bits(std::int64_t layer) const {
    return mix64(static_cast<std::uint64_t>(case_[Dimension::graph]) + 1, static_cast<std::uint64_t>(layer));
  }
  Shape example(Pair value) const { return claim_.left.type(value.left).shape.tail(); }
  Attributes epsAttributes() const { return {{"eps", Attribute{case_.eps()}}}; }
  std::string fresh(const std::string& prefix) { return prefix + std::to_string(++names_); }
  Pair parameter(const std::string& prefix, const Shape& shape) {
    return claim_.shared(fresh(prefix), Role::weight, shape);
  }

  Pair apply(const Node& node, const std::vector<Pair>& operands, const Attributes& attributes = {}) {
    const Pair result = claim_.apply(node, operands, attributes);
    steps_.push_back({operands, result, {}});
    check(node.name, result);
    return result;
  }
  void check(std::string_view what, Pair value) {
    claim_.shard(std::string(what) + " " + std::to_string(++checks_), value,
                 flavour_ == BnFlavour::batch ? Agreement::bound : Agreement::bits);
  }

  Pair layer(Pair x, std::int64_t index) {
    const std::uint64_t draw = bits(index);
    const Shape shape = example(x);
    const bool even = shape[1] % 2 == 0 && shape[2] % 2 == 0;
    switch (draw % 12) {
      case 0:
      case 1: return normalise(conv(x, draw));
      case 2: return apply(nodes::relu, {normalise(x)});
      case 3: return residual(x, draw);
      case 4: return apply(nodes::depthwise, kernelOperands(x, Shape{shape[0], 1, case_[kH], case_[kW]}));
      case 5: return even ? strided(x, draw) : apply(nodes::maxPool3, {x});
      case 6: return even ? apply(nodes::maxPool2, {x}) : apply(nodes::relu6, {x});
      case 7: return apply(nodes::maxPool3, {x});
      case 8: return apply(nodes::relu6, {apply(nodes::shift, {x}, {{"by", Attribute{Rational(1)}}})});
      case 9:
        return apply(nodes::bnPerChannel, {x, parameter("γ", Shape{shape[0]}), parameter("β", Shape{shape[0]})},
                     epsAttributes());
      case 10: return apply(nodes::relu, {x});
      default: return apply(nodes::scale, {conv(x, draw)}, {{"by", Attribute{ratio(-2, 3)}}});
    }
  }

  /// W, b and x of a convolution; b has as many cells as W has output channels.
  std::vector<Pair> kernelOperands(Pair x, const Shape& kernel) {
    const Pair weights = parameter("W", kernel);
    return {weights, parameter("b", Shape{kernel[0]}), x};
  }
  Pair conv(Pair x, std::uint64_t draw) {
    const auto out = 1 + static_cast<std::int64_t>((draw >> 8) % 3);
    return apply(nodes::conv, kernelOperands(x, Shape{out, example(x)[0], case_[kH], case_[kW]}));
  }
  Pair strided(Pair x, std::uint64_t draw) {
    const Attributes phase{{"phase", Attribute{std::string((draw >> 9) % 2 == 0 ? "even" : "odd")}}};
    const std::int64_t channels = example(x)[0];
    if ((draw >> 10) % 2 == 0)
      return apply(nodes::depthwiseStrided, kernelOperands(x, Shape{channels, 1, case_[kH], case_[kW]}), phase);
    return apply(nodes::convStrided, kernelOperands(x, Shape{channels + 1, channels, case_[kH], case_[kW]}), phase);
  }
  /// x + f(x), f a normalised convolution or a depthwise one, of x's own shape.
  Pair residual(Pair x, std::uint64_t draw) {
    const std::int64_t channels = example(x)[0];
    Pair branch = (draw >> 8) % 2 == 0
                      ? apply(nodes::conv, kernelOperands(x, Shape{channels, channels, case_[kH], case_[kW]}))
                      : apply(nodes::depthwise, kernelOperands(x, Shape{channels, 1, case_[kH], case_[kW]}));
    branch = apply(nodes::relu, {normalise(branch)});
    return apply(nodes::add, {branch, x});
  }
  Pair dense(Pair x, std::int64_t out) {
    const Pair weights = parameter("W", Shape{example(x)[0], out});
    return apply(nodes::dense, {weights, parameter("b", Shape{out}), x});
  }

  Pair normalise(Pair x) {
    if (flavour_ == BnFlavour::none) return x;
    const Shape channels{example(x)[0]};
    const Pair gamma = parameter("γ", channels), beta = parameter("β", channels);
    if (flavour_ == BnFlavour::frozen) {
      const Pair mean = claim_.shared(fresh("μ"), Role::mean, channels);
      const Pair var = claim_.shared(fresh("var"), Role::variance, channels);
      return apply(nodes::bnEval, {x, gamma, beta, mean, var}, epsAttributes());
    }
    const SyncForward sync = addSyncForward(claim_.left, x.left, gamma.left, beta.left, case_.eps());
    const Pair y{sync.y, claim_.right.apply(nodes::bnBatch, {x.right, gamma.right, beta.right}, epsAttributes())};
    const ValueId mean = claim_.right.apply(nodes::bnBatchMean, {x.right});
    const ValueId var = claim_.right.apply(nodes::bnBatchVar, {x.right});
    claim_.everywhere("st " + std::to_string(++checks_),
                      {sync.statistics, claim_.right.apply(nodes::bnPack, {mean, var})});
    steps_.push_back({{x, gamma, beta}, y, sync.statistics});
    check("bn", y);
    return y;
  }

  void backward(Pair logits) {
    accumulate(logits, claim_.batched("dy", Role::cotangent, example(logits)));
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      const auto found = cotangents_.find(step->result.left);
      if (found == cotangents_.end()) continue;
      stepBack(*step, found->second);
    }
  }
  void stepBack(const Step& step, Pair dy) {
    std::vector<ValueId> lefts;
    if (step.syncStatistics) {
      const SyncBackward back = addSyncBackward(claim_.left, step.operands[0].left, step.operands[1].left, dy.left,
                                                *step.syncStatistics, case_.eps());
      lefts = {back.dx, back.gammaGrad, back.betaGrad};
    } else {
      lefts = addAdjoint(claim_.left, step.result.left, dy.left);
    }
    const std::vector<ValueId> rights = addAdjoint(claim_.right, step.result.right, dy.right);
    for (std::size_t i = 0; i < step.operands.size(); ++i) {
      if (lefts[i] < 0) continue;
      const Pair cotangent{lefts[i], rights[i]};
      if (claim_.left.type(lefts[i]).batched) accumulate(step.operands[i], cotangent);
      else claim_.averaged("gradient " + std::to_string(++checks_), cotangent);
    }
  }
  /// Cotangents of a value that is read more than once add up.
  void accumulate(Pair value, Pair cotangent) {
    const auto [entry, isNew] = cotangents_.try_emplace(value.left, cotangent);
    if (!isNew) {
      check("part of a cotangent", cotangent);
      entry->second = claim_.apply(nodes::add, {entry->second, cotangent});
    }
    check("cotangent", entry->second);
  }

  const Case& case_;
  BnFlavour flavour_;
  ClaimBuilder claim_;
  std::vector<Step> steps_;
  std::map<ValueId, Pair> cotangents_;
  int names_ = 0, checks_ = 0;
};

}  // namespace

Claim networkClaim(const Case& c, BnFlavour flavour) { return Network(c, flavour).build(); }

}  // namespace shardlaw
