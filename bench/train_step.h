// What the benchmarks of train steps share: their inputs, and the clock.
#pragma once

#include <chrono>
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

/// The timed loop of a benchmark whose runs use every thread: `counter` says how many times as long as `peer` it took,
/// in wall time, which runs as often right after it. Returns the seconds of one run.
template <class Run, class Peer>
double measureWallAgainst(benchmark::State& state, const char* counter, const Run& run, const Peer& peer) {
  const auto seconds = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  const double start = seconds();
  for (auto _ : state) run();
  const double between = seconds();
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(state.iterations()); ++i) peer();
  state.counters[counter] = (between - start) / (seconds() - between);
  return (between - start) / static_cast<double>(state.iterations());
}

}  // namespace shardlaw::bench
