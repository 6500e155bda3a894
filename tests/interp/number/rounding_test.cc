// That the library as it was built rounds every operation once, in the order of the formula: fails where someone
// compiles it with -ffast-math or -ffp-contract=fast, or has subnormals flushed to zero.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/interp/support.h"

namespace shardlaw {
namespace {

/// Cells with no detour by decimals.
template <class F>
Tensor<F> cells(const Shape& shape, const std::vector<double>& values) {
  Tensor<F> tensor(shape);
  for (std::int64_t i = 0; i < tensor.cells(); ++i) tensor[i] = static_cast<F>(values[static_cast<std::size_t>(i)]);
  return tensor;
}

/// Σ x·w, as a dense layer of one column computes it.
template <class F>
F dotProduct(const std::vector<double>& x, const std::vector<double>& w) {
  const auto n = static_cast<std::int64_t>(x.size());
  return test::apply(Ieee<F>{}, nodes::dense, {cells<F>({n, 1}, w), cells<F>({1}, {0}), cells<F>({1, n}, x)})[0];
}

template <class F>
F pointwise(const Node& node, double a, double b) {
  return test::apply(Ieee<F>{}, node, {cells<F>({1}, {a}), cells<F>({1}, {b})})[0];
}

template <class F>
constexpr double spacing = std::numeric_limits<F>::epsilon();  // of the numbers from 1 on

TEMPLATE_TEST_CASE("a product is rounded before it is added", "", float, double) {
  // (1 + e)(1 − e) = 1 − e², which rounds to 1 for e² ≤ half the spacing below 1.
  const double e = std::exp2(std::floor((std::log2(spacing<TestType>) - 2) / 2));
  // At every length: where lanes multiply in pairs, only what is left over would be fused.
  for (std::size_t n = 2; n < 12; ++n) {
    INFO(n << " terms");
    std::vector<double> x(n, 0), w(n, 1);
    x[0] = -1;
    x[n - 1] = 1 + e;
    w[n - 1] = 1 - e;
    CHECK(dotProduct<TestType>(x, w) == 0);
    CHECK(dotProduct<TestType>(std::vector<double>(n, 1 + e), std::vector<double>(n, 1 - e)) ==
          static_cast<TestType>(n));
  }
}

TEMPLATE_TEST_CASE("a square is rounded before it is added", "", float, double) {
  const double e = std::exp2(std::floor((std::log2(spacing<TestType>) - 2) / 2));
  const volatile TestType x = static_cast<TestType>(1 + e);
  const volatile TestType square = x * x;
  for (std::int64_t n = 1; n < 8; ++n) {
    volatile TestType sum = 0;
    std::vector<double> pairs;
    for (std::int64_t i = 0; i < n; ++i) {
      sum = sum + square;
      sum = sum + square;
      pairs.insert(pairs.end(), {1 + e, -1 - e});
    }
    const volatile TestType mean = sum / static_cast<TestType>(2 * n);
    const auto variance =
        test::apply(Ieee<TestType>{}, nodes::bnBatchVar, {cells<TestType>({2 * n, 1, 1, 1}, pairs)})[0];
    CHECK(variance == mean);
  }
}

TEMPLATE_TEST_CASE("a sum is a left fold, whatever lanes a processor has", "", float, double) {
  const double big = 4 / spacing<TestType>;
  // Each 1 is lost on its own beside `big`; pairs, lanes or a tree would save some.
  std::vector<double> x{big, 1, 1, 1, 1, 1, 1, 1, -big};
  CHECK(dotProduct<TestType>(x, std::vector<double>(x.size(), 1)) == 0);
  x.clear();
  for (int i = 0; i < 64; ++i) x.insert(x.end(), {big, 1, -big, 1});
  volatile TestType expected = 0;
  for (const double term : x) expected = expected + static_cast<TestType>(term);
  CHECK(dotProduct<TestType>(x, std::vector<double>(x.size(), 1)) == expected);
  CHECK(expected < 128);  // which is the sum
}

TEMPLATE_TEST_CASE("a quotient is one rounding, not a product with a reciprocal", "", float, double) {
  int apart = 0;
  for (int i = 1; i < 200; ++i) {
    const volatile TestType n = static_cast<TestType>(i), d = static_cast<TestType>(i + 7);
    const volatile TestType quotient = n / d, reciprocal = 1 / d;
    const volatile TestType product = n * reciprocal;
    if (product != quotient) ++apart;
    const Attributes by{test::number("by", test::Number(i + 7))};
    CHECK(test::apply(Ieee<TestType>{}, nodes::divConst, {cells<TestType>({1}, {static_cast<double>(i)})}, by)[0] ==
          quotient);
  }
  CHECK(apart > 10);
}

TEMPLATE_TEST_CASE("zeros keep their sign, NaN its place, and subnormals are numbers", "", float, double) {
  const double tiny = std::numeric_limits<TestType>::min(), nan = std::numeric_limits<TestType>::quiet_NaN();
  const double infinity = std::numeric_limits<TestType>::infinity();
  const auto half = static_cast<TestType>(tiny / 2);
  CHECK(pointwise<TestType>(nodes::mul, tiny, 0.5) == half);
  CHECK(std::fpclassify(pointwise<TestType>(nodes::mul, tiny, 0.5)) == FP_SUBNORMAL);
  CHECK(pointwise<TestType>(nodes::sub, 1.5 * tiny, tiny) == half);
  CHECK(std::isnan(pointwise<TestType>(nodes::sub, infinity, infinity)));
  CHECK(std::isnan(pointwise<TestType>(nodes::mul, 0, infinity)));
  CHECK(std::isnan(pointwise<TestType>(nodes::sub, nan, nan)));
  CHECK(std::signbit(pointwise<TestType>(nodes::mul, -0.0, 1)));
  CHECK_FALSE(std::signbit(pointwise<TestType>(nodes::add, -0.0, 0.0)));
  CHECK(std::signbit(pointwise<TestType>(nodes::add, -0.0, -0.0)));
  const auto relu = [](double x) { return test::apply(Ieee<TestType>{}, nodes::relu, {cells<TestType>({1}, {x})})[0]; };
  CHECK(std::isnan(relu(nan)));
  CHECK(relu(infinity) == static_cast<TestType>(infinity));
}

}  // namespace
}  // namespace shardlaw
