#include "interp/number/exact.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "tests/interp/number/draw.h"

using namespace shardlaw;

namespace {

constexpr std::uint64_t p = Field::modulus;

mpz_class big(std::uint64_t n) {
  mpz_class z;
  mpz_set_ui(z.get_mpz_t(), n);
  return z;
}

/// The representative of n modulo p in [0, p), by GMP.
std::uint64_t mod(const mpz_class& n) {
  mpz_class r;
  mpz_mod(r.get_mpz_t(), n.get_mpz_t(), big(p).get_mpz_t());
  return mpz_get_ui(r.get_mpz_t());
}

/// Small, near p, near powers of two, or anything.
std::uint64_t residue(test::Draw& draw) {
  switch (draw.below(5)) {
    case 0: return static_cast<std::uint64_t>(draw.below(64));
    case 1: return p - 1 - static_cast<std::uint64_t>(draw.below(64));
    case 2: return ((std::uint64_t{1} << draw.below(52)) + static_cast<std::uint64_t>(draw.below(3))) % p;
    default: return draw.bits() % p;
  }
}

Field field(std::uint64_t n) { return Field::fromUnsigned(n); }

}  // namespace

TEST_CASE("p = 2^52 - 47 is prime, and the largest prime below 2^52") {
  CHECK(p == 4503599627370449ULL);
  CHECK(mpz_probab_prime_p(big(p).get_mpz_t(), 50) != 0);
  // The proof: no divisor up to the root of p, which is below 2^26.
  std::uint64_t divisors = p % 2 == 0 ? 1 : 0;
  for (std::uint64_t d = 3; d < (1U << 26); d += 2) divisors += p % d == 0 ? 1U : 0U;
  CHECK(divisors == 0);
  mpz_class next;
  mpz_nextprime(next.get_mpz_t(), big(p).get_mpz_t());
  CHECK(next > big(std::uint64_t{1} << 52));
}

TEST_CASE("field arithmetic is arithmetic modulo p") {
  test::Draw draw(1);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t a = residue(draw), b = residue(draw);
    INFO(a << " and " << b);
    REQUIRE((field(a) + field(b)).residue() == mod(big(a) + big(b)));
    REQUIRE((field(a) - field(b)).residue() == mod(big(a) - big(b)));
    REQUIRE((field(a) * field(b)).residue() == mod(big(a) * big(b)));
    REQUIRE((-field(a)).residue() == mod(-big(a)));
    if (b == 0) continue;
    mpz_class inverse;
    REQUIRE(mpz_invert(inverse.get_mpz_t(), big(b).get_mpz_t(), big(p).get_mpz_t()) != 0);
    REQUIRE(field(b).inverse().residue() == mod(inverse));
    REQUIRE((field(a) / field(b)).residue() == mod(big(a) * inverse));
  }
}

TEST_CASE("the field's axioms") {
  test::Draw draw(2);
  const Field zero, one = field(1);
  for (int i = 0; i < 5000; ++i) {
    const Field a = field(residue(draw)), b = field(residue(draw)), c = field(residue(draw));
    REQUIRE((a + b) + c == a + (b + c));
    REQUIRE(a + b == b + a);
    REQUIRE((a * b) * c == a * (b * c));
    REQUIRE(a * b == b * a);
    REQUIRE(a * (b + c) == a * b + a * c);
    REQUIRE(a + zero == a);
    REQUIRE(a * one == a);
    REQUIRE(a + -a == zero);
    if (!(a == zero)) REQUIRE(a * a.inverse() == one);
  }
  CHECK_THROWS_AS(one / zero, Undefined);
  CHECK_THROWS_AS(zero.inverse(), Undefined);
}

TEST_CASE("integers, rationals and 128-bit sums are reduced modulo p") {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  CHECK(Field::fromSigned(least).residue() == mod(mpz_class(std::to_string(least))));
  CHECK(Field::fromSigned(-1).residue() == p - 1);
  CHECK(Field::fromUnsigned(~std::uint64_t{0}).residue() == mod(big(~std::uint64_t{0})));
  CHECK(Field::fromUnsigned(p) == Field());
  CHECK(Field::fromRational(ratio(-1, 2)) * field(2) == field(p - 1));
  CHECK(Field::fromRational(decimal("1e-5")) * field(100000) == field(1));
  CHECK(Field::fromRational(decimal("1e30")).residue() == mod(mpz_class("1000000000000000000000000000000")));
  CHECK(Field::fromRational(Rational(-big(p) * 3)) == Field());
  CHECK_THROWS_AS(Field::fromRational(1 / Rational(big(p))), Undefined);

  test::Draw draw(3);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t high = i == 0 ? ~std::uint64_t{0} : draw.bits() >> draw.below(64);
    const std::uint64_t low = i < 2 ? ~std::uint64_t{0} : draw.bits();
    const auto n = (static_cast<unsigned __int128>(high) << 64) | low;
    REQUIRE(Field::reduce(n).residue() == mod((big(high) << 64) + big(low)));
  }
}

TEST_CASE("a sum is right across the interval at which it is reduced") {
  // (p-1)^2 = 1 modulo p, and it is the largest product: n of them add up to n.
  for (const std::uint64_t n : {(1U << 23) - 1, 1U << 23, (1U << 23) + 1, (1U << 24) + 3, 3 * (1U << 23) + 5}) {
    FieldSum sum;
    for (std::uint64_t i = 0; i < n; ++i) sum.addProduct(field(p - 1), field(p - 1));
    CHECK(sum.total().residue() == n);
  }
  test::Draw draw(4);
  for (int i = 0; i < 200; ++i) {
    FieldSum sum;
    mpz_class expected = 0;
    for (std::int64_t n = draw.below(50); n > 0; --n) {
      const std::uint64_t a = residue(draw), b = residue(draw);
      sum.add(field(a));
      sum.addProduct(field(a), field(b));
      expected += big(a) + big(a) * big(b);
    }
    REQUIRE(sum.total().residue() == mod(expected));
    REQUIRE(sum.total() == sum.total());
  }
}

TEST_CASE("the least element is compared and selected, never calculated with") {
  const Exact exact(1);
  const Field low = exact.lowest(), one = field(1);
  CHECK(low.isLowest());
  CHECK_FALSE(one.isLowest());
  CHECK_THROWS_AS(low + one, Undefined);
  CHECK_THROWS_AS(one + low, Undefined);
  CHECK_THROWS_AS(low - low, Undefined);
  CHECK_THROWS_AS(one - low, Undefined);
  CHECK_THROWS_AS(low * Field(), Undefined);
  CHECK_THROWS_AS(Field() * low, Undefined);
  CHECK_THROWS_AS(low / one, Undefined);
  CHECK_THROWS_AS(one / low, Undefined);
  CHECK_THROWS_AS(-low, Undefined);
  CHECK_THROWS_AS(low.inverse(), Undefined);
  FieldSum sum;
  CHECK_THROWS_AS(sum.add(low), Undefined);
  CHECK_THROWS_AS(sum.addProduct(one, low), Undefined);
  CHECK_THROWS_AS(exact.sqrt(low), Undefined);
  CHECK_THROWS_AS(exact.rsqrt(low), Undefined);
  CHECK_THROWS_AS(exact.log(low), Undefined);
  CHECK_THROWS_AS(exact.tanh(low), Undefined);
  CHECK_THROWS_AS(exact.roundToBf16(low), Undefined);
  CHECK(exact.exp(low) == Field());
  CHECK(exact.max(low, one) == one);
  CHECK(exact.max(one, low) == one);
  CHECK(exact.min(one, low) == low);
  CHECK(exact.select(true, low, one) == low);
  CHECK_FALSE(exact.less(low, low));
}

TEST_CASE("the order is strict and total, with 0 < 6 and room on every side of both") {
  test::Draw draw(5);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Exact exact(seed);
    const auto less = [&](Field a, Field b) { return exact.less(a, b); };
    REQUIRE(less(Field(), field(6)));
    std::vector<Field> elements{exact.lowest(), Field(), field(1), field(6), field(p - 1)};
    while (elements.size() < 1000) elements.push_back(field(draw.bits()));
    std::sort(elements.begin(), elements.end(), less);
    REQUIRE(elements.front().isLowest());
    int below = 0, above = 0;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      below += less(elements[i], Field()) ? 1 : 0;
      above += less(field(6), elements[i]) ? 1 : 0;
      REQUIRE_FALSE(less(elements[i], elements[i]));
      for (std::size_t j = i + 1; j < elements.size(); j += 37) {
        // Sorted and without repetition: i is below j and j is not below i, whichever way one gets from i to
        // j.
        REQUIRE(less(elements[i], elements[j]));
        REQUIRE_FALSE(less(elements[j], elements[i]));
        REQUIRE(exact.exceeds(elements[j], elements[i]));
        REQUIRE(exact.max(elements[i], elements[j]) == elements[j]);
        REQUIRE(exact.min(elements[i], elements[j]) == elements[i]);
      }
    }
    // At least an eighth of the field on each side, less the deviation of a sample.
    REQUIRE(below > 80);
    REQUIRE(above > 80);
    REQUIRE(1000 - below - above > 80);
  }
}

TEST_CASE("functions are fixed by the seed, differ between seeds and from one another") {
  const Exact one(1), again(1), two(2);
  using Function = Field (Exact::*)(Field) const;
  const Function functions[] = {&Exact::sqrt, &Exact::rsqrt, &Exact::exp,
                                &Exact::log,  &Exact::tanh,  &Exact::roundToBf16};
  test::Draw draw(6);
  int ordersDiffer = 0;
  for (int i = 0; i < 1000; ++i) {
    const Field a = field(draw.bits()), b = field(draw.bits());
    std::vector<std::uint64_t> values;
    for (const Function f : functions) {
      REQUIRE((one.*f)(a) == (again.*f)(a));
      REQUIRE_FALSE((one.*f)(a) == (two.*f)(a));
      REQUIRE_FALSE((one.*f)(a) == (one.*f)(b));
      values.push_back((one.*f)(a).residue());
      REQUIRE(values.back() < p);
    }
    std::sort(values.begin(), values.end());
    REQUIRE(std::adjacent_find(values.begin(), values.end()) == values.end());
    REQUIRE(one.less(a, b) == again.less(a, b));
    ordersDiffer += one.less(a, b) != two.less(a, b) ? 1 : 0;
  }
  CHECK(std::abs(ordersDiffer - 500) < 100);
}

TEST_CASE("the roots are tied together, and rounding keeps 0") {
  const Exact exact(3);
  test::Draw draw(7);
  for (int i = 0; i < 1000; ++i) {
    const Field a = field(residue(draw));
    if (a == Field()) continue;
    REQUIRE(exact.sqrt(a) * exact.rsqrt(a) == field(1));
  }
  CHECK(exact.sqrt(Field()) == Field());
  CHECK(exact.roundToBf16(Field()) == Field());
  CHECK_THROWS_AS(exact.rsqrt(Field()), Undefined);
  CHECK(exact.literal(ratio(3, 4)) * field(4) == field(3));
}
