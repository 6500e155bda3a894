// The bf16 twins of SEMANTICS 2.5: convolutions of rounded operands, rounded once; sums inside are exact.
#pragma once

#include "interp/node/convolution.h"

namespace shardlaw {

/// A copy of a view with every cell rounded to bf16.
template <class D, class S = typename D::Scalar>
Tensor<S> roundedToBf16(const D& domain, View<const S> v) {
  Tensor<S> rounded(v.shape());
  for (std::int64_t i = 0; i < v.cells(); ++i) rounded[i] = domain.roundToBf16(v[i]);
  return rounded;
}

struct ConvBf16 : PerExampleNode {
  static constexpr std::string_view name = "convBf16";
  static constexpr std::string_view formula = "rnd(conv(rnd W, 0, rnd x)) + b";
  static constexpr auto operands = std::span<const OperandSpec>(Conv::operands);
  static Sample sample(const SampleSize& s) { return Conv::sample(s); }

  static Shape shape(const ShapeRule& rule) { return Conv::shape(rule); }
  template <class D>
  static void denote(const Call<D>& call) {
    using S = typename D::Scalar;
    const Tensor<S> w = roundedToBf16(call.domain, call.in(0));
    const Tensor<S> x = roundedToBf16(call.domain, call.in(2));
    const View<const S> wView = w.view(), xView = x.view();
    fillMap(call.out, [&](auto o, auto i, auto j) {
      return call.domain.roundToBf16(convAt<D>(wView, S{}, xView, o, i, j)) + call.in(1)(o);
    });
  }
  /// That of conv, by the twins of its nodes: the rounding of the forward pass is passed through.
  static constexpr bool straightThrough = true;
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::convWeightGradBf16, {rule.operand(2), rule.dy()}, kernelOf(rule.shape(0))));
    if (rule.wants(1)) rule.set(1, rule.builder.apply(nodes::convBiasGrad, {rule.dy()}));
    if (rule.wants(2)) rule.set(2, rule.builder.apply(nodes::convBackBf16, {rule.operand(0), rule.dy()}));
  }
};

struct ConvBackBf16 : PerExampleNode {
  static constexpr std::string_view name = "convBackBf16";
  static constexpr std::string_view formula = "rnd(convBack(rnd W, rnd dy))";
  static constexpr auto operands = std::span<const OperandSpec>(ConvBack::operands);
  static Sample sample(const SampleSize& s) { return ConvBack::sample(s); }

  static Shape shape(const ShapeRule& rule) { return ConvBack::shape(rule); }
  template <class D>
  static void denote(const Call<D>& call) {
    using S = typename D::Scalar;
    const Tensor<S> w = roundedToBf16(call.domain, call.in(0));
    const Tensor<S> rounded = roundedToBf16(call.domain, call.in(1));
    const Dense2d<S> dy{rounded.view()};
    const View<const S> wView = w.view();
    fillMap(call.out,
            [&](auto c, auto i, auto j) { return call.domain.roundToBf16(convBackAt<D>(wView, dy, c, i, j)); });
  }
};

struct ConvWeightGradBf16 : WholeBatchNode {
  static constexpr std::string_view name = "convWeightGradBf16";
  static constexpr std::string_view formula = "rnd(Σ_n … at rnd x, rnd dy): one rounding of the whole batch sum";
  static constexpr auto operands = std::span<const OperandSpec>(ConvWeightGrad::operands);
  static constexpr std::span<const AttributeSpec> attributes = kernelAttributes;
  static Sample sample(const SampleSize& s) { return ConvWeightGrad::sample(s); }

  static Shape shape(const ShapeRule& rule) { return ConvWeightGrad::shape(rule); }
  template <class D>
  static void denote(const Call<D>& call) {
    using S = typename D::Scalar;
    const Tensor<S> x = roundedToBf16(call.domain, call.in(0));
    const Tensor<S> dy = roundedToBf16(call.domain, call.in(1));
    const View<const S> rounded[] = {x.view(), dy.view()};
    ConvWeightGrad::denote(Call<D>{call.domain, rounded, call.out, call.attributes});
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = call.domain.roundToBf16(call.out[i]);
  }
};

}  // namespace shardlaw
