// Evaluation of a program in a domain, for R replicas in lockstep.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interp/ir/program.h"

namespace shardlaw {

/// Values of a program: [replica][value]. A freed or absent value has no cells and rank 0.
template <class D>
using ReplicaValues = std::vector<std::vector<Tensor<typename D::Scalar>>>;

struct EvaluateOptions {
  /// Keep every value; otherwise a value is freed after its last use, and only results remain.
  bool keepAll = true;
  /// Called after each operation, with the position of its value.
  std::function<void(ValueId)> after{};
  /// Take a kernel (interp/kernel/kernel.h) where the node has one in this domain: the same values, sooner.
  bool kernels = true;
};

/// Evaluates `program` on one list of inputs per replica, in the order of Program::inputs(). Operations
/// run one after the other on all replicas; only collectives see across. The value of a per-example node
/// is its denotation on each example (batchMap). Replicas and examples are spread over OpenMP's threads;
/// the result does not depend on how many there are.
///
/// Throws Error where an input's shape differs from its type, and std::bad_alloc as usual.
template <class D>
ReplicaValues<D> evaluate(const D& domain, const Program& program,
                          std::vector<std::vector<Tensor<typename D::Scalar>>> inputs,
                          const EvaluateOptions& options = {});

#define SHARDLAW_EXTERN_EVALUATE(DOMAIN, ...)     \
  extern template ReplicaValues<DOMAIN> evaluate( \
      const DOMAIN&, const Program&, std::vector<std::vector<Tensor<DOMAIN::Scalar>>>, const EvaluateOptions&);
SHARDLAW_DOMAINS(SHARDLAW_EXTERN_EVALUATE)
#undef SHARDLAW_EXTERN_EVALUATE

}  // namespace shardlaw
