// The bf16 twins: where they round, how often, and what they leave alone.
#include <catch2/catch.hpp>

#include "tests/interp/against.h"
#include "tests/interp/node/toeplitz.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

/// Empty where f64 and f32 both give these numbers.
std::string differenceInFloats(const Node& node, const std::vector<Literal>& operands, const Attributes& attributes,
                               const Literal& expected) {
  if (auto d = difference(apply(F64{}, node, operands, attributes), expected.in(F64{})); !d.empty()) return "f64: " + d;
  if (auto d = difference(apply(F32{}, node, operands, attributes), expected.in(F32{})); !d.empty()) return "f32: " + d;
  return "";
}

const Attributes kernel1{integer("kH", 1), integer("kW", 1)};

TEST_CASE("convBf16 rounds operands, then the sum, but not the bias") {
  // bf16 has 8 significant bits: between 256 and 512 its spacing is 2, ties to even. rnd 257 = 256,
  // rnd 259 = 260. The sum 256·1 + 1·1 = 257 rounds to 256; the bias 1 is added unrounded: 257.
  const Literal one{{1}, {1}};
  CHECK(differenceInFloats(nodes::convBf16, {{{1, 2, 1, 1}, {256, 1}}, one, {{1, 2, 1, 1}, {1, 1}}}, {},
                           {{1, 1, 1, 1}, {257}}) == "");
  // Operands: rnd 257 · rnd 3 = 768, rnd 259 · 1 = 260; plus bias.
  CHECK(differenceInFloats(nodes::convBf16, {{{2, 1, 1, 1}, {257, 259}}, {{2}, {1, 1}}, {{1, 1, 1, 2}, {3, 1}}}, {},
                           {{1, 2, 1, 2}, {769, 257, 781, 261}}) == "");
  // x rounds as W does.
  CHECK(differenceInFloats(nodes::convBf16, {{{1, 1, 1, 1}, {1}}, one, {{1, 1, 1, 2}, {257, 259}}}, {},
                           {{1, 1, 1, 2}, {257, 261}}) == "");
}

TEST_CASE("convBackBf16 rounds W, dy and the sum over output channels") {
  CHECK(differenceInFloats(nodes::convBackBf16, {{{2, 1, 1, 1}, {256, 1}}, {{1, 2, 1, 1}, {1, 1}}}, {},
                           {{1, 1, 1, 1}, {256}}) == "");
  CHECK(differenceInFloats(nodes::convBackBf16, {{{1, 1, 1, 1}, {257}}, {{1, 1, 1, 2}, {1, 3}}}, {},
                           {{1, 1, 1, 2}, {256, 768}}) == "");
  CHECK(differenceInFloats(nodes::convBackBf16, {{{1, 1, 1, 1}, {1}}, {{1, 1, 1, 2}, {257, 259}}}, {},
                           {{1, 1, 1, 2}, {256, 260}}) == "");
}

TEST_CASE("convWeightGradBf16 rounds once, after the sum over the batch") {
  // Examples give 256, 1 and 1. One rounding: rnd 258 = 258. Rounding after each example would stay at 256.
  CHECK(differenceInFloats(nodes::convWeightGradBf16, {{{3, 1, 1, 1}, {256, 1, 1}}, {{3, 1, 1, 1}, {1, 1, 1}}}, kernel1,
                           {{1, 1, 1, 1}, {258}}) == "");
  // 256 + 1 = 257 is rounded to 256; operands round first: 257 → 256 and 259 → 260.
  CHECK(differenceInFloats(nodes::convWeightGradBf16, {{{2, 1, 1, 1}, {256, 1}}, {{2, 1, 1, 1}, {1, 1}}}, kernel1,
                           {{1, 1, 1, 1}, {256}}) == "");
  CHECK(differenceInFloats(nodes::convWeightGradBf16, {{{1, 1, 1, 1}, {257}}, {{1, 1, 1, 1}, {1}}}, kernel1,
                           {{1, 1, 1, 1}, {256}}) == "");
  CHECK(differenceInFloats(nodes::convWeightGradBf16, {{{1, 1, 1, 1}, {1}}, {{1, 1, 1, 1}, {259}}}, kernel1,
                           {{1, 1, 1, 1}, {260}}) == "");
}

/// Round to nearest even at 8 significant bits, on the integers: |x| = k·2^e with k to be found in [128,
/// 256].
Wide rounded(const WideNumbers&, const Wide& x) {
  if (x == 0) return x;
  long exponent = 0;
  mpf_get_d_2exp(&exponent, x.get_mpf_t());
  Wide scaled = abs(x);
  const long shift = 8 - exponent;
  if (shift >= 0) mpf_mul_2exp(scaled.get_mpf_t(), scaled.get_mpf_t(), static_cast<unsigned long>(shift));
  else mpf_div_2exp(scaled.get_mpf_t(), scaled.get_mpf_t(), static_cast<unsigned long>(-shift));
  Wide k = floor(scaled);
  const Wide rest = 2 * (scaled - k);
  if (rest > 1 || (rest == 1 && k.get_ui() % 2 == 1)) k = k + 1;
  if (shift >= 0) mpf_div_2exp(k.get_mpf_t(), k.get_mpf_t(), static_cast<unsigned long>(shift));
  else mpf_mul_2exp(k.get_mpf_t(), k.get_mpf_t(), static_cast<unsigned long>(-shift));
  return x < 0 ? Wide(-k) : k;
}
Field rounded(const ExactNumbers& numbers, Field x) { return numbers.domain.roundToBf16(x); }

template <class Numbers, class S>
Tensor<S> rounded(const Numbers& numbers, Tensor<S> v) {
  for (std::int64_t i = 0; i < v.cells(); ++i) v[i] = rounded(numbers, S(v[i]));
  return v;
}

TEST_CASE("bf16 convolutions are the plain ones between roundings") {
  Random random(21);
  for (int i = 0; i < 30; ++i) {
    const Shape w{random.between(1, 3), random.between(1, 3), random.between(1, 4), random.between(1, 4)};
    const std::int64_t n = random.between(1, 3), h = random.between(1, 4), v = random.between(1, 5);
    const Shape b{w[0]}, x{n, w[1], h, v}, dy{n, w[0], h, v};
    INFO("W " << toString(w) << " x " << toString(x));
    REQUIRE(disagreement(nodes::convBf16, {{w}, {b}, {x}}, {}, random, [&](const auto& numbers, const auto& in) {
              using T = std::decay_t<decltype(in[0])>;
              T y = rounded(numbers, convByMatrix(rounded(numbers, in[0]), T(b), rounded(numbers, in[2])));
              for (std::int64_t k = 0; k < y.cells(); ++k) y[k] = y[k] + in[1][k / (h * v) % w[0]];
              return y;
            }) == "");
    REQUIRE(disagreement(nodes::convBackBf16, {{w}, {dy}}, {}, random, [&](const auto& numbers, const auto& in) {
              using T = std::decay_t<decltype(in[0])>;
              return rounded(numbers, transposed(numbers, nodes::conv, {rounded(numbers, in[0]), T(b), T(x)}, 2,
                                                 rounded(numbers, in[1])));
            }) == "");
    REQUIRE(disagreement(nodes::convWeightGradBf16, {{x}, {dy}}, {integer("kH", w[2]), integer("kW", w[3])}, random,
                         [&](const auto& numbers, const auto& in) {
                           using T = std::decay_t<decltype(in[0])>;
                           return rounded(numbers,
                                          transposed(numbers, nodes::conv, {T(w), T(b), rounded(numbers, in[0])}, 0,
                                                     rounded(numbers, in[1])));
                         }) == "");
  }
}

TEST_CASE("the adjoint of convBf16 passes its rounding through: the twins of conv's, as far as they are asked for") {
  Builder builder;
  const ValueId w = builder.sharedInput("W", Shape{2, 3, 3, 1}), b = builder.sharedInput("b", Shape{2});
  const ValueId x = builder.batchedInput("x", Shape{4, 3, 5, 6}), dy = builder.batchedInput("dy", Shape{4, 2, 5, 6});
  const ValueId y = builder.apply(nodes::convBf16, {w, b, x});
  const std::vector<ValueId> cotangents = addAdjoint(builder, y, dy);
  const Program& program = builder.program();
  REQUIRE(cotangents.size() == 3);
  const auto made = [&](std::size_t i) { return *program.value(cotangents[i]).operation; };
  CHECK(made(0).node == &nodes::convWeightGradBf16);
  CHECK(made(0).operands == std::vector<ValueId>{x, dy});
  CHECK(made(0).attributes.integer("kH") == 3);
  CHECK(made(0).attributes.integer("kW") == 1);
  CHECK(made(1).node == &nodes::convBiasGrad);
  CHECK(made(2).node == &nodes::convBackBf16);
  CHECK(made(2).operands == std::vector<ValueId>{w, dy});
  const std::size_t before = program.values().size();
  CHECK(addAdjoint(builder, y, dy, {true, false, false})[2] == -1);
  CHECK(program.values().size() == before + 1);
  // Rounding has no derivative, so this is the only node whose adjoint is not its transpose.
  for (const Node* node : allNodes()) CHECK(node->straightThrough == (node == &nodes::convBf16));
}

TEST_CASE("bf16 convolutions refuse what the plain ones refuse, under their own names") {
  CHECK_THAT(refusal(nodes::convBf16, {{4, 3, 3, 3}, {4}, {2, 2, 5, 6}}),
             Contains("convBf16: operand x: expected [3,5,6], found [2,5,6]"));
  CHECK_THAT(refusal(nodes::convBackBf16, {{4, 3, 3, 3}, {2, 3, 5, 6}}),
             Contains("convBackBf16: operand dy: expected [4,5,6], found [3,5,6]"));
  CHECK_THAT(refusal(nodes::convWeightGradBf16, {{2, 3, 4, 4}, {2, 5, 4, 3}}, kernel1),
             Contains("convWeightGradBf16: operand dy: expected [2,5,4,4], found [2,5,4,3]"));
}

}  // namespace
}  // namespace shardlaw::test
