// Depthwise convolutions of SEMANTICS 2.1: one kernel [C,1,kH,kW] per channel, no channel sum.
#pragma once

#include "interp/node/convolution.h"

namespace shardlaw {

/// b[c] + Σ_{a,b'} W[c,a,b']·x[c, i+a−pH, j+b'−pW].
template <class D, class S = typename D::Scalar>
S depthwiseAt(View<const S> w, S bias, View<const S> x, std::int64_t c, std::int64_t i, std::int64_t j) {
  const std::int64_t kH = w.extent(2), kW = w.extent(3);
  typename D::Sum sum;
  sum.add(bias);
  for (std::int64_t a = 0; a < kH; ++a)
    for (std::int64_t b = 0; b < kW; ++b)
      sum.addProduct(w(c, 0, a, b), x.padded(c, i + a - padding(kH), j + b - padding(kW)));
  return sum.total();
}

/// Σ_{u,v} W[c, i+pH−u, j+pW−v]·dy[c,u,v].
template <class D, class Cotangent, class S = typename D::Scalar>
S depthwiseBackAt(View<const S> w, const Cotangent& dy, std::int64_t c, std::int64_t i, std::int64_t j) {
  const std::int64_t kH = w.extent(2), kW = w.extent(3);
  typename D::Sum sum;
  for (std::int64_t a = 0; a < kH; ++a)
    for (std::int64_t b = 0; b < kW; ++b)
      sum.addProduct(w(c, 0, a, b), dy(c, i + padding(kH) - a, j + padding(kW) - b));
  return sum.total();
}

/// Σ_n Σ_{i,j} x_n[c, i+a−pH, j+b'−pW]·dy_n[c,i,j] into every [c,0,a,b']; `cotangent(n)` reads dy_n.
template <class D, class CotangentOf>
void depthwiseWeightGrad(const Call<D>& call, const CotangentOf& cotangent) {
  const auto& x = call.in(0);
  const Shape& k = call.out.shape();
  for (std::int64_t c = 0; c < k[0]; ++c)
    for (std::int64_t a = 0; a < k[2]; ++a)
      for (std::int64_t b = 0; b < k[3]; ++b) {
        typename D::Sum sum;
        for (std::int64_t n = 0; n < x.extent(0); ++n)
          addWeightGrad<D>(sum, x.slice(n), cotangent(n), c, c, a, b, k[2], k[3]);
        call.out(c, 0, a, b) = sum.total();
      }
}

/// W [C,1,kH,kW], and operand i a map of C channels.
inline void requireDepthwise(const ShapeRule& rule, std::size_t i) {
  requireKernel(rule, 0, "[C,1,kH,kW]");
  if (rule.operand(0)[1] != 1) rule.refuse(0, "[C,1,kH,kW]");
  rule.requireRank(i, 3, "[C,H,W]");
  rule.require(i, Shape{rule.operand(0)[0], rule.operand(i)[1], rule.operand(i)[2]});
}

struct Depthwise : PerExampleNode {
  static constexpr std::string_view name = "depthwise";
  static constexpr std::string_view formula = "y[c,i,j] = b[c] + Σ_{a,b'} W[c,a,b']·x[c, i+a−pH, j+b'−pW]";
  static constexpr OperandSpec operands[] = {{"W", false}, {"b", false}, {"x", true}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, 1, s.kH, s.kW}, Shape{s.C}, Shape{s.C, s.H, s.W}}}; }

  static Shape shape(const ShapeRule& rule) {
    requireDepthwise(rule, 2);
    rule.require(1, Shape{rule.operand(0)[0]});
    return rule.operand(2);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    fillMap(call.out,
            [&](auto c, auto i, auto j) { return depthwiseAt<D>(call.in(0), call.in(1)(c), call.in(2), c, i, j); });
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::depthwiseWeightGrad, {rule.operand(2), rule.dy()}, kernelOf(rule.shape(0))));
    if (rule.wants(1)) rule.set(1, rule.builder.apply(nodes::convBiasGrad, {rule.dy()}));
    if (rule.wants(2)) rule.set(2, rule.builder.apply(nodes::depthwiseBack, {rule.operand(0), rule.dy()}));
  }
};

struct DepthwiseBack : PerExampleNode {
  static constexpr std::string_view name = "depthwiseBack";
  static constexpr std::string_view formula = "dx[c,i,j] = Σ_{u,v} W[c, i+pH−u, j+pW−v]·dy[c,u,v]";
  static constexpr OperandSpec operands[] = {{"W", false}, {"dy", true}};
  static constexpr int cotangent = 1;
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, 1, s.kH, s.kW}, Shape{s.C, s.H, s.W}}}; }

  static Shape shape(const ShapeRule& rule) {
    requireDepthwise(rule, 1);
    return rule.operand(1);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const Dense2d<typename D::Scalar> dy{call.in(1)};
    fillMap(call.out, [&](auto c, auto i, auto j) { return depthwiseBackAt<D>(call.in(0), dy, c, i, j); });
  }
};

struct DepthwiseWeightGrad : WholeBatchNode {
  static constexpr std::string_view name = "depthwiseWeightGrad";
  static constexpr std::string_view formula = "dW[c,a,b'] = Σ_n Σ_{i,j} x_n[c, i+a−pH, j+b'−pW]·dy_n[c,i,j]";
  static constexpr OperandSpec operands[] = {{"x", true}, {"dy", true}};
  static constexpr std::span<const AttributeSpec> attributes = kernelAttributes;
  static constexpr int cotangent = 1;
  static constexpr bool sumsExamples = true;
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}, Shape{s.C, s.H, s.W}}, kernelSample(s)}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 4, "[N,C,H,W]");
    rule.requireSame(0, 1);
    return Shape{rule.operand(0)[1], 1, positive(rule, "kH"), positive(rule, "kW")};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    depthwiseWeightGrad(call, [&](std::int64_t n) { return Dense2d<typename D::Scalar>{call.in(1).slice(n)}; });
  }
};

struct DepthwiseStrided : PerExampleNode {
  static constexpr std::string_view name = "depthwiseStrided";
  static constexpr std::string_view formula =
      "depthwise of x [C,2h,2w] at positions [2i, 2j] (phase even) or [2i+1, 2j+1] (phase odd)";
  static constexpr OperandSpec operands[] = {{"W", false}, {"b", false}, {"x", true}};
  static constexpr std::span<const AttributeSpec> attributes = phaseAttribute;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.C, 1, s.kH, s.kW}, Shape{s.C}, Shape{s.C, 2 * s.H, 2 * s.W}}, phaseSample(s)};
  }

  static Shape shape(const ShapeRule& rule) {
    const Shape full = Depthwise::shape(rule);
    requireEvenMap(rule, 2);
    rule.requireKeyword("phase", phaseWords);
    return Shape{full[0], full[1] / 2, full[2] / 2};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const std::int64_t s = phaseOffset(call.attributes);
    fillMap(call.out, [&](auto c, auto i, auto j) {
      return depthwiseAt<D>(call.in(0), call.in(1)(c), call.in(2), c, 2 * i + s, 2 * j + s);
    });
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::depthwiseStridedWeightGrad, {rule.operand(2), rule.dy()},
                                   kernelOf(rule.shape(0), rule.attributes())));
    if (rule.wants(1)) rule.set(1, rule.builder.apply(nodes::convBiasGrad, {rule.dy()}));
    if (rule.wants(2))
      rule.set(2, rule.builder.apply(nodes::depthwiseStridedBack, {rule.operand(0), rule.dy()}, rule.attributes()));
  }
};

struct DepthwiseStridedBack : PerExampleNode {
  static constexpr std::string_view name = "depthwiseStridedBack";
  static constexpr std::string_view formula =
      "depthwiseBack of dy scattered onto the even (odd) positions of a zero [2h,2w] map";
  static constexpr OperandSpec operands[] = {{"W", false}, {"dy", true}};
  static constexpr std::span<const AttributeSpec> attributes = phaseAttribute;
  static constexpr int cotangent = 1;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.C, 1, s.kH, s.kW}, Shape{s.C, s.H, s.W}}, phaseSample(s)};
  }

  static Shape shape(const ShapeRule& rule) {
    const Shape half = DepthwiseBack::shape(rule);
    rule.requireKeyword("phase", phaseWords);
    return Shape{half[0], 2 * half[1], 2 * half[2]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const Scattered2d<typename D::Scalar> dy{call.in(1), phaseOffset(call.attributes)};
    fillMap(call.out, [&](auto c, auto i, auto j) { return depthwiseBackAt<D>(call.in(0), dy, c, i, j); });
  }
};

struct DepthwiseStridedWeightGrad : WholeBatchNode {
  static constexpr std::string_view name = "depthwiseStridedWeightGrad";
  static constexpr std::string_view formula =
      "depthwiseWeightGrad at dy scattered onto the even (odd) positions of a zero [2h,2w] map";
  static constexpr OperandSpec operands[] = {{"x", true}, {"dy", true}};
  static constexpr std::span<const AttributeSpec> attributes = stridedKernelAttributes;
  static constexpr int cotangent = 1;
  static constexpr bool sumsExamples = true;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.C, 2 * s.H, 2 * s.W}, Shape{s.C, s.H, s.W}}, stridedKernelSample(s)};
  }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 4, "[N,C,2h,2w]");
    const Shape& x = rule.operand(0);
    if (x[2] % 2 != 0 || x[3] % 2 != 0) rule.refuse(0, "a map of even extents");
    rule.require(1, Shape{x[0], x[1], x[2] / 2, x[3] / 2});
    rule.requireKeyword("phase", phaseWords);
    return Shape{x[1], 1, positive(rule, "kH"), positive(rule, "kW")};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const std::int64_t s = phaseOffset(call.attributes);
    depthwiseWeightGrad(call, [&](std::int64_t n) { return Scattered2d<typename D::Scalar>{call.in(1).slice(n), s}; });
  }
};

}  // namespace shardlaw
