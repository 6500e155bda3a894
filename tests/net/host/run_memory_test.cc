#include "net/host/run_memory.h"

#include <catch2/catch.hpp>

#include "interp/node/nodes.h"

namespace shardlaw::test {
namespace {

TEST_CASE("the peak of a chain is an operand and its result; what is read later stays") {
  Builder chain;
  ValueId x = chain.batchedInput("x", Shape{2, 3});
  for (int i = 0; i < 5; ++i) x = chain.apply(nodes::relu, {x});
  chain.result("y", x);
  CHECK(peakCells(std::move(chain).finish()) == 12);

  Builder doubled;
  const ValueId a = doubled.batchedInput("a", Shape{2, 3});
  ValueId b = doubled.apply(nodes::relu, {a});
  b = doubled.apply(nodes::add, {b, b});
  doubled.result("y", doubled.apply(nodes::add, {a, b}));
  CHECK(peakCells(std::move(doubled).finish()) == 18);
}

TEST_CASE("a train step holds its inputs at first and its results in the end, and at no time everything") {
  const Net net = findNet("tiny-bn").make();
  const Program step = trainStep(net, 3, {});
  double inputs = 0, results = 0;
  for (const ValueId id : step.inputs()) inputs += static_cast<double>(step.value(id).type.shape.cells());
  for (const Result& one : step.results()) results += static_cast<double>(step.value(one.value).type.shape.cells());
  CHECK(peakCells(step) > std::max(inputs, results));
  CHECK(peakCells(step) < static_cast<double>(step.cells()));
  CHECK_NOTHROW(requireRunFits(net, step, 4, 8));
  using Catch::Contains;
  CHECK_THROWS_WITH(requireRunFits(net, step, 1'000'000'000'000, 8), Contains("tiny-bn") && Contains("MiB are free"));
}

}  // namespace
}  // namespace shardlaw::test
