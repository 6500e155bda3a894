#include "interp/tensor/shape.h"

#include <catch2/catch.hpp>

#include "interp/error.h"

using shardlaw::Error;
using shardlaw::Shape;

TEST_CASE("a shape counts its cells and prints itself") {
  CHECK(Shape{}.cells() == 1);
  CHECK(Shape{2, 3, 4}.cells() == 24);
  CHECK(Shape{2, 0, 4}.cells() == 0);
  CHECK(toString(Shape{2, 3}) == "[2,3]");
  CHECK(toString(Shape{}) == "[]");
  CHECK(Shape{2, 3, 4}.tail() == Shape{3, 4});
  CHECK(Shape{3, 4}.batchOf(2) == Shape{2, 3, 4});
  CHECK_FALSE(Shape{2, 3} == Shape{3, 2});
  CHECK_FALSE(Shape{2} == Shape{2, 1});
}

TEST_CASE("a shape that no machine can hold is refused, not wrapped around") {
  constexpr std::int64_t big = std::int64_t{1} << 40;
  CHECK_THROWS_AS((Shape{big, big}), Error);
  CHECK_THROWS_AS((Shape{-1}), Error);
  CHECK_THROWS_AS((Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}), Error);
}
