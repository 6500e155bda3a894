// StableHLO text: reading it against reading as much JSON, and running a train step's text against the graph that it
// was rendered from, in the same run.
#include <nlohmann/json.hpp>

#include "bench/train_step.h"
#include "interp/exec/evaluate.h"
#include "interp/stablehlo/evaluate.h"
#include "interp/stablehlo/lower.h"
#include "interp/stablehlo/printer.h"
#include "interp/stablehlo/reader.h"

namespace shardlaw::bench {
namespace {

/// ResNet-34's train step three times over, as functions of one module: more than 2 MB.
std::string largeText() {
  StepOptions options;
  options.optimizer = Optimizer::adam;
  options.replicas = 2;
  const Program program = trainStep(findNet("resnet-34").make(), 32, options);
  stablehlo::Module module = stablehlo::lower(program, 2).module;
  for (const char* name : {"again", "once_more"}) {
    module.functions.push_back(module.functions[0]);
    module.functions.back().name = name;
  }
  return stablehlo::print(module);
}

/// The same lines as a JSON document, cut to the same size.
std::string jsonOf(const std::string& text) {
  auto lines = nlohmann::json::array();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines.dump();
}

void measureReading(benchmark::State& state) {
  const std::string text = largeText(), json = jsonOf(text);
  const auto read = [&] { benchmark::DoNotOptimize(stablehlo::parseModule(text, "text")); };
  const auto peer = [&] { benchmark::DoNotOptimize(nlohmann::json::parse(json)); };
  measureAgainst(state, read, peer);
  state.counters["megabytes"] = static_cast<double>(text.size()) / 1e6;
  state.counters["times_json"] = state.counters["times_peer"];
  state.counters.erase("times_peer");
}

/// cifar8-bn-narrow with SGD on 32 examples; of the graph's evaluation right after it, on all threads.
template <class D>
void measureStep(benchmark::State& state) {
  omp_set_num_threads(omp_get_num_procs());
  constexpr std::int64_t batch = 32;
  const Program program = trainStep(cifar8(64), batch, {});
  const stablehlo::Module module =
      stablehlo::parseModule(stablehlo::print(stablehlo::lower(program, 1).module), "text");
  const D domain = makeDomain<D>();
  const auto inputs = stepInputs<D>(program, cifar8(64));
  const auto text = [&] {
    std::vector<stablehlo::Cells<D>> arguments;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      auto copy = inputs[i];
      arguments.push_back(std::move(copy));
    }
    return stablehlo::evaluate(domain, module, {std::move(arguments)});
  };
  const auto graph = [&] { benchmark::DoNotOptimize(evaluate(domain, program, {inputs}, {.keepAll = false})); };
  const stablehlo::Peak peak = text().peak;
  graph();
  measureWallAgainst(
      state, "times_graph", [&] { benchmark::DoNotOptimize(text()); }, graph);
  state.counters["peak_over_live"] = static_cast<double>(peak.taken) / static_cast<double>(peak.live);
  state.counters["peak_MB"] = static_cast<double>(peak.taken) / 1e6;
  countItems(state, batch);
}

}  // namespace
}  // namespace shardlaw::bench

int main(int argc, char** argv) {
  using namespace shardlaw;
  const auto add = [](const char* name, void (*run)(benchmark::State&)) {
    benchmark::RegisterBenchmark(name, run)->Unit(benchmark::kMillisecond);
  };
  add("read/2MB", bench::measureReading);
  add("textStep/exact", bench::measureStep<Exact>);
  add("textStep/f64", bench::measureStep<F64>);
  add("textStep/f32", bench::measureStep<F32>);
  return bench::runRegistered(argc, argv);
}
