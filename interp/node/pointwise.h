// Pointwise nodes of SEMANTICS 2.2: cell by cell, on batched values and on parameters alike.
#pragma once

#include "interp/ir/builder.h"
#include "interp/node/nodes.h"

namespace shardlaw {

struct Relu : PointwiseNode {
  static constexpr std::string_view name = "relu";
  static constexpr std::string_view formula = "max(x, 0)";
  static constexpr OperandSpec operands[] = {{"x", true}};
  static Sample sample(const SampleSize& s) { return unarySample(s); }

  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t i = 0; i < call.out.cells(); ++i)
      call.out[i] = call.domain.max(call.in(0)[i], typename D::Scalar{});
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::selectPos, {rule.operand(0), rule.dy()}));
  }
};

struct SelectPos : PointwiseNode {
  static constexpr std::string_view name = "selectPos";
  static constexpr std::string_view formula = "dy where p > 0, else 0; p the saved relu input";
  static constexpr OperandSpec operands[] = {{"p", true}, {"dy", true}};
  static constexpr int cotangent = 1;
  static Sample sample(const SampleSize& s) { return binarySample(s); }

  template <class D>
  static void denote(const Call<D>& call) {
    const typename D::Scalar zero{};
    for (std::int64_t i = 0; i < call.out.cells(); ++i)
      call.out[i] = call.domain.select(call.domain.less(zero, call.in(0)[i]), call.in(1)[i], zero);
  }
};

struct Relu6 : PointwiseNode {
  static constexpr std::string_view name = "relu6";
  static constexpr std::string_view formula = "min(max(x, 0), 6)";
  static constexpr OperandSpec operands[] = {{"x", true}};
  static Sample sample(const SampleSize& s) { return unarySample(s); }

  template <class D>
  static void denote(const Call<D>& call) {
    const auto six = call.domain.literal(6);
    for (std::int64_t i = 0; i < call.out.cells(); ++i)
      call.out[i] = call.domain.min(call.domain.max(call.in(0)[i], typename D::Scalar{}), six);
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::selectMid, {rule.operand(0), rule.dy()}));
  }
};

struct SelectMid : PointwiseNode {
  static constexpr std::string_view name = "selectMid";
  static constexpr std::string_view formula = "dy where 0 < p < 6, else 0; p the saved relu6 input";
  static constexpr OperandSpec operands[] = {{"p", true}, {"dy", true}};
  static constexpr int cotangent = 1;
  static Sample sample(const SampleSize& s) { return binarySample(s); }

  template <class D>
  static void denote(const Call<D>& call) {
    const typename D::Scalar zero{};
    const auto six = call.domain.literal(6);
    for (std::int64_t i = 0; i < call.out.cells(); ++i) {
      const auto p = call.in(0)[i];
      call.out[i] = call.domain.select(call.domain.less(zero, p) & call.domain.less(p, six), call.in(1)[i], zero);
    }
  }
};

inline constexpr AttributeSpec byAttribute[] = {{"by", AttributeType::rational}};
inline const Attributes bySample{{"by", Attribute{ratio(-3, 7)}}};

struct Scale : PointwiseNode {
  static constexpr std::string_view name = "scale";
  static constexpr std::string_view formula = "by·x";
  static constexpr OperandSpec operands[] = {{"x", true}};
  static constexpr std::span<const AttributeSpec> attributes = byAttribute;
  static Sample sample(const SampleSize& s) { return {unarySample(s).operands, bySample}; }

  template <class D>
  static void denote(const Call<D>& call) {
    const auto by = call.literal("by");
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = by * call.in(0)[i];
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::scale, {rule.dy()}, rule.attributes()));
  }
};

struct Shift : PointwiseNode {
  static constexpr std::string_view name = "shift";
  static constexpr std::string_view formula = "x + by";
  static constexpr OperandSpec operands[] = {{"x", true}};
  static constexpr std::span<const AttributeSpec> attributes = byAttribute;
  static Sample sample(const SampleSize& s) { return {unarySample(s).operands, bySample}; }

  template <class D>
  static void denote(const Call<D>& call) {
    const auto by = call.literal("by");
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = call.in(0)[i] + by;
  }
  static void adjoint(AdjointRule& rule) { rule.set(0, rule.dy()); }
};

struct DivConst : PointwiseNode {
  static constexpr std::string_view name = "divConst";
  static constexpr std::string_view formula = "x/by, a true division by the literal";
  static constexpr OperandSpec operands[] = {{"x", true}};
  static constexpr std::span<const AttributeSpec> attributes = byAttribute;
  static Sample sample(const SampleSize& s) { return {unarySample(s).operands, bySample}; }

  static Shape shape(const ShapeRule& rule) {
    if (rule.attributes().rational("by") == 0) rule.refuse("attribute by: expected a divisor other than 0, found 0");
    return PointwiseNode::shape(rule);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto by = call.literal("by");
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = call.in(0)[i] / by;
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::divConst, {rule.dy()}, rule.attributes()));
  }
};

struct Add : PointwiseNode {
  static constexpr std::string_view name = "add";
  static constexpr std::string_view formula = "a + b";
  static constexpr OperandSpec operands[] = {{"a", true}, {"b", true}};
  static Sample sample(const SampleSize& s) { return binarySample(s); }

  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = call.in(0)[i] + call.in(1)[i];
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.dy());
    rule.set(1, rule.dy());
  }
};

struct Sub : PointwiseNode {
  static constexpr std::string_view name = "sub";
  static constexpr std::string_view formula = "a − b";
  static constexpr OperandSpec operands[] = {{"a", true}, {"b", true}};
  static Sample sample(const SampleSize& s) { return binarySample(s); }

  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = call.in(0)[i] - call.in(1)[i];
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.dy());
    rule.set(1, rule.builder.apply(nodes::scale, {rule.dy()}, {{"by", Attribute{Rational(-1)}}}));
  }
};

struct Mul : PointwiseNode {
  static constexpr std::string_view name = "mul";
  static constexpr std::string_view formula = "a·b";
  static constexpr OperandSpec operands[] = {{"a", true}, {"b", true}};
  static Sample sample(const SampleSize& s) { return binarySample(s); }

  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = call.in(0)[i] * call.in(1)[i];
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::mul, {rule.operand(1), rule.dy()}));
    rule.set(1, rule.builder.apply(nodes::mul, {rule.operand(0), rule.dy()}));
  }
};

struct ScaleBy : PerExampleNode {
  static constexpr std::string_view name = "scaleBy";
  static constexpr std::string_view formula = "s·x, s of rank 0";
  static constexpr OperandSpec operands[] = {{"s", false}, {"x", true}};
  static Sample sample(const SampleSize& s) { return {{Shape{}, Shape{s.C, s.H, s.W}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.require(0, Shape{});
    return rule.operand(1);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = call.in(0)[0] * call.in(1)[i];
  }
};

}  // namespace shardlaw
