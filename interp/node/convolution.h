// Convolutions of SEMANTICS 2.1: cross-correlation of the same size, stride 1 and stride 2 at both phases.
#pragma once

#include "interp/ir/builder.h"
#include "interp/node/nodes.h"

namespace shardlaw {

/// pH = ⌊(kH−1)/2⌋ for a kernel of extent kH.
inline std::int64_t padding(std::int64_t kernel) { return (kernel - 1) / 2; }

/// The first cell of a stride-2 phase: 0 for "even", 1 for "odd".
inline std::int64_t phaseOffset(const Attributes& attributes) { return attributes.keyword("phase") == "odd" ? 1 : 0; }

inline constexpr std::string_view phaseWords[] = {"even", "odd"};
inline constexpr AttributeSpec phaseAttribute[] = {{"phase", AttributeType::keyword}};
inline constexpr AttributeSpec kernelAttributes[] = {{"kH", AttributeType::integer}, {"kW", AttributeType::integer}};
inline constexpr AttributeSpec stridedKernelAttributes[] = {
    {"kH", AttributeType::integer}, {"kW", AttributeType::integer}, {"phase", AttributeType::keyword}};

inline Attributes kernelOf(const Shape& weights) {
  return Attributes{{"kH", Attribute{weights[2]}}, {"kW", Attribute{weights[3]}}};
}
inline Attributes kernelOf(const Shape& weights, const Attributes& strided) {
  Attributes attributes = kernelOf(weights);
  attributes.set("phase", strided.keyword("phase"));
  return attributes;
}

inline Attributes kernelSample(const SampleSize& s) { return {{"kH", Attribute{s.kH}}, {"kW", Attribute{s.kW}}}; }
inline Attributes phaseSample(const SampleSize& s) {
  return {{"phase", Attribute{std::string(s.odd ? "odd" : "even")}}};
}
inline Attributes stridedKernelSample(const SampleSize& s) {
  Attributes attributes = kernelSample(s);
  attributes.set("phase", Attribute{std::string(s.odd ? "odd" : "even")});
  return attributes;
}

/// out[c,i,j] = f(c, i, j) at every cell of a map.
template <class S, class F>
void fillMap(const View<S>& out, const F& f) {
  for (std::int64_t c = 0; c < out.extent(0); ++c)
    for (std::int64_t i = 0; i < out.extent(1); ++i)
      for (std::int64_t j = 0; j < out.extent(2); ++j) out(c, i, j) = f(c, i, j);
}

/// dy as it is: the cotangent of a stride-1 convolution, read at [o,i,j]; 0 outside.
template <class S>
struct Dense2d {
  View<const S> dy;
  S operator()(std::int64_t o, std::int64_t i, std::int64_t j) const { return dy.padded(o, i, j); }
};

/// dy scattered onto the even (offset 0) or odd (1) positions of a zero map of twice its size.
template <class S>
struct Scattered2d {
  View<const S> dy;
  std::int64_t offset;
  S operator()(std::int64_t o, std::int64_t i, std::int64_t j) const {
    const std::int64_t u = i - offset, v = j - offset;
    if (u < 0 || v < 0 || u % 2 != 0 || v % 2 != 0) return S{};
    return dy.padded(o, u / 2, v / 2);
  }
};

/// b[o] + Σ_{c,a,b'} W[o,c,a,b']·x[c, i+a−pH, j+b'−pW].
template <class D, class S = typename D::Scalar>
S convAt(View<const S> w, S bias, View<const S> x, std::int64_t o, std::int64_t i, std::int64_t j) {
  const std::int64_t I = w.extent(1), kH = w.extent(2), kW = w.extent(3);
  typename D::Sum sum;
  sum.add(bias);
  for (std::int64_t c = 0; c < I; ++c)
    for (std::int64_t a = 0; a < kH; ++a)
      for (std::int64_t b = 0; b < kW; ++b)
        sum.addProduct(w(o, c, a, b), x.padded(c, i + a - padding(kH), j + b - padding(kW)));
  return sum.total();
}

/// Σ_{o,u,v} W[o,c, i+pH−u, j+pW−v]·dy[o,u,v], kernel indices outside the kernel contributing 0; written
/// over the kernel index a = i+pH−u, so u = i+pH−a.
template <class D, class Cotangent, class S = typename D::Scalar>
S convBackAt(View<const S> w, const Cotangent& dy, std::int64_t c, std::int64_t i, std::int64_t j) {
  const std::int64_t O = w.extent(0), kH = w.extent(2), kW = w.extent(3);
  typename D::Sum sum;
  for (std::int64_t o = 0; o < O; ++o)
    for (std::int64_t a = 0; a < kH; ++a)
      for (std::int64_t b = 0; b < kW; ++b)
        sum.addProduct(w(o, c, a, b), dy(o, i + padding(kH) - a, j + padding(kW) - b));
  return sum.total();
}

/// Adds Σ_{i,j} x[c, i+a−pH, j+b−pW]·dy[o,i,j] over the map of x to `sum`, for one example.
template <class D, class Cotangent, class S = typename D::Scalar>
void addWeightGrad(typename D::Sum& sum, View<const S> x, const Cotangent& dy, std::int64_t o, std::int64_t c,
                   std::int64_t a, std::int64_t b, std::int64_t kH, std::int64_t kW) {
  for (std::int64_t i = 0; i < x.extent(1); ++i)
    for (std::int64_t j = 0; j < x.extent(2); ++j)
      sum.addProduct(x.padded(c, i + a - padding(kH), j + b - padding(kW)), dy(o, i, j));
}

/// Σ_n Σ_{i,j} x_n[c, i+a−pH, j+b'−pW]·dy_n[o,i,j] into every [o,c,a,b']; `cotangent(n)` reads dy_n.
template <class D, class CotangentOf>
void convWeightGrad(const Call<D>& call, const CotangentOf& cotangent) {
  const auto& x = call.in(0);
  const Shape& k = call.out.shape();
  for (std::int64_t o = 0; o < k[0]; ++o)
    for (std::int64_t c = 0; c < k[1]; ++c)
      for (std::int64_t a = 0; a < k[2]; ++a)
        for (std::int64_t b = 0; b < k[3]; ++b) {
          typename D::Sum sum;
          for (std::int64_t n = 0; n < x.extent(0); ++n)
            addWeightGrad<D>(sum, x.slice(n), cotangent(n), o, c, a, b, k[2], k[3]);
          call.out(o, c, a, b) = sum.total();
        }
}

inline void requireKernel(const ShapeRule& rule, std::size_t i, std::string_view form) {
  rule.requireRank(i, 4, form);
  if (rule.operand(i)[2] < 1 || rule.operand(i)[3] < 1) rule.refuse(i, "a kernel with at least one cell");
}

/// W [O,I,kH,kW], b [O], x [I,H,W]: the checks that forward convolutions share.
inline void requireConvOperands(const ShapeRule& rule) {
  requireKernel(rule, 0, "[O,I,kH,kW]");
  rule.require(1, Shape{rule.operand(0)[0]});
  rule.requireRank(2, 3, "[I,H,W]");
  rule.require(2, Shape{rule.operand(0)[1], rule.operand(2)[1], rule.operand(2)[2]});
}

/// A stride-2 node reads maps of even extents.
inline void requireEvenMap(const ShapeRule& rule, std::size_t i) {
  if (rule.operand(i)[1] % 2 != 0 || rule.operand(i)[2] % 2 != 0) rule.refuse(i, "a map of even extents");
}

inline std::int64_t positive(const ShapeRule& rule, std::string_view name) {
  const std::int64_t n = rule.attributes().integer(name);
  if (n < 1) rule.refuse("attribute " + std::string(name) + ": expected at least 1, found " + std::to_string(n));
  return n;
}

struct Conv : PerExampleNode {
  static constexpr std::string_view name = "conv";
  static constexpr std::string_view formula = "y[o,i,j] = b[o] + Σ_{c,a,b'} W[o,c,a,b']·x[c, i+a−pH, j+b'−pW]";
  static constexpr OperandSpec operands[] = {{"W", false}, {"b", false}, {"x", true}};
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.K, s.C, s.kH, s.kW}, Shape{s.K}, Shape{s.C, s.H, s.W}}};
  }

  static Shape shape(const ShapeRule& rule) {
    requireConvOperands(rule);
    return Shape{rule.operand(0)[0], rule.operand(2)[1], rule.operand(2)[2]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto &w = call.in(0), &b = call.in(1), &x = call.in(2);
    fillMap(call.out, [&](auto o, auto i, auto j) { return convAt<D>(w, b(o), x, o, i, j); });
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::convWeightGrad, {rule.operand(2), rule.dy()}, kernelOf(rule.shape(0))));
    if (rule.wants(1)) rule.set(1, rule.builder.apply(nodes::convBiasGrad, {rule.dy()}));
    if (rule.wants(2)) rule.set(2, rule.builder.apply(nodes::convBack, {rule.operand(0), rule.dy()}));
  }
};

struct ConvBack : PerExampleNode {
  static constexpr std::string_view name = "convBack";
  static constexpr std::string_view formula = "dx[c,i,j] = Σ_{o,u,v} W[o,c, i+pH−u, j+pW−v]·dy[o,u,v]";
  static constexpr OperandSpec operands[] = {{"W", false}, {"dy", true}};
  static constexpr int cotangent = 1;
  static Sample sample(const SampleSize& s) { return {{Shape{s.K, s.C, s.kH, s.kW}, Shape{s.K, s.H, s.W}}}; }

  static Shape shape(const ShapeRule& rule) {
    requireKernel(rule, 0, "[O,I,kH,kW]");
    rule.requireRank(1, 3, "[O,H,W]");
    rule.require(1, Shape{rule.operand(0)[0], rule.operand(1)[1], rule.operand(1)[2]});
    return Shape{rule.operand(0)[1], rule.operand(1)[1], rule.operand(1)[2]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const Dense2d<typename D::Scalar> dy{call.in(1)};
    fillMap(call.out, [&](auto c, auto i, auto j) { return convBackAt<D>(call.in(0), dy, c, i, j); });
  }
};

struct ConvWeightGrad : WholeBatchNode {
  static constexpr std::string_view name = "convWeightGrad";
  static constexpr std::string_view formula = "dW[o,c,a,b'] = Σ_n Σ_{i,j} x_n[c, i+a−pH, j+b'−pW]·dy_n[o,i,j]";
  static constexpr OperandSpec operands[] = {{"x", true}, {"dy", true}};
  static constexpr std::span<const AttributeSpec> attributes = kernelAttributes;
  static constexpr int cotangent = 1;
  static constexpr bool sumsExamples = true;
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}, Shape{s.K, s.H, s.W}}, kernelSample(s)}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 4, "[N,I,H,W]");
    rule.requireRank(1, 4, "[N,O,H,W]");
    rule.require(1, Shape{rule.operand(0)[0], rule.operand(1)[1], rule.operand(0)[2], rule.operand(0)[3]});
    return Shape{rule.operand(1)[1], rule.operand(0)[1], positive(rule, "kH"), positive(rule, "kW")};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& dy = call.in(1);
    convWeightGrad(call, [&](std::int64_t n) { return Dense2d<typename D::Scalar>{dy.slice(n)}; });
  }
};

struct ConvBiasGrad : WholeBatchNode {
  static constexpr std::string_view name = "convBiasGrad";
  static constexpr std::string_view formula = "db[o] = Σ_n Σ_{i,j} dy_n[o,i,j]";
  static constexpr OperandSpec operands[] = {{"dy", true}};
  static constexpr int cotangent = 0;
  static constexpr bool sumsExamples = true;
  static Sample sample(const SampleSize& s) { return {{Shape{s.K, s.H, s.W}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 4, "[N,O,H,W]");
    return Shape{rule.operand(0)[1]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& dy = call.in(0);
    for (std::int64_t o = 0; o < call.out.extent(0); ++o) {
      typename D::Sum sum;
      for (std::int64_t n = 0; n < dy.extent(0); ++n)
        for (std::int64_t i = 0; i < dy.extent(2); ++i)
          for (std::int64_t j = 0; j < dy.extent(3); ++j) sum.add(dy(n, o, i, j));
      call.out(o) = sum.total();
    }
  }
};

/// The bias of a convolution that has none.
struct ZeroBias : WholeBatchNode {
  static constexpr std::string_view name = "zeroBias";
  static constexpr std::string_view formula = "b[o] = 0 for every output channel of W";
  static constexpr OperandSpec operands[] = {{"W", false}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.K, s.C, s.kH, s.kW}}}; }

  static Shape shape(const ShapeRule& rule) {
    requireKernel(rule, 0, "[O,I,kH,kW]");
    return Shape{rule.operand(0)[0]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t o = 0; o < call.out.cells(); ++o) call.out[o] = typename D::Scalar{};
  }
};

struct ConvStrided : PerExampleNode {
  static constexpr std::string_view name = "convStrided";
  static constexpr std::string_view formula =
      "the stride-1 conv of x [I,2h,2w] at positions [2i, 2j] (phase even) or [2i+1, 2j+1] (phase odd)";
  static constexpr OperandSpec operands[] = {{"W", false}, {"b", false}, {"x", true}};
  static constexpr std::span<const AttributeSpec> attributes = phaseAttribute;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.K, s.C, s.kH, s.kW}, Shape{s.K}, Shape{s.C, 2 * s.H, 2 * s.W}}, phaseSample(s)};
  }

  static Shape shape(const ShapeRule& rule) {
    requireConvOperands(rule);
    requireEvenMap(rule, 2);
    rule.requireKeyword("phase", phaseWords);
    return Shape{rule.operand(0)[0], rule.operand(2)[1] / 2, rule.operand(2)[2] / 2};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto &w = call.in(0), &b = call.in(1), &x = call.in(2);
    const std::int64_t s = phaseOffset(call.attributes);
    fillMap(call.out, [&](auto o, auto i, auto j) { return convAt<D>(w, b(o), x, o, 2 * i + s, 2 * j + s); });
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::convStridedWeightGrad, {rule.operand(2), rule.dy()},
                                   kernelOf(rule.shape(0), rule.attributes())));
    if (rule.wants(1)) rule.set(1, rule.builder.apply(nodes::convBiasGrad, {rule.dy()}));
    if (rule.wants(2))
      rule.set(2, rule.builder.apply(nodes::convStridedBack, {rule.operand(0), rule.dy()}, rule.attributes()));
  }
};

struct ConvStridedBack : PerExampleNode {
  static constexpr std::string_view name = "convStridedBack";
  static constexpr std::string_view formula =
      "convBack of dy scattered onto the even (odd) positions of a zero [2h,2w] map";
  static constexpr OperandSpec operands[] = {{"W", false}, {"dy", true}};
  static constexpr std::span<const AttributeSpec> attributes = phaseAttribute;
  static constexpr int cotangent = 1;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.K, s.C, s.kH, s.kW}, Shape{s.K, s.H, s.W}}, phaseSample(s)};
  }

  static Shape shape(const ShapeRule& rule) {
    const Shape half = ConvBack::shape(rule);
    rule.requireKeyword("phase", phaseWords);
    return Shape{half[0], 2 * half[1], 2 * half[2]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const Scattered2d<typename D::Scalar> dy{call.in(1), phaseOffset(call.attributes)};
    fillMap(call.out, [&](auto c, auto i, auto j) { return convBackAt<D>(call.in(0), dy, c, i, j); });
  }
};

struct ConvStridedWeightGrad : WholeBatchNode {
  static constexpr std::string_view name = "convStridedWeightGrad";
  static constexpr std::string_view formula =
      "convWeightGrad at dy scattered onto the even (odd) positions of a zero [2h,2w] map";
  static constexpr OperandSpec operands[] = {{"x", true}, {"dy", true}};
  static constexpr std::span<const AttributeSpec> attributes = stridedKernelAttributes;
  static constexpr int cotangent = 1;
  static constexpr bool sumsExamples = true;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.C, 2 * s.H, 2 * s.W}, Shape{s.K, s.H, s.W}}, stridedKernelSample(s)};
  }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 4, "[N,I,2h,2w]");
    rule.requireRank(1, 4, "[N,O,h,w]");
    if (rule.operand(0)[2] % 2 != 0 || rule.operand(0)[3] % 2 != 0) rule.refuse(0, "a map of even extents");
    rule.require(1, Shape{rule.operand(0)[0], rule.operand(1)[1], rule.operand(0)[2] / 2, rule.operand(0)[3] / 2});
    rule.requireKeyword("phase", phaseWords);
    return Shape{rule.operand(1)[1], rule.operand(0)[1], positive(rule, "kH"), positive(rule, "kW")};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& dy = call.in(1);
    const std::int64_t s = phaseOffset(call.attributes);
    convWeightGrad(call, [&](std::int64_t n) { return Scattered2d<typename D::Scalar>{dy.slice(n), s}; });
  }
};

}  // namespace shardlaw
