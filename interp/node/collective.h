// Collectives of SEMANTICS 2.3: the nodes that see the values of all replicas.
#pragma once

#include <algorithm>
#include <bit>

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
    const std::size_t replicas = call.operands.size();
    if (replicas == 1) {
      std::copy_n(call.in(0).data(), call.out.cells(), call.out.data());
      return;
    }
    // Σ_r v_r/2^k, over R/2^k with 2^k ≥ R: the float sum cannot overflow where the mean does not. A power of
    // two scales floats exactly, so nothing else changes but numbers within R of the least subnormal.
    const auto power = static_cast<long>(std::bit_ceil(replicas));
    const auto scale = call.domain.literal(ratio(1, power));
    const auto divisor = call.domain.literal(ratio(static_cast<long>(replicas), power));
    for (std::int64_t i = 0; i < call.out.cells(); ++i) {
      typename D::Sum sum;
      for (const auto& replica : call.operands) sum.addProduct(replica[i], scale);
      call.out[i] = sum.total() / divisor;
    }
  }
  /// Σ_r ⟨dy_r, AR(v)⟩ = ⟨Σ_r dy_r/R, v_s⟩ for every s: the transpose of a mean is a mean.
  static void adjoint(AdjointRule& rule) { rule.set(0, rule.builder.apply(nodes::allReduceMean, {rule.dy()})); }
};

}  // namespace shardlaw
