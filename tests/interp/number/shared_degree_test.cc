#include "interp/number/shared_degree.h"

#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "interp/number/degree.h"
#include "interp/number/exact.h"
#include "tests/interp/number/draw.h"
#include "tests/interp/number/polynomial.h"

using namespace shardlaw;
using test::Polynomial;
using test::product;
using test::sum;
using test::trimmed;

namespace {

void check(SharedDegreeScalar found, double degree, double power, double extra, double roots) {
  CHECK(found.degree == degree);
  CHECK(found.power == power);
  CHECK(found.extra == extra);
  CHECK(found.roots == roots);
}

Field number(std::int64_t n) { return Field::fromSigned(n); }
double degreeOf(const Polynomial& a) { return static_cast<double>(a.size()) - 1; }

/// a/b where b divides a; else nothing.
std::optional<Polynomial> quotient(Polynomial a, const Polynomial& b) {
  Polynomial found(a.size() < b.size() ? 0 : a.size() - b.size() + 1);
  while (a.size() >= b.size()) {
    const std::size_t shift = a.size() - b.size();
    const Field factor = a.back() / b.back();
    found[shift] = factor;
    for (std::size_t i = 0; i < b.size(); ++i) a[shift + i] = a[shift + i] - factor * b[i];
    a.pop_back();
    a = trimmed(a);
  }
  if (!a.empty()) return std::nullopt;
  return found;
}

/// A rational function as it comes out of the calculation, beside what is claimed of it.
struct Value {
  Polynomial above, below;
  SharedDegreeScalar claimed;
};

Polynomial line(test::Draw& draw) { return {Field::fromUnsigned(draw.bits()), Field::fromUnsigned(draw.bits())}; }

/// Everything that was divided by, each once.
struct Divisors {
  Polynomial product{number(1)};
  double count = 0;
};

Value combine(const Value& a, const Value& b, std::int64_t operation, Divisors& divisors) {
  switch (operation) {
    case 0:
    case 1:
      return {sum(product(a.above, b.below), product(b.above, a.below), number(operation == 0 ? 1 : -1)),
              product(a.below, b.below), operation == 0 ? a.claimed + b.claimed : a.claimed - b.claimed};
    case 2: return {product(a.above, b.above), product(a.below, b.below), a.claimed * b.claimed};
    default:
      // The numerator of b = N/Δ^k belongs to Δ; here b is a polynomial.
      if (!b.claimed.isConstant()) divisors.product = product(divisors.product, b.above), ++divisors.count;
      return {product(a.above, b.below), product(a.below, b.above), a.claimed / b.claimed};
  }
}

/// Requires N = value·Δ^power to be a polynomial whose degree is as claimed.
void requireClaim(const Value& value, const Divisors& divisors, const SharedDegree& domain) {
  const SharedDegree::Counts counts = domain.counts();
  REQUIRE(counts.divisions == divisors.count);
  REQUIRE(degreeOf(divisors.product) <= counts.divisions * counts.divisor);
  Polynomial above = value.above;
  for (int k = 0; k < static_cast<int>(value.claimed.power); ++k) above = product(above, divisors.product);
  const auto numerator = quotient(above, value.below);
  REQUIRE(numerator.has_value());
  REQUIRE(degreeOf(*numerator) <= value.claimed.numerator(degreeOf(divisors.product), 0));
}

}  // namespace

TEST_CASE("shared degrees of sums, products and quotients, calculated by hand") {
  const SharedDegree domain;
  const SharedDegreeScalar x = domain.variable(), one = domain.literal(1);
  check(x, 1, 0, 0, 0);
  check(one, 0, 0, 0, 0);
  check(x * x - x, 2, 0, 0, 0);
  check(-(x * x), 2, 0, 0, 0);
  // A constant divisor is no division.
  check(x / one, 1, 0, 0, 0);
  CHECK(domain.counts().divisions == 0);
  // x²/(x·x): N/Δ with deg N ≤ 2 + deg Δ.
  check(x * x / (x * x), 2, 1, 0, 0);
  CHECK(domain.counts().divisions == 1);
  CHECK(domain.counts().divisor == 2);
  // (1/x)·(1/x)·x.
  check((one / x) * (one / x) * x, 1, 2, 0, 0);
  CHECK(domain.counts().divisions == 3);
  CHECK_FALSE(domain.counts().nested);
  CHECK((x * x / x).numerator(10, 0) == 12);
}

TEST_CASE("a sum of many fractions keeps one common denominator, where Degree multiplies them") {
  const SharedDegree domain;
  SharedDegreeSum sum;
  DegreeSum plain;
  for (int i = 0; i < 10; ++i) {
    sum.add(domain.literal(1) / domain.variable());
    plain.add(DegreeScalar{} / DegreeScalar{1, 0});
  }
  check(sum.total(), 0, 1, 0, 0);
  CHECK(domain.counts().divisions == 10);
  // Ten lines make Δ of degree 10, and Σ 1/x_i has a numerator of degree 9.
  CHECK(sum.total().numerator(10, 0) == 10);
  CHECK(plain.total().denominator == 10);
  // Squares of the sum: Δ² here, 20 denominators there; the numerators are 20 and 18.
  CHECK((sum.total() * sum.total()).power == 2);
  sum.addProduct(domain.variable(), domain.variable());
  check(sum.total(), 2, 1, 0, 0);
}

TEST_CASE("shared degrees are never below those of the polynomials themselves") {
  test::Draw draw(1);
  int fractions = 0;
  for (int i = 0; i < 400; ++i) {
    const SharedDegree domain;
    Divisors divisors;
    const Polynomial one{number(1)};
    std::vector<Value> values;
    for (int k = 0; k < 3; ++k) values.push_back({line(draw), one, domain.variable()});
    values.push_back({{number(7)}, one, domain.literal(7)});
    for (int k = 0; k < 6; ++k) {
      const auto n = static_cast<std::int64_t>(values.size());
      const Value a = values[static_cast<std::size_t>(draw.below(n))];
      const Value b = values[static_cast<std::size_t>(draw.below(n))];
      const std::int64_t operation = draw.below(4);
      // No bound is claimed where a divisor is a fraction.
      if (operation == 3 && (b.above.empty() || b.claimed.power > 0)) continue;
      values.push_back(combine(a, b, operation, divisors));
      if (values.back().above.size() > 60 || values.back().below.size() > 60) break;
      if (values.back().above.empty()) continue;
      fractions += values.back().claimed.power > 0 ? 1 : 0;
      requireClaim(values.back(), divisors, domain);
    }
    CHECK_FALSE(domain.counts().nested);
  }
  CHECK(fractions > 200);
}

TEST_CASE("a divisor that is a fraction itself is flagged") {
  const SharedDegree domain;
  const SharedDegreeScalar x = domain.variable(), fraction = x / x;
  CHECK_FALSE(domain.counts().nested);
  check(x / fraction, 1, 1, 1, 0);
  CHECK(domain.counts().nested);
  CHECK(domain.counts().divisions == 2);
}

TEST_CASE("a function's value is a fresh variable, and the arguments of each are remembered apart") {
  const SharedDegree domain;
  const SharedDegreeScalar x = domain.variable(), cubic = x * x * x;
  check(domain.exp(cubic / x), 1, 0, 0, 0);
  check(domain.rsqrt(x * x), 1, 0, 0, 0);
  check(domain.sqrt(x), 1, 0, 0, 1);
  check(domain.log(x), 1, 0, 0, 0);
  check(domain.tanh(x), 1, 0, 0, 0);
  check(domain.roundToBf16(cubic), 1, 0, 0, 0);
  const auto counts = domain.counts();
  check(counts.arguments[Opaque::exp], 3, 1, 0, 0);
  check(counts.arguments[Opaque::rsqrt], 2, 0, 0, 0);
  check(counts.arguments[Opaque::sqrt], 1, 0, 0, 0);
  check(counts.arguments[Opaque::round], 3, 0, 0, 0);
  CHECK(counts.compared.degree == 0);
  // Either may have been chosen.
  check(domain.max(cubic, x / x), 3, 1, 0, 0);
  check(domain.counts().compared, 3, 1, 0, 0);
  check(domain.select(true, x, cubic), 3, 0, 0, 0);
}

TEST_CASE("where √ and 1/√ are tied, a sum of roots is a fraction in the inverse roots") {
  // x/(√a + √b + √c) with √a = 1/r and so on is x·r·s·t/(s·t + r·t + r·s): along a line in r, s, t and x a numerator of
  // degree 4 over a divisor of degree 2.
  test::Draw draw(3);
  const Polynomial x = line(draw), r = line(draw), s = line(draw), t = line(draw);
  const Polynomial divisor = sum(sum(product(s, t), product(r, t)), product(r, s));
  const Polynomial above = product(product(product(x, r), s), t);
  CHECK(degreeOf(divisor) == 2);
  CHECK(degreeOf(above) == 4);

  const SharedDegree domain;
  const SharedDegreeScalar a = domain.variable();
  const auto found = domain.variable() / (domain.sqrt(a) + domain.sqrt(a) + domain.sqrt(a));
  check(found, 1, 1, 0, 1);
  const auto counts = domain.counts();
  constexpr double sharedRoots = 3;
  CHECK(counts.divisor + counts.divisorRoots * sharedRoots >= degreeOf(divisor));
  CHECK(found.numerator(degreeOf(divisor), sharedRoots) >= degreeOf(above));
  CHECK(counts.divisorRoots == 1);
}

TEST_CASE("elements of which both roots were taken are counted once each") {
  RootArguments roots;
  const Exact domain(5, &roots);
  for (const std::int64_t n : {2, 3, 3, 5}) domain.sqrt(number(n));
  CHECK(roots.shared() == 0);
  for (const std::int64_t n : {3, 5, 5, 7}) domain.rsqrt(number(n));
  CHECK(roots.shared() == 2);
  const Exact copy(domain);
  copy.rsqrt(number(2));
  CHECK(roots.shared() == 3);
  // They are tied, which is why it matters.
  CHECK(domain.sqrt(number(3)) * domain.rsqrt(number(3)) == number(1));
}
