// Convolutions at values worked by hand, and what their shape rules refuse.
#include <catch2/catch.hpp>

#include "tests/interp/support.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

const Literal ramp{{1, 1, 2, 3}, {1, 2, 3, 4, 5, 6}};              // [[1,2,3],[4,5,6]]
const Literal kernel3{{1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}};  // rows 123 456 789
const Literal wideRamp{{1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}};    // [[1,2,3,4],[5,6,7,8]]
const Attributes even{word("phase", "even")}, odd{word("phase", "odd")};

Attributes kernel(std::int64_t kH, std::int64_t kW) { return {integer("kH", kH), integer("kW", kW)}; }
Attributes kernel(std::int64_t kH, std::int64_t kW, const char* phase) {
  return {integer("kH", kH), integer("kW", kW), word("phase", phase)};
}

TEST_CASE("conv correlates, does not flip, and pads with zeros") {
  // Row 0: 5·1+6·2+8·4+9·5 = 94, 4·1+5·2+6·3+7·4+8·5+9·6 = 154, 4·2+5·3+7·5+8·6 = 106.
  // Row 1: 2·1+3·2+5·4+6·5 = 58, 1·1+2·2+3·3+4·4+5·5+6·6 = 91, 1·2+2·3+4·5+5·6 = 58. Bias 10.
  CHECK(differenceByHand(nodes::conv, {kernel3, {{1}, {10}}, ramp}, {}, {{1, 1, 2, 3}, {104, 164, 116, 68, 101, 68}}) ==
        "");
}

TEST_CASE("conv at even kernel extents pads by (k-1)/2 before, the rest after") {
  // 2×4, pH = 0, pW = 1, kernel rows 1234 5678. y[0,0] = 2·1+3·2+4·3 + 6·4+7·5+8·6 = 127,
  // y[0,1] = 1·1+2·2+3·3 + 5·4+6·5+7·6 = 106, y[0,2] = 1·2+2·3 + 5·5+6·6 = 69;
  // row 1 sees the kernel's first row only: 2·4+3·5+4·6 = 47, 1·4+2·5+3·6 = 32, 1·5+2·6 = 17.
  CHECK(differenceByHand(nodes::conv, {counting({1, 1, 2, 4}), {{1}, {0}}, ramp}, {},
                         {{1, 1, 2, 3}, {127, 106, 69, 47, 32, 17}}) == "");
  // 1×3: each row alone. 2·1+3·2 = 8, 1·1+2·2+3·3 = 14, 1·2+2·3 = 8; 23, 32, 17.
  CHECK(differenceByHand(nodes::conv, {counting({1, 1, 1, 3}), {{1}, {0}}, ramp}, {},
                         {{1, 1, 2, 3}, {8, 14, 8, 23, 32, 17}}) == "");
}

TEST_CASE("conv sums over input channels, per output channel and example") {
  // 1×1, O = 3, I = 2, W = [[1,2],[3,4],[5,6]], b = [0,10,20]. Example 0: x = (1,2 | 3,4):
  // o=0: 1+6, 2+8; o=1: 3+12+10, 6+16+10; o=2: 5+18+20, 10+24+20. Example 1: x = (0,1 | 1,0).
  CHECK(differenceByHand(nodes::conv,
                         {counting({3, 2, 1, 1}), {{3}, {0, 10, 20}}, {{2, 2, 1, 2}, {1, 2, 3, 4, 0, 1, 1, 0}}}, {},
                         {{2, 3, 1, 2}, {7, 10, 25, 32, 43, 54, 2, 1, 14, 13, 26, 25}}) == "");
}

TEST_CASE("convBack scatters each cotangent through the kernel") {
  // dy[0,0] = 1 gives W[i+1, j+1] = 56· / 89·; dy[1,2] = 2 gives 2·W[i, j−1] = ·(1)(2) / ·(4)(5) doubled.
  CHECK(differenceByHand(nodes::convBack, {kernel3, {{1, 1, 2, 3}, {1, 0, 0, 0, 0, 2}}}, {},
                         {{1, 1, 2, 3}, {5, 8, 4, 8, 17, 10}}) == "");
  // Channels: W [O=2,I=1] = 3, 5; dx = 3·dy_0 + 5·dy_1.
  CHECK(differenceByHand(nodes::convBack, {{{2, 1, 1, 1}, {3, 5}}, {{1, 2, 1, 2}, {1, 2, 10, 20}}}, {},
                         {{1, 1, 1, 2}, {53, 106}}) == "");
}

TEST_CASE("convWeightGrad and convBiasGrad sum over examples and cells") {
  // Example 0, dy[0,0] = 1: x[a−1, b−1] = [[·,·,·],[·,1,2],[·,4,5]]; dy[1,2] = 2: 2·x[a, b+1] =
  // [[4,6,·],[10,12,·],[·,·,·]]. Example 1, x[0,1] = 1 and dy[0,1] = 1 add 1 to the middle.
  const Literal x{{2, 1, 2, 3}, {1, 2, 3, 4, 5, 6, 0, 1, 0, 0, 0, 0}};
  const Literal dy{{2, 1, 2, 3}, {1, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0}};
  CHECK(differenceByHand(nodes::convWeightGrad, {x, dy}, kernel(3, 3), {{1, 1, 3, 3}, {4, 6, 0, 10, 14, 2, 0, 4, 5}}) ==
        "");
  // Two channels: (1+2)+(5+6) and (3+4)+(7+8).
  CHECK(differenceByHand(nodes::convBiasGrad, {counting({2, 2, 1, 2})}, {}, {{2}, {14, 22}}) == "");
}

TEST_CASE("the two stride-2 phases take the even and the odd positions") {
  // Stride-1 values of [[1,2,3,4],[5,6,7,8]] under kernel 1…9: at (0,0) 5·1+6·2+8·5+9·6 = 111,
  // (0,2) 4·2+5·3+6·4+7·6+8·7+9·8 = 217; (1,1) 1·1+2·2+3·3+4·5+5·6+6·7 = 106, (1,3) 1·3+2·4+4·7+5·8 = 79.
  const std::vector<Literal> operands{kernel3, {{1}, {0}}, wideRamp};
  CHECK(differenceByHand(nodes::convStrided, operands, even, {{1, 1, 1, 2}, {111, 217}}) == "");
  CHECK(differenceByHand(nodes::convStrided, operands, odd, {{1, 1, 1, 2}, {106, 79}}) == "");
}

TEST_CASE("the strided VJP and weight gradient scatter dy onto their phase") {
  const Literal dy{{1, 1, 1, 2}, {1, 2}};
  // Even: dy at (0,0) and (0,2). dx[i,j] = W[i+1, j+1] + 2·W[i+1, j−1] where the index exists:
  // row 0: 5, 6+2·4, 2·5, 2·6; row 1: 8, 9+2·7, 2·8, 2·9.
  CHECK(differenceByHand(nodes::convStridedBack, {kernel3, dy}, even, {{1, 1, 2, 4}, {5, 14, 10, 12, 8, 23, 16, 18}}) ==
        "");
  // Odd: dy at (1,1) and (1,3). dx[i,j] = W[i, j] + 2·W[i, j−2]: 1, 2, 3+2·1, 2·2; 4, 5, 6+2·4, 2·5.
  CHECK(differenceByHand(nodes::convStridedBack, {kernel3, dy}, odd, {{1, 1, 2, 4}, {1, 2, 5, 4, 4, 5, 14, 10}}) == "");
  // Even: dW[a,b] = x[a−1, b−1] + 2·x[a−1, b+1]: a=1: 2·2, 1+2·3, 2+2·4; a=2: 2·6, 5+2·7, 6+2·8.
  CHECK(differenceByHand(nodes::convStridedWeightGrad, {wideRamp, dy}, kernel(3, 3, "even"),
                         {{1, 1, 3, 3}, {0, 0, 0, 4, 7, 10, 12, 19, 22}}) == "");
  // Odd: x[a, b] + 2·x[a, b+2]: a=0: 1+2·3, 2+2·4, 3; a=1: 5+2·7, 6+2·8, 7.
  CHECK(differenceByHand(nodes::convStridedWeightGrad, {wideRamp, dy}, kernel(3, 3, "odd"),
                         {{1, 1, 3, 3}, {7, 10, 3, 19, 22, 7, 0, 0, 0}}) == "");
}

TEST_CASE("convolutions of no examples give zero gradients, and empty maps no cells") {
  CHECK(differenceByHand(nodes::convWeightGrad, {{{0, 2, 2, 2}, {}}, {{0, 1, 2, 2}, {}}}, kernel(1, 1),
                         {{1, 2, 1, 1}, {0, 0}}) == "");
  CHECK(differenceByHand(nodes::conv, {{{1, 1, 1, 1}, {2}}, {{1}, {0}}, {{0, 1, 2, 2}, {}}}, {}, {{0, 1, 2, 2}, {}}) ==
        "");
}

TEST_CASE("zeroBias is 0 for every output channel, whatever the weights, and needs no example") {
  CHECK(differenceByHand(nodes::zeroBias, {counting({3, 2, 1, 2})}, {}, {{3}, {0, 0, 0}}) == "");
  Builder builder;
  const ValueId bias = builder.apply(nodes::zeroBias, {builder.sharedInput("W", Shape{3, 2, 1, 2})});
  CHECK(builder.type(bias) == Type{Shape{3}, false});
  CHECK(nodes::zeroBias.adjoint == nullptr);
  CHECK_THAT(refusal(nodes::zeroBias, {{3, 2}}), Contains("zeroBias: operand W: expected") && Contains("found [3,2]"));
  CHECK_THAT(refusal(nodes::zeroBias, {{3, 2, 0, 1}}), Contains("a kernel with at least one cell"));
}

TEST_CASE("conv refuses operands that do not fit, naming operand and shapes") {
  const Shape w{4, 3, 3, 3}, b{4}, x{2, 3, 5, 6};
  CHECK(refusal(nodes::conv, {w, b, x}) == "accepted");
  CHECK_THAT(refusal(nodes::conv, {{4, 3, 3}, b, x}),
             Contains("conv: ") && Contains("operand W") && Contains("[O,I,kH,kW]") && Contains("found [4,3,3]"));
  CHECK_THAT(refusal(nodes::conv, {w, {5}, x}), Contains("operand b: expected [4], found [5]"));
  CHECK_THAT(refusal(nodes::conv, {w, b, {2, 2, 5, 6}}),
             Contains("conv: operand x: expected [3,5,6], found [2,5,6] per example"));
  CHECK_THAT(refusal(nodes::conv, {{4, 3, 0, 3}, b, x}), Contains("operand W") && Contains("at least one cell"));
  CHECK_THAT(refusal(nodes::conv, {w, b, {2, 3, 30}}), Contains("operand x: expected [I,H,W], found [3,30]"));
  CHECK_THAT(refusal(nodes::convBack, {w, {2, 5, 5, 6}}),
             Contains("convBack: operand dy: expected [4,5,6], found [5,5,6]"));
  CHECK_THAT(refusal(nodes::convBack, {{4, 3}, {2, 4, 5, 6}}),
             Contains("convBack: operand W") && Contains("found [4,3]"));
}

TEST_CASE("convolution gradients refuse maps of different extents and kernels without cells") {
  const Shape x{2, 3, 4, 6}, dy{2, 5, 4, 6};
  CHECK(refusal(nodes::convWeightGrad, {x, dy}, kernel(3, 1)) == "accepted");
  CHECK_THAT(refusal(nodes::convWeightGrad, {x, {2, 5, 6, 4}}, kernel(3, 1)),
             Contains("convWeightGrad: operand dy: expected [2,5,4,6], found [2,5,6,4]"));
  CHECK_THAT(refusal(nodes::convWeightGrad, {x, dy}, kernel(0, 1)), Contains("attribute kH") && Contains("found 0"));
  CHECK_THAT(refusal(nodes::convWeightGrad, {x, dy}, kernel(1, -2)), Contains("attribute kW") && Contains("found -2"));
  CHECK_THAT(refusal(nodes::convWeightGrad, {{2, 3, 24}, dy}, kernel(1, 1)), Contains("operand x: expected [N,I,H,W]"));
  CHECK_THAT(refusal(nodes::convWeightGrad, {x, {2, 5, 24}}, kernel(1, 1)), Contains("operand dy: expected [N,O,H,W]"));
  CHECK_THAT(refusal(nodes::convBiasGrad, {{2, 3}}),
             Contains("convBiasGrad: operand dy: expected [N,O,H,W], found [2,3]"));
}

TEST_CASE("strided convolutions refuse odd maps, half maps that do not fit and unknown phases") {
  const Shape w{4, 3, 3, 3}, b{4};
  CHECK(refusal(nodes::convStrided, {w, b, {2, 3, 4, 6}}, even) == "accepted");
  CHECK_THAT(refusal(nodes::convStrided, {w, b, {2, 3, 5, 6}}, even),
             Contains("convStrided: operand x: expected a map of even extents, found [3,5,6]"));
  CHECK_THAT(refusal(nodes::convStrided, {w, b, {2, 3, 4, 7}}, odd), Contains("even extents, found [3,4,7]"));
  CHECK_THAT(refusal(nodes::convStrided, {w, b, {2, 3, 4, 6}}, {word("phase", "same")}),
             Contains("convStrided: attribute phase: expected even or odd, found 'same'"));
  CHECK_THAT(refusal(nodes::convStridedBack, {w, {2, 4, 2, 3}}, {word("phase", "Even")}), Contains("found 'Even'"));
  CHECK_THAT(refusal(nodes::convStridedBack, {w, {2, 3, 2, 3}}, even),
             Contains("operand dy: expected [4,2,3], found [3,2,3]"));
  CHECK_THAT(refusal(nodes::convStridedWeightGrad, {{2, 3, 4, 6}, {2, 5, 4, 6}}, kernel(3, 3, "even")),
             Contains("convStridedWeightGrad: operand dy: expected [2,5,2,3], found [2,5,4,6]"));
  CHECK_THAT(refusal(nodes::convStridedWeightGrad, {{2, 3, 3, 6}, {2, 5, 1, 3}}, kernel(3, 3, "even")),
             Contains("operand x") && Contains("even extents"));
  CHECK_THAT(refusal(nodes::convStridedWeightGrad, {{2, 3, 4, 6}, {2, 5, 2, 3}}, kernel(3, 3, "")),
             Contains("attribute phase") && Contains("found ''"));
}

}  // namespace
}  // namespace shardlaw::test
