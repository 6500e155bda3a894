// Rounding to the element types, against the bits of the formats.
#include "interp/stablehlo/round.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "interp/stablehlo/operation/conversion.h"

namespace shardlaw::stablehlo {
namespace {

TEST_CASE("Every f16 rounds to itself, and comes back from its bits") {
  for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
    const double x = floatOfBits(bits, DType::f16);
    if (std::isnan(x)) continue;
    REQUIRE(f16FromDouble(x) == x);
    REQUIRE(bitsOfFloat(x, DType::f16) == bits);
  }
}

TEST_CASE("Between two f16 the middle rounds to the even one, and what is next to it to the nearer") {
  for (std::uint64_t bits = 0; bits < 0x7BFF; ++bits) {
    const double low = floatOfBits(bits, DType::f16), high = floatOfBits(bits + 1, DType::f16);
    const double middle = (low + high) / 2;
    REQUIRE(f16FromDouble(middle) == (bits % 2 == 0 ? low : high));
    REQUIRE(f16FromDouble(std::nextafter(middle, 0.0)) == low);
    REQUIRE(f16FromDouble(std::nextafter(middle, 1e6)) == high);
    REQUIRE(f16FromDouble(-middle) == -f16FromDouble(middle));
  }
}

TEST_CASE("Overflow of f16 begins half a step above its largest") {
  CHECK(f16FromDouble(std::nextafter(65520.0, 0.0)) == 65504);
  CHECK(std::isinf(f16FromDouble(65520)));
  CHECK(std::signbit(f16FromDouble(-0.0)));
  CHECK(std::isnan(f16FromDouble(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("A rational is rounded once to f16") {
  // Just above the middle of 1 and the next f16, by less than a double can say.
  const Rational above = Rational(1) + ratio(1, 2048) + Rational(1, mpz_class(1) << 80);
  CHECK(f16FromDouble(toOddDouble(above)) == 1 + 0x1p-10);
  CHECK(f16FromDouble(toOddDouble(Rational(1) + ratio(1, 2048))) == 1);
}

TEST_CASE("native rounds to every type, f64 to the narrow ones, the others to bf16 alone") {
  CHECK(roundTo(Native(), DType::f32, 16777217.0) == 16777216);
  CHECK(roundTo(F64(), DType::f32, 16777217.0) == 16777217);
  CHECK(roundTo(Native(), DType::bf16, 257.0) == 256);
  CHECK(roundTo(F32(), DType::f16, 2049.0F) == 2048);
  const Exact exact(1);
  CHECK(roundTo(exact, DType::bf16, exact.literal(257)) == exact.roundToBf16(exact.literal(257)));
  CHECK(roundTo(exact, DType::f32, exact.literal(257)) == exact.literal(257));
  CHECK_THROWS_WITH(roundTo(exact, DType::f16, Field()), Catch::Contains("f16") && Catch::Contains("exact"));
  CHECK_THROWS_AS(roundTo(Wide(), DType::f16, Wide().literal(1)), Error);
  CHECK_THROWS_AS(roundTo(Bounded32(), DType::f16, Bounded32().literal(1)), Error);
  CHECK_THROWS_AS(roundTo(SharedDegree(), DType::f16, SharedDegreeScalar{}), Error);
}

TEST_CASE("Floats become integers towards 0, and at most the extreme values") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(integerOf(-2.75, DType::i32) == -2);
  CHECK(integerOf(infinity, DType::i64) == std::numeric_limits<std::int64_t>::max());
  CHECK(integerOf(-infinity, DType::i64) == std::numeric_limits<std::int64_t>::min());
  CHECK(integerOf(0x1p63, DType::u64) == std::numeric_limits<std::int64_t>::min());  // the same bits
  CHECK(integerOf(-1.0, DType::u32) == 0);
  CHECK(integerOf(1e10, DType::u32) == 0xFFFFFFFF);
  CHECK(integerOf(std::numeric_limits<double>::quiet_NaN(), DType::i8) == 0);
  const Wide wide;
  const auto nearly3 = wide.literal(Rational(3) - Rational(1, mpz_class(1) << 200));
  CHECK(integerOf(nearly3, DType::i32) == 2);
  CHECK(integerOf(wide.literal(Rational(mpz_class("9007199254740993"))), DType::i64) == 9007199254740993);
  CHECK(integerOf(wide.exp(wide.literal(1000000000)), DType::i64) == std::numeric_limits<std::int64_t>::max());
  CHECK(integerOf(wide.exp(wide.literal(-1000000000)), DType::i64) == 0);
}

}  // namespace
}  // namespace shardlaw::stablehlo
