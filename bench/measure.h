// What the benchmark programs share: the clock, the peer in the same run, the operands, main().
#pragma once

#include <benchmark/benchmark.h>
#include <omp.h>

#include <cstdint>
#include <ctime>

#include "interp/number/domains.h"
#include "interp/number/hash.h"
#include "interp/tensor/tensor.h"

namespace shardlaw::bench {

/// CPU time of this thread, so that another program's load does not enter a ratio.
inline double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The timed loop of a benchmark. The counter `times_peer` says how many times as long as `peer` it took, which
/// runs as often, right after it and in the same process: a rate depends on the machine, this ratio much less.
template <class Run, class Peer>
void measureAgainst(benchmark::State& state, const Run& run, const Peer& peer) {
  const double start = cpuSeconds();
  for (auto _ : state) run();
  const double between = cpuSeconds();
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(state.iterations()); ++i) peer();
  const double end = cpuSeconds();
  if (end > between) state.counters["times_peer"] = (between - start) / (end - between);
}

template <class Run>
void measure(benchmark::State& state, const Run& run) {
  for (auto _ : state) run();
}

inline void countMultiplyAdds(benchmark::State& state, std::int64_t perIteration) {
  state.counters["multiply_adds"] =
      benchmark::Counter(static_cast<double>(perIteration), benchmark::Counter::kIsIterationInvariantRate);
}
inline void countItems(benchmark::State& state, std::int64_t perIteration) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * perIteration);
}

/// Cell i of an operand: any field element; a float in [½, 1½), which suits variances and logarithms as well.
template <class D>
struct Cell {
  static double number(std::uint64_t i) { return 0.5 + static_cast<double>(mix64(17, i) >> 11) * 0x1p-53; }
  static typename D::Scalar make(std::uint64_t i) { return static_cast<typename D::Scalar>(number(i)); }
};
template <>
struct Cell<Exact> {
  static Field make(std::uint64_t i) { return Field::fromUnsigned(mix64(17, i)); }
};
template <class F>
struct Cell<Bounded<F>> {
  /// Rounded once already, as in the middle of a computation.
  static BoundedScalar<F> make(std::uint64_t i) {
    const auto value = static_cast<F>(Cell<Ieee<F>>::number(i));
    return {value, BoundedScalar<F>::rounding(static_cast<double>(value))};
  }
};

template <class D>
Tensor<typename D::Scalar> operand(const Shape& shape, std::uint64_t firstCell = 0) {
  Tensor<typename D::Scalar> tensor(shape);
  for (std::int64_t i = 0; i < tensor.cells(); ++i)
    tensor[i] = Cell<D>::make(firstCell + static_cast<std::uint64_t>(i));
  return tensor;
}

template <class D>
D makeDomain() {
  if constexpr (std::is_same_v<D, Exact>) return D(1);
  else return D();
}

/// Runs what was registered. All rates are those of one core.
inline int runRegistered(int argc, char** argv) {
  omp_set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace shardlaw::bench
