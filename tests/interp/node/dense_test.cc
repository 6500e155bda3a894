// Dense layers and flattening.
#include <catch2/catch.hpp>

#include "tests/interp/against.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

Attributes extents(std::int64_t c, std::int64_t h, std::int64_t w) {
  return {integer("C", c), integer("H", h), integer("W", w)};
}

TEST_CASE("dense is x·W + b with W [in, out]") {
  // W = [[1,2,3],[4,5,6]], b = (10,20,30). x = (1,2): 1+8, 2+10, 3+12; x = (0,1): 4, 5, 6.
  const Literal w = counting({2, 3}), b{{3}, {10, 20, 30}};
  CHECK(differenceByHand(nodes::dense, {w, b, {{2, 2}, {1, 2, 0, 1}}}, {}, {{2, 3}, {19, 32, 45, 14, 25, 36}}) == "");
  // dy·Wᵀ: (1,0,2): 1+6, 4+12; (0,1,0): 2, 5.
  CHECK(differenceByHand(nodes::denseBack, {w, {{2, 3}, {1, 0, 2, 0, 1, 0}}}, {}, {{2, 2}, {7, 16, 2, 5}}) == "");
  // x_0 ⊗ dy_0 + x_1 ⊗ dy_1 = (1,2)⊗(1,0,2) + (0,1)⊗(0,1,0).
  CHECK(differenceByHand(nodes::denseWeightGrad, {{{2, 2}, {1, 2, 0, 1}}, {{2, 3}, {1, 0, 2, 0, 1, 0}}}, {},
                         {{2, 3}, {1, 0, 2, 2, 1, 4}}) == "");
  CHECK(differenceByHand(nodes::denseBiasGrad, {{{2, 3}, {1, 0, 2, 0, 1, 0}}}, {}, {{3}, {1, 1, 2}}) == "");
}

TEST_CASE("flatten and unflatten are row-major and undo each other") {
  const Literal map = counting({2, 2, 1, 3}), row = counting({2, 6});
  CHECK(differenceByHand(nodes::flatten, {map}, {}, row) == "");
  CHECK(differenceByHand(nodes::unflatten, {row}, extents(2, 1, 3), map) == "");
}

/// y = Σ_i x_i·(row i of W), row by row from the last: an outer-product order.
template <class S>
Tensor<S> byRows(const Tensor<S>& w, const Tensor<S>& b, const Tensor<S>& x) {
  const std::int64_t in = w.shape()[0], out = w.shape()[1];
  Tensor<S> y({x.shape()[0], out});
  for (std::int64_t n = 0; n < x.shape()[0]; ++n) {
    for (std::int64_t j = 0; j < out; ++j) y[n * out + j] = b[j];
    for (std::int64_t i = in - 1; i >= 0; --i)
      for (std::int64_t j = 0; j < out; ++j) y[n * out + j] = y[n * out + j] + x[n * in + i] * w[i * out + j];
  }
  return y;
}

TEST_CASE("dense layers against outer products and transposition") {
  Random random(31);
  for (int i = 0; i < 40; ++i) {
    const std::int64_t n = random.between(1, 4), in = random.between(1, 7), out = random.between(1, 6);
    const Shape w{in, out}, b{out}, x{n, in}, dy{n, out};
    INFO("W " << toString(w) << " x " << toString(x));
    REQUIRE(disagreement(nodes::dense, {{w}, {b}, {x}}, {}, random,
                         [](const auto&, const auto& of) { return byRows(of[0], of[1], of[2]); }) == "");
    REQUIRE(disagreement(nodes::denseBack, {{w}, {dy}}, {}, random, [&](const auto& numbers, const auto& of) {
              using T = std::decay_t<decltype(of[0])>;
              return transposed(numbers, nodes::dense, {of[0], T(b), T(x)}, 2, of[1]);
            }) == "");
    REQUIRE(disagreement(nodes::denseWeightGrad, {{x}, {dy}}, {}, random, [&](const auto& numbers, const auto& of) {
              using T = std::decay_t<decltype(of[0])>;
              return transposed(numbers, nodes::dense, {T(w), T(b), of[0]}, 0, of[1]);
            }) == "");
    REQUIRE(disagreement(nodes::denseBiasGrad, {{dy}}, {}, random, [&](const auto& numbers, const auto& of) {
              using T = std::decay_t<decltype(of[0])>;
              return transposed(numbers, nodes::dense, {T(w), T(b), T(x)}, 1, of[0]);
            }) == "");
  }
}

TEST_CASE("flattening moves cells by their position") {
  Random random(32);
  for (int i = 0; i < 20; ++i) {
    const std::int64_t n = random.between(1, 3), c = random.between(1, 4), h = random.between(1, 4),
                       w = random.between(1, 5);
    const auto reshaped = [](const auto& from, const Shape& shape) {
      std::decay_t<decltype(from)> to(shape);
      for (std::int64_t k = 0; k < to.cells(); ++k) to[k] = from[k];
      return to;
    };
    REQUIRE(disagreement(nodes::flatten, {{{n, c, h, w}}}, {}, random, [&](const auto&, const auto& in) {
              return reshaped(in[0], {n, c * h * w});
            }) == "");
    REQUIRE(
        disagreement(nodes::unflatten, {{{n, c * h * w}}}, extents(c, h, w), random, [&](const auto&, const auto& in) {
          return reshaped(in[0], {n, c, h, w});
        }) == "");
  }
}

TEST_CASE("dense nodes refuse operands that do not fit") {
  const Shape w{4, 3}, b{3}, x{2, 4}, dy{2, 3};
  CHECK(refusal(nodes::dense, {w, b, x}) == "accepted");
  CHECK_THAT(refusal(nodes::dense, {w, b, {2, 3}}), Contains("dense: operand x: expected [4], found [3] per example"));
  CHECK_THAT(refusal(nodes::dense, {w, {4}, x}), Contains("operand b: expected [3], found [4]"));
  CHECK_THAT(refusal(nodes::dense, {{12}, b, x}), Contains("operand W: expected [in,out], found [12]"));
  CHECK_THAT(refusal(nodes::denseBack, {w, {2, 4}}), Contains("denseBack: operand dy: expected [3], found [4]"));
  CHECK_THAT(refusal(nodes::denseWeightGrad, {{2, 2, 2}, dy}), Contains("operand x: expected [N,in], found [2,2,2]"));
  CHECK_THAT(refusal(nodes::denseWeightGrad, {x, {2}}), Contains("operand dy: expected [N,out], found [2]"));
  CHECK_THAT(refusal(nodes::denseBiasGrad, {{2, 3, 1}}), Contains("operand dy: expected [N,out], found [2,3,1]"));
}

TEST_CASE("flatten and unflatten refuse other ranks and counts") {
  CHECK_THAT(refusal(nodes::flatten, {{2, 3, 4}}), Contains("flatten: operand x: expected [C,H,W], found [3,4]"));
  CHECK_THAT(refusal(nodes::unflatten, {{2, 24}}, extents(2, 3, 5)), Contains("operand x: expected [30], found [24]"));
  CHECK_THAT(refusal(nodes::unflatten, {{2, 0}}, extents(0, 3, 4)), Contains("attribute C") && Contains("found 0"));
  CHECK_THAT(refusal(nodes::unflatten, {{2, 6}}, extents(-2, -3, 1)), Contains("attribute C") && Contains("found -2"));
  CHECK_THAT(refusal(nodes::unflatten, {{2, 6}}, extents(std::int64_t{1} << 40, std::int64_t{1} << 40, 1)),
             Contains("more cells than 64 bits"));
}

}  // namespace
}  // namespace shardlaw::test
