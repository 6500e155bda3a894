// The nodes of synchronised batch normalisation, one by one: by hand, on random data, and refusals.
#include <catch2/catch.hpp>

#include "tests/interp/against.h"
#include "tests/interp/node/batch_by_hand.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

// Channel 0 holds 1,3 | 3,1, channel 1 holds 1,11 | 5,7; st = [1, 2 ‖ 1, 13]; with ε = 3 the radicands are
// 4 and 16. Deviations from st.μ: 0,2 | 2,0 and −1,9 | 3,5. γ = (2, −4), so g = 2,2 | 0,0 and 0,−4 | −8,0.
const Literal dy{batch, {1, 1, 0, 1, 0, 0, 2, 0}};
const Literal st{{4}, {1, 2, 1, 13}};

TEST_CASE("row statistics: mean, biased variance, and variance about another mean") {
  CHECK(differenceByHand(nodes::bnBatchMean, {x}, {}, {{2}, {2, 6}}) == "");
  // Deviations ±1 four times; −5,5,−1,1: 52/4.
  CHECK(differenceByHand(nodes::bnBatchVar, {x}, {}, {{2}, {1, 13}}) == "");
  // About μ = (5, 4): 1 + (2−5)², 13 + (6−4)².
  CHECK(differenceByHand(nodes::bnBatchVarAt, {x, {{2}, {5, 4}}}, {}, {{2}, {10, 17}}) == "");
}

TEST_CASE("packing and unpacking statistics") {
  CHECK(differenceByHand(nodes::bnPack, {{{2}, {1, 2}}, {{2}, {3, 4}}}, {}, {{4}, {1, 2, 3, 4}}) == "");
  CHECK(differenceByHand(nodes::bnPack, {{{1}, {1}}, {{3}, {2, 3, 4}}}, {}, {{4}, {1, 2, 3, 4}}) == "");
  CHECK(differenceByHand(nodes::bnStatsMean, {{{6}, {1, 2, 3, 4, 5, 6}}}, {}, {{3}, {1, 2, 3}}) == "");
  CHECK(differenceByHand(nodes::bnStatsVar, {{{6}, {1, 2, 3, 4, 5, 6}}}, {}, {{3}, {4, 5, 6}}) == "");
}

TEST_CASE("bnSync normalises by the packed statistics it is given") {
  // γ·d·r + β: 0, 4 | −4·(−1), −4·9; 4, 0 | −4·3, −4·5.
  CHECK(differenceInRoots(nodes::bnSync, {x, gamma, beta, st}, eps(3), batch, radicands,
                          {{5, 5, 1, 1, 5, 5, 1, 1}, {0, 4, 4, -36, 4, 0, -12, -20}}) == "");
}

TEST_CASE("bnSyncDyStats passes st through and appends two means") {
  // mean(g) = 4/4, −12/4. mean(x̂g): r(2·2)/4 = r; r(9·(−4) + 3·(−8))/4 = −15r.
  CHECK(differenceInRoots(nodes::bnSyncDyStats, {x, gamma, dy, st}, eps(3), {8}, radicands,
                          {{1, 2, 1, 13, 1, -3, 0, 0}, {0, 0, 0, 0, 0, 0, 1, -15}}) == "");
}

TEST_CASE("bnSyncBack is pointwise in the four packed statistics") {
  // ds = [1,2 ‖ 1,13 ‖ 5,−1 ‖ 2,3]: r(g − mdy) − d·mdyx·r². Channel 0: g − 5 and −2d; channel 1: g + 1, −3d.
  CHECK(differenceInRoots(nodes::bnSyncBack, {x, gamma, dy, {{8}, {1, 2, 1, 13, 5, -1, 2, 3}}}, eps(3), batch,
                          radicands,
                          {all(8, 0), {-3, -3, 1, -3, -5, -5, -7, 1}, {0, -4, 3, -27, -4, 0, -9, -15}}) == "");
}

TEST_CASE("bnSyncGammaGrad sums dy·xhat at the packed statistics") {
  // r·Σ dy·d: 1·0 + 1·2; 1·9 + 2·3.
  CHECK(differenceInRoots(nodes::bnSyncGammaGrad, {x, dy, st}, eps(3), {2}, radicands, {{0, 0}, {2, 15}}) == "");
}

struct Draws {
  Shape x, channels, packed, backward;
  Attributes eps;
  Rational epsilon;
  std::int64_t channelOf(std::int64_t k) const { return k / (x[2] * x[3]) % x[1]; }
};
Draws drawShapes(Random& random) {
  const Rational epsilons[] = {decimal("1e-5"), decimal("0.125"), decimal("1"), decimal("3")};
  const Rational epsilon = epsilons[random.between(0, 3)];
  const std::int64_t c = random.between(1, 4);
  return {{random.between(1, 4), c, random.between(1, 3), random.between(1, 5)},
          {c},
          {2 * c},
          {4 * c},
          {number("eps", epsilon)},
          epsilon};
}
template <class Numbers, class S>
S rootOf(const Numbers& numbers, const S& var, const Rational& epsilon) {
  return numbers.rsqrt(S(var + numbers.literal(epsilon)));
}

TEST_CASE("row statistics from E x and E x²") {
  Random random(91);
  for (int i = 0; i < 60; ++i) {
    const Draws s = drawShapes(random);
    INFO("x " << toString(s.x));
    const auto perChannel = [&](const auto& numbers, const auto& in, const auto& f) {
      std::decay_t<decltype(in[0])> result(s.channels);
      const auto rows = rowsOf(s.x);
      for (std::size_t c = 0; c < rows.size(); ++c)
        result[static_cast<std::int64_t>(c)] = f(moments(numbers, in[0], rows[c]), c);
      return result;
    };
    REQUIRE(disagreement(nodes::bnBatchMean, {{s.x}}, {}, random, [&](const auto& numbers, const auto& in) {
              return perChannel(numbers, in, [](const auto& m, auto) { return m.mean; });
            }) == "");
    REQUIRE(disagreement(nodes::bnBatchVar, {{s.x}}, {}, random, [&](const auto& numbers, const auto& in) {
              return perChannel(numbers, in, [](const auto& m, auto) { return m.var; });
            }) == "");
    // var + (mean − μ)² is the mean of (x − μ)²: E x² − 2μ·E x + μ².
    REQUIRE(
        disagreement(nodes::bnBatchVarAt, {{s.x}, {s.channels}}, {}, random, [&](const auto& numbers, const auto& in) {
          return perChannel(numbers, in, [&](const auto& m, auto c) {
            using S = std::decay_t<decltype(m.mean)>;
            const S mu = in[1][static_cast<std::int64_t>(c)], square = m.var + m.mean * m.mean;
            return S(square - (mu + mu) * m.mean + mu * mu);
          });
        }) == "");
  }
}

TEST_CASE("packed nodes copy cells") {
  Random random(92);
  for (int i = 0; i < 20; ++i) {
    const std::int64_t a = random.between(1, 5), b = random.between(1, 5);
    REQUIRE(disagreement(nodes::bnPack, {{{a}}, {{b}}}, {}, random, [&](const auto&, const auto& in) {
              std::decay_t<decltype(in[0])> packed({a + b});
              for (std::int64_t k = 0; k < a; ++k) packed[k] = in[0][k];
              for (std::int64_t k = 0; k < b; ++k) packed[a + k] = in[1][k];
              return packed;
            }) == "");
    for (const Node* half : {&nodes::bnStatsMean, &nodes::bnStatsVar})
      REQUIRE(disagreement(*half, {{{2 * a}}}, {}, random, [&](const auto&, const auto& in) {
                std::decay_t<decltype(in[0])> cells({a});
                for (std::int64_t k = 0; k < a; ++k) cells[k] = in[0][half == &nodes::bnStatsMean ? k : k + a];
                return cells;
              }) == "");
  }
}

TEST_CASE("bnSync and bnSyncBack cell by cell at random statistics") {
  Random random(93);
  for (int i = 0; i < 60; ++i) {
    const Draws s = drawShapes(random);
    INFO("x " << toString(s.x) << " eps " << toString(s.epsilon));
    REQUIRE(disagreement(nodes::bnSync, {{s.x}, {s.channels}, {s.channels}, {s.packed, Draw::positive}}, s.eps, random,
                         [&](const auto& numbers, const auto& in) {
                           using S = typename std::decay_t<decltype(numbers)>::S;
                           Tensor<S> y(s.x);
                           for (std::int64_t k = 0; k < y.cells(); ++k) {
                             const std::int64_t c = s.channelOf(k);
                             const S slope = in[1][c] * rootOf(numbers, in[3][s.x[1] + c], s.epsilon);
                             y[k] = slope * in[0][k] + (in[2][c] - slope * in[3][c]);
                           }
                           return y;
                         }) == "");
    REQUIRE(disagreement(nodes::bnSyncBack, {{s.x}, {s.channels}, {s.x}, {s.backward, Draw::positive}}, s.eps, random,
                         [&](const auto& numbers, const auto& in) {
                           using S = typename std::decay_t<decltype(numbers)>::S;
                           Tensor<S> dx(s.x);
                           for (std::int64_t k = 0; k < dx.cells(); ++k) {
                             const std::int64_t channels = s.x[1], c = s.channelOf(k);
                             const S root = rootOf(numbers, in[3][channels + c], s.epsilon);
                             dx[k] = root * in[1][c] * in[2][k] - root * in[3][2 * channels + c] -
                                     root * root * in[3][3 * channels + c] * (in[0][k] - in[3][c]);
                           }
                           return dx;
                         }) == "");
  }
}

TEST_CASE("bnSyncDyStats and bnSyncGammaGrad from raw moments at random statistics") {
  Random random(94);
  for (int i = 0; i < 60; ++i) {
    const Draws s = drawShapes(random);
    INFO("x " << toString(s.x) << " eps " << toString(s.epsilon));
    // Σ dy and Σ dy·(x − μ) = Σ dy·x − μ·Σ dy of each channel.
    const auto sums = [&](const auto& numbers, const auto& xs, const auto& dys, const auto& packed, std::int64_t c) {
      using S = typename std::decay_t<decltype(numbers)>::S;
      Moments<S> result;
      S products{};
      const std::vector<std::int64_t> row = rowsOf(s.x)[static_cast<std::size_t>(c)];
      for (const std::int64_t k : row) {
        result.mean = result.mean + dys[k];
        products = products + dys[k] * xs[k];
      }
      result.var = (products - packed[c] * result.mean) * rootOf(numbers, packed[s.x[1] + c], s.epsilon);
      return result;
    };
    REQUIRE(disagreement(nodes::bnSyncGammaGrad, {{s.x}, {s.x}, {s.packed, Draw::positive}}, s.eps, random,
                         [&](const auto& numbers, const auto& in) {
                           std::decay_t<decltype(in[0])> gradient(s.channels);
                           for (std::int64_t c = 0; c < s.x[1]; ++c)
                             gradient[c] = sums(numbers, in[0], in[1], in[2], c).var;
                           return gradient;
                         }) == "");
    REQUIRE(disagreement(nodes::bnSyncDyStats, {{s.x}, {s.channels}, {s.x}, {s.packed, Draw::positive}}, s.eps, random,
                         [&](const auto& numbers, const auto& in) {
                           std::decay_t<decltype(in[0])> stats(s.backward);
                           const auto share = numbers.literal(ratio(1, s.x[0] * s.x[2] * s.x[3]));
                           for (std::int64_t k = 0; k < s.packed[0]; ++k) stats[k] = in[3][k];
                           for (std::int64_t c = 0; c < s.x[1]; ++c) {
                             const auto sum = sums(numbers, in[0], in[2], in[3], c);
                             stats[2 * s.x[1] + c] = share * in[1][c] * sum.mean;
                             stats[3 * s.x[1] + c] = share * in[1][c] * sum.var;
                           }
                           return stats;
                         }) == "");
  }
}

TEST_CASE("synchronised nodes refuse statistics and maps that do not fit") {
  const Shape map{2, 3, 4, 5}, c{3}, packed{6}, backward{12};
  CHECK(refusal(nodes::bnSync, {map, c, c, packed}, eps(1)) == "accepted");
  CHECK_THAT(refusal(nodes::bnSync, {map, {4}, c, packed}, eps(1)),
             Contains("bnSync: operand γ: expected [3], found [4]"));
  CHECK_THAT(refusal(nodes::bnSync, {map, c, {4}, packed}, eps(1)),
             Contains("bnSync: operand β: expected [3], found [4]"));
  CHECK_THAT(refusal(nodes::bnSync, {map, c, c, backward}, eps(1)),
             Contains("bnSync: operand st: expected [6], found [12]"));
  CHECK_THAT(refusal(nodes::bnSync, {{2, 60}, c, c, packed}, eps(1)),
             Contains("bnSync: operand x: expected [C,H,W], found [60]"));
  CHECK_THAT(refusal(nodes::bnSyncDyStats, {map, c, {2, 3, 5, 4}, packed}, eps(1)),
             Contains("bnSyncDyStats: operand dy: expected [2,3,4,5] like operand x, found [2,3,5,4]"));
  CHECK_THAT(refusal(nodes::bnSyncDyStats, {map, {4}, map, packed}, eps(1)),
             Contains("operand γ: expected [3], found [4]"));
  CHECK_THAT(refusal(nodes::bnSyncDyStats, {map, c, map, c}, eps(1)), Contains("operand st: expected [6], found [3]"));
  CHECK_THAT(refusal(nodes::bnSyncBack, {map, c, map, packed}, eps(1)),
             Contains("bnSyncBack: operand ds: expected [12], found [6]"));
  CHECK_THAT(refusal(nodes::bnSyncBack, {map, {4}, map, backward}, eps(1)),
             Contains("bnSyncBack: operand γ: expected [3], found [4]"));
  CHECK_THAT(refusal(nodes::bnSyncBack, {map, c, {2, 3, 5, 4}, backward}, eps(1)),
             Contains("bnSyncBack: operand dy") && Contains("found [3,5,4]"));
  CHECK_THAT(refusal(nodes::bnSyncGammaGrad, {map, map, backward}, eps(1)),
             Contains("bnSyncGammaGrad: operand st: expected [6], found [12]"));
  CHECK_THAT(refusal(nodes::bnSyncGammaGrad, {map, {2, 3, 5, 4}, packed}, eps(1)),
             Contains("operand dy") && Contains("found [2,3,5,4]"));
  CHECK_THAT(refusal(nodes::bnBatchMean, {{2, 3, 0, 5}}),
             Contains("bnBatchMean: operand x") && Contains("at least one cell"));
  CHECK_THAT(refusal(nodes::bnBatchVar, {{2, 60}}),
             Contains("bnBatchVar: operand x: expected [N,C,H,W], found [2,60]"));
  CHECK_THAT(refusal(nodes::bnBatchVarAt, {map, {6}}), Contains("bnBatchVarAt: operand μ: expected [3], found [6]"));
  CHECK_THAT(refusal(nodes::bnPack, {{3, 1}, c}), Contains("bnPack: operand a: expected [C], found [3,1]"));
  CHECK_THAT(refusal(nodes::bnPack, {c, {3, 1}}), Contains("bnPack: operand b: expected [C], found [3,1]"));
  CHECK_THAT(refusal(nodes::bnStatsMean, {{5}}),
             Contains("bnStatsMean: operand st: expected [2C], an even length, found [5]"));
  CHECK_THAT(refusal(nodes::bnStatsVar, {{3, 2}}), Contains("bnStatsVar: operand st: expected [2C], found [3,2]"));
}

}  // namespace
}  // namespace shardlaw::test
