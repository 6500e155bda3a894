// Batch normalisation on random data: variances as E x² − (E x)², backward passes as explicit Jacobians.
#include <catch2/catch.hpp>

#include "tests/interp/against.h"
#include "tests/interp/node/rows.h"

namespace shardlaw::test {
namespace {

struct Draws {
  Shape x, channels;
  Attributes eps;
  Rational epsilon;
};
Draws drawShapes(Random& random) {
  const Rational epsilons[] = {decimal("1e-5"), decimal("0.125"), decimal("1"), decimal("3")};
  const Rational epsilon = epsilons[random.between(0, 3)];
  const std::int64_t c = random.between(1, 4);
  return {
      {random.between(1, 4), c, random.between(1, 3), random.between(1, 5)}, {c}, {number("eps", epsilon)}, epsilon};
}

template <class Numbers, class S>
S rootOf(const Numbers& numbers, const S& var, const Rational& epsilon) {
  return numbers.rsqrt(S(var + numbers.literal(epsilon)));
}

/// γ(x − mean)/√(var + ε) + β on every row.
template <class Numbers, class S>
Tensor<S> normalised(const Numbers& numbers, const Tensor<S>& x, const Tensor<S>& gamma, const Tensor<S>& beta,
                     const Rational& epsilon, bool perExample) {
  Tensor<S> y(x.shape());
  const auto rows = rowsOf(x.shape(), perExample);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto c = static_cast<std::int64_t>(i) % x.shape()[1];
    const Moments<S> m = moments(numbers, x, rows[i]);
    const S slope = gamma[c] * rootOf(numbers, m.var, epsilon);
    for (const std::int64_t k : rows[i]) y[k] = slope * x[k] + (beta[c] - slope * m.mean);
  }
  return y;
}

/// dx_k = Σ_l ∂y_l/∂x_k·dy_l with ∂y_l/∂x_k = γr(δ_kl − 1/n − (x_k−μ)(x_l−μ)r²/n), entry by entry.
template <class Numbers, class S>
Tensor<S> byJacobian(const Numbers& numbers, const Tensor<S>& x, const Tensor<S>& gamma, const Tensor<S>& dy,
                     const Rational& epsilon, bool perExample) {
  Tensor<S> dx(x.shape());
  const auto rows = rowsOf(x.shape(), perExample);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Moments<S> m = moments(numbers, x, rows[i]);
    const S root = rootOf(numbers, m.var, epsilon);
    const S share = numbers.literal(ratio(1, static_cast<long>(rows[i].size())));
    for (const std::int64_t k : rows[i])
      for (const std::int64_t l : rows[i]) {
        S entry = -share - share * (x[k] - m.mean) * (x[l] - m.mean) * root * root;
        if (k == l) entry = entry + numbers.literal(1);
        dx[k] = dx[k] + gamma[static_cast<std::int64_t>(i) % x.shape()[1]] * root * entry * dy[l];
      }
  }
  return dx;
}

/// r·(Σ dy·x − μ·Σ dy), summed over the rows of a channel.
template <class Numbers, class S>
Tensor<S> gammaByMoments(const Numbers& numbers, const Tensor<S>& x, const Tensor<S>& dy, const Rational& epsilon,
                         bool perExample) {
  Tensor<S> gradient({x.shape()[1]});
  const auto rows = rowsOf(x.shape(), perExample);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Moments<S> m = moments(numbers, x, rows[i]);
    S products{}, sum{};
    for (const std::int64_t k : rows[i]) {
      products = products + dy[k] * x[k];
      sum = sum + dy[k];
    }
    S& total = gradient[static_cast<std::int64_t>(i) % x.shape()[1]];
    total = total + rootOf(numbers, m.var, epsilon) * (products - m.mean * sum);
  }
  return gradient;
}

TEST_CASE("bnBatch and bnPerChannel are affine in x at the moments of their rows") {
  Random random(71);
  for (int i = 0; i < 60; ++i) {
    const Draws s = drawShapes(random);
    INFO("x " << toString(s.x) << " eps " << toString(s.epsilon));
    for (const bool perExample : {false, true})
      REQUIRE(disagreement(perExample ? nodes::bnPerChannel : nodes::bnBatch, {{s.x}, {s.channels}, {s.channels}},
                           s.eps, random, [&](const auto& numbers, const auto& in) {
                             return normalised(numbers, in[0], in[1], in[2], s.epsilon, perExample);
                           }) == "");
  }
}

TEST_CASE("bnBatchBack and bnPerChannelBack are their explicit Jacobians") {
  Random random(72);
  for (int i = 0; i < 60; ++i) {
    const Draws s = drawShapes(random);
    INFO("x " << toString(s.x) << " eps " << toString(s.epsilon));
    for (const bool perExample : {false, true})
      REQUIRE(disagreement(perExample ? nodes::bnPerChannelBack : nodes::bnBatchBack, {{s.x}, {s.channels}, {s.x}},
                           s.eps, random, [&](const auto& numbers, const auto& in) {
                             return byJacobian(numbers, in[0], in[1], in[2], s.epsilon, perExample);
                           }) == "");
  }
}

TEST_CASE("gamma and beta gradients from raw moments") {
  Random random(73);
  for (int i = 0; i < 60; ++i) {
    const Draws s = drawShapes(random);
    INFO("x " << toString(s.x) << " eps " << toString(s.epsilon));
    for (const bool perExample : {false, true})
      REQUIRE(disagreement(perExample ? nodes::bnPerChannelGammaGrad : nodes::bnGammaGrad, {{s.x}, {s.x}}, s.eps,
                           random, [&](const auto& numbers, const auto& in) {
                             return gammaByMoments(numbers, in[0], in[1], s.epsilon, perExample);
                           }) == "");
    REQUIRE(disagreement(nodes::bnBetaGrad, {{s.x}}, {}, random, [&](const auto&, const auto& in) {
              std::decay_t<decltype(in[0])> sum(s.channels);
              for (std::int64_t k = s.x.cells() - 1; k >= 0; --k) {
                const std::int64_t c = k / (s.x[2] * s.x[3]) % s.x[1];
                sum[c] = sum[c] + in[0][k];
              }
              return sum;
            }) == "");
  }
}

TEST_CASE("bnEval and bnEvalBack are one slope and one offset per channel") {
  Random random(74);
  for (int i = 0; i < 60; ++i) {
    const Draws s = drawShapes(random);
    INFO("x " << toString(s.x) << " eps " << toString(s.epsilon));
    const auto channelOf = [&](std::int64_t k) { return k / (s.x[2] * s.x[3]) % s.x[1]; };
    REQUIRE(disagreement(nodes::bnEval, {{s.x}, {s.channels}, {s.channels}, {s.channels}, {s.channels, Draw::positive}},
                         s.eps, random, [&](const auto& numbers, const auto& in) {
                           using S = typename std::decay_t<decltype(numbers)>::S;
                           Tensor<S> y(s.x);
                           for (std::int64_t k = 0; k < y.cells(); ++k) {
                             const std::int64_t c = channelOf(k);
                             const S slope = in[1][c] * rootOf(numbers, in[4][c], s.epsilon);
                             y[k] = slope * in[0][k] + (in[2][c] - slope * in[3][c]);
                           }
                           return y;
                         }) == "");
    REQUIRE(disagreement(nodes::bnEvalBack, {{s.channels}, {s.channels, Draw::positive}, {s.x}}, s.eps, random,
                         [&](const auto& numbers, const auto& in) {
                           using S = typename std::decay_t<decltype(numbers)>::S;
                           Tensor<S> dx(s.x);
                           for (std::int64_t k = 0; k < dx.cells(); ++k) {
                             const std::int64_t c = channelOf(k);
                             dx[k] = in[2][k] * S(in[0][c] * rootOf(numbers, in[1][c], s.epsilon));
                           }
                           return dx;
                         }) == "");
  }
}

TEST_CASE("the plain two-pass variance in f64 lies within the bound, the one-pass one far outside") {
  // A backend that takes Σ(x−mean)²/n without taking the residue out is a faithful evaluation too.
  Random random(75);
  for (int i = 0; i < 60; ++i) {
    const Shape shape{random.between(2, 40), 1, 1, 1};
    Tensor<double> x = random.tensor<double>(shape);
    const double offset = std::ldexp(1.0, static_cast<int>(random.between(0, 34)));
    for (std::int64_t k = 0; k < x.cells(); ++k) x[k] += offset;
    double mean = 0, plain = 0, squares = 0;
    for (std::int64_t k = 0; k < x.cells(); ++k) mean += x[k];
    mean /= static_cast<double>(x.cells());
    for (std::int64_t k = 0; k < x.cells(); ++k) plain += (x[k] - mean) * (x[k] - mean);
    for (std::int64_t k = 0; k < x.cells(); ++k) squares += x[k] * x[k];
    plain /= static_cast<double>(x.cells());
    const double onePass = squares / static_cast<double>(x.cells()) - mean * mean;
    const auto var = apply(Bounded64{}, nodes::bnBatchVar, {exactly(x)})[0];
    const Wide real = moments(WideNumbers{}, widened(x), rowsOf(shape)[0]).var;
    INFO(toString(shape) << " offset " << offset);
    REQUIRE(abs(wide(plain) - real) <= wide(var.bound));
    REQUIRE(abs(wide(var.value) - real) <= wide(var.bound));
    if (offset >= 0x1p26) REQUIRE(abs(wide(onePass) - real) > wide(var.bound));
  }
}

}  // namespace
}  // namespace shardlaw::test
