// Batch normalisation on one device: by hand, at degenerate counts and small variances, and refusals.
#include <catch2/catch.hpp>

#include "tests/interp/node/batch_by_hand.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

// Two examples, two channels, 1×2 maps. Channel 0 holds 1,3 | 3,1: mean 2, deviations −1,1 | 1,−1, σ² = 1.
// Channel 1 holds 1,11 | 5,7: mean 6, deviations −5,5 | −1,1, σ² = 52/4 = 13. With ε = 3 the radicands
// are 4 and 16. γ = (2, −4).
const Literal dy{batch, {1, 0, 0, 1, 0, 0, 2, 0}};

TEST_CASE("bnBatch is gamma·xhat + beta over the channel row of the whole batch") {
  // γ·d·r + β: 2·(−1), 2·1 | −4·(−5), −4·5; 2·1, 2·(−1) | −4·(−1), −4·1.
  CHECK(differenceInRoots(nodes::bnBatch, {x, gamma, beta}, eps(3), batch, radicands,
                          {{5, 5, 1, 1, 5, 5, 1, 1}, {-2, 2, 20, -20, 2, -2, 4, -4}}) == "");
  // In numbers, r = 1/2 and 1/4.
  CHECK(difference(apply(F64{}, nodes::bnBatch, {x, gamma, beta}, eps(3)),
                   Literal{batch, {4, 6, 6, -4, 6, 4, 2, 0}}.in(F64{})) == "");
}

TEST_CASE("bnBatchBack subtracts the mean of g and its projection on xhat, with gamma inside") {
  // Channel 0: g = 2,0,0,0, mean 1/2; mean(x̂g) = −r/2. dx = r(g − 1/2) + d·r³/2.
  // Channel 1: g = 0,−4,−8,0, mean −3; mean(x̂g) = r(−20 + 8)/4 = −3r. dx = r(g + 3) + 3·d·r³.
  CHECK(differenceInRoots(nodes::bnBatchBack, {x, gamma, dy}, eps(3), batch, radicands,
                          {all(8, 0),
                           {"1.5", "-0.5", 3, -1, "-0.5", "-0.5", -5, 3},
                           all(8, 0),
                           {"-0.5", "0.5", -15, 15, "0.5", "-0.5", -3, 3}}) == "");
}

TEST_CASE("bnGammaGrad and bnBetaGrad sum over the row") {
  // Σ dy·d·r: channel 0: 1·(−1); channel 1: 1·5 + 2·(−1).
  CHECK(differenceInRoots(nodes::bnGammaGrad, {x, dy}, eps(3), {2}, radicands, {{0, 0}, {-1, 3}}) == "");
  CHECK(differenceByHand(nodes::bnBetaGrad, {dy}, {}, {{2}, {1, 3}}) == "");
}

TEST_CASE("bnEval is affine at given statistics, and bnEvalBack its transpose") {
  // μ = (1, 2), var = (1, 13), ε = 3. γ·(x − μ)·r + β: 2·0, 2·2 | −4·(−1), −4·9; 2·2, 2·0 | −4·3, −4·5.
  const Literal mu{{2}, {1, 2}}, var{{2}, {1, 13}};
  CHECK(differenceInRoots(nodes::bnEval, {x, gamma, beta, mu, var}, eps(3), batch, radicands,
                          {{5, 5, 1, 1, 5, 5, 1, 1}, {0, 4, 4, -36, 4, 0, -12, -20}}) == "");
  CHECK(differenceInRoots(nodes::bnEvalBack, {gamma, var, dy}, eps(3), batch, radicands,
                          {all(8, 0), {2, 0, 0, -4, 0, 0, -8, 0}}) == "");
}

TEST_CASE("bnPerChannel takes the statistics of each example's channel") {
  // ε = 0. Rows 1,3 (mean 2, σ² 1), 2,6 (4, 4), 0,8 (4, 16), 7,3 (5, 4).
  const Literal maps{batch, {1, 3, 2, 6, 0, 8, 7, 3}};
  const std::vector<Number> each{1, 4, 16, 4};
  CHECK(differenceInRoots(nodes::bnPerChannel, {maps, gamma, beta}, eps(0), batch, each,
                          {{5, 5, 1, 1, 5, 5, 1, 1}, {-2, 2, 8, -8, -8, 8, -8, 8}}) == "");
  // Two cells and d = ∓a: dx = r(g − mean) − d·r³·(Σ d·g)/2. Row 0: g = 2,0, mean 1, Σdg = −2.
  // Row 1: g = 0,−4, mean −2, Σdg = −8. Row 2: 0. Row 3 (d = 2,−2): g = −8,0, mean −4, Σdg = −16.
  CHECK(differenceInRoots(nodes::bnPerChannelBack, {maps, gamma, dy}, eps(0), batch, each,
                          {all(8, 0), {1, -1, 2, -2, 0, 0, -4, 4}, all(8, 0), {-1, 1, -8, 8, 0, 0, 16, -16}}) == "");
}

TEST_CASE("bnPerChannelGammaGrad adds the examples' sums, each at its own statistics") {
  // σ² 1 and 4 in channel 0, 16 and 1 in channel 1; ε = 0. d·dy: example 0: −1 and 4·1; example 1: 2·3
  // and (−1)·2. So −1·1 + 6/2 = 2, 4/4 − 2/1 = −1, and in exact with r(1), r(4), r(16).
  const Literal maps{batch, {1, 3, 0, 8, 2, 6, 5, 7}}, cotangent{batch, {1, 0, 0, 1, 0, 3, 2, 0}};
  const std::vector<Literal> operands{maps, cotangent};
  CHECK(difference(apply(F64{}, nodes::bnPerChannelGammaGrad, operands, eps(0)), Literal{{2}, {2, -1}}.in(F64{})) ==
        "");
  const Exact exact(2);
  const auto root = [&](int n) { return exact.rsqrt(exact.literal(n)); };
  const Tensor<Field> expected(
      {2}, {-root(1) + exact.literal(6) * root(4), exact.literal(4) * root(16) - exact.literal(2) * root(1)});
  CHECK(difference(apply(exact, nodes::bnPerChannelGammaGrad, operands, eps(0)), expected) == "");
}

/// One channel of these cells as examples of 1×1 maps.
Literal column(std::vector<Number> cells) {
  const auto examples = static_cast<std::int64_t>(cells.size());
  return {{examples, 1, 1, 1}, std::move(cells)};
}
const Literal one{{1}, {1}}, zero{{1}, {0}};

TEST_CASE("case 5: the statistics depend on the input") {
  // x = 1,3: σ² = 1, dY = 1,0. ε = 0: the two-cell row has no freedom left, dX = 0. ε = 1: r = 1/√2,
  // dX_0 = r(1/2) − r³/2 = 1/(2√2) − 1/(4√2) = 1/(4√2) = 0.176777.
  CHECK(difference(apply(F64{}, nodes::bnBatchBack, {column({1, 3}), one, column({1, 0})}, eps(0)),
                   column({0, 0}).in(F64{})) == "");
  const auto dx = apply(F64{}, nodes::bnBatchBack, {column({1, 3}), one, column({1, 0})}, eps(1));
  CHECK(dx[0] == Approx(0.1767766952966369).epsilon(1e-14));
  CHECK(dx[1] == Approx(-0.1767766952966369).epsilon(1e-14));
}

TEST_CASE("case 14: evaluation mode treats the statistics as constants") {
  // var 4, ε 0, γ 2: dX = 2·dY/2 = dY, to the bit.
  const Literal any = counting({2, 1, 2, 2}, -3);
  CHECK(difference(apply(F64{}, nodes::bnEvalBack, {Literal{{1}, {2}}, Literal{{1}, {4}}, any}, eps(0)),
                   any.in(F64{})) == "");
  CHECK(difference(apply(F32{}, nodes::bnEvalBack, {Literal{{1}, {2}}, Literal{{1}, {4}}, any}, eps(0)),
                   any.in(F32{})) == "");
}

TEST_CASE("case 16: eps sits inside the root") {
  const auto xhat = apply(F64{}, nodes::bnBatch, {column({1, 3}), one, zero}, eps(1));
  CHECK(xhat[0] == Approx(-0.7071067811865475).epsilon(1e-15));
  CHECK(xhat[1] == Approx(0.7071067811865475).epsilon(1e-15));
}

TEST_CASE("case 18: one cell in the row gives xhat = 0, never NaN") {
  const Exact exact(1);
  const Literal gamma3{{1}, {3}}, beta7{{1}, {7}};
  for (const int cell : {-2, 0, 5}) {
    CHECK(differenceByHand(nodes::bnBatch, {column({cell}), gamma3, beta7}, eps("0.5"), column({7})) == "");
    CHECK(differenceByHand(nodes::bnBatchBack, {column({cell}), gamma3, column({4})}, eps("0.5"), column({0})) == "");
    CHECK(differenceByHand(nodes::bnGammaGrad, {column({cell}), column({4})}, eps("0.5"), zero) == "");
    CHECK(differenceByHand(nodes::bnBetaGrad, {column({4})}, {}, {{1}, {4}}) == "");
  }
}

TEST_CASE("case 15: the variance survives a large offset in f32") {
  // x_k = 1e5 + k/128: σ² = (Σk²/8 − 3.5²)/128² = 5.25/16384 = 0.0003204345703125, and the output's
  // standard deviation is √(σ²/(σ² + 1e-5)) = 0.984752. The mean 1e5 + 3.5/128 lies between two floats.
  std::vector<Number> cells;
  for (int k = 0; k < 8; ++k) cells.emplace_back(Rational(100000) + ratio(k, 128));
  CHECK(apply(F32{}, nodes::bnBatchVar, {column(cells)})[0] == 0.0003204345703125F);
  const auto y = apply(F32{}, nodes::bnBatch, {column(cells), one, zero}, eps("1e-5"));
  double mean = 0, var = 0;
  for (int k = 0; k < 8; ++k) mean += static_cast<double>(y[k]) / 8;
  for (int k = 0; k < 8; ++k) var += (static_cast<double>(y[k]) - mean) * (static_cast<double>(y[k]) - mean) / 8;
  CHECK(std::sqrt(var) == Approx(0.984752).margin(5e-7));
}

TEST_CASE("case 4: a constant channel has variance 0, though its mean rounds") {
  // Ten times 0.1 do not sum to a float that a tenth of is 0.1.
  for (const char* constant : {"0.1", "0.7", "1000.3"})
    for (const int count : {3, 7, 10, 100}) {
      CHECK(apply(F32{}, nodes::bnBatchVar, {column(all(count, constant))})[0] == 0.0F);
      CHECK(apply(F64{}, nodes::bnBatchVar, {column(all(count, constant))})[0] == 0.0);
    }
}

TEST_CASE("batch normalisation refuses channel mismatches and empty rows") {
  const Shape map{2, 36, 3, 4}, channels{36};
  CHECK(refusal(nodes::bnBatch, {map, channels, channels}, eps(1)) == "accepted");
  // Case 29: input C = 36, γ of 18.
  CHECK_THAT(refusal(nodes::bnBatch, {map, {18}, channels}, eps(1)),
             Contains("bnBatch: operand γ: expected [36], found [18]"));
  CHECK_THAT(refusal(nodes::bnBatch, {map, channels, {18}}, eps(1)),
             Contains("bnBatch: operand β: expected [36], found [18]"));
  CHECK_THAT(refusal(nodes::bnBatch, {{2, 432}, channels, channels}, eps(1)),
             Contains("operand x: expected [N,C,H,W], found [2,432]"));
  CHECK_THAT(refusal(nodes::bnBatch, {{0, 36, 3, 4}, channels, channels}, eps(1)),
             Contains("operand x") && Contains("at least one cell") && Contains("[0,36,3,4]"));
  CHECK_THAT(refusal(nodes::bnBatchBack, {map, {18}, map}, eps(1)),
             Contains("bnBatchBack: operand γ: expected [36], found [18]"));
  CHECK_THAT(refusal(nodes::bnBatchBack, {map, channels, {2, 36, 4, 3}}, eps(1)),
             Contains("operand dy: expected [2,36,3,4] like operand x, found [2,36,4,3]"));
  CHECK_THAT(refusal(nodes::bnGammaGrad, {map, {2, 18, 3, 4}}, eps(1)),
             Contains("bnGammaGrad: operand dy") && Contains("found [2,18,3,4]"));
  CHECK_THAT(refusal(nodes::bnBetaGrad, {{2, 36}}),
             Contains("bnBetaGrad: operand dy: expected [N,C,H,W], found [2,36]"));
}

TEST_CASE("evaluation-mode and per-channel nodes refuse channel mismatches") {
  const Shape map{2, 36, 3, 4}, channels{36};
  for (std::size_t i = 1; i < 5; ++i) {
    std::vector<Shape> operands{map, channels, channels, channels, channels};
    operands[i] = Shape{18};
    CHECK_THAT(
        refusal(nodes::bnEval, operands, eps(1)),
        Contains("bnEval: operand " + std::string(nodes::bnEval.operands[i].name) + ": expected [36], found [18]"));
  }
  CHECK_THAT(refusal(nodes::bnEvalBack, {{18}, channels, map}, eps(1)),
             Contains("bnEvalBack: operand γ: expected [36], found [18]"));
  CHECK_THAT(refusal(nodes::bnEvalBack, {channels, {18}, map}, eps(1)),
             Contains("bnEvalBack: operand var: expected [36], found [18]"));
  CHECK_THAT(refusal(nodes::bnPerChannel, {map, {18}, channels}, eps(1)),
             Contains("bnPerChannel: operand γ: expected [36], found [18]"));
  CHECK_THAT(refusal(nodes::bnPerChannel, {{2, 36, 0, 4}, channels, channels}, eps(1)),
             Contains("operand x") && Contains("at least one cell"));
  CHECK_THAT(refusal(nodes::bnPerChannelBack, {map, channels, {2, 36, 4, 3}}, eps(1)),
             Contains("bnPerChannelBack: operand dy") && Contains("found [36,4,3]"));
  CHECK_THAT(refusal(nodes::bnPerChannelGammaGrad, {map, {2, 36, 4, 3}}, eps(1)),
             Contains("bnPerChannelGammaGrad: operand dy"));
}

}  // namespace
}  // namespace shardlaw::test
