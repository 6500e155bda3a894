#include "props/claim.h"

#include "tests/props/support.h"

namespace shardlaw {
namespace {

using test::valuesOf;

Program smallProgram() {
  Builder builder;
  const ValueId x = builder.batchedInput("x", Shape{2, 3, 1, 1});
  const ValueId relu = builder.apply(nodes::relu, {x});
  const ValueId doubled = builder.apply(nodes::scale, {relu}, {{"by", Attribute{Rational(2)}}});
  builder.result("y", builder.apply(nodes::add, {doubled, x}));
  builder.result("x too", x);
  return std::move(builder).finish();
}

TEST_CASE("rewriting without replacements copies a program") {
  const Program program = smallProgram();
  std::vector<ValueId> map;
  const Program copy = rewrite(
      program, [](Builder&, const Operation&, const auto&) { return std::optional<ValueId>(); }, map);
  CHECK(copy.text() == program.text());
  REQUIRE(map.size() == program.values().size());
  for (std::size_t id = 0; id < map.size(); ++id) CHECK(map[id] == static_cast<ValueId>(id));
  REQUIRE(copy.results().size() == 2);
  CHECK(copy.results()[0].name == "y");
  CHECK(copy.results()[1].value == copy.find("x"));
}

TEST_CASE("a replaced operation is seen by everything that reads it") {
  const Program program = smallProgram();
  std::vector<ValueId> map;
  const Program changed = rewrite(
      program,
      [](Builder& builder, const Operation& operation, const std::vector<ValueId>& operands) {
        std::optional<ValueId> replaced;
        if (operation.node == &nodes::relu) replaced = builder.apply(nodes::relu6, operands);
        if (operation.node == &nodes::scale) replaced = operands[0];
        return replaced;
      },
      map);
  REQUIRE(changed.values().size() == 3);
  CHECK(changed.inputs() == program.inputs());
  CHECK(changed.value(0).name == "x");
  CHECK(changed.value(0).type == program.value(0).type);
  CHECK(changed.value(1).operation->node == &nodes::relu6);
  CHECK(map == std::vector<ValueId>{0, 1, 1, 2});
  CHECK(changed.value(2).operation->operands == std::vector<ValueId>{1, 0});
  CHECK(changed.results()[0].value == 2);
}

TEST_CASE("a batched input is the shard on the left and the whole batch on the right") {
  ClaimBuilder claim(3, 2);
  const Pair x = claim.batched("x", Role::activation, Shape{4});
  const Pair k = claim.shared("K", Role::weight, Shape{4});
  CHECK(claim.left.type(x.left) == Type{Shape{2, 4}, true});
  CHECK(claim.right.type(x.right) == Type{Shape{6, 4}, true});
  CHECK(claim.left.type(k.left) == Type{Shape{4}, false});
  CHECK(claim.right.type(k.right) == Type{Shape{4}, false});
  ClaimBuilder adjoint(3, 2, 3);
  const Pair both = adjoint.batched("x", Role::activation, Shape{4});
  CHECK(adjoint.right.type(both.right) == Type{Shape{2, 4}, true});
}

TEST_CASE("inputs of a claim are cut, copied or drawn anew for each replica") {
  ClaimBuilder builder(2, 2);
  const Pair x = builder.batched("x", Role::activation, Shape{1});
  const Pair k = builder.shared("K", Role::weight, Shape{1});
  builder.shard("x", x);
  builder.everywhere("K", k);
  Claim claim = std::move(builder).finish();
  const test::Cells cells{{"x", {1, 2, 3, 4}}, {"K", {7}}};
  CHECK(valuesOf(claim, cells, 0).left == std::vector<std::vector<double>>{{1, 2}, {3, 4}});
  CHECK(valuesOf(claim, cells, 0).right == std::vector<double>{1, 2, 3, 4});
  CHECK(valuesOf(claim, cells, 1).left == std::vector<std::vector<double>>{{7}, {7}});
  claim.interleaved = {"x"};
  CHECK(valuesOf(claim, cells, 0).left == std::vector<std::vector<double>>{{1, 3}, {2, 4}});
  CHECK(valuesOf(claim, cells, 0).right == std::vector<double>{1, 2, 3, 4});

  ClaimBuilder another(2, 1, 2);
  another.everywhere("v", another.perReplica("v", Role::mean, Shape{2}));
  CHECK(valuesOf(std::move(another).finish(), {{"v", {1, 2, 3, 4}}}).left ==
        std::vector<std::vector<double>>{{1, 2}, {3, 4}});
}

TEST_CASE("averaged states that the replica mean is 1/R of the global gradient") {
  ClaimBuilder builder(2, 1);
  const Pair dy = builder.batched("dy", Role::cotangent, Shape{3});
  builder.averaged("db", builder.apply(nodes::denseBiasGrad, {dy}));
  const Claim claim = std::move(builder).finish();
  REQUIRE(claim.equations.size() == 1);
  CHECK(claim.equations[0].what == "db");
  CHECK(claim.equations[0].relation == Relation::everywhere);
  CHECK(claim.equations[0].agreement == Agreement::bound);
  const auto sides = valuesOf(claim, {{"dy", {1, 2, 3, 5, 8, 13}}});
  CHECK(sides.left == std::vector<std::vector<double>>{{3, 5, 8}, {3, 5, 8}});
  CHECK(sides.right == std::vector<double>{3, 5, 8});
}

TEST_CASE("an operand's name decides how its cells are drawn") {
  CHECK(roleOf("x") == Role::activation);
  CHECK(roleOf("p") == Role::activation);
  CHECK(roleOf("dy") == Role::cotangent);
  CHECK(roleOf("W") == Role::weight);
  CHECK(roleOf("γ") == Role::weight);
  CHECK(roleOf("var") == Role::variance);
  CHECK(roleOf("st") == Role::statistics);
  CHECK(roleOf("ds") == Role::dyStatistics);
  CHECK(roleOf("t") == Role::label);
}

}  // namespace
}  // namespace shardlaw
