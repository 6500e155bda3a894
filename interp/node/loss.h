// Softmax and cross-entropy of SEMANTICS 2.2.
#pragma once

#include "interp/ir/builder.h"
#include "interp/node/convolution.h"
#include "interp/node/nodes.h"

namespace shardlaw {

/// exp(z_j)/Σ_k exp(z_k) for every j, without a max shift.
template <class D, class S = typename D::Scalar>
Tensor<S> softmaxOf(const D& domain, View<const S> z) {
  Tensor<S> s(z.shape());
  typename D::Sum sum;
  for (std::int64_t j = 0; j < z.cells(); ++j) {
    s[j] = domain.exp(z[j]);
    sum.add(s[j]);
  }
  const S total = sum.total();
  for (std::int64_t j = 0; j < z.cells(); ++j) s[j] = s[j] / total;
  return s;
}

struct Softmax : PerExampleNode {
  static constexpr std::string_view name = "softmax";
  static constexpr std::string_view formula = "exp(z_j)/Σ_k exp(z_k)";
  static constexpr OperandSpec operands[] = {{"z", true}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.K}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 1, "[K]");
    return rule.operand(0);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto s = softmaxOf(call.domain, call.in(0));
    for (std::int64_t j = 0; j < call.out.cells(); ++j) call.out[j] = s[j];
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::softmaxBack, {rule.result(), rule.dy()}));
  }
};

struct SoftmaxBack : PerExampleNode {
  static constexpr std::string_view name = "softmaxBack";
  static constexpr std::string_view formula = "s_j·(dy_j − Σ_k s_k·dy_k), s the saved softmax";
  static constexpr OperandSpec operands[] = {{"s", true}, {"dy", true}};
  static constexpr int cotangent = 1;
  static Sample sample(const SampleSize& s) { return {{Shape{s.K}, Shape{s.K}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 1, "[K]");
    rule.requireSame(0, 1);
    return rule.operand(0);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto &s = call.in(0), &dy = call.in(1);
    typename D::Sum sum;
    for (std::int64_t k = 0; k < s.cells(); ++k) sum.addProduct(s[k], dy[k]);
    const auto inner = sum.total();
    for (std::int64_t j = 0; j < s.cells(); ++j) call.out[j] = s[j] * (dy[j] - inner);
  }
};

inline constexpr AttributeSpec batchAttribute[] = {{"batch", AttributeType::integer}};
inline constexpr AttributeSpec smoothingAttributes[] = {{"batch", AttributeType::integer},
                                                        {"alpha", AttributeType::rational}};

/// z and the labels t are [K] per example.
inline Shape requireLabels(const ShapeRule& rule) {
  rule.requireRank(0, 1, "[K]");
  rule.requireSame(0, 1);
  positive(rule, "batch");
  return rule.operand(0);
}

struct CrossEntropyCotangent : PerExampleNode {
  static constexpr std::string_view name = "crossEntropyCotangent";
  static constexpr std::string_view formula = "(softmax(z) − t)·(1/B), B the batch the program runs at";
  static constexpr OperandSpec operands[] = {{"z", true}, {"t", true}};
  static constexpr std::span<const AttributeSpec> attributes = batchAttribute;
  static Sample sample(const SampleSize& s) { return {{Shape{s.K}, Shape{s.K}}, {{"batch", Attribute{s.N}}}}; }

  static Shape shape(const ShapeRule& rule) { return requireLabels(rule); }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto s = softmaxOf(call.domain, call.in(0));
    const auto weight = call.domain.literal(ratio(1, call.integer("batch")));
    for (std::int64_t j = 0; j < call.out.cells(); ++j) call.out[j] = (s[j] - call.in(1)[j]) * weight;
  }
};

struct CrossEntropySmoothedCotangent : PerExampleNode {
  static constexpr std::string_view name = "crossEntropySmoothedCotangent";
  static constexpr std::string_view formula = "(softmax(z) − ((1−α)·t + α/K))/B";
  static constexpr OperandSpec operands[] = {{"z", true}, {"t", true}};
  static constexpr std::span<const AttributeSpec> attributes = smoothingAttributes;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.K}, Shape{s.K}}, {{"batch", Attribute{s.N}}, {"alpha", Attribute{ratio(1, 10)}}}};
  }

  static Shape shape(const ShapeRule& rule) {
    const Rational& alpha = rule.attributes().rational("alpha");
    if (alpha < 0 || alpha > 1) rule.refuse("attribute alpha: expected 0 to 1, found " + toString(alpha));
    return requireLabels(rule);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto s = softmaxOf(call.domain, call.in(0));
    const Rational& alpha = call.attributes.rational("alpha");
    const auto keep = call.domain.literal(1 - alpha);
    const auto spread = call.domain.literal(alpha / call.in(0).cells());
    const auto batch = call.domain.literal(call.integer("batch"));
    for (std::int64_t j = 0; j < call.out.cells(); ++j) call.out[j] = (s[j] - (keep * call.in(1)[j] + spread)) / batch;
  }
};

struct CrossEntropyLoss : WholeBatchNode {
  static constexpr std::string_view name = "crossEntropyLoss";
  static constexpr std::string_view formula = "−(1/B)·Σ_n Σ_j t_j·log softmax(z)_j";
  static constexpr OperandSpec operands[] = {{"z", true}, {"t", true}};
  static constexpr std::span<const AttributeSpec> attributes = batchAttribute;
  static constexpr bool sumsExamples = true;
  static Sample sample(const SampleSize& s) { return {{Shape{s.K}, Shape{s.K}}, {{"batch", Attribute{s.N}}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 2, "[N,K]");
    rule.requireSame(0, 1);
    positive(rule, "batch");
    return Shape{};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    typename D::Sum sum;
    for (std::int64_t n = 0; n < call.in(0).extent(0); ++n) {
      const auto s = softmaxOf(call.domain, call.in(0).slice(n));
      for (std::int64_t j = 0; j < s.cells(); ++j) sum.addProduct(call.in(1)(n, j), call.domain.log(s[j]));
    }
    call.out[0] = -(call.domain.literal(ratio(1, call.integer("batch"))) * sum.total());
  }
  /// The cotangent of SEMANTICS 2.2, scaled by the cotangent of the loss; labels that sum to 1 are assumed.
  static void adjoint(AdjointRule& rule) {
    const ValueId unit =
        rule.builder.apply(nodes::crossEntropyCotangent, {rule.operand(0), rule.operand(1)}, rule.attributes());
    rule.set(0, rule.builder.apply(nodes::scaleBy, {rule.dy(), unit}));
  }
};

}  // namespace shardlaw
