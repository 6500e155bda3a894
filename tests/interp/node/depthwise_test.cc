// Depthwise convolutions by hand, against a block-diagonal full convolution, and by transposition.
#include <catch2/catch.hpp>

#include "tests/interp/against.h"
#include "tests/interp/node/toeplitz.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

const Attributes even{word("phase", "even")}, odd{word("phase", "odd")};

Attributes kernel(std::int64_t kH, std::int64_t kW) { return {integer("kH", kH), integer("kW", kW)}; }
Attributes kernel(std::int64_t kH, std::int64_t kW, const std::string& phase) {
  return {integer("kH", kH), integer("kW", kW), {"phase", phase}};
}

TEST_CASE("depthwise keeps channels apart") {
  // 1×3 kernels 123 and 456 on rows (1,2,3) and (1,0,1), biases 0 and 10.
  // Channel 0: 2·1+3·2 = 8, 1·1+2·2+3·3 = 14, 1·2+2·3 = 8; channel 1: 5·1 = 5, 4·1+6·1 = 10, 5·1 = 5.
  const Literal w{{2, 1, 1, 3}, {1, 2, 3, 4, 5, 6}}, x{{1, 2, 1, 3}, {1, 2, 3, 1, 0, 1}};
  CHECK(differenceByHand(nodes::depthwise, {w, {{2}, {0, 10}}, x}, {}, {{1, 2, 1, 3}, {8, 14, 8, 15, 20, 15}}) == "");
  // VJP: dx[j] = Σ_v W[j+1−v]·dy[v]. dy_0 = (1,0,0): W[1], W[2], · = 2, 3, 0; dy_1 = (0,0,2): ·, 2·W[0],
  // 2·W[1].
  CHECK(differenceByHand(nodes::depthwiseBack, {w, {{1, 2, 1, 3}, {1, 0, 0, 0, 0, 2}}}, {},
                         {{1, 2, 1, 3}, {2, 3, 0, 0, 8, 10}}) == "");
  // dW[b] = Σ_j x[j+b−1]·dy[j]. Channel 0, dy = (1,0,0): ·, x[0], x[1] = 0, 1, 2; channel 1, dy = (0,0,2):
  // 2·x[1], 2·x[2], ·.
  CHECK(differenceByHand(nodes::depthwiseWeightGrad, {x, {{1, 2, 1, 3}, {1, 0, 0, 0, 0, 2}}}, kernel(1, 3),
                         {{2, 1, 1, 3}, {0, 1, 2, 0, 2, 0}}) == "");
}

TEST_CASE("depthwise at stride 2 takes either phase") {
  // One channel of [[1,2,3,4],[5,6,7,8]] under 1…9, as for convStrided.
  const Literal w{{1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}}, x{{1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}};
  const Literal dy{{1, 1, 1, 2}, {1, 2}};
  CHECK(differenceByHand(nodes::depthwiseStrided, {w, {{1}, {1}}, x}, even, {{1, 1, 1, 2}, {112, 218}}) == "");
  CHECK(differenceByHand(nodes::depthwiseStrided, {w, {{1}, {1}}, x}, odd, {{1, 1, 1, 2}, {107, 80}}) == "");
  CHECK(differenceByHand(nodes::depthwiseStridedBack, {w, dy}, even, {{1, 1, 2, 4}, {5, 14, 10, 12, 8, 23, 16, 18}}) ==
        "");
  CHECK(differenceByHand(nodes::depthwiseStridedBack, {w, dy}, odd, {{1, 1, 2, 4}, {1, 2, 5, 4, 4, 5, 14, 10}}) == "");
  CHECK(differenceByHand(nodes::depthwiseStridedWeightGrad, {x, dy}, kernel(3, 3, "even"),
                         {{1, 1, 3, 3}, {0, 0, 0, 4, 7, 10, 12, 19, 22}}) == "");
  CHECK(differenceByHand(nodes::depthwiseStridedWeightGrad, {x, dy}, kernel(3, 3, "odd"),
                         {{1, 1, 3, 3}, {7, 10, 3, 19, 22, 7, 0, 0, 0}}) == "");
}

TEST_CASE("case 24: a depthwise stride-2 weight gradient is the same for every channel count") {
  // 6×6 ones, 3×3, padding 1: tap (a, b) reads rows a−1, a+1, a+3, of which the first is outside at a = 0.
  for (const std::int64_t channels : {1, 7, 23, 24, 25}) {
    std::vector<Number> each;
    for (std::int64_t c = 0; c < channels; ++c)
      for (const int cells : {4, 6, 6, 6, 9, 9, 6, 9, 9}) each.emplace_back(cells);
    CHECK(differenceByHand(nodes::depthwiseStridedWeightGrad,
                           {{{1, channels, 6, 6}, all(channels * 36, 1)}, {{1, channels, 3, 3}, all(channels * 9, 1)}},
                           kernel(3, 3, "even"), {{channels, 1, 3, 3}, each}) == "");
  }
}

struct Draws {
  Shape w, b, x, dy;
  std::string phase;
};
Draws drawShapes(Random& random, bool strided) {
  const std::int64_t n = random.between(1, 3), c = random.between(1, 5), step = strided ? 2 : 1;
  const std::int64_t h = step * random.between(1, 3), w = step * random.between(1, 4);
  return {{c, 1, random.between(1, 5), random.between(1, 5)},
          {c},
          {n, c, h, w},
          {n, c, h / step, w / step},
          random.chance(50) ? "even" : "odd"};
}

TEST_CASE("depthwise is a block-diagonal convolution, strided or not") {
  Random random(11);
  for (int i = 0; i < 60; ++i) {
    const Draws s = drawShapes(random, i % 2 == 1);
    INFO("W " << toString(s.w) << " x " << toString(s.x) << " " << s.phase);
    const auto full = [](const auto& in) { return convByMatrix(blockDiagonal(in[0]), in[1], in[2]); };
    if (i % 2 == 0)
      REQUIRE(disagreement(nodes::depthwise, {{s.w}, {s.b}, {s.x}}, {}, random,
                           [&](const auto&, const auto& in) { return full(in); }) == "");
    else
      REQUIRE(disagreement(
                  nodes::depthwiseStrided, {{s.w}, {s.b}, {s.x}}, {{"phase", s.phase}}, random,
                  [&](const auto&, const auto& in) { return subsampled(full(in), s.phase == "odd" ? 1 : 0); }) == "");
  }
}

TEST_CASE("depthwise VJPs and weight gradients are transposes of the forward") {
  Random random(12);
  for (int i = 0; i < 50; ++i) {
    const bool strided = i % 2 == 1;
    const Draws s = drawShapes(random, strided);
    INFO("W " << toString(s.w) << " x " << toString(s.x) << " " << s.phase);
    const Node& forwardNode = strided ? nodes::depthwiseStrided : nodes::depthwise;
    const Attributes phase = strided ? Attributes{{"phase", s.phase}} : Attributes{};
    REQUIRE(disagreement(strided ? nodes::depthwiseStridedBack : nodes::depthwiseBack, {{s.w}, {s.dy}}, phase, random,
                         [&](const auto& numbers, const auto& in) {
                           using T = std::decay_t<decltype(in[0])>;
                           return transposed(numbers, forwardNode, {in[0], T(s.b), T(s.x)}, 2, in[1], phase);
                         }) == "");
    REQUIRE(disagreement(strided ? nodes::depthwiseStridedWeightGrad : nodes::depthwiseWeightGrad, {{s.x}, {s.dy}},
                         strided ? kernel(s.w[2], s.w[3], s.phase) : kernel(s.w[2], s.w[3]), random,
                         [&](const auto& numbers, const auto& in) {
                           using T = std::decay_t<decltype(in[0])>;
                           return transposed(numbers, forwardNode, {T(s.w), T(s.b), in[0]}, 0, in[1], phase);
                         }) == "");
  }
}

TEST_CASE("depthwise nodes refuse kernels and maps that do not fit") {
  const Shape w{3, 1, 3, 3}, b{3}, x{2, 3, 4, 6};
  CHECK(refusal(nodes::depthwise, {w, b, x}) == "accepted");
  CHECK_THAT(refusal(nodes::depthwise, {{3, 3, 3, 3}, b, x}),
             Contains("depthwise: operand W: expected [C,1,kH,kW], found [3,3,3,3]"));
  CHECK_THAT(refusal(nodes::depthwise, {w, {1}, x}), Contains("operand b: expected [3], found [1]"));
  CHECK_THAT(refusal(nodes::depthwise, {w, b, {2, 4, 4, 6}}), Contains("operand x: expected [3,4,6], found [4,4,6]"));
  CHECK_THAT(refusal(nodes::depthwiseBack, {w, {2, 1, 4, 6}}), Contains("operand dy: expected [3,4,6], found [1,4,6]"));
  CHECK_THAT(refusal(nodes::depthwiseWeightGrad, {x, {2, 3, 6, 4}}, kernel(3, 3)),
             Contains("operand dy: expected [2,3,4,6] like operand x, found [2,3,6,4]"));
  CHECK_THAT(refusal(nodes::depthwiseStrided, {w, b, {2, 3, 5, 6}}, even), Contains("even extents, found [3,5,6]"));
  CHECK_THAT(refusal(nodes::depthwiseStrided, {w, b, x}, {word("phase", "both")}),
             Contains("expected even or odd, found 'both'"));
  CHECK_THAT(refusal(nodes::depthwiseStridedBack, {w, {2, 3, 2, 3}}, {word("phase", "0")}), Contains("found '0'"));
  CHECK_THAT(refusal(nodes::depthwiseStridedWeightGrad, {x, x}, kernel(3, 3, "odd")),
             Contains("operand dy: expected [2,3,2,3], found [2,3,4,6]"));
  CHECK_THAT(refusal(nodes::depthwiseStridedWeightGrad, {{2, 3, 4, 5}, {2, 3, 2, 2}}, kernel(3, 3, "odd")),
             Contains("operand x") && Contains("even extents"));
  CHECK_THAT(refusal(nodes::depthwiseWeightGrad, {x, x}, kernel(3, 0)),
             Contains("attribute kW") && Contains("found 0"));
}

}  // namespace
}  // namespace shardlaw::test
