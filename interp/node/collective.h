// Collectives of SEMANTICS 2.3: the nodes that see the values of all replicas.
#pragma once

#include "interp/ir/builder.h"
#include "interp/node/nodes.h"

namespace shardlaw {

struct AllReduceMean : CollectiveNode {
  static constexpr std::string_view name = "allReduceMean";
  static constexpr std::string_view formula = "(1/R)·Σ_r v_r, handed to every replica";
  static constexpr OperandSpec operands[] = {{"v", false}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.C}}}; }

  static Shape shape(const ShapeRule& rule) { return rule.operand(0); }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto replicas = call.domain.literal(static_cast<long>(call.operands.size()));
    for (std::int64_t i = 0; i < call.out.cells(); ++i) {
      typename D::Sum sum;
      for (const auto& replica : call.operands) sum.add(replica[i]);
      call.out[i] = sum.total() / replicas;
    }
  }
  /// Σ_r ⟨dy_r, AR(v)⟩ = ⟨Σ_r dy_r/R, v_s⟩ for every s: the transpose of a mean is a mean.
  static void adjoint(AdjointRule& rule) { rule.set(0, rule.builder.apply(nodes::allReduceMean, {rule.dy()})); }
};

}  // namespace shardlaw
