#include "props/judge.h"

#include "props/gen/data.h"
#include "tests/props/support.h"

namespace shardlaw {
namespace {

using Catch::Contains;
using Kind = Outcome::Kind;

constexpr double p = static_cast<double>(Field::modulus);
/// An input is 64 random bits modulo p: no element is likelier than this.
constexpr double likeliest = (1 + p * 0x1p-64) / p;
const Case generic = test::parsed("R=2,N=2,C=3,data=1,seed=5");

Attributes by(const Rational& number) { return {{"by", Attribute{number}}}; }

/// Claims about one input x of three features.
class Features : public ClaimBuilder {
 public:
  Features() : ClaimBuilder(2, 2), x(batched("x", Role::activation, Shape{3})) {}
  const Pair x;

  /// left(x) on the replicas = right(x) over the batch.
  Claim equating(const std::vector<std::pair<const Node*, Attributes>>& leftNodes,
                 const std::vector<std::pair<const Node*, Attributes>>& rightNodes, Agreement agreement) && {
    Pair value = x;
    for (const auto& [node, attributes] : leftNodes) value.left = left.apply(*node, {value.left}, attributes);
    for (const auto& [node, attributes] : rightNodes) value.right = right.apply(*node, {value.right}, attributes);
    shard("f", value, agreement);
    return std::move(*this).finish();
  }
};

std::vector<Outcome> inEveryDomain(const Claim& claim, const Case& c) {
  std::vector<Outcome> outcomes;
  for (const JudgeDomain& domain : judgeDomains()) outcomes.push_back(domain.judge(claim, c, {}));
  return outcomes;
}

/// Cells of the global x as floats read them.
std::vector<double> numbersOfX(const Case& c) {
  const ClaimInput x{"x", Role::activation, {Shape{4, 3}, true}};
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < 12; ++i) numbers.push_back(planCell(x, c, i, smallestScale<double>).number);
  return numbers;
}

TEST_CASE("a true claim holds in every domain, by every agreement") {
  for (const Agreement agreement : {Agreement::bound, Agreement::equal, Agreement::bits}) {
    const Claim claim = Features().equating({{&nodes::relu, {}}}, {{&nodes::relu, {}}}, agreement);
    for (int data = 0; data < dataClassCount; ++data) {
      Case c = generic;
      c[Dimension::data] = data;
      for (const Outcome& outcome : inEveryDomain(claim, c)) {
        CHECK(outcome.kind == Kind::holds);
        CHECK_FALSE(outcome.mismatch);
        CHECK(outcome.compared >= 12);
      }
    }
  }
}

TEST_CASE("a false claim fails at its first differing cell, named by replica and index, with both values") {
  const Claim claim = Features().equating({{&nodes::relu, {}}}, {{&nodes::scale, by(1)}}, Agreement::bound);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Case c = generic;
    c.seed = seed;
    const std::vector<double> x = numbersOfX(c);
    const auto first = std::find_if(x.begin(), x.end(), [](double v) { return v < 0; }) - x.begin();
    const auto differing = std::count_if(x.begin(), x.end(), [](double v) { return v < 0; });
    REQUIRE(differing > 0);
    const Outcome outcome = judgeF64(claim, c);
    REQUIRE(outcome.kind == Kind::fails);
    const Mismatch& m = *outcome.mismatch;
    CHECK(m.what == "f");
    CHECK(m.value == "relu");
    CHECK(m.replica == first / 6);
    CHECK(m.index == std::vector<std::int64_t>{first / 3 % 2, first % 3});
    CHECK(m.shape == Shape{2, 3});
    CHECK(std::stod(m.left) == 0);
    CHECK(std::stod(m.right) == x[static_cast<std::size_t>(first)]);
    CHECK(m.error == -x[static_cast<std::size_t>(first)]);
    CHECK(m.bound >= 0);
    CHECK(m.bound < 1e-15);
    CHECK(m.differing == differing);
    CHECK(m.compared == 12);
    REQUIRE(m.operands.size() == 1);
    CHECK(m.operands[0].name == "x");
    CHECK(m.operands[0].shape == Shape{2, 3});
    REQUIRE(m.inputs.size() == 1);
    CHECK(m.inputs[0].shape == Shape{4, 3});
    CHECK(m.inputs[0].shards == 2);
    CHECK(m.inputs[0].complete());
    for (std::size_t i = 0; i < 12; ++i) CHECK(std::stod(m.inputs[0].cells[i]) == x[i]);
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(m.operands[0].cells[i] == m.inputs[0].cells[static_cast<std::size_t>(m.replica) * 6 + i]);
    CHECK(m.leftValue->cells[static_cast<std::size_t>(first % 6)] == m.left);
    CHECK(m.rightValue->cells[static_cast<std::size_t>(first % 6)] == m.right);
  }
}

TEST_CASE("a claim that is false in one equation of several is refuted at that one") {
  Features features;
  const Pair doubled = features.apply(nodes::scale, {features.x}, by(2));
  features.shard("right", doubled);
  const ValueId wrong = features.left.apply(nodes::shift, {doubled.left}, by(1));
  features.shard("wrong", {wrong, doubled.right});
  const Claim claim = std::move(features).finish();
  for (const Outcome& outcome : inEveryDomain(claim, generic)) {
    REQUIRE(outcome.kind == Kind::fails);
    CHECK(outcome.mismatch->what == "wrong");
    CHECK(outcome.mismatch->value == "shift");
    CHECK(outcome.mismatch->differing == 12);
    CHECK(outcome.mismatch->compared == 24);
  }
}

TEST_CASE("small integers come first in exact, so that a counterexample can be read") {
  const Claim claim = Features().equating({{&nodes::divConst, by(2)}}, {{&nodes::scale, by(1)}}, Agreement::bound);
  Case c = generic;
  c[Dimension::data] = static_cast<int>(DataClass::integers);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    c.seed = seed;
    const std::vector<double> x = numbersOfX(c);
    const auto first =
        static_cast<std::size_t>(std::find_if(x.begin(), x.end(), [](double v) { return v != 0; }) - x.begin());
    const Outcome outcome = judgeExact(claim, c);
    REQUIRE(outcome.kind == Kind::fails);
    const auto number = std::llround(x[first]);
    const std::string half = number % 2 == 0 ? std::to_string(number / 2) : std::to_string(number) + "/2";
    CHECK(outcome.mismatch->left == half);
    CHECK(outcome.mismatch->right == std::to_string(number));
    CHECK(outcome.mismatch->replica == static_cast<std::int64_t>(first / 6));
  }
}

TEST_CASE("the false-pass bound of a product is its degree over p, squared by a second point") {
  Features features;
  const Pair y = features.batched("y", Role::activation, Shape{3});
  features.shard("xy", {features.left.apply(nodes::mul, {features.x.left, y.left}),
                        features.right.apply(nodes::mul, {y.right, features.x.right})});
  const Claim claim = std::move(features).finish();
  const Outcome outcome = judgeExact(claim, generic);
  CHECK(outcome.kind == Kind::holds);
  CHECK(outcome.falsePassLog2 == Approx(2 * std::log2(2 * likeliest)).epsilon(1e-12));
  CHECK(outcome.compared == 2 * 12);
}

TEST_CASE("the false-pass bound of a relu counts the collisions of every two compared numbers") {
  const Claim claim = Features().equating({{&nodes::relu, {}}}, {{&nodes::relu, {}}}, Agreement::bound);
  // Both sides compare 12 cells with 0: 48 arguments of degree at most 1, and the constant 0 once more, in
  // 49·48/2 pairs; and the difference has degree 1.
  const Outcome outcome = judgeExact(claim, generic);
  CHECK(outcome.kind == Kind::holds);
  CHECK(outcome.falsePassLog2 == Approx(2 * std::log2((1176 + 1) * likeliest)).epsilon(1e-12));
}

TEST_CASE("points are added until the false-pass bound is below 2^-60, and no further") {
  // (x + 1)^(2^n) has degree 2^n: one point is worth 52 − n bits.
  for (const int squarings : {0, 10, 22, 23, 33, 40, 48, 50}) {
    Features features;
    Pair power = features.apply(nodes::shift, {features.x}, by(1));
    for (int i = 0; i < squarings; ++i) power = features.apply(nodes::mul, {power, power});
    features.shard("power", power);
    const Claim claim = std::move(features).finish();
    const Outcome outcome = judgeExact(claim, generic);
    const double onePoint = squarings + std::log2(likeliest);
    const double points = std::ceil(falsePassTarget / onePoint);
    INFO(squarings << " squarings");
    CHECK(outcome.kind == Kind::holds);
    CHECK(outcome.falsePassLog2 == Approx(points * onePoint).epsilon(1e-12));
    CHECK(outcome.falsePassLog2 <= falsePassTarget);
    CHECK(outcome.compared == static_cast<std::int64_t>(points) * 12);
  }
}

TEST_CASE("cells that are zero on both sides cannot differ: such a case is vacuous") {
  Features features;
  features.shard("x - x", features.apply(nodes::sub, {features.x, features.x}));
  const Claim claim = std::move(features).finish();
  for (const Outcome& outcome : inEveryDomain(claim, generic)) {
    CHECK(outcome.kind == Kind::holds);
    CHECK(outcome.vacuous);
  }
  const Claim telling = Features().equating({{&nodes::relu, {}}}, {{&nodes::relu, {}}}, Agreement::bound);
  for (const Outcome& outcome : inEveryDomain(telling, generic)) CHECK_FALSE(outcome.vacuous);
  Case zero = generic;
  zero[Dimension::data] = static_cast<int>(DataClass::zeroCotangent);
  ClaimBuilder builder(2, 2);
  builder.shard("dy", builder.batched("dy", Role::cotangent, Shape{3}));
  const Claim cotangents = std::move(builder).finish();
  for (const Outcome& outcome : inEveryDomain(cotangents, zero)) CHECK(outcome.vacuous);
  for (const Outcome& outcome : inEveryDomain(cotangents, generic)) CHECK_FALSE(outcome.vacuous);
}

TEST_CASE("a value whose bound is as large as itself tells nothing") {
  // (x + 10^17) − 10^17 keeps no digit of x.
  const std::vector<std::pair<const Node*, Attributes>> lossy{{&nodes::shift, by(decimal("1e17"))},
                                                              {&nodes::shift, by(decimal("-1e17"))}};
  const Claim claim = Features().equating(lossy, {{&nodes::scale, by(1)}}, Agreement::bound);
  CHECK(judgeExact(claim, generic).kind == Kind::holds);
  CHECK_FALSE(judgeExact(claim, generic).vacuous);
  const Outcome outcome = judgeF64(claim, generic);
  CHECK(outcome.kind == Kind::holds);
  CHECK(outcome.vacuous);
  CHECK(outcome.worstOverBound <= 1);
  CHECK(judgeF64(Features().equating(lossy, {{&nodes::scale, by(1)}}, Agreement::equal), generic).kind == Kind::fails);
}

TEST_CASE("floats within the bound agree, whatever the order, and beyond it do not") {
  // 3·(x/3) against x, off by roundings only; and by 10^-12, which is thousands of roundings.
  const std::vector<std::pair<const Node*, Attributes>> around{{&nodes::divConst, by(3)}, {&nodes::scale, by(3)}};
  const auto against = [&](const char* factor, Agreement agreement) {
    return Features().equating(around, {{&nodes::scale, by(decimal(factor))}}, agreement);
  };
  const Outcome right = judgeF64(against("1", Agreement::bound), generic);
  CHECK(right.kind == Kind::holds);
  CHECK(right.worstOverBound > 0);
  CHECK(right.worstOverBound <= 1);
  CHECK(right.worstError > 0);
  CHECK(right.worstError < 1e-15);
  CHECK(judgeF64(against("1", Agreement::bits), generic).kind == Kind::fails);
  CHECK(judgeF64(against("1.000000000001", Agreement::bound), generic).kind == Kind::fails);
  CHECK(judgeF32(against("1.000000000001", Agreement::bound), generic).kind == Kind::holds);
  CHECK(judgeF32(against("1.00001", Agreement::bound), generic).kind == Kind::fails);
  CHECK(judgeExact(against("1.000000000001", Agreement::bound), generic).kind == Kind::fails);
}

TEST_CASE("+0 and -0 differ to the bit, and in no other way") {
  Case zero = generic;
  zero[Dimension::data] = static_cast<int>(DataClass::zeroCotangent);
  const auto negated = [](Agreement agreement) {
    ClaimBuilder builder(2, 2);
    const Pair dy = builder.batched("dy", Role::cotangent, Shape{3});
    builder.shard("-dy", {builder.left.apply(nodes::scale, {dy.left}, by(-1)), dy.right}, agreement);
    return std::move(builder).finish();
  };
  CHECK(judgeF64(negated(Agreement::bits), zero).kind == Kind::fails);
  CHECK(judgeF64(negated(Agreement::equal), zero).kind == Kind::holds);
  CHECK(judgeF64(negated(Agreement::bound), zero).kind == Kind::holds);
  CHECK(judgeExact(negated(Agreement::bits), zero).kind == Kind::holds);
}

/// x̂ of a frozen normalisation at a variance that may be negative, ε = 0: a NaN where it is.
Claim rootClaim(bool alsoRight, Agreement agreement) {
  ClaimBuilder builder(2, 1);
  const Pair x = builder.batched("x", Role::activation, Shape{1, 1, 1});
  const Pair one = builder.shared("one", Role::weight, Shape{1});
  const Pair v = builder.shared("v", Role::mean, Shape{1});
  const Attributes eps{{"eps", Attribute{Rational(0)}}};
  const auto normalised = [&](Builder& side, ValueId at, ValueId gamma, ValueId var) {
    return side.apply(nodes::bnEval, {at, gamma, gamma, gamma, var}, eps);
  };
  const ValueId left = normalised(builder.left, x.left, one.left, v.left);
  const ValueId right = alsoRight ? normalised(builder.right, x.right, one.right, v.right) : x.right;
  builder.shard("y", {left, right}, agreement);
  return std::move(builder).finish();
}

TEST_CASE("a NaN on one side is a difference, the same NaN on both is none") {
  Case c = test::parsed("R=2,N=1,data=generic");
  while (planCell({"v", Role::mean, {Shape{1}, false}}, c, 0, 0).number >= 0) ++c.seed;
  for (const Agreement agreement : {Agreement::bits, Agreement::equal}) {
    const Outcome oneSided = judgeF64(rootClaim(false, agreement), c);
    REQUIRE(oneSided.kind == Kind::fails);
    CHECK_THAT(oneSided.mismatch->left, Contains("nan"));
    CHECK(judgeF64(rootClaim(true, agreement), c).kind == Kind::holds);
  }
  // Nothing is known of 0·∞, nor of the root of a negative number: within bounds such a cell tells nothing.
  Case zero = test::parsed("R=2,N=1,data=zeroCotangent,seed=1");
  ClaimBuilder builder(2, 1);
  const Pair x = builder.batched("x", Role::activation, Shape{1});
  const Pair dy = builder.batched("dy", Role::cotangent, Shape{1});
  const ValueId huge = builder.left.apply(nodes::scale, {x.left}, by(decimal("1e300")));
  const ValueId infinite = builder.left.apply(nodes::scale, {huge}, by(decimal("1e300")));
  builder.shard("0·∞", {builder.left.apply(nodes::mul, {dy.left, infinite}), dy.right});
  const Claim claim = std::move(builder).finish();
  CHECK(judgeF64(claim, zero).kind == Kind::holds);
  CHECK(judgeF64(claim, zero).vacuous);
  const Outcome bounded = judgeF64(rootClaim(false, Agreement::bound), c);
  CHECK(bounded.kind == Kind::holds);
  CHECK(bounded.vacuous);
}

TEST_CASE("what a domain does not define is discarded with a reason") {
  // p itself is zero in the field, and a number like any other in floats.
  const Rational modulus(mpz_class(std::to_string(Field::modulus)));
  const std::vector<std::pair<const Node*, Attributes>> nodes{{&nodes::divConst, by(modulus)}};
  const Claim claim = Features().equating(nodes, nodes, Agreement::bits);
  const Outcome outcome = judgeExact(claim, generic);
  CHECK(outcome.kind == Kind::undefined);
  CHECK_THAT(outcome.reason, Contains("division by zero"));
  CHECK(judgeF64(claim, generic).kind == Kind::holds);
}

TEST_CASE("field elements are shown as the small fractions that they may be") {
  const auto shown = [](const Rational& q) { return showField(Field::fromRational(q).residue()); };
  CHECK(shown(0) == "0");
  CHECK(shown(1) == "1");
  CHECK(shown(-1) == "-1");
  CHECK(shown(20000) == "20000");
  CHECK(shown(ratio(1, 3)) == "1/3");
  CHECK(shown(ratio(-7, 12)) == "-7/12");
  CHECK(shown(ratio(19999, 20000)) == "19999/20000");
  CHECK(showField(1442295779782583) == "1442295779782583");
}

TEST_CASE("domains are found by name, and a wrong name is told the right ones") {
  CHECK(findJudgeDomain("exact").exact);
  CHECK_FALSE(findJudgeDomain("f64").exact);
  CHECK(findJudgeDomain("f32").judge == judgeF32);
  CHECK_THROWS_WITH(findJudgeDomain("f16"), Contains("'f16'") && Contains("exact, f64, f32, wide"));
}

}  // namespace
}  // namespace shardlaw
