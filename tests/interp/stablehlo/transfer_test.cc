// Arrays of files as values of a domain, and back.
#include "interp/stablehlo/transfer.h"

#include <catch2/catch.hpp>
#include <limits>

namespace shardlaw::stablehlo {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("floats come into a domain exactly, or not at all") {
  CHECK(scalarOf(F32(), 0.5) == 0.5F);
  CHECK(scalarOf(F64(), 0.1) == 0.1);
  CHECK_THROWS_WITH(scalarOf(F32(), 0.1), Catch::Contains("found 0.1"));
  CHECK_THROWS_AS(scalarOf(Bounded32(), 0.1), Error);
  CHECK(std::isnan(scalarOf(F32(), std::numeric_limits<double>::quiet_NaN())));
  CHECK(scalarOf(F32(), -infinity) == -std::numeric_limits<float>::infinity());
  // 3/4 in the field, by hand: 4·x = 3.
  CHECK(scalarOf(Exact(1), 0.75) * Field::fromUnsigned(4) == Field::fromUnsigned(3));
  CHECK(scalarOf(Exact(1), -infinity).isLowest());
  CHECK_THROWS_AS(scalarOf(Exact(1), infinity), Error);
  CHECK_THROWS_AS(scalarOf(Exact(1), std::numeric_limits<double>::quiet_NaN()), Error);
}

TEST_CASE("integers keep their bits: a ui64 beyond 2^63 is the i64 of the same bits, and comes back") {
  Array array = zeros(DType::u64, Shape{2});
  array.bytes = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 5, 0, 0, 0, 0, 0, 0, 0};
  const Cells<F64> cells = cellsOf(F64(), array);
  CHECK(cells.integers()[0] == -1);
  CHECK(cells.integers()[1] == 5);
  CHECK(arrayOf<F64>(cells, DType::u64).bytes == array.bytes);
  Array narrow = zeros(DType::i8, Shape{2});
  narrow.bytes = {0x80, 0x7F};
  CHECK(cellsOf(Exact(1), narrow).integers()[0] == -128);
  CHECK(cellsOf(Exact(1), narrow).integers()[1] == 127);
}

TEST_CASE("what is written: native in the program's own type, exact as residues, −∞ as all ones") {
  const Tensor<double> numbers(Shape{2}, {1.5, -0.25});
  CHECK(arrayOf<Native>(Cells<Native>(numbers), DType::bf16).type == DType::bf16);
  CHECK(arrayOf<F64>(Cells<F64>(numbers), DType::f32).type == DType::f64);
  const Tensor<Field> elements(Shape{2}, {Field::fromUnsigned(7), Field::lowest()});
  const Array residues = arrayOf<Exact>(Cells<Exact>(elements), DType::f32);
  CHECK(residues.type == DType::u64);
  CHECK(residues.bytes == std::vector<std::uint8_t>{7, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255});
}

}  // namespace
}  // namespace shardlaw::stablehlo
