#include "interp/number/degree.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "interp/number/exact.h"
#include "tests/interp/number/draw.h"
#include "tests/interp/number/polynomial.h"

using namespace shardlaw;
using test::Polynomial;
using test::product;
using test::sum;

namespace {

constexpr DegreeScalar input{1, 0};

void check(DegreeScalar found, double numerator, double denominator) {
  CHECK(found.numerator == numerator);
  CHECK(found.denominator == denominator);
}

/// A rational function of the variable, as it comes out of the calculation, beside the degrees claimed for
/// it.
struct Quotient {
  Polynomial above, below;
  DegreeScalar claimed;
};

Quotient combine(const Quotient& a, const Quotient& b, std::int64_t operation) {
  const Field one = Field::fromUnsigned(1);
  switch (operation) {
    case 0:
    case 1:
      return {sum(product(a.above, b.below), product(b.above, a.below), operation == 0 ? one : -one),
              product(a.below, b.below), operation == 0 ? a.claimed + b.claimed : a.claimed - b.claimed};
    case 2: return {product(a.above, b.above), product(a.below, b.below), a.claimed * b.claimed};
    default: return {product(a.above, b.below), product(a.below, b.above), a.claimed / b.claimed};
  }
}

}  // namespace

TEST_CASE("degrees of sums, products and quotients, calculated by hand") {
  const DegreeScalar x = input, one{};
  check(x * x, 2, 0);
  check(x + x * x, 2, 0);
  check(one / x, 0, 1);
  // 1/x + y = (1 + x·y)/x.
  check(one / x + x, 2, 1);
  // (x/y)/(z/w) = x·w/(y·z).
  check((x / x) / (x / x), 2, 2);
  check(-(x * x - one), 2, 0);
  // (x − mean)/n with constants n: no denominator of degree.
  DegreeSum sum;
  for (int i = 0; i < 10; ++i) sum.addProduct(x, x);
  sum.add(x);
  check(sum.total() / one, 2, 0);
}

TEST_CASE("degrees are never below those of the polynomials themselves, and mostly are those") {
  test::Draw draw(1);
  int equal = 0, all = 0;
  for (int i = 0; i < 500; ++i) {
    // Any straight line through the inputs turns them into polynomials of degree 1 in one variable.
    std::vector<Quotient> values;
    for (int k = 0; k < 3; ++k)
      values.push_back(
          {{Field::fromUnsigned(draw.bits()), Field::fromUnsigned(draw.bits())}, {Field::fromUnsigned(1)}, input});
    values.push_back({{Field::fromUnsigned(7)}, {Field::fromUnsigned(1)}, Degree{}.literal(7)});
    for (int k = 0; k < 6; ++k) {
      const auto n = static_cast<std::int64_t>(values.size());
      const Quotient a = values[static_cast<std::size_t>(draw.below(n))];
      const Quotient b = values[static_cast<std::size_t>(draw.below(n))];
      const std::int64_t operation = draw.below(4);
      if (operation == 3 && b.above.empty()) continue;
      const Quotient c = combine(a, b, operation);
      if (c.below.size() > 200 || c.above.size() > 200) break;
      if (!c.above.empty()) REQUIRE(c.claimed.numerator >= static_cast<double>(c.above.size() - 1));
      // Dividing by a sum that cancelled leaves a denominator of lower degree than claimed.
      REQUIRE(c.claimed.denominator >= static_cast<double>(c.below.size() - 1));
      equal += !c.above.empty() && c.claimed.numerator == static_cast<double>(c.above.size() - 1) ? 1 : 0;
      ++all;
      values.push_back(c);
    }
  }
  CHECK(equal > all * 3 / 4);
}

TEST_CASE("a function's value is a fresh variable, and its argument's degree is remembered") {
  const Degree degree;
  const DegreeScalar cubic = input * input * input;
  check(degree.exp(cubic), 1, 0);
  check(degree.rsqrt(cubic), 1, 0);
  check(degree.sqrt(cubic), 0, 1);
  check(degree.log(cubic / input), 1, 0);
  check(degree.tanh(cubic), 1, 0);
  check(degree.roundToBf16(cubic), 1, 0);
  CHECK(degree.applications() == 6);
  CHECK(degree.argument() == 3 + 1);
  // A comparison looks at both arguments; either may be chosen.
  check(degree.max(cubic, input / input), 3, 1);
  CHECK(degree.applications() == 8);
  check(degree.select(true, input, cubic), 3, 0);
  CHECK(Degree(degree).applications() == 8);
  CHECK(Degree(degree).argument() == 4);
}

TEST_CASE("the false-pass bound is Schwartz and Zippel's, plus the collisions of arguments") {
  const double p = 0x1p52;
  // 64 random bits modulo p favour no element by more than 2^-12.
  const double bias = std::log2(1 + 0x1p-12);
  const Degree none;
  CHECK(falsePassLog2(1, none, p) == Approx(-52 + bias).epsilon(1e-12));
  CHECK(falsePassLog2(1024, none, p) == Approx(-42 + bias).epsilon(1e-12));
  CHECK(falsePassLog2(0, none, p) == Approx(-52 + bias).epsilon(1e-12));
  CHECK(falsePassLog2(0x1p60, none, p) == 0);

  // Two arguments of degree 3/1 and the constant 0 make three pairs, each colliding at up to 4 points.
  const Degree two;
  two.exp(input * input * input / input);
  two.log(input);
  CHECK(falsePassLog2(20, two, p) == Approx(std::log2(20 + 3 * 4) - 52 + bias).epsilon(1e-12));
}

TEST_CASE("rational functions vanish no oftener than the bound says") {
  // A product of ten differences is the extreme case: ten roots, met with probability 10/q. The field is too
  // large to meet one by chance, so inputs are drawn from q of its elements, for which the theorem holds too.
  test::Draw draw(2);
  constexpr std::int64_t q = 1000;
  int zeros = 0;
  constexpr int trials = 20000;
  for (int i = 0; i < trials; ++i) {
    const Field x = Field::fromSigned(draw.below(q));
    Field f = Field::fromUnsigned(1);
    for (std::int64_t root = 0; root < 10; ++root) f = f * (x - Field::fromSigned(97 * root));
    zeros += f == Field() ? 1 : 0;
  }
  const double bound = std::exp2(falsePassLog2(10, Degree{}, static_cast<double>(q)));
  CHECK(zeros / static_cast<double>(trials) == Approx(bound).margin(0.002));
}
