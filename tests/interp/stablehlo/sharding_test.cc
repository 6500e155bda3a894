// How values of a data-parallel program belong to those at the global batch.
#include "interp/stablehlo/sharding.h"

#include <catch2/catch.hpp>

#include "interp/error.h"

namespace shardlaw::stablehlo {
namespace {

TEST_CASE("equal shapes are replicated, the one axis that is R times longer is cut") {
  CHECK(shardingOf("x", {2, 3}, {2, 3}, 4).isReplicated());
  CHECK(shardingOf("x", {2, 3}, {8, 3}, 4) == Sharding{0});
  CHECK(shardingOf("x", {2, 3}, {2, 12}, 4) == Sharding{1});
  CHECK(shardingOf("x", {}, {}, 4).isReplicated());
  CHECK(shardingOf("x", {0, 3}, {0, 3}, 2).isReplicated());
}

TEST_CASE("what does not fit is refused with both shapes") {
  CHECK_THROWS_WITH(shardingOf("x", {2, 3}, {4, 3}, 4), Catch::Contains("'x'") && Catch::Contains("[2,3]") &&
                                                            Catch::Contains("[4,3]") && Catch::Contains("R = 4"));
  CHECK_THROWS_AS(shardingOf("x", {2, 3}, {8, 12}, 4), Error);
  CHECK_THROWS_AS(shardingOf("x", {2, 3}, {6}, 3), Error);
  CHECK_THROWS_AS(shardingOf("x", {2, 3}, {9, 3}, 4), Error);
}

TEST_CASE("rules by name come first") {
  CHECK_THROWS_AS(shardingOf("x", {2, 3}, {8, 3}, 4, {{}, {"x"}}), Error);
  CHECK_THROWS_AS(shardingOf("x", {2, 3}, {2, 3}, 4, {{"x"}, {}}), Error);
  CHECK(shardingOf("x", {2, 3}, {2, 3}, 1, {{"x"}, {}}) == Sharding{0});
  CHECK(shardingOf("y", {2, 3}, {2, 3}, 4, {{"x"}, {"x"}}).isReplicated());
}

TEST_CASE("a shard is a contiguous block of the axis") {
  // [[0, 1, 2, 3], [4, 5, 6, 7]] along axis 1 in two.
  const Tensor<std::int64_t> whole(Shape{2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  const Tensor<std::int64_t> second = shardOf(whole, {1}, 1, 2);
  CHECK(second.shape() == Shape{2, 2});
  CHECK(second[0] == 2);
  CHECK(second[1] == 3);
  CHECK(second[2] == 6);
  CHECK(second[3] == 7);
  const Array bytes = shardOf(arrayOf(whole), {0}, 1, 2);
  CHECK(cellOf<std::int64_t>(bytes, 0) == 4);
  CHECK(bytes.shape == Shape{1, 4});
}

}  // namespace
}  // namespace shardlaw::stablehlo
