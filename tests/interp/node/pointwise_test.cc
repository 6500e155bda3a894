// Pointwise nodes: by hand, at the kinks, at the special floats, and against sorting.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <limits>

#include "tests/interp/against.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

const Literal around{{1, 5}, {-2, -1, 0, 1, 2}};
const Literal cotangent{{1, 5}, {10, 20, 30, 40, 50}};

/// f32 or f64 cells, for what no decimal says: −0, NaN, subnormals.
template <class F>
Tensor<F> floats(std::vector<F> cells) {
  const Shape shape{1, static_cast<std::int64_t>(cells.size())};
  return Tensor<F>(shape, std::move(cells));
}

TEST_CASE("pointwise arithmetic by hand") {
  CHECK(differenceByHand(nodes::scale, {around}, {number("by", -3)}, {{1, 5}, {6, 3, 0, -3, -6}}) == "");
  CHECK(differenceByHand(nodes::shift, {around}, {number("by", "0.5")},
                         {{1, 5}, {"-1.5", "-0.5", "0.5", "1.5", "2.5"}}) == "");
  CHECK(differenceByHand(nodes::divConst, {around}, {number("by", -4)},
                         {{1, 5}, {"0.5", "0.25", 0, "-0.25", "-0.5"}}) == "");
  CHECK(differenceByHand(nodes::add, {around, cotangent}, {}, {{1, 5}, {8, 19, 30, 41, 52}}) == "");
  CHECK(differenceByHand(nodes::sub, {around, cotangent}, {}, {{1, 5}, {-12, -21, -30, -39, -48}}) == "");
  CHECK(differenceByHand(nodes::mul, {around, cotangent}, {}, {{1, 5}, {-20, -20, 0, 40, 100}}) == "");
  CHECK(differenceByHand(nodes::scaleBy, {{{}, {3}}, around}, {}, {{1, 5}, {-6, -3, 0, 3, 6}}) == "");
}

TEST_CASE("pointwise nodes work on parameters of any rank") {
  CHECK(differenceByHand(nodes::add, {{{}, {1}}, {{}, {2}}}, {}, {{}, {3}}) == "");
  CHECK(differenceByHand(nodes::relu, {{{}, {-3}}}, {}, {{}, {0}}) == "");
}

TEST_CASE("divConst divides: 5/3 is the nearest double, which 5·(1/3) is not") {
  // 5·fl(1/3) = 1.6666666666666665 in f64; the quotient rounds to 1.6666666666666667.
  const auto y = apply(F64{}, nodes::divConst, {floats<double>({5})}, {number("by", 3)});
  CHECK(y[0] == 1.6666666666666667);
  CHECK(5 * (1.0 / 3) == 1.6666666666666665);
}

TEST_CASE("relu and relu6 by hand; their VJPs are 0 at the kinks") {
  const Literal p{{1, 9}, {-1, 0, "0.5", 1, 5, "5.5", 6, "6.5", 7}}, dy = counting({1, 9});
  const F64 domain{};  // the order of `exact` is not that of the integers
  CHECK(difference(apply(domain, nodes::relu, {p}),
                   Literal{{1, 9}, {0, 0, "0.5", 1, 5, "5.5", 6, "6.5", 7}}.in(domain)) == "");
  CHECK(difference(apply(domain, nodes::relu6, {p}), Literal{{1, 9}, {0, 0, "0.5", 1, 5, "5.5", 6, 6, 6}}.in(domain)) ==
        "");
  CHECK(difference(apply(domain, nodes::selectPos, {p, dy}), Literal{{1, 9}, {0, 0, 3, 4, 5, 6, 7, 8, 9}}.in(domain)) ==
        "");
  CHECK(difference(apply(domain, nodes::selectMid, {p, dy}), Literal{{1, 9}, {0, 0, 3, 4, 5, 6, 0, 0, 0}}.in(domain)) ==
        "");
}

TEST_CASE("in exact, too, the kinks belong to the zero side") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Exact exact(seed);
    const Literal kinks{{1, 2}, {0, 6}};
    CHECK(difference(apply(exact, nodes::relu, {kinks}), kinks.in(exact)) == "");
    CHECK(difference(apply(exact, nodes::relu6, {kinks}), kinks.in(exact)) == "");
    CHECK(difference(apply(exact, nodes::selectPos, {kinks, {{1, 2}, {3, 4}}}), Literal{{1, 2}, {0, 4}}.in(exact)) ==
          "");
    CHECK(difference(apply(exact, nodes::selectMid, {kinks, {{1, 2}, {3, 4}}}), Literal{{1, 2}, {0, 0}}.in(exact)) ==
          "");
  }
}

TEMPLATE_TEST_CASE("case 33: relu at zeros, subnormals and negatives", "", float, double) {
  using F = TestType;
  const F least = std::numeric_limits<F>::denorm_min();
  const Ieee<F> domain;
  const auto x = floats<F>({F(0), F(-0.0), least, -least, F(-1)});
  CHECK(bitDifference(apply(domain, nodes::relu, {x}), floats<F>({0, 0, least, 0, 0})) == "");
  CHECK(bitDifference(apply(domain, nodes::relu6, {x}), floats<F>({0, 0, least, 0, 0})) == "");
  const auto dy = floats<F>({1, 1, 1, 1, 1});
  CHECK(bitDifference(apply(domain, nodes::selectPos, {x, dy}), floats<F>({0, 0, 1, 0, 0})) == "");
  CHECK(bitDifference(apply(domain, nodes::selectMid, {x, dy}), floats<F>({0, 0, 1, 0, 0})) == "");
}

TEMPLATE_TEST_CASE("case 32: relu passes a NaN on and gives its cotangent nothing", "", float, double) {
  using F = TestType;
  const F nan = std::numeric_limits<F>::quiet_NaN(), inf = std::numeric_limits<F>::infinity();
  const Ieee<F> domain;
  const auto x = floats<F>({nan, inf, -inf});
  CHECK(difference(apply(domain, nodes::relu, {x}), floats<F>({nan, inf, 0})) == "");
  CHECK(difference(apply(domain, nodes::relu6, {x}), floats<F>({nan, 6, 0})) == "");
  // p > 0 and 0 < p < 6 are false at a NaN.
  CHECK(difference(apply(domain, nodes::selectPos, {x, floats<F>({1, 2, 3})}), floats<F>({0, 2, 0})) == "");
  CHECK(difference(apply(domain, nodes::selectMid, {x, floats<F>({1, 2, 3})}), floats<F>({0, 0, 0})) == "");
}

/// The middle of three by the reference's order, or the larger of two for relu.
template <class Numbers, class S = typename Numbers::S>
S ordered(const Numbers& numbers, std::vector<S> cells, std::size_t rank) {
  std::sort(cells.begin(), cells.end(), [&](const S& a, const S& b) { return numbers.less(a, b); });
  return cells[rank];
}

TEST_CASE("relu is the larger of x and 0, relu6 the median of 0, x and 6") {
  Random random(41);
  for (int i = 0; i < 40; ++i) {
    const Shape shape{random.between(1, 3), random.between(1, 40)};
    const Draw draw = i % 2 == 0 ? Draw::any : Draw::small;
    const auto each = [](const auto& x, const auto& f) {
      std::decay_t<decltype(x)> y(x.shape());
      for (std::int64_t k = 0; k < y.cells(); ++k) y[k] = f(x[k]);
      return y;
    };
    REQUIRE(disagreement(nodes::relu, {{shape, draw}}, {}, random, [&](const auto& numbers, const auto& in) {
              using S = typename std::decay_t<decltype(numbers)>::S;
              return each(in[0], [&](const S& x) { return ordered(numbers, {x, S{}}, 1); });
            }) == "");
    REQUIRE(disagreement(nodes::relu6, {{shape, draw}}, {}, random, [&](const auto& numbers, const auto& in) {
              using S = typename std::decay_t<decltype(numbers)>::S;
              return each(in[0], [&](const S& x) { return ordered(numbers, {x, S{}, numbers.literal(6)}, 1); });
            }) == "");
  }
}

TEST_CASE("a mask keeps dy where its forward moves with its input") {
  // relu(p) ≠ 0 exactly where p > 0; relu6(p) is neither 0 nor 6 exactly where 0 < p < 6.
  Random random(42);
  for (int i = 0; i < 40; ++i) {
    const Shape shape{random.between(1, 3), random.between(1, 40)};
    const Draw draw = i % 2 == 0 ? Draw::any : Draw::small;
    const auto mask = [](const auto& numbers, const Node& node, const auto& in) {
      using S = typename std::decay_t<decltype(numbers)>::S;
      auto kept = forward(numbers, node, {in[0]}, {});
      for (std::int64_t k = 0; k < kept.cells(); ++k)
        kept[k] = kept[k] == S{} || (&node == &nodes::relu6 && kept[k] == numbers.literal(6)) ? S{} : in[1][k];
      return kept;
    };
    REQUIRE(disagreement(nodes::selectPos, {{shape, draw}, {shape}}, {}, random,
                         [&](const auto& numbers, const auto& in) { return mask(numbers, nodes::relu, in); }) == "");
    REQUIRE(disagreement(nodes::selectMid, {{shape, draw}, {shape}}, {}, random,
                         [&](const auto& numbers, const auto& in) { return mask(numbers, nodes::relu6, in); }) == "");
  }
}

TEST_CASE("pointwise arithmetic is undone by its inverse") {
  // Each reference solves for y: y/by = x, y − by = x, y·by = x, y − b = a, y + b = a.
  Random random(43);
  const Rational by = decimal("-2.75");
  for (int i = 0; i < 20; ++i) {
    const Shape shape{random.between(1, 3), random.between(1, 5), random.between(1, 4)};
    const auto solved = [&](const Node& node, const Attributes& attributes, const auto& inverse) {
      const bool two = node.operands.size() == 2;
      return disagreement(node,
                          two ? std::vector<RandomOperand>{{shape}, {shape}} : std::vector<RandomOperand>{{shape}},
                          attributes, random, [&](const auto& numbers, const auto& in) {
                            auto y = in[0];
                            for (std::int64_t k = 0; k < y.cells(); ++k)
                              y[k] = inverse(in[0][k], two ? in[1][k] : numbers.literal(by), numbers.literal(1));
                            return y;
                          });
    };
    REQUIRE(solved(nodes::scale, {number("by", by)},
                   [](auto x, auto b, auto one) { return decltype(x)(x / decltype(x)(one / b)); }) == "");
    REQUIRE(solved(nodes::shift, {number("by", by)},
                   [](auto x, auto b, auto) { return decltype(x)(x - decltype(x)(-b)); }) == "");
    REQUIRE(solved(nodes::divConst, {number("by", by)},
                   [](auto x, auto b, auto one) { return decltype(x)(x * decltype(x)(one / b)); }) == "");
    REQUIRE(solved(nodes::add, {}, [](auto a, auto b, auto) { return decltype(a)(a - decltype(a)(-b)); }) == "");
    REQUIRE(solved(nodes::sub, {}, [](auto a, auto b, auto) { return decltype(a)(-decltype(a)(b - a)); }) == "");
    REQUIRE(solved(nodes::mul, {}, [](auto a, auto b, auto one) { return decltype(a)(a / decltype(a)(one / b)); }) ==
            "");
  }
}

TEST_CASE("pointwise nodes refuse operands of different shapes, and a divisor of 0") {
  CHECK(refusal(nodes::add, {{2, 3}, {2, 3}}) == "accepted");
  CHECK_THAT(refusal(nodes::add, {{2, 3}, {2, 4}}),
             Contains("add: operand b: expected [2,3] like operand a, found [2,4]"));
  CHECK_THAT(refusal(nodes::sub, {{2, 3}, {2, 3, 1}}), Contains("sub: operand b") && Contains("found [2,3,1]"));
  CHECK_THAT(refusal(nodes::mul, {{2, 3}, {2, 1}}), Contains("mul: operand b") && Contains("found [2,1]"));
  CHECK_THAT(refusal(nodes::selectPos, {{2, 3}, {2, 2}}),
             Contains("selectPos: operand dy: expected [2,3] like operand p"));
  CHECK_THAT(refusal(nodes::selectMid, {{2, 3}, {2, 2}}),
             Contains("selectMid: operand dy: expected [2,3] like operand p"));
  CHECK_THAT(refusal(nodes::divConst, {{2, 3}}, {number("by", 0)}),
             Contains("divConst: attribute by") && Contains("found 0"));
  CHECK_THAT(refusal(nodes::scaleBy, {{1}, {2, 3}}), Contains("scaleBy: operand s: expected [], found [1]"));
}

}  // namespace
}  // namespace shardlaw::test
