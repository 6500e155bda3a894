// Softmax and cross-entropy.
#include <catch2/catch.hpp>

#include "tests/interp/against.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

Attributes batch(std::int64_t b) { return {integer("batch", b)}; }
Attributes smoothing(std::int64_t b, const Number& alpha) { return {integer("batch", b), number("alpha", alpha)}; }

TEST_CASE("softmax of equal logits is uniform, whatever exp is") {
  CHECK(differenceByHand(nodes::softmax, {{{2, 4}, {0, 0, 0, 0, 3, 3, 3, 3}}}, {}, {{2, 4}, all(8, "0.25")}) == "");
}

TEST_CASE("cross-entropy cotangents of equal logits by hand") {
  // softmax = 1/2: (1/2 − 1)/4 and (1/2 − 0)/4; the batch is an attribute, not the number of examples.
  CHECK(differenceByHand(nodes::crossEntropyCotangent, {{{1, 2}, {1, 1}}, {{1, 2}, {1, 0}}}, batch(4),
                         {{1, 2}, {"-0.125", "0.125"}}) == "");
  // α = 1/2, K = 4: targets 1/2·t + 1/8. (1/4 − 5/8)/2 at the label, (1/4 − 1/8)/2 elsewhere.
  CHECK(differenceByHand(nodes::crossEntropySmoothedCotangent, {{{1, 4}, all(4, 2)}, {{1, 4}, {0, 1, 0, 0}}},
                         smoothing(2, "0.5"), {{1, 4}, {"0.0625", "-0.1875", "0.0625", "0.0625"}}) == "");
  // α = 1 ignores the label: softmax − 1/K = 0.
  CHECK(differenceByHand(nodes::crossEntropySmoothedCotangent, {{{1, 2}, {5, 5}}, {{1, 2}, {1, 0}}}, smoothing(2, 1),
                         {{1, 2}, {0, 0}}) == "");
}

TEST_CASE("softmaxBack by hand") {
  // s = (1/4, 3/4), dy = (1, 2): Σ s·dy = 7/4; 1/4·(1 − 7/4), 3/4·(2 − 7/4).
  CHECK(differenceByHand(nodes::softmaxBack, {{{1, 2}, {"0.25", "0.75"}}, {{1, 2}, {1, 2}}}, {},
                         {{1, 2}, {"-0.1875", "0.1875"}}) == "");
}

TEST_CASE("the loss of uniform predictions is log K") {
  // N = 3 examples, B = 2: −(1/2)·3·log(1/2) = 1.5·log 2.
  const std::vector<Literal> operands{{{3, 2}, all(6, 1)}, {{3, 2}, {1, 0, 0, 1, 1, 0}}};
  const Exact exact(5);
  const Field logHalf = exact.log(exact.literal(ratio(1, 2)));
  CHECK(same(apply(exact, nodes::crossEntropyLoss, operands, batch(2))[0], -(exact.literal(ratio(3, 2)) * logHalf)));
  const auto loss = apply(Bounded64{}, nodes::crossEntropyLoss, operands, batch(2))[0];
  CHECK(std::abs(loss.value - 1.0397207708399179) <= loss.bound);
  CHECK(loss.bound < 1e-14);
}

TEST_CASE("softmax has no max shift") {
  // exp(1000) is infinite in f64: ∞/∞ and 0/∞, where a shifted softmax would say 1 and 0.
  const auto s = apply(F64{}, nodes::softmax, {Literal{{1, 2}, {1000, 0}}});
  CHECK(std::isnan(s[0]));
  CHECK(s[1] == 0);
}

/// exp(z_j)/Σ exp(z_k); at 512 bits from the differences of logits, as 1/Σ_k exp(z_k − z_j).
template <class Numbers, class S = typename Numbers::S>
Tensor<S> softmaxByPairs(const Numbers& numbers, const Tensor<S>& z) {
  const std::int64_t classes = z.shape()[1];
  Tensor<S> s(z.shape());
  for (std::int64_t k = 0; k < z.cells(); ++k) {
    const std::int64_t first = k / classes * classes;
    S total{};
    for (std::int64_t j = first + classes - 1; j >= first; --j)
      if constexpr (std::is_same_v<S, Field>) total = total + numbers.exp(z[j]);  // opaque: no law of exponents
      else total = total + numbers.exp(S(z[j] - z[k]));
    if constexpr (std::is_same_v<S, Field>) s[k] = numbers.exp(z[k]) / total;
    else s[k] = 1 / total;
  }
  return s;
}

TEST_CASE("softmax and its cotangents on random logits") {
  Random random(61);
  for (int i = 0; i < 40; ++i) {
    const Shape shape{random.between(1, 4), random.between(1, 7)};
    const std::int64_t b = random.between(1, 9);
    const Rational alpha = ratio(random.between(0, 8), 8);
    INFO(toString(shape) << " batch " << b << " alpha " << toString(alpha));
    REQUIRE(disagreement(nodes::softmax, {{shape}}, {}, random,
                         [](const auto& numbers, const auto& in) { return softmaxByPairs(numbers, in[0]); }) == "");
    REQUIRE(disagreement(nodes::crossEntropyCotangent, {{shape}, {shape, Draw::small}}, batch(b), random,
                         [&](const auto& numbers, const auto& in) {
                           auto g = softmaxByPairs(numbers, in[0]);
                           for (std::int64_t k = 0; k < g.cells(); ++k)
                             g[k] = (g[k] - in[1][k]) / numbers.literal(static_cast<long>(b));
                           return g;
                         }) == "");
    // Mixing the labels with the uniform distribution, then the plain cotangent.
    REQUIRE(disagreement(nodes::crossEntropySmoothedCotangent, {{shape}, {shape}}, smoothing(b, alpha), random,
                         [&](const auto& numbers, const auto& in) {
                           auto g = softmaxByPairs(numbers, in[0]);
                           const auto a = numbers.literal(alpha), uniform = numbers.literal(ratio(1, shape[1]));
                           for (std::int64_t k = 0; k < g.cells(); ++k)
                             g[k] = numbers.literal(ratio(1, b)) * (g[k] - in[1][k] - a * (uniform - in[1][k]));
                           return g;
                         }) == "");
  }
}

TEST_CASE("softmaxBack is the softmax's Jacobian, diag(s) − s·sᵀ, applied to dy") {
  Random random(62);
  for (int i = 0; i < 30; ++i) {
    const Shape shape{random.between(1, 4), random.between(1, 7)};
    REQUIRE(disagreement(nodes::softmaxBack, {{shape}, {shape}}, {}, random, [&](const auto&, const auto& in) {
              std::decay_t<decltype(in[0])> dz(shape);
              for (std::int64_t k = 0; k < dz.cells(); ++k) {
                dz[k] = in[0][k] * in[1][k];
                for (std::int64_t j = k / shape[1] * shape[1]; j < (k / shape[1] + 1) * shape[1]; ++j)
                  dz[k] = dz[k] - in[0][k] * in[0][j] * in[1][j];
              }
              return dz;
            }) == "");
  }
}

TEST_CASE("the loss is the label-weighted log-sum-exp minus the logit") {
  Random random(63);
  for (int i = 0; i < 40; ++i) {
    const Shape shape{random.between(1, 4), random.between(1, 6)};
    const std::int64_t b = random.between(1, 9);
    REQUIRE(disagreement(nodes::crossEntropyLoss, {{shape}, {shape, Draw::small}}, batch(b), random,
                         [&](const auto& numbers, const auto& in) {
                           using S = typename std::decay_t<decltype(numbers)>::S;
                           Tensor<S> loss{Shape{}};
                           const auto s = softmaxByPairs(numbers, in[0]);
                           for (std::int64_t k = 0; k < s.cells(); ++k)
                             loss[0] =
                                 loss[0] - in[1][k] * numbers.log(S(s[k])) / numbers.literal(static_cast<long>(b));
                           return loss;
                         }) == "");
  }
}

TEST_CASE("loss nodes refuse labels of another shape, batches below 1 and alpha outside [0, 1]") {
  const Shape z{2, 5};
  CHECK(refusal(nodes::crossEntropyCotangent, {z, z}, batch(2)) == "accepted");
  CHECK_THAT(refusal(nodes::crossEntropyCotangent, {z, {2, 4}}, batch(2)),
             Contains("crossEntropyCotangent: operand t: expected [5] like operand z, found [4]"));
  CHECK_THAT(refusal(nodes::crossEntropyCotangent, {z, z}, batch(0)),
             Contains("attribute batch") && Contains("found 0"));
  CHECK_THAT(refusal(nodes::crossEntropySmoothedCotangent, {z, {2, 6}}, smoothing(2, 0)),
             Contains("operand t") && Contains("found [6]"));
  CHECK_THAT(refusal(nodes::crossEntropySmoothedCotangent, {z, z}, smoothing(2, "1.5")),
             Contains("attribute alpha") && Contains("found 1.5"));
  CHECK_THAT(refusal(nodes::crossEntropySmoothedCotangent, {z, z}, smoothing(2, "-0.1")), Contains("attribute alpha"));
  CHECK_THAT(refusal(nodes::crossEntropySmoothedCotangent, {z, z}, smoothing(-1, 0)), Contains("attribute batch"));
  CHECK_THAT(refusal(nodes::crossEntropyLoss, {z, {2, 4}}, batch(2)),
             Contains("crossEntropyLoss: operand t") && Contains("found [2,4]"));
  CHECK_THAT(refusal(nodes::crossEntropyLoss, {{2, 5, 1}, z}, batch(2)),
             Contains("operand z: expected [N,K], found [2,5,1]"));
  CHECK_THAT(refusal(nodes::crossEntropyLoss, {z, z}, batch(-3)), Contains("attribute batch") && Contains("found -3"));
  CHECK_THAT(refusal(nodes::softmax, {{2, 5, 1}}), Contains("softmax: operand z: expected [K], found [5,1]"));
  CHECK_THAT(refusal(nodes::softmaxBack, {z, {2, 6}}),
             Contains("softmaxBack: operand dy: expected [5] like operand s, found [6]"));
}

}  // namespace
}  // namespace shardlaw::test
