// Whole train steps as text: every value of the graph, exactly, at one replica and at several.
#include "props/rendered.h"

#include <catch2/catch.hpp>

#include "interp/number/hash.h"
#include "net/program.h"

namespace shardlaw {
namespace {

std::vector<std::vector<Tensor<Field>>> inputsOf(const Program& program, std::int64_t replicas) {
  std::vector<std::vector<Tensor<Field>>> inputs(static_cast<std::size_t>(replicas));
  std::uint64_t key = 1;
  for (const ValueId id : program.inputs()) {
    const Type& type = program.value(id).type;
    ++key;
    for (std::int64_t r = 0; r < replicas; ++r) {
      Tensor<Field> cells(type.shape);
      const std::uint64_t of = type.batched ? mix64(key, static_cast<std::uint64_t>(r)) : key;
      for (std::int64_t i = 0; i < cells.cells(); ++i)
        cells[i] = Field::fromUnsigned(mix64(of, static_cast<std::uint64_t>(i)));
      inputs[static_cast<std::size_t>(r)].push_back(std::move(cells));
    }
  }
  return inputs;
}

/// The first value that differs, or nothing.
std::string firstDifference(const Side& side) {
  const Exact domain(7);
  const auto graph = evaluate(domain, side.program, inputsOf(side.program, side.replicas));
  const auto text = detail::evaluateRendered(domain, side, inputsOf(side.program, side.replicas));
  for (std::size_t r = 0; r < graph.size(); ++r)
    for (std::size_t id = 0; id < graph[r].size(); ++id) {
      const Tensor<Field>&a = graph[r][id], &b = text[r][id];
      const bool same =
          a.shape() == b.shape() && std::equal(a.view().data(), a.view().data() + a.cells(), b.view().data());
      if (!same) return side.program.values()[id].name + " on replica " + std::to_string(r);
    }
  return "";
}

TEST_CASE("the text of a train step denotes the step, value by value") {
  for (const char* name : {"tiny-bn", "tiny-resnet", "cifar8-bn-narrow"})
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam})
      for (const std::int64_t replicas : {1, 2, 3}) {
        StepOptions options;
        options.optimizer = optimizer;
        options.replicas = replicas;
        INFO(name << " " << optimizerNames[static_cast<std::size_t>(optimizer)] << " " << replicas);
        CHECK(firstDifference({trainStep(findNet(name).make(), 2, options), replicas, true}) == "");
      }
}

TEST_CASE("the text of a bf16 step, and of frozen statistics, denotes what the graph does") {
  for (const char* name : {"tiny-bn", "cifar8-bn-narrow"})
    for (const std::int64_t replicas : {1, 2}) {
      StepOptions options;
      options.bf16 = true;
      options.replicas = replicas;
      INFO(name << " " << replicas);
      CHECK(firstDifference({trainStep(findNet(name).make(), 1, options), replicas, true}) == "");
      CHECK(firstDifference({fwdEval(findNet(name).make(), 2), 1, true}) == "");
    }
}

TEST_CASE("a wrong text differs from its graph at the value that is wrong") {
  StepOptions options;
  options.replicas = 2;
  Side side{trainStep(findNet("tiny-bn").make(), 2, options), 2, true};
  CHECK(firstDifference(side) == "");
  side.edits = {{"dims = [2, 3] :", "dims = [] :"}};
  CHECK(firstDifference(side) != "");
}

}  // namespace
}  // namespace shardlaw
