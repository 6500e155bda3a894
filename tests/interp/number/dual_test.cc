#include "interp/number/dual.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "interp/number/domains.h"
#include "tests/interp/number/draw.h"

using namespace shardlaw;

namespace {

using D64 = Dual<F64>;
using S64 = D64::Scalar;

void check(S64 found, double primal, double tangent) {
  CHECK(found.primal == Approx(primal).margin(1e-15));
  CHECK(found.tangent == Approx(tangent).margin(1e-15));
}

}  // namespace

TEST_CASE("the rules of differentiation, at points where they are known") {
  const S64 x{3, 1}, y{-2, 5};
  check(x + y, 1, 6);
  check(x - y, 5, -4);
  check(-y, 2, -5);
  check(x * y, -6, 1 * -2 + 3 * 5);
  // (1·(−2) − 3·5)/4.
  check(x / y, -1.5, -17.0 / 4);
  DualSum<F64> sum;
  sum.add(x);
  sum.addProduct(x, y);
  sum.addProduct(y, y);
  check(sum.total(), 3 - 6 + 4, 1 + 13 - 20);
}

TEST_CASE("derivatives of the functions") {
  const D64 d{F64{}};
  check(d.sqrt({4, 1}), 2, 1.0 / 4);
  check(d.sqrt({9, 3}), 3, 1.0 / 2);
  check(d.rsqrt({4, 1}), 0.5, -1.0 / 16);
  check(d.exp({0, 3}), 1, 3);
  check(d.exp({1, 2}), std::exp(1.0), 2 * std::exp(1.0));
  check(d.log({2, 1}), std::log(2.0), 0.5);
  check(d.tanh({0, 2}), 0, 2);
  check(d.tanh({std::log(2.0), 1}), 0.6, 1 - 0.36);
  check(d.literal(ratio(1, 4)), 0.25, 0);
  CHECK(d.lowest().primal == -std::numeric_limits<double>::infinity());
  CHECK(d.lowest().tangent == 0);
  CHECK_THROWS_AS(d.roundToBf16({1, 0}), Undefined);
}

TEST_CASE("a piecewise function has the derivative of its piece; at a kink the second argument's") {
  const D64 d{F64{}};
  const S64 zero{};
  check(d.max({2, 7}, zero), 2, 7);
  check(d.max({-2, 7}, zero), 0, 0);
  check(d.max({0, 7}, zero), 0, 0);
  check(d.min({2, 7}, {6, 0}), 2, 7);
  check(d.min({8, 7}, {6, 0}), 6, 0);
  check(d.min({6, 7}, {6, 0}), 6, 0);
  check(d.select(d.less(zero, {1e-300, 0}), {1, 2}, {3, 4}), 1, 2);
  check(d.select(d.less({1, 5}, {1, -5}), {1, 2}, {3, 4}), 3, 4);
  CHECK(d.exceeds({std::numeric_limits<double>::quiet_NaN(), 0}, {1, 0}));
}

TEST_CASE("the primal is the inner domain's own value") {
  const D64 d{F64{}};
  const double notANumber = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(d.max({notANumber, 1}, {0, 0}).primal));
  CHECK(std::isnan(d.min({0, 1}, {notANumber, 0}).primal));
  CHECK_FALSE(std::signbit(d.max({-0.0, 1}, {0.0, 0}).primal));
  // In `bounded` the maximum is continuous: an uncertain comparison does not widen the primal, only the
  // tangent.
  const DualBounded64 bounded{Bounded64{}};
  const BoundedScalar<double> near{1, 0.25}, far{1.125, 0.25};
  const auto result = bounded.max({near, {2, 0}}, {far, {5, 0}});
  CHECK(result.primal.value == 1.125);
  CHECK(result.primal.bound == 0.25);
  CHECK(result.tangent.value == 5);
  CHECK(result.tangent.bound >= 3);
  CHECK(bounded.inner().kinks() == 1);
}

TEST_CASE("in the field, the derivative of a power is n·x^(n−1), and the roots keep their tie") {
  const DualExact d{Exact(5)};
  test::Draw draw(1);
  for (int i = 0; i < 200; ++i) {
    const Field x = Field::fromUnsigned(draw.bits()), dx = Field::fromUnsigned(draw.bits());
    if (x == Field()) continue;
    DualScalar<Field> power = d.literal(1);
    Field before;
    for (std::uint64_t n = 1; n < 8; ++n) {
      before = power.primal;
      power = power * DualScalar<Field>{x, dx};
      REQUIRE(power.tangent == Field::fromUnsigned(n) * before * dx);
    }
    // √x·(1/√x) = 1, so its derivative is 0; and 1/√x has the derivative −½·(1/√x)³.
    const auto one = d.sqrt({x, dx}) * d.rsqrt({x, dx});
    REQUIRE(one.primal == Field::fromUnsigned(1));
    REQUIRE(one.tangent == Field());
    const auto root = d.rsqrt({x, dx});
    REQUIRE(Field::fromUnsigned(2) * root.tangent == -(root.primal * root.primal * root.primal * dx));
  }
}

namespace {

/// A random expression in x over the domain D; which one is fixed by the draw.
template <class D>
typename D::Scalar expression(const D& d, typename D::Scalar x, test::Draw draw) {
  auto a = x, b = d.literal(ratio(3, 2));
  for (int i = 0; i < 8; ++i) {
    const auto old = a;
    switch (draw.below(9)) {
      case 0: a = a + b; break;
      case 1: a = b - a; break;
      case 2: a = a * b; break;
      case 3: a = a / (b * b + d.literal(1)); break;
      case 4: a = d.exp(-(a * a)); break;
      case 5: a = d.log(a * a + d.literal(1)); break;
      case 6: a = d.sqrt(a * a + d.literal(2)); break;
      case 7: a = d.rsqrt(a * a + d.literal(3)); break;
      default: a = d.tanh(a); break;
    }
    b = draw.oneIn(2) ? old : b;
  }
  return a;
}

}  // namespace

TEST_CASE("derivatives of random expressions are those of central differences in 512 bits") {
  const Wide wide(512);
  const DualWide dual{wide};
  const WideScalar h = wide.literal(decimal("1e-40"));
  const WideScalar one = wide.literal(1);
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    test::Draw draw(seed);
    const WideScalar x = wide.fromDouble(2 * draw.unit());
    const WideScalar found = expression(dual, DualScalar<WideScalar>{x, one}, draw).tangent;
    const WideScalar difference = (expression(wide, x + h, draw) - expression(wide, x - h, draw)) / (h + h);
    INFO("seed " << seed << ": " << found.toString(20) << " against " << difference.toString(20));
    // The truncation error is h²/6 times the third derivative, which stays far below 1e20 here.
    REQUIRE(std::abs((found - difference).toDouble()) <= 1e-60 * (1 + std::abs(found.toDouble())));
  }
}
