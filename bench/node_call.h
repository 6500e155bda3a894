// One node on operands of its own choosing, ready to be evaluated again and again.
#pragma once

#include <vector>

#include "bench/measure.h"
#include "interp/ir/builder.h"
#include "interp/node/nodes.h"

namespace shardlaw::bench {

/// The shapes of one application: whole operands and result, with the example axis where there is one.
struct NodeShapes {
  const Node* node;
  Attributes attributes;
  std::vector<Type> operands;
  Type result;
  std::int64_t examples;
};

/// Operands as the node's sample has them. The Builder finds the shape of the result, and refuses nonsense.
inline NodeShapes shapesOf(const Node& node, const SampleSize& size) {
  const Sample sample = node.sample(size);
  Builder builder;
  std::vector<ValueId> ids;
  for (std::size_t i = 0; i < sample.operands.size(); ++i) {
    const bool batched = node.kind == NodeKind::pointwise || node.operands[i].batched;
    const Shape& shape = sample.operands[i];
    ids.push_back(builder.input(std::to_string(i), {batched ? shape.batchOf(size.N) : shape, batched}));
  }
  const ValueId result = builder.apply(node, ids, sample.attributes);
  NodeShapes shapes{&node, sample.attributes, {}, builder.type(result), size.N};
  for (const ValueId id : ids) shapes.operands.push_back(builder.type(id));
  return shapes;
}

/// The calls that the evaluator would make, on one thread and with nothing around them.
template <class D>
class NodeCall {
  using Scalar = typename D::Scalar;

 public:
  explicit NodeCall(const NodeShapes& shapes) : NodeCall(shapes, shapes.node->denotation<D>()) {}
  NodeCall(const NodeShapes& shapes, DenoteFunction<D> denote)
      : domain_(makeDomain<D>()), attributes_(shapes.attributes), denote_(denote), out_(shapes.result.shape) {
    constexpr std::int64_t replicas = 4;
    const bool collective = shapes.node->kind == NodeKind::collective;
    for (std::int64_t r = 0; r < (collective ? replicas : 1); ++r)
      for (const Type& type : shapes.operands)
        operands_.push_back(operand<D>(type.shape, (static_cast<std::uint64_t>(operands_.size()) + 1) << 32));
    const bool perExample = shapes.node->kind == NodeKind::perExample;
    for (std::int64_t n = 0; n < (perExample ? shapes.examples : 1); ++n) {
      Part part{{}, perExample ? out_.view().slice(n) : out_.view()};
      for (std::size_t i = 0; i < operands_.size(); ++i) {
        const View<const Scalar> whole = std::as_const(operands_[i]).view();
        part.operands.push_back(perExample && shapes.operands[i].batched ? whole.slice(n) : whole);
      }
      parts_.push_back(std::move(part));
    }
  }
  NodeCall(const NodeCall&) = delete;
  NodeCall& operator=(const NodeCall&) = delete;

  void operator()() const {
    for (const Part& part : parts_) denote_(Call<D>{domain_, part.operands, part.out, attributes_});
  }
  std::int64_t cells() const { return out_.cells(); }

 private:
  struct Part {
    std::vector<View<const Scalar>> operands;
    View<Scalar> out;
  };

  D domain_;
  Attributes attributes_;
  DenoteFunction<D> denote_;
  std::vector<Tensor<Scalar>> operands_;
  Tensor<Scalar> out_;
  std::vector<Part> parts_;
};

/// A node in domain D, with f64 as the peer of every other domain.
template <class D>
void measureNode(benchmark::State& state, const NodeShapes& shapes) {
  const NodeCall<D> call(shapes);
  if constexpr (std::is_same_v<D, F64>) measure(state, call);
  else measureAgainst(state, call, NodeCall<F64>(shapes));
  countItems(state, call.cells());
}

}  // namespace shardlaw::bench
