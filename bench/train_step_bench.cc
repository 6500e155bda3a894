// A whole train step of cifar8-bn-narrow with SGD on 128 examples, in f64, f32 and exact, on all threads: examples per
// second of wall time, and how many times as long as f64's in the same run. bench/torch_step.py holds it against
// PyTorch.
#include <sys/resource.h>

#include "bench/train_step.h"
#include "interp/exec/evaluate.h"

namespace shardlaw::bench {
namespace {

constexpr std::int64_t batch = 128;

template <class D>
class Step {
 public:
  Step() : domain_(makeDomain<D>()), program_(trainStep(net(), batch, {})) { inputs_ = stepInputs<D>(program_, net()); }

  void operator()() const { benchmark::DoNotOptimize(evaluate(domain_, program_, {inputs_}, {.keepAll = false})); }

 private:
  static Net net() { return cifar8(64); }

  D domain_;
  Program program_;
  std::vector<Tensor<typename D::Scalar>> inputs_;
};

/// Of f64's step right after it; wall time, as both use every thread.
template <class D>
void measureStep(benchmark::State& state) {
  omp_set_num_threads(omp_get_num_procs());
  const Step<D> run;
  const Step<F64> peer;
  run();
  peer();
  const double seconds = measureWallAgainst(state, "times_f64", run, peer);
  state.counters["examples_per_second"] = static_cast<double>(batch) / seconds;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  state.counters["peak_MiB"] = static_cast<double>(used.ru_maxrss) / 1024;
  countItems(state, batch);
}

}  // namespace
}  // namespace shardlaw::bench

int main(int argc, char** argv) {
  using namespace shardlaw;
  const auto add = [](const char* name, void (*run)(benchmark::State&)) {
    benchmark::RegisterBenchmark(name, run)->Unit(benchmark::kMillisecond);
  };
  add("step/exact", bench::measureStep<Exact>);
  add("step/f64", bench::measureStep<F64>);
  add("step/f32", bench::measureStep<F32>);
  return bench::runRegistered(argc, argv);
}
