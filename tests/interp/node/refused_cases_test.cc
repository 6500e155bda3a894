// Shapes and features from the field that are not supported: each is refused by name, never answered with a
// number.
#include <catch2/catch.hpp>

#include "interp/error.h"
#include "interp/ir/builder.h"
#include "interp/node/nodes.h"

namespace shardlaw {
namespace {

using Catch::Matchers::Contains;

template <class F>
std::string refusal(const F& attempt) {
  try {
    attempt();
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace

TEST_CASE("shards of different sizes are refused (CASES 2, 3, 8, 19)") {
  const Tensor<double> batch(Shape{13, 1});
  const std::string message = refusal([&] { batchShard(batch, 0, 2); });
  CHECK_THAT(message, Contains("2") && Contains("13"));
  Builder builder;
  const ValueId empty = builder.batchedInput("x", Shape{0, 2, 3, 3});
  CHECK_THAT(refusal([&] { builder.apply(nodes::bnBatchMean, {empty}); }),
             Contains("bnBatchMean") && Contains("at least one cell") && Contains("[0,2,3,3]"));
}

TEST_CASE("replica groups are refused: an all-reduce is over all replicas (CASES 9, 40)") {
  Builder builder;
  const ValueId v = builder.sharedInput("v", Shape{3});
  CHECK_THAT(refusal([&] {
               builder.apply(nodes::allReduceMean, {v}, {{"replica_groups", Attribute{std::int64_t{2}}}});
             }),
             Contains("allReduceMean") && Contains("replica_groups"));
}

TEST_CASE("a stride-2 node on a map of odd extents is refused (CASES 23)") {
  Builder builder;
  const ValueId w = builder.sharedInput("W", Shape{4, 2, 3, 3}), b = builder.sharedInput("b", Shape{4});
  const ValueId x = builder.batchedInput("x", Shape{1, 2, 7, 6});
  CHECK_THAT(refusal([&] {
               builder.apply(nodes::convStrided, {w, b, x}, {{"phase", Attribute{std::string("even")}}});
             }),
             Contains("convStrided") && Contains("even extents") && Contains("[2,7,6]"));
}

TEST_CASE("channel multipliers and groups are refused (CASES 25)") {
  Builder builder;
  const ValueId w = builder.sharedInput("W", Shape{3, 2, 3, 3}), b = builder.sharedInput("b", Shape{3});
  const ValueId x = builder.batchedInput("x", Shape{1, 3, 4, 4});
  CHECK_THAT(refusal([&] {
               builder.apply(nodes::depthwise, {w, b, x});
             }),
             Contains("depthwise") && Contains("[C,1,kH,kW]") && Contains("[3,2,3,3]"));
  CHECK_THAT(refusal([&] {
               builder.apply(nodes::conv, {w, b, x}, {{"groups", Attribute{std::int64_t{3}}}});
             }),
             Contains("conv") && Contains("groups"));
}

TEST_CASE("another padding than SAME is refused (CASES 26, 31)") {
  Builder builder;
  const ValueId x = builder.batchedInput("x", Shape{1, 1, 4, 4});
  CHECK_THAT(refusal([&] {
               builder.apply(nodes::maxPool2, {x}, {{"padding", Attribute{std::int64_t{1}}}});
             }),
             Contains("maxPool2") && Contains("padding"));
}

}  // namespace shardlaw
