#include "interp/number/rational.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "interp/error.h"
#include "tests/interp/number/draw.h"

using namespace shardlaw;

TEST_CASE("decimals and fractions are read exactly") {
  CHECK(decimal("0") == 0);
  CHECK(decimal("6") == 6);
  CHECK(decimal("-0.25") == ratio(-1, 4));
  CHECK(decimal("+.5") == ratio(1, 2));
  CHECK(decimal("5.") == 5);
  CHECK(decimal("1e-5") == ratio(1, 100000));
  CHECK(decimal("1E+3") == 1000);
  CHECK(decimal("1.50e1") == 15);
  CHECK(decimal("007") == 7);
  CHECK(decimal("1/3") == ratio(1, 3));
  CHECK(decimal("-1.5/4.5") == ratio(-1, 3));
  CHECK(decimal("2/-4") == ratio(-1, 2));
  CHECK(decimal("1e10000") / decimal("1e9999") == 10);
}

TEST_CASE("what is not a number is refused, whatever it would cost to read") {
  for (const char* text : {"",
                           "-",
                           "+",
                           ".",
                           "e5",
                           "1e",
                           "1e+",
                           "1e-",
                           "1e+-5",
                           "1e--5",
                           "1e5.5",
                           "1e5x",
                           "0x10",
                           "inf",
                           "nan",
                           " 1",
                           "1 ",
                           "1,5",
                           "1.2.3",
                           "--1",
                           "1/",
                           "/1",
                           "1/0",
                           "1/0e5",
                           "1/2/3",
                           "1e10001",
                           "1e-10001",
                           "1e99999999999999999999",
                           "1e9223372036854775807",
                           "1e-9223372036854775808",
                           "1e-9223372036854775807"}) {
    INFO("'" << text << "'");
    CHECK_THROWS_AS(decimal(text), Error);
  }
  CHECK_THROWS_AS(decimal("0." + std::string(30000, '1')), Error);
  std::string nested = "1";
  for (int i = 0; i < 1000000; ++i) nested += "/1";
  CHECK_THROWS_AS(decimal(nested), Error);
  CHECK_THROWS_AS(ratio(1, 0), Error);
  CHECK(ratio(std::numeric_limits<long>::min(), std::numeric_limits<long>::min()) == 1);
}

TEST_CASE("the canonical text is read back as the same number") {
  CHECK(toString(ratio(1, 4)) == "0.25");
  CHECK(toString(decimal("1e-5")) == "1e-05");
  CHECK(toString(ratio(1, 3)) == "1/3");
  CHECK(toString(Rational(-6)) == "-6");
  test::Draw draw(2);
  for (int i = 0; i < 3000; ++i) {
    Rational q(static_cast<long>(draw.between(-1000000, 1000000)), static_cast<unsigned long>(draw.between(1, 100000)));
    q.canonicalize();
    if (draw.oneIn(3)) q *= decimal("1e" + std::to_string(draw.between(-400, 400)));
    if (draw.oneIn(3)) q = Rational(draw.unit());
    INFO(q.get_str());
    REQUIRE(decimal(toString(q)) == q);
  }
}

namespace {

/// A float format by its bit patterns: non-negative values in order, the first infinite one last.
template <class F, class Bits, int dropped>
struct Format {
  static constexpr Bits infinite = std::bit_cast<Bits>(std::numeric_limits<F>::infinity()) >> dropped;
  static F value(Bits pattern) { return std::bit_cast<F>(static_cast<Bits>(pattern << dropped)); }
  /// Its exact value; infinity stands where the next number would be, 2^emax.
  static Rational exact(Bits pattern) {
    if (pattern < infinite) return Rational(static_cast<double>(value(pattern)));
    return 2 * exact(infinite - 1) - exact(infinite - 2);
  }
};
using Double = Format<double, std::uint64_t, 0>;
using Single = Format<float, std::uint32_t, 0>;
using Brain = Format<float, std::uint32_t, 16>;

/// Between neighbours the nearer is right, and half-way the one whose last bit is 0; known by construction.
template <class T, class Bits, class Convert>
void checkBetween(Bits below, const Convert& convert, test::Draw& draw) {
  const Rational low = T::exact(below), high = T::exact(below + 1), step = high - low;
  Rational hair(1);
  hair /= mpz_class(1) << 300;
  const auto even = T::value(below % 2 == 0 ? below : below + 1);
  INFO("below " << T::value(below));
  for (const int sign : {1, -1}) {
    const auto check = [&](const Rational& t, auto expected) {
      REQUIRE(convert(sign * (low + t * step)) == static_cast<decltype(expected)>(sign) * expected);
    };
    check(0, T::value(below));
    check(hair, T::value(below));
    check(ratio(1, 2) - hair, T::value(below));
    check(ratio(1, 2), even);
    check(ratio(1, 2) + hair, T::value(below + 1));
    check(1 - hair, T::value(below + 1));
    const long n = static_cast<long>(draw.below(1000));
    if (n != 500) check(ratio(n, 1000), T::value(n < 500 ? below : below + 1));
  }
}

}  // namespace

TEST_CASE("rationals round to the nearest double and float, ties to even, subnormals and overflow included") {
  test::Draw draw(3);
  for (int i = 0; i < 4000; ++i) {
    // Every exponent is as likely as another, and both ends of the range are visited.
    auto d = draw.bits() % Double::infinite;
    auto f = static_cast<std::uint32_t>(draw.bits() % Single::infinite);
    if (i < 40) d = static_cast<std::uint64_t>(i), f = static_cast<std::uint32_t>(i);
    if (i >= 40 && i < 80)
      d = Double::infinite - static_cast<std::uint64_t>(i - 39),
      f = Single::infinite - (static_cast<std::uint32_t>(i) - 39);
    if (i >= 80 && i < 120)
      d = 0x0010000000000000ULL - 100 + static_cast<std::uint64_t>(i),
      f = 0x00800000U - 100 + static_cast<std::uint32_t>(i);
    checkBetween<Double>(d, toDouble, draw);
    checkBetween<Single>(f, toFloat, draw);
  }
  CHECK(std::isinf(toDouble(decimal("1e400"))));
  CHECK(toFloat(decimal("-1e39")) == -std::numeric_limits<float>::infinity());
  CHECK(toDouble(decimal("1e-5")) == 1e-5);
  CHECK(toFloat(decimal("0.1")) == 0.1F);
}

TEST_CASE("rationals round to the nearest bf16, between any two neighbours") {
  test::Draw draw(4);
  for (std::uint32_t below = 0; below < Brain::infinite; ++below) checkBetween<Brain>(below, toBf16, draw);
}
