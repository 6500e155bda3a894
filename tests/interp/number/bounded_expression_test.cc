// The bound of `bounded` over random expressions in its scalars, evaluated as other backends would.
#include <catch2/catch.hpp>
#include <vector>

#include "interp/number/bounded.h"
#include "tests/interp/number/random_data.h"
#include "tests/interp/number/reordered.h"
#include "tests/interp/number/seen.h"

using namespace shardlaw;
using test::Backend;
using test::backend;

namespace {

constexpr const char* operations[] = {
    "sum",  "sum of products", "add",  "sub",    "mul",    "div", "sqrt", "rsqrt", "exp", "log", "tanh", "max", "min",
    "mask", "clamp",           "bf16", "cancel", "literal"};
constexpr std::int64_t operationCount = std::size(operations);

/// One step: an operation, and earlier values as its operands.
struct Step {
  std::int64_t operation;
  std::vector<std::size_t> operands;
  Rational literal;
};

std::vector<Step> randomSteps(test::Draw& draw, std::size_t inputs) {
  std::vector<Step> steps;
  for (std::int64_t n = draw.between(4, 20); n > 0; --n) {
    const auto known = static_cast<std::int64_t>(inputs + steps.size());
    Step step{draw.below(operationCount), {}, ratio(static_cast<long>(draw.between(-99, 99)), 7)};
    // As long as a row of a small batch, or two.
    const std::int64_t count = step.operation < 2 ? draw.between(1, 24) : 3;
    for (std::int64_t i = 0; i < count; ++i) {
      // The newest values half of the time, so that errors pile up.
      const std::int64_t back = draw.oneIn(2) ? draw.below(std::min<std::int64_t>(known, 3)) : draw.below(known);
      step.operands.push_back(static_cast<std::size_t>(known - 1 - back));
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

template <class D>
typename D::Scalar function(const D& d, std::int64_t operation, const typename D::Scalar& a,
                            const typename D::Scalar& b, const Rational& literal) {
  using S = typename D::Scalar;
  const S zero{}, one = d.literal(1);
  switch (operation) {
    case 2: return a + b;
    case 3: return a - b;
    case 4: return a * b;
    case 5: return a / b;
    case 6: return d.sqrt(d.max(a, zero));
    case 7: return d.rsqrt(d.max(a, zero) + d.literal(decimal("1e-5")));
    case 8: return d.exp(d.min(a, one));
    case 9: return d.log(d.max(a, zero) + one);
    case 10: return d.tanh(a);
    case 11: return d.max(a, b);
    case 12: return d.min(a, b);
    case 13: return d.select(d.less(zero, a), b, zero);
    case 14: return d.select(d.less(zero, a) & !d.exceeds(a, d.literal(6)), b, zero);
    case 15: return d.roundToBf16(a);
    default: return a * d.literal(literal) + b;
  }
}

template <class D>
std::vector<typename D::Scalar> run(const D& d, const std::vector<Step>& steps,
                                    std::vector<typename D::Scalar> values) {
  for (const Step& step : steps) {
    if (step.operation > 1) {
      values.push_back(function(d, step.operation, values[step.operands[0]], values[step.operands[1]], step.literal));
      continue;
    }
    typename D::Sum sum;
    for (std::size_t i = 0; i < step.operands.size(); ++i) {
      const auto& a = values[step.operands[i]];
      if (step.operation == 0) sum.add(a);
      else sum.addProduct(a, values[step.operands[(7 * i + 1) % step.operands.size()]]);
    }
    values.push_back(sum.total());
  }
  return values;
}

}  // namespace

TEMPLATE_TEST_CASE("random expressions stay within their bounds in every order of evaluation", "", float, double) {
  using F = TestType;
  const Wide wide(256);
  test::Seen seen, others;
  std::int64_t kinks = 0;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    test::Draw draw(seed);
    test::DataDraw<F> data(draw);
    std::vector<WideScalar> reals;
    std::vector<BoundedScalar<F>> boundeds;
    std::vector<F> floats;
    std::vector<test::ReorderedScalar<F>> reordereds;
    for (std::int64_t i = 0; i < 4; ++i) {
      const double x = data(test::Content::data, i);
      reals.push_back(wide.fromDouble(x));
      boundeds.push_back({F(x), 0});
      floats.push_back(F(x));
      reordereds.push_back({F(x)});
    }
    const std::vector<Step> steps = randomSteps(draw, reals.size());
    const Bounded<F> domain;
    const auto exact = run(wide, steps, reals);
    const auto bounded = run(domain, steps, boundeds);
    const auto ieee = run(Ieee<F>{}, steps, floats);
    kinks += domain.kinks();
    INFO("seed " << seed);
    const auto name = [&](std::size_t i) { return operations[steps[i - 4].operation]; };
    for (std::size_t i = 4; i < exact.size(); ++i) {
      const F a = ieee[i], b = bounded[i].value;
      if (!((a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b))))
        FAIL(name(i) << ": " << a << " in floats, " << b << " in bounded");
      test::checkWithin(b, bounded[i].bound, exact[i], name(i), seen);
    }
    for (const test::Order order : test::allOrders) {
      backend = Backend{order, draw.oneIn(2), draw.oneIn(2), seed};
      const auto other = run(test::Reordered<F>{}, steps, reordereds);
      INFO("order " << static_cast<int>(order) << ", fused " << backend.fused << ", perturbed " << backend.perturbed);
      for (std::size_t i = 4; i < exact.size(); ++i)
        test::checkWithin(other[i].value, bounded[i].bound, exact[i], name(i), others);
    }
  }
  backend = Backend{};
  INFO(seen.text() << "\n" << others.text());
  CHECK(kinks > 150);
  CHECK(seen.unknown < seen.cells / 3);
  CHECK(seen.worst > 0.9);
  // Bounds are of use: the more functions are allowed to be off, the less of a bound the C library's use up.
  CHECK(others.median() > 0.2 / Bounded<F>::functionError);
}
