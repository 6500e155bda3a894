// Convolutions against an explicit matrix: the Toeplitz map for the forward, its transpose by unit vectors
// for the VJP, and unit weights pushed through the forward for the weight gradient.
#include <catch2/catch.hpp>

#include "tests/interp/against.h"
#include "tests/interp/node/toeplitz.h"

namespace shardlaw::test {
namespace {

struct Draws {
  Shape w, b, x, dy;
  std::string phase;
};

/// Random extents; H ≠ W and kernels of 1 to 5 cells a side, even ones included. At stride 2 the map of x
/// has even extents and dy half of them.
Draws drawShapes(Random& random, bool strided) {
  const std::int64_t n = random.between(1, 3), o = random.between(1, 4), i = random.between(1, 3);
  const std::int64_t step = strided ? 2 : 1;
  const std::int64_t h = step * random.between(1, 3), w = step * random.between(1, 4);
  return {{o, i, random.between(1, 5), random.between(1, 5)},
          {o},
          {n, i, h, w},
          {n, o, h / step, w / step},
          random.chance(50) ? "even" : "odd"};
}

Attributes kernelAttributes(const Shape& w) { return {integer("kH", w[2]), integer("kW", w[3])}; }

/// Σ over examples and cells of dy times the map that one unit weight makes of x.
template <class Numbers, class S = typename Numbers::S>
Tensor<S> byUnitWeights(const Numbers& numbers, const Node& node, const Draws& s, const Tensor<S>& x,
                        const Tensor<S>& dy, const Attributes& attributes) {
  return transposed(numbers, node, {Tensor<S>(s.w), Tensor<S>(s.b), x}, 0, dy, attributes);
}

TEST_CASE("conv is its Toeplitz matrix") {
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    const Draws s = drawShapes(random, false);
    INFO("W " << toString(s.w) << " x " << toString(s.x));
    REQUIRE(disagreement(nodes::conv, {{s.w}, {s.b}, {s.x}}, {}, random,
                         [](const auto&, const auto& in) { return convByMatrix(in[0], in[1], in[2]); }) == "");
  }
}

TEST_CASE("convBack is the transpose of conv") {
  Random random(2);
  for (int i = 0; i < 40; ++i) {
    const Draws s = drawShapes(random, false);
    INFO("W " << toString(s.w) << " x " << toString(s.x));
    REQUIRE(disagreement(nodes::convBack, {{s.w}, {s.dy}}, {}, random, [&](const auto& numbers, const auto& in) {
              using T = std::decay_t<decltype(in[0])>;
              return transposed(numbers, nodes::conv, {in[0], T(s.b), T(s.x)}, 2, in[1]);
            }) == "");
  }
}

TEST_CASE("convWeightGrad is the transpose of conv in its weights, convBiasGrad in its bias") {
  Random random(3);
  for (int i = 0; i < 40; ++i) {
    const Draws s = drawShapes(random, false);
    INFO("W " << toString(s.w) << " x " << toString(s.x));
    REQUIRE(disagreement(nodes::convWeightGrad, {{s.x}, {s.dy}}, kernelAttributes(s.w), random,
                         [&](const auto& numbers, const auto& in) {
                           return byUnitWeights(numbers, nodes::conv, s, in[0], in[1], {});
                         }) == "");
    REQUIRE(disagreement(nodes::convBiasGrad, {{s.dy}}, {}, random, [&](const auto& numbers, const auto& in) {
              using T = std::decay_t<decltype(in[0])>;
              return transposed(numbers, nodes::conv, {T(s.w), T(s.b), T(s.x)}, 1, in[0]);
            }) == "");
  }
}

TEST_CASE("convStrided subsamples the stride-1 matrix at its phase") {
  Random random(4);
  for (int i = 0; i < 60; ++i) {
    const Draws s = drawShapes(random, true);
    INFO("W " << toString(s.w) << " x " << toString(s.x) << " " << s.phase);
    REQUIRE(disagreement(nodes::convStrided, {{s.w}, {s.b}, {s.x}}, {{"phase", s.phase}}, random,
                         [&](const auto&, const auto& in) {
                           return subsampled(convByMatrix(in[0], in[1], in[2]), s.phase == "odd" ? 1 : 0);
                         }) == "");
  }
}

TEST_CASE("the strided VJP and weight gradient are transposes of convStrided at the same phase") {
  Random random(5);
  for (int i = 0; i < 40; ++i) {
    const Draws s = drawShapes(random, true);
    const Attributes phase{{"phase", s.phase}};
    INFO("W " << toString(s.w) << " x " << toString(s.x) << " " << s.phase);
    REQUIRE(
        disagreement(nodes::convStridedBack, {{s.w}, {s.dy}}, phase, random, [&](const auto& numbers, const auto& in) {
          using T = std::decay_t<decltype(in[0])>;
          return transposed(numbers, nodes::convStrided, {in[0], T(s.b), T(s.x)}, 2, in[1], phase);
        }) == "");
    Attributes strided = kernelAttributes(s.w);
    strided.set("phase", s.phase);
    REQUIRE(disagreement(nodes::convStridedWeightGrad, {{s.x}, {s.dy}}, strided, random,
                         [&](const auto& numbers, const auto& in) {
                           return byUnitWeights(numbers, nodes::convStrided, s, in[0], in[1], phase);
                         }) == "");
  }
}

TEST_CASE("the two phases are different functions, forward and backward") {
  Random random(6);
  const Exact exact(6);
  const auto w = random.tensor<Field>({2, 1, 3, 3}), b = random.tensor<Field>({2}),
             x = random.tensor<Field>({1, 1, 4, 6});
  const auto dy = random.tensor<Field>({1, 2, 2, 3});
  const Attributes even{{"phase", std::string("even")}}, odd{{"phase", std::string("odd")}};
  CHECK(difference(apply(exact, nodes::convStrided, {w, b, x}, even),
                   apply(exact, nodes::convStrided, {w, b, x}, odd)) != "");
  CHECK(difference(apply(exact, nodes::convStridedBack, {w, dy}, even),
                   apply(exact, nodes::convStridedBack, {w, dy}, odd)) != "");
}

}  // namespace
}  // namespace shardlaw::test
