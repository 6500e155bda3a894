// Random programs: chains of nodes at small shapes, for tests that compare domains.
#pragma once

#include <string>
#include <vector>

#include "interp/ir/builder.h"
#include "interp/node/nodes.h"
#include "tests/interp/number/draw.h"

namespace shardlaw::test {

/// What a program may use: each level includes those before it.
enum class Level { field, order, functions, rounding };

/// What an input holds.
enum class Content { data, label, positive };

struct RandomProgram {
  Program program;
  std::vector<Content> contents;  ///< one per input
  std::int64_t replicas;
};

/// Grows a program by random nodes. Every step takes a batched value, adds operations, and returns the
/// batched value to go on from; what a step adds beside that stays in the program as well.
class ProgramDraw {
 public:
  ProgramDraw(Draw& draw, Level level) : draw_(draw), level_(level) {}

  RandomProgram program(std::int64_t steps) {
    const std::int64_t replicas = draw_.between(1, 3);
    ValueId x = fresh(true, Shape{draw_.between(1, 3), draw_.between(1, 3), draw_.between(1, 4), draw_.between(1, 4)});
    for (std::int64_t i = 0; i < steps; ++i) {
      seen_.push_back(x);
      x = shape(x).rank() == 4 ? mapStep(x) : vectorStep(x);
    }
    builder_.result("y", x);
    return {std::move(builder_).finish(), contents_, replicas};
  }

 private:
  using Step = ValueId (ProgramDraw::*)(ValueId);
  struct Choice {
    Level level;
    Step step;
  };

  Shape shape(ValueId x) const { return builder_.type(x).shape; }
  ValueId fresh(bool batched, const Shape& s, Content content = Content::data) {
    contents_.push_back(content);
    return builder_.input("i" + std::to_string(contents_.size()), {s, batched});
  }
  ValueId shared(const Shape& s, Content content = Content::data) { return fresh(false, s, content); }
  ValueId apply(const Node& node, std::vector<ValueId> operands, Attributes attributes = {}) {
    return builder_.apply(node, std::move(operands), std::move(attributes));
  }
  /// A batched value of that shape: an earlier one, or an input.
  ValueId like(const Shape& s) {
    if (draw_.oneIn(2))
      for (const ValueId earlier : seen_)
        if (shape(earlier) == s && draw_.oneIn(2)) return earlier;
    return fresh(true, s);
  }
  Attributes eps() { return {{"eps", Attribute{decimal(draw_.of({"1e-5", "1e-3", "1", "1e-12"}))}}}; }
  Attributes phase() { return {{"phase", Attribute{std::string(draw_.of({"even", "odd"}))}}}; }
  std::int64_t extent() { return draw_.of<std::int64_t>({1, 3}); }
  static bool even(const Shape& s) { return s[2] % 2 == 0 && s[3] % 2 == 0; }
  static bool small(const Shape& s) { return s[2] <= 3 && s[3] <= 3; }

  template <std::size_t n>
  ValueId anyOf(const Choice (&choices)[n], ValueId x) {
    for (;;) {
      const Choice& choice = choices[draw_.below(static_cast<std::int64_t>(n))];
      if (choice.level <= level_) return (this->*choice.step)(x);
    }
  }

  ValueId mapStep(ValueId x) {
    static constexpr Choice choices[] = {
        {Level::field, &ProgramDraw::conv},          {Level::field, &ProgramDraw::depthwise},
        {Level::field, &ProgramDraw::strided},       {Level::field, &ProgramDraw::convGradients},
        {Level::field, &ProgramDraw::pointwise},     {Level::field, &ProgramDraw::statistics},
        {Level::field, &ProgramDraw::toVector},      {Level::order, &ProgramDraw::kinked},
        {Level::order, &ProgramDraw::pool},          {Level::order, &ProgramDraw::poolBack},
        {Level::functions, &ProgramDraw::batchNorm}, {Level::functions, &ProgramDraw::batchNormBack},
        {Level::functions, &ProgramDraw::syncNorm},  {Level::rounding, &ProgramDraw::bf16},
    };
    return anyOf(choices, x);
  }
  ValueId vectorStep(ValueId x) {
    static constexpr Choice choices[] = {
        {Level::field, &ProgramDraw::dense},     {Level::field, &ProgramDraw::denseGradients},
        {Level::field, &ProgramDraw::pointwise}, {Level::field, &ProgramDraw::toMap},
        {Level::order, &ProgramDraw::kinked},    {Level::functions, &ProgramDraw::softmax},
        {Level::functions, &ProgramDraw::loss},
    };
    return anyOf(choices, x);
  }

  ValueId conv(ValueId x) {
    const Shape s = shape(x);
    const std::int64_t other = draw_.between(1, 3), kH = extent(), kW = extent();
    if (draw_.oneIn(2)) return apply(nodes::convBack, {shared(Shape{s[1], other, kH, kW}), x});
    const ValueId w = shared(Shape{other, s[1], kH, kW}), b = shared(Shape{other});
    return apply(nodes::conv, {w, b, x});
  }
  ValueId depthwise(ValueId x) {
    const std::int64_t c = shape(x)[1];
    const ValueId w = shared(Shape{c, 1, extent(), extent()});
    if (draw_.oneIn(2)) return apply(nodes::depthwiseBack, {w, x});
    const ValueId b = shared(Shape{c});
    return apply(nodes::depthwise, {w, b, x});
  }
  ValueId strided(ValueId x) {
    const Shape s = shape(x);
    const std::int64_t other = draw_.between(1, 3), kH = extent(), kW = extent();
    const bool depth = draw_.oneIn(2);
    if (even(s)) {
      const ValueId w = shared(depth ? Shape{s[1], 1, kH, kW} : Shape{other, s[1], kH, kW});
      const ValueId b = shared(Shape{depth ? s[1] : other});
      return apply(depth ? nodes::depthwiseStrided : nodes::convStrided, {w, b, x}, phase());
    }
    if (!small(s)) return x;
    const ValueId w = shared(depth ? Shape{s[1], 1, kH, kW} : Shape{s[1], other, kH, kW});
    return apply(depth ? nodes::depthwiseStridedBack : nodes::convStridedBack, {w, x}, phase());
  }
  ValueId convGradients(ValueId x) {
    const Shape s = shape(x);
    Attributes kernel{{"kH", Attribute{extent()}}, {"kW", Attribute{extent()}}};
    apply(nodes::convWeightGrad, {x, like(Shape{s[0], draw_.between(1, 2), s[2], s[3]})}, kernel);
    apply(nodes::depthwiseWeightGrad, {x, like(s)}, kernel);
    apply(nodes::convBiasGrad, {x});
    if (level_ == Level::rounding) apply(nodes::convWeightGradBf16, {x, like(s)}, kernel);
    if (!even(s)) return x;
    kernel.set("phase", std::string("odd"));
    apply(nodes::convStridedWeightGrad, {x, fresh(true, Shape{s[0], 2, s[2] / 2, s[3] / 2})}, kernel);
    apply(nodes::depthwiseStridedWeightGrad, {x, fresh(true, Shape{s[0], s[1], s[2] / 2, s[3] / 2})}, kernel);
    return x;
  }
  ValueId pointwise(ValueId x) {
    const Attributes by{{"by", Attribute{decimal(draw_.of({"0.1", "-3", "7", "1/3", "0.5"}))}}};
    switch (draw_.below(7)) {
      case 0: return apply(nodes::scale, {x}, by);
      case 1: return apply(nodes::shift, {x}, by);
      case 2: return apply(nodes::divConst, {x}, by);
      case 3: return apply(nodes::add, {x, like(shape(x))});
      case 4: return apply(nodes::sub, {x, like(shape(x))});
      case 5: return apply(nodes::mul, {x, like(shape(x))});
      default: return apply(nodes::scaleBy, {shared(Shape{}), x});
    }
  }
  ValueId kinked(ValueId x) {
    switch (draw_.below(6)) {
      case 0: return apply(nodes::relu6, {x});
      case 1: return apply(nodes::selectPos, {x, like(shape(x))});
      case 2: return apply(nodes::selectPos, {like(shape(x)), x});
      case 3: return apply(nodes::selectMid, {x, like(shape(x))});
      default: return apply(nodes::relu, {x});
    }
  }
  ValueId pool(ValueId x) {
    const Shape s = shape(x);
    return even(s) && draw_.oneIn(2) ? apply(nodes::maxPool2, {x}) : apply(nodes::maxPool3, {x});
  }
  ValueId poolBack(ValueId x) {
    const Shape s = shape(x);
    if (even(s) && draw_.oneIn(2)) return apply(nodes::maxPool2Back, {x, like(Shape{s[0], s[1], s[2] / 2, s[3] / 2})});
    return apply(nodes::maxPool3Back, {x, like(Shape{s[0], s[1], (s[2] + 1) / 2, (s[3] + 1) / 2})});
  }
  /// The packed statistics of the synchronised composition.
  ValueId packed(ValueId x) {
    const ValueId mean = apply(nodes::allReduceMean, {apply(nodes::bnBatchMean, {x})});
    const ValueId var = apply(nodes::allReduceMean, {apply(nodes::bnBatchVarAt, {x, mean})});
    return apply(nodes::bnPack, {mean, var});
  }
  ValueId statistics(ValueId x) {
    apply(nodes::bnBatchVar, {x});
    apply(nodes::bnBetaGrad, {x});
    const ValueId st = packed(x);
    apply(nodes::bnStatsMean, {st});
    apply(nodes::bnStatsVar, {st});
    return x;
  }
  ValueId batchNorm(ValueId x) {
    const Shape c{shape(x)[1]};
    const ValueId gamma = shared(c), beta = shared(c);
    switch (draw_.below(3)) {
      case 0: return apply(nodes::bnBatch, {x, gamma, beta}, eps());
      case 1: return apply(nodes::bnPerChannel, {x, gamma, beta}, eps());
      default: {
        const ValueId mean = shared(c), var = shared(c, Content::positive);
        return apply(nodes::bnEval, {x, gamma, beta, mean, var}, eps());
      }
    }
  }
  ValueId batchNormBack(ValueId x) {
    const Shape c{shape(x)[1]};
    const ValueId gamma = shared(c), dy = like(shape(x));
    switch (draw_.below(3)) {
      case 0: apply(nodes::bnGammaGrad, {x, dy}, eps()); return apply(nodes::bnBatchBack, {x, gamma, dy}, eps());
      case 1:
        apply(nodes::bnPerChannelGammaGrad, {x, dy}, eps());
        return apply(nodes::bnPerChannelBack, {x, gamma, dy}, eps());
      default: return apply(nodes::bnEvalBack, {gamma, shared(c, Content::positive), x}, eps());
    }
  }
  ValueId syncNorm(ValueId x) {
    const Shape c{shape(x)[1]};
    const Attributes attributes = eps();
    const ValueId gamma = shared(c), beta = shared(c), st = packed(x), dy = like(shape(x));
    const ValueId y = apply(nodes::bnSync, {x, gamma, beta, st}, attributes);
    apply(nodes::bnSyncGammaGrad, {x, dy, st}, attributes);
    const ValueId ds = apply(nodes::allReduceMean, {apply(nodes::bnSyncDyStats, {x, gamma, dy, st}, attributes)});
    const ValueId dx = apply(nodes::bnSyncBack, {x, gamma, dy, ds}, attributes);
    return draw_.oneIn(2) ? y : dx;
  }
  ValueId bf16(ValueId x) {
    const Shape s = shape(x);
    const std::int64_t other = draw_.between(1, 3), k = extent();
    if (draw_.oneIn(2)) return apply(nodes::convBackBf16, {shared(Shape{s[1], other, k, k}), x});
    const ValueId w = shared(Shape{other, s[1], k, k}), b = shared(Shape{other});
    return apply(nodes::convBf16, {w, b, x});
  }
  ValueId toVector(ValueId x) { return apply(draw_.oneIn(2) ? nodes::gap : nodes::flatten, {x}); }
  ValueId toMap(ValueId x) {
    if (draw_.oneIn(2))
      return apply(nodes::gapBack, {x}, {{"H", Attribute{draw_.between(1, 3)}}, {"W", Attribute{draw_.between(1, 3)}}});
    return apply(nodes::unflatten, {x},
                 {{"C", Attribute{shape(x)[1]}}, {"H", Attribute{std::int64_t{1}}}, {"W", Attribute{std::int64_t{1}}}});
  }
  ValueId dense(ValueId x) {
    const std::int64_t in = shape(x)[1], out = draw_.between(1, 4);
    if (draw_.oneIn(2)) return apply(nodes::denseBack, {shared(Shape{out, in}), x});
    const ValueId w = shared(Shape{in, out}), b = shared(Shape{out});
    return apply(nodes::dense, {w, b, x});
  }
  ValueId denseGradients(ValueId x) {
    apply(nodes::denseWeightGrad, {x, fresh(true, Shape{shape(x)[0], draw_.between(1, 3)})});
    apply(nodes::denseBiasGrad, {x});
    return x;
  }
  ValueId softmax(ValueId x) {
    const ValueId s = apply(nodes::softmax, {x});
    return draw_.oneIn(2) ? s : apply(nodes::softmaxBack, {s, like(shape(x))});
  }
  ValueId loss(ValueId x) {
    const ValueId labels = fresh(true, shape(x), Content::label);
    const Attributes batch{{"batch", Attribute{draw_.between(1, 6)}}};
    apply(nodes::crossEntropyLoss, {x, labels}, batch);
    if (draw_.oneIn(2)) return apply(nodes::crossEntropyCotangent, {x, labels}, batch);
    Attributes smoothed = batch;
    smoothed.set("alpha", decimal("0.1"));
    return apply(nodes::crossEntropySmoothedCotangent, {x, labels}, smoothed);
  }

  Draw& draw_;
  Level level_;
  Builder builder_;
  std::vector<Content> contents_;
  std::vector<ValueId> seen_;
};

}  // namespace shardlaw::test
