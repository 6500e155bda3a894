// Optimizers of SEMANTICS 2.4, coordinate by coordinate: parameters θ, moments m and v, gradients g, and the
// rank-0 schedule values that the host computes.
#pragma once

#include "interp/ir/builder.h"
#include "interp/node/nodes.h"

namespace shardlaw {

/// Operands 0 … tensors−1 have one shape; the rest are of rank 0.
inline Shape requireCoordinates(const ShapeRule& rule, std::size_t tensors) {
  for (std::size_t i = 1; i < tensors; ++i) rule.requireSame(0, i);
  for (std::size_t i = tensors; i < rule.operands(); ++i) rule.require(i, Shape{});
  return rule.operand(0);
}

/// A decay rate or momentum: at least 0, below 1.
inline void requireRate(const ShapeRule& rule, std::string_view name) {
  const Rational& rate = rule.attributes().rational(name);
  if (rate < 0 || rate >= 1)
    rule.refuse("attribute " + std::string(name) + ": expected at least 0 and below 1, found " + toString(rate));
}

inline Sample coordinateSample(const SampleSize& s, std::size_t tensors, std::size_t scalars, Attributes attributes) {
  std::vector<Shape> operands(tensors, Shape{s.K, s.C});
  operands.resize(tensors + scalars);
  return {std::move(operands), std::move(attributes)};
}

inline constexpr AttributeSpec momentumAttribute[] = {{"momentum", AttributeType::rational}};
inline constexpr AttributeSpec betaAttributes[] = {{"beta", AttributeType::rational},
                                                   {"oneMinusBeta", AttributeType::rational}};
inline constexpr AttributeSpec adamwAttributes[] = {{"eps", AttributeType::rational},
                                                    {"decay", AttributeType::rational}};

struct Sgd : WholeBatchNode {
  static constexpr std::string_view name = "sgd";
  static constexpr std::string_view formula = "θ − lr·g";
  static constexpr OperandSpec operands[] = {{"θ", false}, {"g", false}, {"lr", false}};
  static Sample sample(const SampleSize& s) { return coordinateSample(s, 2, 1, {}); }
  static Shape shape(const ShapeRule& rule) { return requireCoordinates(rule, 2); }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto lr = call.in(2)[0];
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = call.in(0)[i] - lr * call.in(1)[i];
  }
};

struct NesterovVelocity : WholeBatchNode {
  static constexpr std::string_view name = "nesterovVelocity";
  static constexpr std::string_view formula = "v' = μ·v + g";
  static constexpr OperandSpec operands[] = {{"v", false}, {"g", false}};
  static constexpr std::span<const AttributeSpec> attributes = momentumAttribute;
  static Sample sample(const SampleSize& s) {
    return coordinateSample(s, 2, 0, {{"momentum", Attribute{ratio(9, 10)}}});
  }
  static Shape shape(const ShapeRule& rule) {
    requireRate(rule, "momentum");
    return requireCoordinates(rule, 2);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto mu = call.literal("momentum");
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = mu * call.in(0)[i] + call.in(1)[i];
  }
};

struct Nesterov : WholeBatchNode {
  static constexpr std::string_view name = "nesterov";
  static constexpr std::string_view formula = "θ − lr·(g + μ·v'), v' the new velocity";
  static constexpr OperandSpec operands[] = {{"θ", false}, {"g", false}, {"v'", false}, {"lr", false}};
  static constexpr std::span<const AttributeSpec> attributes = momentumAttribute;
  static Sample sample(const SampleSize& s) {
    return coordinateSample(s, 3, 1, {{"momentum", Attribute{ratio(9, 10)}}});
  }
  static Shape shape(const ShapeRule& rule) {
    requireRate(rule, "momentum");
    return requireCoordinates(rule, 3);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto mu = call.literal("momentum");
    const auto lr = call.in(3)[0];
    for (std::int64_t i = 0; i < call.out.cells(); ++i)
      call.out[i] = call.in(0)[i] - lr * (call.in(1)[i] + mu * call.in(2)[i]);
  }
};

/// (1−β) is a literal of its own, as it is in text: in floats it need not be 1 minus the other.
struct AdamwMoment : WholeBatchNode {
  static constexpr std::string_view name = "adamwMoment";
  static constexpr std::string_view formula = "m' = b1·m + (1−b1)·g";
  static constexpr OperandSpec operands[] = {{"m", false}, {"g", false}};
  static constexpr std::span<const AttributeSpec> attributes = betaAttributes;
  static Sample sample(const SampleSize& s) {
    return coordinateSample(s, 2, 0, {{"beta", Attribute{ratio(9, 10)}}, {"oneMinusBeta", Attribute{ratio(1, 10)}}});
  }
  static Shape shape(const ShapeRule& rule) {
    requireRate(rule, "beta");
    return requireCoordinates(rule, 2);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto beta = call.literal("beta"), rest = call.literal("oneMinusBeta");
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = beta * call.in(0)[i] + rest * call.in(1)[i];
  }
};

struct AdamwSquare : WholeBatchNode {
  static constexpr std::string_view name = "adamwSquare";
  static constexpr std::string_view formula = "v' = b2·v + (1−b2)·g²";
  static constexpr OperandSpec operands[] = {{"v", false}, {"g", false}};
  static constexpr std::span<const AttributeSpec> attributes = betaAttributes;
  static Sample sample(const SampleSize& s) {
    return coordinateSample(s, 2, 0,
                            {{"beta", Attribute{ratio(999, 1000)}}, {"oneMinusBeta", Attribute{ratio(1, 1000)}}});
  }
  static Shape shape(const ShapeRule& rule) { return AdamwMoment::shape(rule); }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto beta = call.literal("beta"), rest = call.literal("oneMinusBeta");
    for (std::int64_t i = 0; i < call.out.cells(); ++i)
      call.out[i] = beta * call.in(0)[i] + rest * (call.in(1)[i] * call.in(1)[i]);
  }
};

struct Adamw : WholeBatchNode {
  static constexpr std::string_view name = "adamw";
  static constexpr std::string_view formula =
      "θ − lr·(m'/bc1)/(√(v'/bc2) + ε) − (wd·lr)·θ: ε outside the root, decoupled decay on the old θ";
  static constexpr OperandSpec operands[] = {{"θ", false},  {"m'", false},  {"v'", false},
                                             {"lr", false}, {"bc1", false}, {"bc2", false}};
  static constexpr std::span<const AttributeSpec> attributes = adamwAttributes;
  static Sample sample(const SampleSize& s) {
    return coordinateSample(s, 3, 3, {{"eps", Attribute{decimal("1e-8")}}, {"decay", Attribute{decimal("1e-4")}}});
  }
  static Shape shape(const ShapeRule& rule) {
    if (rule.attributes().rational("eps") < 0) rule.refuse("attribute eps: expected at least 0");
    return requireCoordinates(rule, 3);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto eps = call.literal("eps");
    const auto lr = call.in(3)[0], bc1 = call.in(4)[0], bc2 = call.in(5)[0];
    const auto decay = call.literal("decay") * lr;
    for (std::int64_t i = 0; i < call.out.cells(); ++i) {
      const auto theta = call.in(0)[i];
      const auto root = call.domain.sqrt(call.in(2)[i] / bc2);
      call.out[i] = theta - lr * ((call.in(1)[i] / bc1) / (root + eps)) - decay * theta;
    }
  }
};

}  // namespace shardlaw
