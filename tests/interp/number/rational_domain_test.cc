#include "interp/number/rational_domain.h"

#include <catch2/catch.hpp>

#include "interp/error.h"
#include "interp/exec/evaluate.h"
#include "tests/interp/number/random_program.h"

using namespace shardlaw;

namespace {

RationalScalar number(long n, long d = 1) { return RationalScalar(ratio(n, d)); }

}  // namespace

TEST_CASE("rational arithmetic is exact, and refuses what it has no value for") {
  const RationalDomain d;
  CHECK(number(1, 3) + number(1, 6) == number(1, 2));
  CHECK(number(1, 3) - number(1, 2) == number(-1, 6));
  CHECK(number(2, 3) * number(9, 4) == number(3, 2));
  CHECK(number(2, 3) / number(-4, 9) == number(-3, 2));
  CHECK(-number(2, 3) == number(-2, 3));
  CHECK_THROWS_AS(number(1) / number(0), Undefined);
  RationalSum sum;
  sum.add(number(1, 2));
  sum.addProduct(number(1, 2), number(1, 3));
  CHECK(sum.total() == number(2, 3));

  const RationalScalar low = d.lowest();
  CHECK(d.less(low, number(-1000000)));
  CHECK_FALSE(d.less(low, low));
  CHECK_FALSE(d.less(number(0), low));
  CHECK(d.max(low, number(-3)) == number(-3));
  CHECK(d.min(number(-3), low).isLowest());
  CHECK_THROWS_AS(low + number(1), Undefined);
  CHECK_THROWS_AS(number(0) * low, Undefined);
  CHECK_THROWS_AS(-low, Undefined);
  CHECK_THROWS_AS(low.value(), Undefined);
  CHECK(d.exceeds(number(1, 2), number(1, 3)));
  CHECK_FALSE(d.exceeds(number(1, 2), number(1, 2)));
}

TEST_CASE("functions have their value where it is rational, and no value elsewhere") {
  const RationalDomain d;
  CHECK(d.sqrt(number(9, 4)) == number(3, 2));
  CHECK(d.rsqrt(number(9, 4)) == number(2, 3));
  CHECK(d.sqrt(number(0)) == number(0));
  CHECK(d.exp(number(0)) == number(1));
  CHECK(d.exp(d.lowest()) == number(0));
  CHECK(d.log(number(1)) == number(0));
  CHECK(d.tanh(number(0)) == number(0));
  CHECK(d.roundToBf16(number(257)) == number(256));
  CHECK(d.roundToBf16(number(259)) == number(260));
  CHECK(d.roundToBf16(number(1, 3)) == number(171, 512));
  for (const auto& refused : {number(2), number(9, 5), number(8, 9), number(-4)})
    CHECK_THROWS_AS(d.sqrt(refused), Undefined);
  CHECK_THROWS_AS(d.rsqrt(number(0)), Undefined);
  CHECK_THROWS_AS(d.exp(number(1)), Undefined);
  CHECK_THROWS_AS(d.log(number(2)), Undefined);
  CHECK_THROWS_AS(d.tanh(number(1)), Undefined);
  CHECK_THROWS_AS(d.roundToBf16(RationalScalar(decimal("1e40"))), Undefined);
}

namespace {

/// A rational beside the value another domain has for it, and how far that may be off by its roundings.
struct Tracked {
  RationalScalar exact;
  Field field;
  WideScalar wide;
  Rational error;
};

/// One operation in all three domains, with the textbook bound on its error: what its operands carry, and
/// one rounding of what comes out.
Tracked step(const Tracked& a, const Tracked& b, std::int64_t operation, const Rational& u) {
  const Rational sizeA = abs(a.exact.value()) + a.error, sizeB = abs(b.exact.value()) + b.error;
  const auto rounded = [&](RationalScalar exact, Field field, WideScalar wide, const Rational& carried) {
    const Rational error = carried + u * (abs(exact.value()) + carried);
    return Tracked{std::move(exact), field, std::move(wide), error};
  };
  switch (operation) {
    case 0: return rounded(a.exact + b.exact, a.field + b.field, a.wide + b.wide, a.error + b.error);
    case 1: return rounded(a.exact - b.exact, a.field - b.field, a.wide - b.wide, a.error + b.error);
    case 2: return rounded(a.exact * b.exact, a.field * b.field, a.wide * b.wide, sizeA * b.error + sizeB * a.error);
    default: {
      const Rational least = abs(b.exact.value()) - b.error;
      const Rational carried = a.error / least + sizeA * b.error / (least * least);
      return rounded(a.exact / b.exact, a.field / b.field, a.wide / b.wide, carried);
    }
  }
}

}  // namespace

TEST_CASE("programs of + - * / agree: exactly modulo p, and within roundoff in many bits") {
  Rational u(1);
  u /= mpz_class(1) << 256;
  const Wide wide(256);
  int divisions = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    test::Draw draw(seed);
    std::vector<Tracked> values;
    for (int i = 0; i < 4; ++i) {
      const Rational q = ratio(static_cast<long>(draw.between(-50, 50)), static_cast<long>(draw.between(1, 30)));
      values.push_back({RationalScalar(q), Field::fromRational(q), wide.literal(q), abs(q) * u});
    }
    for (int i = 0; i < 12; ++i) {
      const auto n = static_cast<std::int64_t>(values.size());
      const Tracked a = values[static_cast<std::size_t>(draw.below(n))];
      const Tracked b = values[static_cast<std::size_t>(draw.below(n))];
      const std::int64_t operation = draw.below(4);
      if (operation == 3 && abs(b.exact.value()) <= b.error) continue;
      divisions += operation == 3 ? 1 : 0;
      const Tracked c = step(a, b, operation, u);
      if (mpz_sizeinbase(c.exact.value().get_den().get_mpz_t(), 2) > 2000) break;
      INFO("seed " << seed << ", step " << i);
      REQUIRE(Field::fromRational(c.exact.value()) == c.field);
      REQUIRE(abs(c.wide.toRational() - c.exact.value()) <= c.error);
      values.push_back(c);
    }
  }
  CHECK(divisions > 500);
}

TEST_CASE("whole programs of nodes without functions agree modulo p, replicas and collectives included") {
  const Exact exact(1);
  std::int64_t compared = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    test::Draw draw(seed);
    const test::RandomProgram random = test::ProgramDraw(draw, test::Level::field).program(draw.between(1, 5));
    std::vector<std::vector<Tensor<RationalScalar>>> inputs(static_cast<std::size_t>(random.replicas));
    std::vector<std::vector<Tensor<Field>>> residues(inputs.size());
    for (std::size_t r = 0; r < inputs.size(); ++r)
      for (const ValueId id : random.program.inputs()) {
        const Shape& shape = random.program.value(id).type.shape;
        inputs[r].emplace_back(shape);
        residues[r].emplace_back(shape);
        for (std::int64_t k = 0; k < shape.cells(); ++k) {
          const Rational q = ratio(static_cast<long>(draw.between(-9, 9)), static_cast<long>(draw.between(1, 5)));
          inputs[r].back()[k] = RationalScalar(q);
          residues[r].back()[k] = Field::fromRational(q);
        }
      }
    const auto rational = evaluate(RationalDomain{}, random.program, inputs);
    const auto field = evaluate(exact, random.program, residues);
    for (std::size_t r = 0; r < rational.size(); ++r)
      for (std::size_t id = 0; id < rational[r].size(); ++id)
        for (std::int64_t k = 0; k < rational[r][id].cells(); ++k) {
          INFO("seed " << seed << "\n" << random.program.text());
          REQUIRE(Field::fromRational(rational[r][id][k].value()) == field[r][id][k]);
          ++compared;
        }
  }
  CHECK(compared > 50000);
}
