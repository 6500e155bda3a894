// One operation of `bounded` at a time: operands anywhere within their bounds, results never outside theirs.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "interp/number/bounded.h"
#include "interp/number/wide.h"
#include "tests/interp/number/draw.h"

using namespace shardlaw;

namespace {

const Wide& reals() {
  static const Wide wide(512);
  return wide;
}

/// A real number and one evaluation of it, both as the bounded operand allows.
template <class F>
struct Instance {
  WideScalar real;
  F other = 0;
};

/// A bounded operand: any scale, and a bound from nothing to more than the value.
template <class F>
BoundedScalar<F> operand(test::Draw& draw) {
  constexpr double least = std::numeric_limits<F>::denorm_min();
  constexpr std::int64_t range = std::numeric_limits<F>::max_exponent - 8;
  double drawn = draw.unit();
  if (draw.oneIn(8)) drawn = static_cast<double>(draw.between(-20, 20)) * least;
  else if (draw.oneIn(8)) drawn = static_cast<double>(draw.between(-3, 3));
  else drawn *= std::exp2(static_cast<double>(draw.oneIn(3) ? draw.between(-range, range) : draw.between(-3, 3)));
  const auto value = static_cast<F>(drawn);
  const double size = std::abs(static_cast<double>(value));
  switch (draw.below(6)) {
    case 0: return {value, 0};
    case 1: return {value, static_cast<double>(draw.between(0, 9)) * least};
    case 2: return {value, size * 0.3 * std::abs(draw.unit())};
    case 3: return {value, size * std::abs(draw.unit())};
    default: return {value, size * std::exp2(-static_cast<double>(draw.between(1, 60)))};
  }
}

/// x anywhere within the bound of the value, mostly at an end; then an F anywhere within the bound of x.
template <class F>
Instance<F> instance(BoundedScalar<F> a, test::Draw& draw) {
  const auto part = [&] { return draw.of<double>({-1, -1, 1, 1, 0, draw.unit()}); };
  const WideScalar bound = reals().fromDouble(a.bound);
  const auto within = [&](F candidate, const WideScalar& x) {
    const WideScalar distance = reals().fromDouble(static_cast<double>(candidate)) - x;
    return !reals().less(bound, reals().max(distance, -distance));
  };
  const WideScalar value = reals().fromDouble(static_cast<double>(a.value));
  WideScalar x = value + reals().fromDouble(part()) * bound;
  // The sum of a large value and a tiny bound is rounded even here, and must not leave the bound.
  if (!within(a.value, x)) x = value;
  const auto target = static_cast<F>((x + reals().fromDouble(part()) * bound).toDouble());
  const F end = std::numeric_limits<F>::infinity();
  for (const F candidate : {target, std::nextafter(target, end), std::nextafter(target, -end)})
    if (within(candidate, x)) return {x, candidate};
  return {x, a.value};
}

/// A number as far from an exact value as the units of roundoff that functions may be off let it be.
template <class F>
F neighbour(const WideScalar& exact, test::Draw& draw) {
  const double part = draw.of({-Bounded<F>::functionError, Bounded<F>::functionError}) * BoundedScalar<F>::u;
  const WideScalar end = exact + exact * reals().fromDouble(part);
  const auto rounded = static_cast<F>(end.toDouble());
  // Not beyond the end.
  const bool beyond = reals().less(reals().max(end, -end), reals().fromDouble(std::abs(static_cast<double>(rounded))));
  return beyond == (part > 0) && rounded != 0 ? std::nextafter(rounded, static_cast<F>(exact.toDouble())) : rounded;
}

/// How much was tried, and how much of it had a bound at all.
struct Tried {
  int known = 0;
  double worst = 0;

  template <class F>
  void check(BoundedScalar<F> bounded, F other, const WideScalar& real) {
    if (bounded.bound == std::numeric_limits<double>::infinity()) return;
    ++known;
    const auto given = static_cast<double>(other);
    // Infinities that all evaluations share leave no error.
    if (std::isinf(given) && real.toDouble() == given) return;
    WideScalar error = reals().fromDouble(given) - real;
    error = reals().max(error, -error);
    INFO(other << " for " << real.toString(25) << ", bound " << bounded.bound << " around " << bounded.value);
    REQUIRE_FALSE(error.isNaN());
    REQUIRE_FALSE(reals().less(reals().fromDouble(bounded.bound), error));
    if (bounded.bound > 0) worst = std::max(worst, (error / reals().fromDouble(bounded.bound)).toDouble());
  }
};

/// f(draw, tried) many times, which must know something mostly and use its bounds at least so far.
template <class Try>
void repeat(double used, const Try& f) {
  constexpr int trials = 20000;
  Tried tried;
  for (int i = 0; i < trials; ++i) {
    test::Draw draw(static_cast<std::uint64_t>(i));
    INFO("seed " << i);
    f(draw, tried);
  }
  CHECK(tried.known > trials / 4);
  CHECK(tried.worst >= used);
}

}  // namespace

TEMPLATE_TEST_CASE("arithmetic on operands within their bounds stays within the result's", "", float, double) {
  using F = TestType;
  const auto both = [](const auto& operation) {
    return [operation](test::Draw& draw, Tried& tried) {
      const auto a = operand<F>(draw), b = operand<F>(draw);
      const auto x = instance(a, draw), y = instance(b, draw);
      tried.check<F>(operation(a, b), operation(x.other, y.other), operation(x.real, y.real));
    };
  };
  SECTION("a + b") {
    repeat(0.99, both([](auto a, auto b) { return a + b; }));
  }
  SECTION("a - b") {
    repeat(0.99, both([](auto a, auto b) { return a - b; }));
  }
  SECTION("a * b") {
    repeat(0.99, both([](auto a, auto b) { return a * b; }));
  }
  SECTION("a / b") {
    repeat(0.99, both([](auto a, auto b) { return a / b; }));
  }
}

TEMPLATE_TEST_CASE("functions of operands within their bounds stay within the result's", "", float, double) {
  using F = TestType;
  const Bounded<F> bounded;
  const Ieee<F> ieee;
  // Also as another library may have it, at the end of the units of roundoff that are allowed.
  const auto one = [&](bool nonNegative, const auto& function) {
    return [&, nonNegative, function](test::Draw& draw, Tried& tried) {
      auto a = operand<F>(draw);
      if (nonNegative) a.value = std::abs(a.value);
      const auto x = instance(a, draw);
      if (nonNegative && (x.other < 0 || reals().less(x.real, WideScalar()))) return;
      const WideScalar exact = function(reals(), reals().fromDouble(static_cast<double>(x.other)));
      const F other = draw.oneIn(2) ? function(ieee, x.other) : neighbour<F>(exact, draw);
      tried.check<F>(function(bounded, a), other, function(reals(), x.real));
    };
  };
  SECTION("sqrt") {
    repeat(0.99, one(true, [](const auto& d, auto a) { return d.sqrt(a); }));
  }
  SECTION("exp") {
    repeat(0.99, one(false, [](const auto& d, auto a) { return d.exp(a); }));
  }
  SECTION("log") {
    repeat(0.99, one(true, [](const auto& d, auto a) { return d.log(a); }));
  }
  SECTION("tanh") {
    repeat(0.99, one(false, [](const auto& d, auto a) { return d.tanh(a); }));
  }
  SECTION("rsqrt") {
    repeat(0.99, [&](test::Draw& draw, Tried& tried) {
      auto a = operand<F>(draw);
      a.value = std::abs(a.value);
      const auto x = instance(a, draw);
      tried.check<F>(bounded.rsqrt(a), ieee.rsqrt(x.other), reals().rsqrt(x.real));
    });
  }
}

TEMPLATE_TEST_CASE("kinks and steps: either side may be taken", "", float, double) {
  using F = TestType;
  const Bounded<F> bounded;
  const Ieee<F> ieee;
  const auto pairs = [&](const auto& operation) {
    return [&, operation](test::Draw& draw, Tried& tried) {
      const auto a = operand<F>(draw);
      // Often a near miss of a.
      auto b = operand<F>(draw);
      if (draw.oneIn(2)) b.value = a.value + static_cast<F>(draw.unit() * 2 * (a.bound + b.bound));
      const auto x = instance(a, draw), y = instance(b, draw);
      tried.check<F>(operation(bounded, a, b), operation(ieee, x.other, y.other), operation(reals(), x.real, y.real));
    };
  };
  SECTION("max") {
    repeat(0.99, pairs([](const auto& d, auto a, auto b) { return d.max(a, b); }));
  }
  SECTION("min") {
    repeat(0.99, pairs([](const auto& d, auto a, auto b) { return d.min(a, b); }));
  }
  SECTION("a mask") {
    repeat(0.99, pairs([](const auto& d, auto a, auto b) { return d.select(d.less(a, b), a, decltype(a){}); }));
  }
  SECTION("a choice") {
    repeat(0.99, pairs([](const auto& d, auto a, auto b) { return d.select(!d.exceeds(b, a), b, a); }));
  }
  SECTION("an interval") {
    repeat(0.99, pairs([](const auto& d, auto a, auto b) {
             return d.select(d.less(decltype(a){}, a) & d.less(a, b), b, a);
           }));
  }
  SECTION("bf16") {
    repeat(0.99, [&](test::Draw& draw, Tried& tried) {
      auto a = operand<F>(draw);
      // Often at, or close to, the middle between two bf16 numbers.
      if (draw.oneIn(2))
        a.value =
            ieee.roundToBf16(a.value) * (1 + F(0x1p-8) + F(draw.between(-2, 2)) * std::numeric_limits<F>::epsilon());
      if (draw.oneIn(2)) a.bound = std::numeric_limits<double>::denorm_min() * static_cast<double>(draw.between(0, 2));
      const auto x = instance(a, draw);
      tried.check<F>(bounded.roundToBf16(a), ieee.roundToBf16(x.other), reals().roundToBf16(x.real));
    });
  }
}

TEMPLATE_TEST_CASE("sums of operands within their bounds stay within the total's", "", float, double) {
  using F = TestType;
  repeat(0.99, [](test::Draw& draw, Tried& tried) {
    BoundedSum<F> sum;
    WideSum exact;
    F other = 0;
    for (std::int64_t n = draw.between(1, 6); n > 0; --n) {
      const auto a = operand<F>(draw), b = operand<F>(draw);
      const auto x = instance(a, draw), y = instance(b, draw);
      if (draw.oneIn(2)) {
        sum.add(a);
        exact.add(x.real);
        other = other + x.other;
      } else {
        sum.addProduct(a, b);
        exact.addProduct(x.real, y.real);
        other = draw.oneIn(2) ? std::fma(x.other, y.other, other) : other + x.other * y.other;
      }
    }
    tried.check<F>(sum.total(), other, exact.total());
  });
}
