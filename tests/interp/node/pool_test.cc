// Pooling: windows, padding, the first maximum of a tie, NaN; against sorting each window.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "tests/interp/against.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

/// Hand values in the ordered domains; the order of `exact` is not that of the integers.
std::string differenceInOrder(const Node& node, const std::vector<Literal>& operands, const Literal& expected) {
  if (auto d = difference(apply(F64{}, node, operands), expected.in(F64{})); !d.empty()) return "f64: " + d;
  if (auto d = difference(apply(F32{}, node, operands), expected.in(F32{})); !d.empty()) return "f32: " + d;
  return "";
}

TEST_CASE("case 31: pools of negative maps see no zero padding") {
  std::vector<Number> down;
  for (int i = 1; i <= 16; ++i) down.emplace_back(-i);
  // 4×4 of −1…−16. 2×2/2: the top left of each window. 3×3/2, padding 1: window (0,0) covers rows and
  // columns 0..1, (0,1) columns 1..3, (1,0) rows 1..3, (1,1) both: −1, −2, −5, −6.
  CHECK(differenceInOrder(nodes::maxPool2, {{{1, 1, 4, 4}, down}}, {{1, 1, 2, 2}, {-1, -3, -9, -11}}) == "");
  CHECK(differenceInOrder(nodes::maxPool3, {{{1, 1, 4, 4}, down}}, {{1, 1, 2, 2}, {-1, -2, -5, -6}}) == "");
  CHECK(differenceInOrder(nodes::maxPool3, {{{1, 1, 2, 2}, all(4, -1)}}, {{1, 1, 1, 1}, {-1}}) == "");
}

TEST_CASE("maxPool3 on odd extents has ceil(H/2) windows") {
  // 3×5 counting: window rows −1..1 and 1..3 (3 is outside), columns −1..1, 1..3, 3..5.
  CHECK(differenceInOrder(nodes::maxPool3, {counting({1, 1, 3, 5})}, {{1, 1, 2, 3}, {7, 9, 10, 12, 14, 15}}) == "");
  CHECK(differenceInOrder(nodes::maxPool3, {counting({1, 2, 1, 1})}, {{1, 2, 1, 1}, {1, 2}}) == "");
}

TEST_CASE("case 30: the first of equal maxima receives the cotangent") {
  // Window [1,2 / 2,2]: row-major, the first 2 is at (0,1).
  CHECK(differenceInOrder(nodes::maxPool2Back, {{{1, 1, 2, 2}, {1, 2, 2, 2}}, {{1, 1, 1, 1}, {1}}},
                          {{1, 1, 2, 2}, {0, 1, 0, 0}}) == "");
  CHECK(differenceInOrder(nodes::maxPool2Back, {{{1, 1, 2, 2}, {1, 1, 2, 2}}, {{1, 1, 1, 1}, {3}}},
                          {{1, 1, 2, 2}, {0, 0, 3, 0}}) == "");
  // All equal: the first cell of each window.
  CHECK(differenceInOrder(nodes::maxPool2Back, {{{1, 1, 2, 4}, all(8, 0)}, {{1, 1, 1, 2}, {1, 2}}},
                          {{1, 1, 2, 4}, {1, 0, 2, 0, 0, 0, 0, 0}}) == "");
}

TEST_CASE("overlapping 3×3 windows add up in a shared maximum") {
  // 4×4, peak 9 at (1,1): in all four windows. dy = 1, 2, 3, 4.
  std::vector<Number> peak = all(16, 0), got = all(16, 0);
  peak[5] = 9;
  got[5] = 10;
  CHECK(differenceInOrder(nodes::maxPool3Back, {{{1, 1, 4, 4}, peak}, counting({1, 1, 2, 2})}, {{1, 1, 4, 4}, got}) ==
        "");
  // All equal: the first cell of windows (0,0), (0,1), (1,0), (1,1) is (0,0), (0,1), (1,0), (1,1).
  std::vector<Number> firsts = all(16, 0);
  firsts[0] = 1, firsts[1] = 2, firsts[4] = 3, firsts[5] = 4;
  CHECK(differenceInOrder(nodes::maxPool3Back, {{{1, 1, 4, 4}, all(16, 7)}, counting({1, 1, 2, 2})},
                          {{1, 1, 4, 4}, firsts}) == "");
  // Two equal peaks at (1,1) and (1,2): windows (0,0), (1,0) see only the first of them; (0,1) and (1,1),
  // columns 1..3, see both and take the first.
  peak[6] = 9;
  CHECK(differenceInOrder(nodes::maxPool3Back, {{{1, 1, 4, 4}, peak}, counting({1, 1, 2, 2})}, {{1, 1, 4, 4}, got}) ==
        "");
}

TEST_CASE("ties in exact go to the first maximum, and each window's gradient sums to dy") {
  const Exact exact(3);
  for (const int equal : {-5, 0, 7}) {
    CHECK(difference(apply(exact, nodes::maxPool2Back, {{{1, 1, 2, 2}, all(4, equal)}, {{1, 1, 1, 1}, {5}}}),
                     Literal{{1, 1, 2, 2}, {5, 0, 0, 0}}.in(exact)) == "");
  }
}

TEMPLATE_TEST_CASE("case 32: a NaN wins its window wherever it stands, in every channel", "", float, double) {
  using F = TestType;
  const F nan = std::numeric_limits<F>::quiet_NaN();
  const Ieee<F> domain;
  for (std::int64_t at = 0; at < 4; ++at) {
    Tensor<F> x({1, 3, 2, 2}), dy({1, 3, 1, 1}), chosen({1, 3, 2, 2});
    for (std::int64_t c = 0; c < 3; ++c) {
      for (std::int64_t k = 0; k < 4; ++k) x[4 * c + k] = static_cast<F>(k);
      x[4 * c + at] = nan;
      dy[c] = chosen[4 * c + at] = static_cast<F>(c + 1);
    }
    const Tensor<F> all({1, 3, 1, 1}, {nan, nan, nan});
    CHECK(difference(apply(domain, nodes::maxPool2, {x}), all) == "");
    CHECK(difference(apply(domain, nodes::maxPool3, {x}), all) == "");
    CHECK(difference(apply(domain, nodes::maxPool2Back, {x, dy}), chosen) == "");
    CHECK(difference(apply(domain, nodes::maxPool3Back, {x, dy}), chosen) == "");
  }
}

TEMPLATE_TEST_CASE("the first of several NaN, and of -inf, -0 and +0, receives the cotangent", "", float, double) {
  using F = TestType;
  const F nan = std::numeric_limits<F>::quiet_NaN(), inf = std::numeric_limits<F>::infinity();
  const Ieee<F> domain;
  const Tensor<F> one({1, 1, 1, 1}, {1});
  const auto back = [&](std::vector<F> x) {
    return apply(domain, nodes::maxPool2Back, {Tensor<F>({1, 1, 2, 2}, std::move(x)), one});
  };
  const auto at = [](std::vector<F> cells) { return Tensor<F>({1, 1, 2, 2}, std::move(cells)); };
  CHECK(difference(back({1, nan, nan, 2}), at({0, 1, 0, 0})) == "");
  CHECK(difference(back({-inf, -inf, -inf, -inf}), at({1, 0, 0, 0})) == "");
  CHECK(difference(back({-1, F(-0.0), F(0), -1}), at({0, 1, 0, 0})) == "");
  CHECK(difference(back({1, inf, nan, inf}), at({0, 0, 1, 0})) == "");
}

/// Pools by sorting each window: cells in row-major order, stably by descending value; the first is the
/// maximum, and it is the cell that receives dy.
template <class Numbers, class S, class Use>
void sortedWindows(const Numbers& numbers, const Tensor<S>& x, std::int64_t size, const Use& use) {
  const std::int64_t h = x.shape()[2], w = x.shape()[3], before = size / 3;
  std::int64_t window = 0;
  for (std::int64_t map = 0; map < x.shape()[0] * x.shape()[1]; ++map)
    for (std::int64_t top = -before; top + before < h; top += 2)
      for (std::int64_t left = -before; left + before < w; left += 2) {
        std::vector<std::int64_t> cells;
        for (std::int64_t u = std::max<std::int64_t>(top, 0); u < std::min(top + size, h); ++u)
          for (std::int64_t v = std::max<std::int64_t>(left, 0); v < std::min(left + size, w); ++v)
            cells.push_back((map * h + u) * w + v);
        std::stable_sort(cells.begin(), cells.end(), [&](auto a, auto b) { return numbers.less(x[b], x[a]); });
        use(window++, cells[0]);
      }
}

TEST_CASE("pools against sorting, with ties and without") {
  Random random(51);
  for (int i = 0; i < 120; ++i) {
    const std::int64_t size = i % 2 == 0 ? 2 : 3, step = size == 2 ? 2 : 1;
    const Shape x{random.between(1, 2), random.between(1, 3), step * random.between(1, 3), step * random.between(1, 5)};
    const Shape y{x[0], x[1], (x[2] + 1) / 2, (x[3] + 1) / 2};
    const Draw draw = random.chance(70) ? Draw::small : Draw::any;
    INFO(size << "×" << size << " on " << toString(x));
    REQUIRE(disagreement(size == 2 ? nodes::maxPool2 : nodes::maxPool3, {{x, draw}}, {}, random,
                         [&](const auto& numbers, const auto& in) {
                           std::decay_t<decltype(in[0])> best(y);
                           sortedWindows(numbers, in[0], size,
                                         [&](auto window, auto cell) { best[window] = in[0][cell]; });
                           return best;
                         }) == "");
    REQUIRE(disagreement(size == 2 ? nodes::maxPool2Back : nodes::maxPool3Back, {{x, draw}, {y}}, {}, random,
                         [&](const auto& numbers, const auto& in) {
                           std::decay_t<decltype(in[0])> dx(x);
                           sortedWindows(numbers, in[0], size,
                                         [&](auto window, auto cell) { dx[cell] = dx[cell] + in[1][window]; });
                           return dx;
                         }) == "");
  }
}

TEST_CASE("gap is the mean over the map, gapBack spreads it evenly") {
  CHECK(differenceByHand(nodes::gap, {counting({2, 1, 2, 2})}, {}, {{2, 1}, {"2.5", "6.5"}}) == "");
  // 1×3 maps: 6/3 and 15/3.
  CHECK(differenceByHand(nodes::gap, {counting({1, 2, 1, 3})}, {}, {{1, 2}, {2, 5}}) == "");
  CHECK(differenceByHand(nodes::gapBack, {{{1, 2}, {4, -2}}}, {integer("H", 1), integer("W", 2)},
                         {{1, 2, 1, 2}, {2, 2, -1, -1}}) == "");
}

TEST_CASE("gap against a running mean, gapBack as its transpose") {
  Random random(52);
  for (int i = 0; i < 40; ++i) {
    const Shape x{random.between(1, 3), random.between(1, 3), random.between(1, 4), random.between(1, 5)},
        y{x[0], x[1]};
    INFO(toString(x));
    REQUIRE(disagreement(nodes::gap, {{x}}, {}, random, [&](const auto& numbers, const auto& in) {
              std::decay_t<decltype(in[0])> mean(y);
              const std::int64_t cells = x[2] * x[3];
              for (std::int64_t k = 0; k < in[0].cells(); ++k)
                mean[k / cells] =
                    mean[k / cells] + (in[0][k] - mean[k / cells]) / numbers.literal(static_cast<long>(k % cells + 1));
              return mean;
            }) == "");
    REQUIRE(disagreement(nodes::gapBack, {{y}}, {integer("H", x[2]), integer("W", x[3])}, random,
                         [&](const auto& numbers, const auto& in) {
                           std::decay_t<decltype(in[0])> dx(x);
                           const auto share = numbers.literal(ratio(1, x[2] * x[3]));
                           for (std::int64_t k = 0; k < dx.cells(); ++k) dx[k] = share * in[0][k / (x[2] * x[3])];
                           return dx;
                         }) == "");
  }
}

TEST_CASE("pools refuse maps that do not fit") {
  CHECK(refusal(nodes::maxPool2, {{2, 3, 4, 6}}) == "accepted");
  CHECK_THAT(refusal(nodes::maxPool2, {{2, 3, 5, 6}}),
             Contains("maxPool2: operand x: expected a map of even extents, found [3,5,6]"));
  CHECK_THAT(refusal(nodes::maxPool2, {{2, 3, 4, 5}}), Contains("even extents, found [3,4,5]"));
  CHECK_THAT(refusal(nodes::maxPool2, {{2, 36}}), Contains("operand x: expected [C,2h,2w], found [36]"));
  CHECK_THAT(refusal(nodes::maxPool3, {{2, 36}}), Contains("maxPool3: operand x: expected [C,H,W], found [36]"));
  CHECK_THAT(refusal(nodes::maxPool2Back, {{2, 3, 4, 6}, {2, 3, 3, 2}}),
             Contains("maxPool2Back: operand dy: expected [3,2,3], found [3,3,2]"));
  CHECK_THAT(refusal(nodes::maxPool3Back, {{2, 3, 5, 6}, {2, 3, 2, 3}}),
             Contains("maxPool3Back: operand dy: expected [3,3,3], found [3,2,3]"));
  CHECK_THAT(refusal(nodes::gap, {{2, 3, 0, 6}}),
             Contains("gap: operand x") && Contains("at least one cell") && Contains("found [3,0,6]"));
  CHECK_THAT(refusal(nodes::gap, {{2, 36}}), Contains("gap: operand x: expected [C,H,W], found [36]"));
  CHECK_THAT(refusal(nodes::gapBack, {{2, 3, 1}}, {integer("H", 2), integer("W", 2)}),
             Contains("gapBack: operand dg: expected [C], found [3,1]"));
  CHECK_THAT(refusal(nodes::gapBack, {{2, 3}}, {integer("H", 0), integer("W", 2)}),
             Contains("attribute H") && Contains("found 0"));
}

}  // namespace
}  // namespace shardlaw::test
