// The state of a training run, and checkpoints of it.
#pragma once

#include "net/host/curve.h"
#include "net/host/protocol.h"

namespace shardlaw {

/// [θ | m | v] and running statistics, in the orders of the net's tables, after curve.rows.size() steps.
template <class F>
struct TrainState {
  std::vector<Tensor<F>> theta, m, v, running;
  Curve curve;
};

/// Writes an .npz; `about` says what the run was started with. Throws Error.
template <class F>
void saveCheckpoint(const std::string& path, const Net& net, const TrainState<F>& state, const std::string& about);

/// Reads one. Throws Error where `about` differs, an array is missing or of another shape or type.
template <class F>
TrainState<F> readCheckpoint(const std::string& path, const Net& net, const std::string& about);

}  // namespace shardlaw
