// Inputs of a train step, for benchmarks.
#pragma once

#include <vector>

#include "bench/measure.h"
#include "net/host/protocol.h"

namespace shardlaw::bench {

/// Arbitrary numbers; of floats the weights have their usual size, or the loss overflows.
template <class D>
std::vector<Tensor<typename D::Scalar>> stepInputs(const Program& program, const Net& net) {
  std::vector<Tensor<typename D::Scalar>> inputs;
  std::uint64_t first = 1;
  for (const ValueId id : program.inputs()) inputs.push_back(operand<D>(program.value(id).type.shape, (first++) << 32));
  if constexpr (!std::is_same_v<D, Exact>) {
    auto initial = initialParameters<typename D::Scalar>(net, 1);
    std::move(initial.begin(), initial.end(), inputs.begin() + 1);
  }
  return inputs;
}

}  // namespace shardlaw::bench
