// Dense layers of SEMANTICS 2.2, and the flattening in front of them.
#pragma once

#include "interp/ir/builder.h"
#include "interp/node/convolution.h"
#include "interp/node/nodes.h"

namespace shardlaw {

struct Dense : PerExampleNode {
  static constexpr std::string_view name = "dense";
  static constexpr std::string_view formula = "y_j = Σ_i x_i·W[i,j] + b_j";
  static constexpr OperandSpec operands[] = {{"W", false}, {"b", false}, {"x", true}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.K}, Shape{s.K}, Shape{s.C}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 2, "[in,out]");
    rule.require(1, Shape{rule.operand(0)[1]});
    rule.require(2, Shape{rule.operand(0)[0]});
    return Shape{rule.operand(0)[1]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto &w = call.in(0), &b = call.in(1), &x = call.in(2);
    for (std::int64_t j = 0; j < w.extent(1); ++j) {
      typename D::Sum sum;
      for (std::int64_t i = 0; i < w.extent(0); ++i) sum.addProduct(x(i), w(i, j));
      sum.add(b(j));
      call.out(j) = sum.total();
    }
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::denseWeightGrad, {rule.operand(2), rule.dy()}));
    rule.set(1, rule.builder.apply(nodes::denseBiasGrad, {rule.dy()}));
    if (rule.wants(2)) rule.set(2, rule.builder.apply(nodes::denseBack, {rule.operand(0), rule.dy()}));
  }
};

struct DenseBack : PerExampleNode {
  static constexpr std::string_view name = "denseBack";
  static constexpr std::string_view formula = "dx = dy·Wᵀ";
  static constexpr OperandSpec operands[] = {{"W", false}, {"dy", true}};
  static constexpr int cotangent = 1;
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.K}, Shape{s.K}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 2, "[in,out]");
    rule.require(1, Shape{rule.operand(0)[1]});
    return Shape{rule.operand(0)[0]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto &w = call.in(0), &dy = call.in(1);
    for (std::int64_t i = 0; i < w.extent(0); ++i) {
      typename D::Sum sum;
      for (std::int64_t j = 0; j < w.extent(1); ++j) sum.addProduct(dy(j), w(i, j));
      call.out(i) = sum.total();
    }
  }
};

struct DenseWeightGrad : WholeBatchNode {
  static constexpr std::string_view name = "denseWeightGrad";
  static constexpr std::string_view formula = "dW = Σ_n x_n ⊗ dy_n";
  static constexpr OperandSpec operands[] = {{"x", true}, {"dy", true}};
  static constexpr int cotangent = 1;
  static constexpr bool sumsExamples = true;
  static Sample sample(const SampleSize& s) { return {{Shape{s.C}, Shape{s.K}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 2, "[N,in]");
    rule.requireRank(1, 2, "[N,out]");
    return Shape{rule.operand(0)[1], rule.operand(1)[1]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto &x = call.in(0), &dy = call.in(1);
    for (std::int64_t i = 0; i < x.extent(1); ++i)
      for (std::int64_t j = 0; j < dy.extent(1); ++j) {
        typename D::Sum sum;
        for (std::int64_t n = 0; n < x.extent(0); ++n) sum.addProduct(x(n, i), dy(n, j));
        call.out(i, j) = sum.total();
      }
  }
};

struct DenseBiasGrad : WholeBatchNode {
  static constexpr std::string_view name = "denseBiasGrad";
  static constexpr std::string_view formula = "db = Σ_n dy_n";
  static constexpr OperandSpec operands[] = {{"dy", true}};
  static constexpr int cotangent = 0;
  static constexpr bool sumsExamples = true;
  static Sample sample(const SampleSize& s) { return {{Shape{s.K}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 2, "[N,out]");
    return Shape{rule.operand(0)[1]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& dy = call.in(0);
    for (std::int64_t j = 0; j < dy.extent(1); ++j) {
      typename D::Sum sum;
      for (std::int64_t n = 0; n < dy.extent(0); ++n) sum.add(dy(n, j));
      call.out(j) = sum.total();
    }
  }
};

struct Flatten : PerExampleNode {
  static constexpr std::string_view name = "flatten";
  static constexpr std::string_view formula = "[C,H,W] as [C·H·W], row-major";
  static constexpr OperandSpec operands[] = {{"x", true}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 3, "[C,H,W]");
    return Shape{rule.operand(0).cells()};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = call.in(0)[i];
  }
  static void adjoint(AdjointRule& rule) {
    const Shape x = rule.shape(0);
    rule.set(0, rule.builder.apply(nodes::unflatten, {rule.dy()},
                                   {{"C", Attribute{x[1]}}, {"H", Attribute{x[2]}}, {"W", Attribute{x[3]}}}));
  }
};

struct Unflatten : PerExampleNode {
  static constexpr std::string_view name = "unflatten";
  static constexpr std::string_view formula = "[C·H·W] as [C,H,W], row-major";
  static constexpr OperandSpec operands[] = {{"x", true}};
  static constexpr AttributeSpec extents[] = {
      {"C", AttributeType::integer}, {"H", AttributeType::integer}, {"W", AttributeType::integer}};
  static constexpr std::span<const AttributeSpec> attributes = extents;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.C * s.H * s.W}}, {{"C", Attribute{s.C}}, {"H", Attribute{s.H}}, {"W", Attribute{s.W}}}};
  }

  static Shape shape(const ShapeRule& rule) {
    const Shape map{positive(rule, "C"), positive(rule, "H"), positive(rule, "W")};
    rule.require(0, Shape{map.cells()});
    return map;
  }
  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = call.in(0)[i];
  }
  static void adjoint(AdjointRule& rule) { rule.set(0, rule.builder.apply(nodes::flatten, {rule.dy()})); }
};

}  // namespace shardlaw
