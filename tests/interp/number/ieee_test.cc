#include "interp/number/ieee.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <type_traits>

#include "tests/interp/number/draw.h"

using namespace shardlaw;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t infinite = 0x7F80;

float brain(std::uint32_t pattern) { return std::bit_cast<float>(pattern << 16); }

/// The exact value of a bf16 pattern; where infinity stands, what the next number would be: 2^128.
double exactBrain(std::uint32_t pattern) { return pattern < infinite ? static_cast<double>(brain(pattern)) : 0x1p128; }

template <class F>
bool same(F a, F b) {
  return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
}

}  // namespace

TEST_CASE(
    "every bf16 is its own rounding, and of every two neighbours the nearer is taken, half-way the even "
    "one") {
  for (std::uint32_t below = 0; below < infinite; ++below) {
    const double low = exactBrain(below), high = exactBrain(below + 1), middle = (low + high) / 2;
    const float even = brain(below % 2 == 0 ? below : below + 1);
    INFO(low);
    for (const int sign : {1, -1}) {
      const auto check = [&](double x, float expected) {
        const float signedExpected = static_cast<float>(sign) * expected;
        REQUIRE(same(bf16FromDouble(sign * x), signedExpected));
        const auto narrow = static_cast<float>(sign * x);
        if (static_cast<double>(narrow) == sign * x) REQUIRE(same(bf16FromFloat(narrow), signedExpected));
      };
      check(low, brain(below));
      check(middle, even);
      // Beside the middle by less than a float can tell: rounding to float first would make a tie of it.
      check(std::nextafter(middle, 0.0), brain(below));
      check(std::nextafter(middle, inf), brain(below + 1));
      check(static_cast<double>(std::nextafter(static_cast<float>(middle), 0.0F)), brain(below));
      check(static_cast<double>(std::nextafter(static_cast<float>(middle), HUGE_VALF)), brain(below + 1));
      check(std::nextafter(high, 0.0), brain(below + 1));
      check(std::nextafter(low, inf), brain(below));
    }
  }
}

TEST_CASE("bf16 rounding at the ends of the range") {
  CHECK(same(bf16FromDouble(0.0), 0.0F));
  CHECK(same(bf16FromDouble(-0.0), -0.0F));
  CHECK(same(bf16FromDouble(1e-300), 0.0F));
  CHECK(same(bf16FromDouble(-5e-324), -0.0F));
  CHECK(bf16FromDouble(1e300) == HUGE_VALF);
  CHECK(bf16FromDouble(-inf) == -HUGE_VALF);
  CHECK(bf16FromFloat(std::numeric_limits<float>::max()) == HUGE_VALF);
  CHECK(bf16FromFloat(std::numeric_limits<float>::denorm_min()) == 0);
  CHECK(std::isnan(bf16FromDouble(notANumber)));
  // A NaN whose payload lies in the bits that are dropped must not become an infinity.
  for (const std::uint32_t bits : {0x7F800001U, 0xFF800001U, 0x7FC00000U, 0x7F80FFFFU, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    const float rounded = bf16FromFloat(std::bit_cast<float>(bits));
    CHECK(std::isnan(rounded));
    CHECK((std::bit_cast<std::uint32_t>(rounded) & 0xFFFFU) == 0);
  }
}

TEMPLATE_TEST_CASE("max and min propagate NaN and order the zeros", "", F32, F64) {
  using F = typename TestType::Scalar;
  const TestType d;
  const auto check = [&](double a, double b, double max, double min) {
    INFO(a << ", " << b);
    CHECK(same(static_cast<double>(d.max(F(a), F(b))), max));
    CHECK(same(static_cast<double>(d.max(F(b), F(a))), max));
    CHECK(same(static_cast<double>(d.min(F(a), F(b))), min));
    CHECK(same(static_cast<double>(d.min(F(b), F(a))), min));
  };
  check(1, 2, 2, 1);
  check(-1, 0.0, 0.0, -1);
  check(-0.0, 0.0, 0.0, -0.0);
  check(-0.0, -0.0, -0.0, -0.0);
  check(-inf, -3, -3, -inf);
  check(inf, 3, inf, 3);
  check(notANumber, 3, notANumber, notANumber);
  check(notANumber, inf, notANumber, notANumber);
  check(notANumber, notANumber, notANumber, notANumber);
}

TEMPLATE_TEST_CASE("comparisons are false for NaN, but a NaN replaces a running maximum once", "", F32, F64) {
  using F = typename TestType::Scalar;
  const TestType d;
  const F n = std::numeric_limits<F>::quiet_NaN(), one = 1, two = 2;
  CHECK(d.less(one, two));
  CHECK_FALSE(d.less(two, one));
  CHECK_FALSE(d.less(one, one));
  CHECK_FALSE(d.less(F(-0.0), F(0)));
  CHECK_FALSE(d.less(n, one));
  CHECK_FALSE(d.less(one, n));
  CHECK(d.exceeds(two, one));
  CHECK_FALSE(d.exceeds(one, one));
  CHECK(d.exceeds(n, d.lowest() * -1));
  CHECK_FALSE(d.exceeds(one, n));
  CHECK_FALSE(d.exceeds(n, n));
  CHECK(d.less(d.lowest(), -std::numeric_limits<F>::max()));
  CHECK(d.select(true, one, two) == 1);
  CHECK(d.select(false, one, two) == 2);
}

TEST_CASE("a sum is a left fold in its own type") {
  IeeeSum<float> big, small;
  for (const float x : {0x1p24F, 1.0F, 1.0F}) big.add(x);
  for (const float x : {1.0F, 1.0F, 0x1p24F}) small.add(x);
  CHECK(big.total() == 0x1p24F);
  CHECK(small.total() == 0x1p24F + 2);
  // (1 + 2^-12)^2 - 1 loses its last bit where the product is rounded before it is added.
  IeeeSum<float> product;
  product.add(-1.0F);
  product.addProduct(1 + 0x1p-12F, 1 + 0x1p-12F);
  CHECK(product.total() == 0x1p-11F);
}

TEST_CASE("literals and functions are rounded in the domain's own type") {
  CHECK(F32{}.literal(decimal("0.1")) == 0.1F);
  CHECK(F64{}.literal(decimal("0.1")) == 0.1);
  CHECK(F32{}.literal(decimal("1e-50")) == 0);
  CHECK(std::isinf(F32{}.literal(decimal("1e39"))));
  static_assert(std::is_same_v<decltype(F32{}.exp(1.0F)), float>);
  CHECK(F64{}.sqrt(4) == 2);
  CHECK(F64{}.rsqrt(4) == 0.5);
  CHECK(F64{}.rsqrt(0) == inf);
  CHECK(std::isnan(F64{}.sqrt(-1)));
  CHECK(F64{}.exp(F64{}.lowest()) == 0);
  CHECK(F64{}.log(1) == 0);
  CHECK(F64{}.log(0) == -inf);
  CHECK(F64{}.tanh(inf) == 1);
  CHECK(F32{}.roundToBf16(1 + 0x1p-8F) == 1);
  CHECK(F64{}.roundToBf16(1 + 0x1p-8 + 0x1p-50) == 1 + 0x1p-7);
}
