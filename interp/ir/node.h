// What a node is: name, signature, shape rule, denotation in every domain, adjoint.
#pragma once

#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "interp/ir/attributes.h"
#include "interp/number/domains.h"
#include "interp/tensor/tensor.h"

namespace shardlaw {

class ShapeRule;
class AdjointRule;

/// How a node meets the batch axis.
enum class NodeKind {
  pointwise,   ///< cell by cell on operands of one type, batched or not; so it is per-example as well
  perExample,  ///< a batchMap: the denotation sees one example; `exec` lifts it over the batch
  wholeBatch,  ///< the denotation sees all examples of its replica
  collective,  ///< the denotation sees the operand of every replica; its result is handed to all
};

struct OperandSpec {
  std::string_view name;
  bool batched;  ///< has a leading example axis; a parameter or statistic has none. Unused if pointwise.
};

/// The operands, result and attributes of one evaluation of a node. For a per-example node batched
/// operands and the result are those of one example; for a collective operand r is replica r's.
template <class D>
struct Call {
  using Scalar = typename D::Scalar;

  const D& domain;
  std::span<const View<const Scalar>> operands;
  View<Scalar> out;
  const Attributes& attributes;

  const View<const Scalar>& in(std::size_t i) const { return operands[i]; }
  Scalar literal(std::string_view attribute) const { return domain.literal(attributes.rational(attribute)); }
  std::int64_t integer(std::string_view attribute) const { return attributes.integer(attribute); }
};

/// The extents from which a node draws operands for a test: C channels, maps of H×W, K outputs, a kernel of
/// kH×kW, and ε. Strided nodes and pools read them as the extents of their small side.
struct SampleSize {
  std::int64_t N = 1, C = 1, H = 1, W = 1, K = 1, kH = 1, kW = 1;
  bool odd = false;
  Rational eps = 1;
};

/// Operands that a node accepts: their shapes (without the example axis where batched) and the attributes.
struct Sample {
  std::vector<Shape> operands;
  Attributes attributes{};
};

template <class D>
using DenoteFunction = void (*)(const Call<D>&);

#define SHARDLAW_FUNCTION_ENTRY(DOMAIN, ...) DenoteFunction<DOMAIN>,
/// One function pointer per domain; the last entry only ends the list.
using Denotations = std::tuple<SHARDLAW_DOMAINS(SHARDLAW_FUNCTION_ENTRY) std::nullptr_t>;
#undef SHARDLAW_FUNCTION_ENTRY

struct Node {
  std::string_view name;
  std::string_view formula;
  NodeKind kind;
  std::span<const OperandSpec> operands;
  bool batchedResult;  ///< unused if pointwise
  std::span<const AttributeSpec> attributes;
  /// The operand in which the node is linear as a vector-Jacobian product or gradient; −1 for other nodes.
  int cotangent;
  /// The result is a sum of one term per example (Σ_n), so that laws about sharded sums apply to it.
  bool sumsExamples;
  /// Operands that the node accepts at the given sizes.
  Sample (*sample)(const SampleSize&);
  /// Shape of the result; for a per-example node all shapes are those of one example.
  Shape (*shape)(const ShapeRule&);
  /// Builds the vector-Jacobian product; null where the node has none.
  void (*adjoint)(AdjointRule&);
  /// The adjoint is that of the function without its rounding, so not the transpose of this one.
  bool straightThrough;
  Denotations denotations;

  template <class D>
  DenoteFunction<D> denotation() const {
    return std::get<DenoteFunction<D>>(denotations);
  }
};

/// Defaults that a node's struct inherits; the kind decides what it must still say.
struct PointwiseNode {
  static constexpr NodeKind kind = NodeKind::pointwise;
  static constexpr bool batchedResult = true;
  static constexpr std::span<const AttributeSpec> attributes{};
  static constexpr int cotangent = -1;
  static constexpr bool sumsExamples = false;
  static constexpr bool straightThrough = false;
  /// All operands and the result have one shape.
  static Shape shape(const ShapeRule& rule);
  static Sample unarySample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}}}; }
  static Sample binarySample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}, Shape{s.C, s.H, s.W}}}; }
};
struct PerExampleNode {
  static constexpr NodeKind kind = NodeKind::perExample;
  static constexpr bool batchedResult = true;
  static constexpr std::span<const AttributeSpec> attributes{};
  static constexpr int cotangent = -1;
  static constexpr bool sumsExamples = false;
  static constexpr bool straightThrough = false;
};
struct WholeBatchNode {
  static constexpr NodeKind kind = NodeKind::wholeBatch;
  static constexpr bool batchedResult = false;
  static constexpr std::span<const AttributeSpec> attributes{};
  static constexpr int cotangent = -1;
  static constexpr bool sumsExamples = false;
  static constexpr bool straightThrough = false;
};
struct CollectiveNode {
  static constexpr NodeKind kind = NodeKind::collective;
  static constexpr bool batchedResult = false;
  static constexpr std::span<const AttributeSpec> attributes{};
  static constexpr int cotangent = -1;
  static constexpr bool sumsExamples = false;
  static constexpr bool straightThrough = false;
};

/// The runtime description of the node that the struct T defines.
template <class T>
constexpr Node makeNode() {
  void (*adjoint)(AdjointRule&) = nullptr;
  if constexpr (requires(AdjointRule & rule) { T::adjoint(rule); }) adjoint = &T::adjoint;
#define SHARDLAW_FUNCTION_ADDRESS(DOMAIN, ...) &T::template denote<DOMAIN>,
  return Node{.name = T::name,
              .formula = T::formula,
              .kind = T::kind,
              .operands = T::operands,
              .batchedResult = T::batchedResult,
              .attributes = T::attributes,
              .cotangent = T::cotangent,
              .sumsExamples = T::sumsExamples,
              .sample = &T::sample,
              .shape = &T::shape,
              .adjoint = adjoint,
              .straightThrough = T::straightThrough,
              .denotations = {SHARDLAW_DOMAINS(SHARDLAW_FUNCTION_ADDRESS) nullptr}};
#undef SHARDLAW_FUNCTION_ADDRESS
}

}  // namespace shardlaw
