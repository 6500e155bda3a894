#include "interp/number/bounded.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "interp/number/wide.h"
#include "tests/interp/number/draw.h"

using namespace shardlaw;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
using S32 = BoundedScalar<float>;
using S64 = BoundedScalar<double>;

template <class F>
bool isUnknown(BoundedScalar<F> a) {
  return a.bound == inf;
}

}  // namespace

TEST_CASE("what is exact has the bound 0") {
  const Bounded32 d;
  CHECK(d.literal(6).bound == 0);
  CHECK(d.literal(ratio(-3, 8)).bound == 0);
  CHECK(S32{}.bound == 0);
  CHECK(d.lowest().bound == 0);
  const S32 zero, x{3, 0.5};
  CHECK((x + zero).bound == 0.5);
  CHECK((zero - x).bound == 0.5);
  CHECK((-x).bound == 0.5);
  CHECK((x * zero).isZero());
  CHECK((zero / x).isZero());
  CHECK(d.sqrt(zero).isZero());
  CHECK(d.tanh(zero).isZero());
  CHECK(d.exp(d.lowest()).isZero());
  CHECK(d.roundToBf16({1 + 0x1p-8F, 0}).bound == 0);
  // A masked cell is an exact zero, and a window's maximum does not inherit its losers' bounds.
  CHECK(d.max({-3, 0.5}, zero).isZero());
  CHECK(d.max({5, 0.125}, {3, 0.5}).bound == 0.125);
  CHECK(d.max(d.lowest(), x).bound == 0.5);
  CHECK(d.min({5, 0.125}, {3, 0.5}).bound == 0.5);
  BoundedSum<float> sum;
  for (int i = 0; i < 1000; ++i) sum.add(zero);
  sum.add(x);
  CHECK(sum.total().bound == Approx(0.5).epsilon(1e-12));
}

TEST_CASE("a literal may have been read as either neighbour, and never looks exact when it is not") {
  const Bounded32 d;
  const S32 tenth = d.literal(decimal("0.1"));
  CHECK(tenth.value == 0.1F);
  // The other neighbour of 0.1 is 0x1.999998p-4.
  CHECK(tenth.bound >= Rational(decimal("0.1") - Rational(0x1.999998p-4)).get_d());
  CHECK(tenth.bound < 1.2e-8);
  CHECK(d.literal(decimal("1e-50")).bound > 0);
  CHECK(isUnknown(d.literal(decimal("1e39"))));
  CHECK(isUnknown(d.literal(decimal("-1e400"))));
}

TEST_CASE("nothing is known where another evaluation may overflow, divide by zero or be NaN") {
  const Bounded32 d;
  const Bounded64 d64;
  const float none = std::numeric_limits<float>::quiet_NaN();
  const S32 unknown{1, inf}, one{1, 0}, zero;
  CHECK(isUnknown(S32{3e38F, 1e37} + S32{2e37F, 1e37}));
  CHECK(isUnknown(S32{1e20F, 0} * S32{1e20F, 0}));
  CHECK(isUnknown(S64{1e200, 0} * S64{1e200, 0}));
  CHECK(isUnknown(one / S32{0.5F, 0.25}));
  CHECK(isUnknown(one / zero));
  CHECK(isUnknown(zero / zero));
  CHECK(isUnknown(zero * unknown));
  CHECK(isUnknown(zero * d.lowest()));
  CHECK(isUnknown(d.lowest() - d.lowest()));
  CHECK(isUnknown(d.lowest() + one));
  CHECK(isUnknown(d.sqrt({-4, 0})));
  CHECK(isUnknown(d.rsqrt({1, 0.5})));
  CHECK(isUnknown(d.log({1, 0.5})));
  CHECK(isUnknown(d.exp({100, 0})));
  CHECK(isUnknown(d.max(one, unknown)));
  CHECK(isUnknown(d.max(one, S32{none, inf})));
  CHECK(isUnknown(S32{none, 0} + one));
  CHECK(isUnknown(d.tanh({none, 0})));
  CHECK(isUnknown(d.select({true, false}, unknown, one)));
  CHECK(isUnknown(d.roundToBf16(unknown)));
  CHECK_FALSE(isUnknown(d64.rsqrt({1e-300, 0})));
  // +, −, +, − never overflows; all the positive ones first would.
  BoundedSum<float> sum;
  for (const float term : {3e38F, -3e38F, 3e38F, -3e38F}) sum.add({term, 0});
  CHECK(sum.total().value == 0);
  CHECK(isUnknown(sum.total()));
  // An unknown that is not selected does no harm.
  CHECK(d.select({true, true}, one, unknown).bound == 0);
}

TEST_CASE("what underflows is not an exact zero") {
  const Bounded32 d;
  const Bounded64 d64;
  CHECK_FALSE((S32{1e-30F, 0} * S32{1e-30F, 0}).isZero());
  CHECK_FALSE((S64{1e-300, 0} * S64{1e-300, 0}).isZero());
  CHECK_FALSE((S64{1e-300, 0} / S64{1e300, 0}).isZero());
  CHECK_FALSE(d.exp({-1000, 0}).isZero());
  CHECK_FALSE(d64.exp({-1000, 0}).isZero());
}

TEST_CASE("at the edge of a step, rounding to bf16 is uncertain") {
  const Bounded32 d;
  // 1 + 2^-8 lies half-way between 1 and 1 + 2^-7: the reals may round up where the float rounds down.
  CHECK(d.roundToBf16({1 + 0x1p-8F, 1e-30}).bound >= 0x1p-7);
  CHECK(d.roundToBf16({1 + 0x1p-9F, 1e-30}).bound == 0);
  CHECK(d.kinks() == 1);
  const Bounded64 d64;
  CHECK(d64.roundToBf16({1 + 0x1p-8, 1e-300}).bound >= 0x1p-7);
}

TEST_CASE("comparisons are certain only where every evaluation agrees") {
  const Bounded32 d;
  CHECK(d.less({1, 0}, {1, 0}).certain);
  CHECK(d.less({1, 0.25}, {2, 0.125}).certain);
  // Evaluations within 0.25 of a real number that is itself within 0.25 of 1 reach up to 1.5.
  CHECK_FALSE(d.less({1, 0.25}, {2, 0.25}).certain);
  CHECK_FALSE(d.exceeds({1, 1e-30}, {1, 0}).certain);
  CHECK_FALSE(d.less({1, inf}, {2, 0}).certain);
  CHECK(d.less(d.lowest(), {2, 0.5}).certain);
  CHECK(d.kinks() == 0);
  const S32 taken = d.select({true, false}, {1, 0.25}, {2, 0.125});
  CHECK(taken.value == 1);
  CHECK(taken.bound >= 1 + 2 * 0.25 + 0.125);
  CHECK(d.kinks() == 1);
  CHECK(Bounded32(d).kinks() == 1);
}

TEST_CASE("the logic of three values is Kleene's") {
  const BoundedTruth yes{true, true}, no{false, true}, perhaps{true, false}, perhapsNot{false, false};
  for (const BoundedTruth doubt : {perhaps, perhapsNot}) {
    CHECK_FALSE((doubt & yes).certain);
    CHECK_FALSE((yes & doubt).certain);
    CHECK_FALSE((doubt & doubt).certain);
    CHECK((doubt & no).certain);
    CHECK((no & doubt).certain);
    CHECK_FALSE((no & doubt).value);
    CHECK((doubt | yes).certain);
    CHECK((yes | doubt).value);
    CHECK_FALSE((doubt | no).certain);
    CHECK_FALSE((!doubt).certain);
    CHECK((!doubt).value != doubt.value);
  }
  CHECK((yes & yes).value);
  CHECK((no | no).certain);
  CHECK_FALSE((no | no).value);
  CHECK((perhaps & perhaps).value);
}

TEMPLATE_TEST_CASE("the bounds of roundings can be met almost entirely", "", float, double) {
  using F = TestType;
  using S = BoundedScalar<F>;
  const double u = S::u;
  // Just above half of the last place: every addition to 1 rounds up by nearly u.
  const F step = F(u * (1 + 0x1p-10));
  for (const int n : {1, 2, 3, 10, 1000}) {
    BoundedSum<F> sum;
    sum.add({F(1), 0});
    for (int i = 0; i < n; ++i) sum.add({step, 0});
    const double error = static_cast<double>(sum.total().value - F(1)) - n * static_cast<double>(step);
    INFO(n << " additions: " << error << " of " << sum.total().bound);
    CHECK(error <= sum.total().bound);
    CHECK(error > 0.99 * sum.total().bound);
  }
  const S one{F(1), 0}, tiny{step, 0};
  const S added = one + tiny;
  CHECK(u * (1 - 0x1p-9) > 0.99 * added.bound);
  CHECK(u * (1 - 0x1p-9) <= added.bound);
  // (1 + 2^-j)(1 + 2^-k) = 1 + 2^-j + 2^-k + u, where j + k is the precision: the product loses u.
  const int j = sizeof(F) == 8 ? 26 : 12, k = sizeof(F) == 8 ? 27 : 12;
  const S product = S{F(1) + std::ldexp(F(1), -j), 0} * S{F(1) + std::ldexp(F(1), -k), 0};
  CHECK(u <= product.bound);
  CHECK(u > 0.99 * product.bound);
}
