#include "interp/number/wide.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "interp/error.h"
#include "interp/number/ieee.h"
#include "tests/interp/number/draw.h"

using namespace shardlaw;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

Rational power2(long exponent) {
  Rational q(1);
  if (exponent >= 0) q *= mpz_class(1) << static_cast<unsigned long>(exponent);
  else q /= mpz_class(1) << static_cast<unsigned long>(-exponent);
  return q;
}

Rational randomRational(test::Draw& draw) {
  Rational q(static_cast<long>(draw.between(-1000000007, 1000000007)),
             static_cast<unsigned long>(draw.between(1, 998244353)));
  q.canonicalize();
  return q * power2(draw.between(-300, 300));
}

/// One rounding to nearest: at most half a unit in the last place, which is at most 2^-bits of the value.
void requireRounded(const WideScalar& found, const Rational& exact, long bits) {
  const Rational error = abs(found.toRational() - exact);
  INFO(found.toString(30) << " for " << exact.get_d() << " at " << bits << " bits");
  REQUIRE(found.precision() == bits);
  REQUIRE(error <= abs(exact) * power2(-bits));
}

}  // namespace

TEST_CASE("literals, sums, products and quotients are rounded once, at the precision that was asked for") {
  test::Draw draw(1);
  for (const long bits : {64L, 100L, 256L, 1000L}) {
    const Wide wide(bits);
    int inexact = 0;
    for (int i = 0; i < 500; ++i) {
      const Rational q = randomRational(draw), r = randomRational(draw);
      const WideScalar a = wide.literal(q), b = wide.literal(r);
      requireRounded(a, q, bits);
      inexact += a.toRational() == q ? 0 : 1;
      const Rational exactA = a.toRational(), exactB = b.toRational();
      requireRounded(a + b, exactA + exactB, bits);
      requireRounded(a - b, exactA - exactB, bits);
      requireRounded(a * b, exactA * exactB, bits);
      if (exactB != 0) requireRounded(a / b, exactA / exactB, bits);
      CHECK((-a).toRational() == -exactA);
    }
    // More bits than 1/3 has would not be rounding at all.
    CHECK(inexact > 400);
  }
}

TEST_CASE("constants, to sixty digits that are in the books") {
  const Wide wide(256);
  CHECK(wide.exp(wide.literal(1)).toString(60) == "2.71828182845904523536028747135266249775724709369995957496697e0");
  CHECK(wide.log(wide.literal(2)).toString(60) == "6.93147180559945309417232121458176568075500134360255254120680e-1");
  CHECK(wide.sqrt(wide.literal(2)).toString(60) == "1.41421356237309504880168872420969807856967187537694807317668e0");
  CHECK(wide.rsqrt(wide.literal(2)).toString(60) == "7.07106781186547524400844362104849039284835937688474036588340e-1");
  // tanh(log 2) = 3/5.
  const WideScalar tanh = wide.tanh(wide.log(wide.literal(2)));
  CHECK(std::abs((tanh - wide.literal(ratio(3, 5))).toDouble()) <= 0x1p-254);
  CHECK(wide.literal(ratio(-1, 3)).toString(5) == "-3.3333e-1");
}

TEST_CASE("doubles come in exactly and go out rounded") {
  const Wide wide(64);
  test::Draw draw(2);
  for (int i = 0; i < 2000; ++i) {
    const auto x = std::bit_cast<double>(draw.bits());
    if (!std::isfinite(x)) continue;
    REQUIRE(wide.fromDouble(x).toDouble() == x);
    REQUIRE(wide.fromDouble(x).toRational() == Rational(x));
  }
  CHECK(wide.fromDouble(5e-324).toDouble() == 5e-324);
  CHECK(wide.fromDouble(-inf).toDouble() == -inf);
  CHECK(std::isnan(wide.fromDouble(std::nan("")).toDouble()));
  CHECK(wide.literal(1 + power2(-53) + power2(-60)).toDouble() == 1 + 0x1p-52);
  CHECK_THROWS_AS(wide.lowest().toRational(), Error);
  CHECK_THROWS_AS(Wide(63), Error);
  CHECK_THROWS_AS(Wide((1L << 20) + 1), Error);
}

TEST_CASE("a result has the larger precision of its operands, on whichever side it stands") {
  const WideScalar narrow = Wide(64).literal(ratio(1, 3)), broad = Wide(300).literal(ratio(1, 7));
  const Rational a = narrow.toRational(), b = broad.toRational();
  requireRounded(narrow + broad, a + b, 300);
  requireRounded(broad - narrow, b - a, 300);
  requireRounded(narrow * broad, a * b, 300);
  requireRounded(broad / narrow, b / a, 300);
  for (const bool narrowFirst : {true, false}) {
    WideSum sum;
    sum.add(narrowFirst ? narrow : broad);
    sum.add(narrowFirst ? broad : narrow);
    requireRounded(sum.total(), a + b, 300);
    WideSum products;
    products.addProduct(narrow, narrow);
    products.addProduct(narrowFirst ? narrow : broad, narrowFirst ? broad : narrow);
    CHECK(products.total().precision() == 300);
  }
}

TEST_CASE("nothing underflows where doubles would") {
  const Wide wide(256);
  WideScalar x = wide.literal(1);
  for (int i = 0; i < 200; ++i) x = x * wide.literal(decimal("1e-300"));
  CHECK(x.toDouble() == 0);
  CHECK_FALSE(x == WideScalar());
  CHECK(x.toString(3) == "1.00e-60000");
  CHECK((wide.exp(wide.literal(-100000)) == WideScalar()) == false);
}

TEST_CASE("the default scalar is zero") {
  const Wide wide(256);
  const WideScalar zero, one = wide.literal(1), none = wide.fromDouble(std::nan(""));
  CHECK(zero == wide.literal(0));
  CHECK(zero.toDouble() == 0);
  CHECK(zero.toRational() == 0);
  CHECK(zero.toString(5) == "0");
  CHECK(zero + one == one);
  CHECK(one + zero == one);
  CHECK(one - zero == one);
  CHECK(zero - one == wide.literal(-1));
  CHECK(-zero == zero);
  CHECK(zero * one == zero);
  CHECK(zero / one == zero);
  CHECK(zero + zero == zero);
  CHECK((one / zero).toDouble() == inf);
  CHECK((zero / zero).isNaN());
  CHECK((zero * wide.lowest()).isNaN());
  CHECK((zero + none).isNaN());
  CHECK(wide.exp(zero) == one);
  CHECK(wide.sqrt(zero) == zero);
  CHECK(wide.max(wide.literal(-1), zero) == zero);
  CHECK(wide.roundToBf16(zero) == zero);
  WideSum sum;
  CHECK(sum.total() == zero);
  sum.add(zero);
  sum.addProduct(zero, one);
  CHECK(sum.total() == zero);
  sum.addProduct(zero, wide.lowest());
  CHECK(sum.total().isNaN());
}

TEST_CASE("infinities, NaN and comparisons are as in doubles") {
  const Wide wide(128);
  const F64 ieee;
  const double values[] = {-inf, -3, -0.0, 0, 1e-300, 3, inf, std::nan("")};
  const auto same = [](const WideScalar& a, double b) { return b != b ? a.isNaN() : a.toDouble() == b; };
  for (const double x : values)
    for (const double y : values) {
      const WideScalar a = wide.fromDouble(x), b = wide.fromDouble(y);
      INFO(x << ", " << y);
      CHECK(wide.less(a, b) == ieee.less(x, y));
      CHECK(wide.exceeds(a, b) == ieee.exceeds(x, y));
      CHECK((a == b) == (x == y));
      CHECK(same(wide.max(a, b), ieee.max(x, y)));
      CHECK(same(wide.min(a, b), ieee.min(x, y)));
      CHECK(same(a + b, x + y));
      CHECK(same(a - b, x - y));
      // Other exponents than a double's: 1e-300 squared is not 0 here.
      if (x != 1e-300 && y != 1e-300) CHECK(same(a * b, x * y));
      CHECK(same(wide.select(true, a, b), x));
    }
  CHECK(wide.lowest().toDouble() == -inf);
  CHECK(wide.sqrt(wide.literal(-1)).isNaN());
  CHECK(wide.log(WideScalar()).toDouble() == -inf);
  CHECK(wide.exp(wide.lowest()) == WideScalar());
}

TEST_CASE("a sum rounds each product once, into the sum") {
  const Wide wide(64);
  // (1 + 2^-40)² − 1 = 2^-39 + 2^-80: the product alone does not fit 64 bits.
  const WideScalar a = wide.literal(1 + power2(-40));
  WideSum sum;
  sum.add(wide.literal(-1));
  sum.addProduct(a, a);
  CHECK(sum.total().toRational() == power2(-39) + power2(-80));
  WideSum twice;
  twice.add(wide.literal(2));
  const WideScalar first = twice.total();
  twice.add(wide.literal(3));
  CHECK(first == wide.literal(2));
  CHECK(twice.total() == wide.literal(5));
}

TEST_CASE("bf16 rounding sees all the bits, between any two neighbours") {
  const Wide wide(512);
  const auto brain = [](std::uint32_t pattern) {
    return pattern < 0x7F80 ? Rational(static_cast<double>(std::bit_cast<float>(pattern << 16))) : power2(128);
  };
  const Rational hair = power2(-200);
  for (std::uint32_t below = 0; below < 0x7F80; below += below < 300 || below > 0x7F00 ? 1 : 37) {
    const Rational low = brain(below), step = brain(below + 1) - low;
    for (const int sign : {1, -1}) {
      const auto check = [&](const Rational& t, std::uint32_t expected) {
        const WideScalar rounded = wide.roundToBf16(wide.literal(sign * (low + t * step)));
        INFO("pattern " << below);
        if (expected == 0x7F80) REQUIRE(rounded.toDouble() == sign * inf);
        else REQUIRE(rounded.toRational() == sign * brain(expected));
      };
      check(0, below);
      // A double cannot hold these: through one, they would be ties.
      check(ratio(1, 2) - hair, below);
      check(ratio(1, 2), below + below % 2);
      check(ratio(1, 2) + hair, below + 1);
      check(1 - hair, below + 1);
    }
  }
  CHECK(wide.roundToBf16(wide.literal(decimal("1e-60"))) == WideScalar());
  CHECK(wide.roundToBf16(wide.lowest()).toDouble() == -inf);
  CHECK(wide.roundToBf16(wide.fromDouble(std::nan(""))).isNaN());
}

namespace {

/// Some hundreds of operations of every kind, as one text.
std::string work(long bits) {
  const Wide wide(bits);
  WideSum sum;
  WideScalar x = wide.literal(ratio(1, 3));
  for (int i = 1; i < 200; ++i) {
    x = wide.exp(wide.tanh(x) / wide.literal(i)) -
        wide.log(wide.literal(i + 1)) * wide.rsqrt(wide.literal(ratio(i, 7)));
    sum.addProduct(x, x);
    sum.add(wide.roundToBf16(x));
  }
  return sum.total().toString(static_cast<int>(bits) / 3);
}

}  // namespace

TEST_CASE("precisions in use at once on several threads do not disturb one another") {
  const long precisions[] = {64, 100, 256, 777};
  std::vector<std::string> alone, together(4);
  for (const long bits : precisions) alone.push_back(work(bits));
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 4; ++i) threads.emplace_back([&, i] { together[i] = work(precisions[i]); });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < 4; ++i) REQUIRE(together[i] == alone[i]);
  }
}

TEST_CASE("the residual of an identity falls with the unit roundoff; that of a wrong one does not") {
  for (const long bits : {64L, 128L, 256L, 512L}) {
    const Wide wide(bits);
    const WideScalar a = wide.literal(ratio(1, 3)), b = wide.literal(ratio(22, 7)), two = wide.literal(2);
    const double right = ((a + b) * (a + b) - (a * a + two * a * b + b * b)).toDouble();
    const double wrong = ((a + b) * (a + b) - (a * a + a * b + b * b)).toDouble();
    CHECK(std::abs(right) <= 64 * std::exp2(static_cast<double>(-bits)));
    // a·b = 22/21.
    CHECK(wrong == Approx(22.0 / 21));
  }
}
