// Functions beyond those that every domain has, in the domains that know them by other means than the C library.
#include "interp/number/elementary.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "interp/number/exact.h"
#include "interp/number/shared_degree.h"
#include "interp/number/wide.h"

namespace shardlaw {
namespace {

TEST_CASE("An uninterpreted function is consistent, and counted as one of the others") {
  const Exact domain(11);
  const Field a = domain.literal(3), b = domain.literal(5);
  CHECK(domain.uninterpreted(1, a) == domain.uninterpreted(1, domain.literal(3)));
  CHECK_FALSE(domain.uninterpreted(1, a) == domain.uninterpreted(2, a));
  CHECK_FALSE(domain.uninterpreted(1, a) == domain.uninterpreted(1, b));
  CHECK(domain.uninterpreted(1, a, b) == domain.uninterpreted(1, a, b));
  CHECK_FALSE(domain.uninterpreted(1, a, b) == domain.uninterpreted(1, b, a));
  CHECK_FALSE(domain.uninterpreted(1, a, b) == domain.uninterpreted(2, a, b));
  CHECK(domain.applications()[Opaque::other] == 12);
  CHECK(domain.applications()[Opaque::exp] == 0);
  CHECK_FALSE(Exact(12).uninterpreted(1, a) == domain.uninterpreted(1, a));
  CHECK(Exact(domain).uninterpreted(1, a, b) == domain.uninterpreted(1, a, b));
}

TEST_CASE("An uninterpreted function of the least element is undefined") {
  const Exact domain(11);
  CHECK_THROWS_AS(domain.uninterpreted(1, Field::lowest()), Undefined);
  CHECK_THROWS_AS(domain.uninterpreted(1, Field::lowest(), Field()), Undefined);
  CHECK_THROWS_AS(domain.uninterpreted(1, Field(), Field::lowest()), Undefined);
}

TEST_CASE("Its value is a variable, and its argument's degree is kept") {
  const SharedDegree domain;
  const auto x = domain.variable();
  CHECK(domain.uninterpreted(x * x * x).degree == 1);
  CHECK(domain.counts().arguments[Opaque::other].degree == 3);
}

TEST_CASE("Wide's functions agree with the C library's") {
  const Wide domain;
  const auto f = [&](Elementary function, double a, double b = 0) {
    return domain.elementary(function, domain.fromDouble(a), domain.fromDouble(b)).toDouble();
  };
  CHECK(f(Elementary::cbrt, -27) == -3);
  CHECK(f(Elementary::sine, 1) == Approx(std::sin(1.0)));
  CHECK(f(Elementary::cosine, 1) == Approx(std::cos(1.0)));
  CHECK(f(Elementary::floor, -1.5) == -2);
  CHECK(f(Elementary::ceil, -1.5) == -1);
  CHECK(f(Elementary::roundToEven, 2.5) == 2);
  CHECK(f(Elementary::roundAwayFromZero, 2.5) == 3);
  CHECK(f(Elementary::power, 2, 10) == 1024);
  CHECK(f(Elementary::atan2, 1, -1) == Approx(std::atan2(1.0, -1.0)));
  CHECK(f(Elementary::remainder, -7, 3) == -1);
}

}  // namespace
}  // namespace shardlaw
