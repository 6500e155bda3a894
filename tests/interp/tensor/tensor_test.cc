// Tensors: row-major cells, slices and shards.
#include "interp/tensor/tensor.h"

#include <catch2/catch.hpp>

#include "tests/interp/support.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

TEST_CASE("cells are row-major, and reads outside a map are 0") {
  const Tensor<double> t = counting({2, 3, 4}, 0).in(F64{});
  CHECK(t.view()(1, 2, 3) == 23);
  CHECK(t.view()(1, 0, 2) == 14);
  CHECK(t.view().padded(1, 2, 3) == 23);
  for (const auto& [i, j] : {std::pair{-1, 0}, {3, 0}, {0, -1}, {0, 4}}) CHECK(t.view().padded(1, i, j) == 0);
}

TEST_CASE("cells that do not fill the shape are refused") {
  CHECK_THAT(refusal([] { Tensor<double>({2, 3}, {1, 2}); }), Contains("2 cells") && Contains("shape [2,3]"));
  CHECK_THAT(refusal([] { Tensor<double>({0, 3}, {1}); }), Contains("1 cells"));
  CHECK(Tensor<double>({0, 3}, {}).cells() == 0);
}

TEST_CASE("a tensor made from a shape is zero, also where its memory held something before") {
  for (const std::int64_t cells : {100, 1 << 20}) {
    Tensor<double> used(Shape{cells});
    for (std::int64_t i = 0; i < cells; ++i) used[i] = 1;
    used = Tensor<double>();
    const Tensor<double> fresh(Shape{cells});
    CHECK(std::count(fresh.view().data(), fresh.view().data() + cells, 0.0) == cells);
  }
}

TEST_CASE("a tensor without values has its shape; a reshaped one keeps its cells") {
  CHECK(Tensor<float>::unwritten({3, 5}).shape() == Shape{3, 5});
  CHECK(Tensor<float>::unwritten({3, 5}).cells() == 15);
  // A scalar that owns something is made in any case.
  CHECK(Tensor<RationalScalar>::unwritten({2})[1] == RationalScalar());
  Tensor<double> x = counting({2, 3}, 0).in(F64{});
  CHECK(difference(std::move(x).reshaped({6}), counting({6}, 0).in(F64{})) == "");
}

TEST_CASE("batchSlice is an example, batchShard a contiguous block of examples") {
  const Tensor<double> x = counting({6, 2}, 0).in(F64{});
  CHECK(difference(batchSlice(x, 4), Literal{{2}, {8, 9}}.in(F64{})) == "");
  CHECK(difference(batchShard(x, 1, 3), Literal{{2, 2}, {4, 5, 6, 7}}.in(F64{})) == "");
  CHECK(difference(batchShard(x, 0, 1), x) == "");
  // Slice n of shard r is slice r·N + n.
  CHECK(difference(batchSlice(batchShard(x, 1, 2), 2), batchSlice(x, 5)) == "");
}

TEST_CASE("a batch that does not divide is refused, not cut short") {
  const Tensor<double> x = counting({5, 2}).in(F64{});
  CHECK_THAT(refusal([&] { batchShard(x, 0, 2); }), Contains("shard 0 of 2") && Contains("found [5,2]"));
  CHECK_THAT(refusal([&] { batchShard(x, 5, 5); }), Contains("shard 5 of 5"));
  CHECK_THAT(refusal([&] { batchShard(x, -1, 5); }), Contains("shard -1"));
  CHECK_THAT(refusal([&] { batchShard(x, 0, 0); }), Contains("shard 0 of 0"));
  CHECK_THAT(refusal([&] { batchShard(Tensor<double>(Shape{}), 0, 1); }), Contains("found []"));
}

}  // namespace
}  // namespace shardlaw::test
