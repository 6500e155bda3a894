// Types, attributes and modules: what needs no text.
#include "interp/stablehlo/attributes.h"

#include <catch2/catch.hpp>

#include "tests/interp/stablehlo/text.h"

namespace shardlaw::stablehlo::test {
namespace {

using Catch::Contains;

TEST_CASE("element types and their spelling") {
  CHECK(spelling(DType::u8) == "ui8");
  CHECK(spelling(DType::boolean) == "i1");
  CHECK(elementOf("bf16") == DType::bf16);
  CHECK(elementOf("i4") == std::nullopt);
  CHECK(elementOf("complex<f32>") == std::nullopt);
  CHECK(toString(TensorType{DType::f32, {2, 3}}) == "tensor<2x3xf32>");
  CHECK(toString(TensorType{DType::boolean, {}}) == "tensor<i1>");
  CHECK(bitsOf(DType::boolean) == 1);
  CHECK(bitsOf(DType::u16) == 16);
}

TEST_CASE("integers wrap to their type") {
  CHECK(wrapped(200, DType::i8) == -56);
  CHECK(wrapped(-1, DType::u8) == 255);
  CHECK(wrapped(-1, DType::u64) == -1);
  CHECK(wrapped(std::int64_t{1} << 31, DType::i32) == -(std::int64_t{1} << 31));
  CHECK(wrapped((std::int64_t{1} << 32) + 5, DType::u32) == 5);
  CHECK(wrapped(3, DType::boolean) == 1);
}

TEST_CASE("attributes are kept by name") {
  Attributes a, b;
  a.set("x", std::int64_t{1});
  a.set("y", std::vector<std::int64_t>{1, 2});
  b.set("y", std::vector<std::int64_t>{1, 2});
  b.set("x", std::int64_t{1});
  CHECK(a == b);
  CHECK(a.integer("x", 7) == 1);
  CHECK(a.integer("z", 7) == 7);
  CHECK(a.integers("y") == std::vector<std::int64_t>{1, 2});
  CHECK(a.keyword("z", "DEFAULT") == "DEFAULT");
  CHECK_THROWS_AS(a.integers("x"), std::logic_error);
  CHECK_THROWS_AS(a.integer("z"), std::logic_error);
}

TEST_CASE("the entry of a module") {
  const std::string f = "func.func @f() { return }", g = "func.func private @g() { return }";
  CHECK(read(f + g).entry().name == "f");
  CHECK(read(f + g + "func.func @main() { return }").entry().name == "main");
  CHECK_THROWS_WITH(read(g).entry(), Contains("no public function"));
  CHECK_THROWS_WITH(read(f + "func.func @h() { return }").entry(), Contains("'@f' and '@h'"));
}

}  // namespace
}  // namespace shardlaw::stablehlo::test
