// Builder: names, types, and what it refuses beyond a node's own shape rule.
#include "interp/ir/builder.h"

#include <catch2/catch.hpp>

#include "tests/interp/support.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

TEST_CASE("inputs keep their order, names and types") {
  Builder builder;
  const ValueId x = builder.batchedInput("x", {2, 3}), b = builder.sharedInput("b", {3});
  CHECK(builder.type(x) == Type{Shape{2, 3}, true});
  CHECK(builder.type(b) == Type{Shape{3}, false});
  CHECK(builder.program().inputs() == std::vector<ValueId>{x, b});
  CHECK(builder.contains(b));
  CHECK_FALSE(builder.contains(-1));
  CHECK_FALSE(builder.contains(b + 1));
}

TEST_CASE("two inputs of one name and a batch of rank 0 are refused") {
  Builder builder;
  builder.batchedInput("x", {2, 3});
  CHECK_THAT(refusal([&] { builder.sharedInput("x", {3}); }), Contains("two values named 'x'"));
  CHECK_THAT(refusal([&] { builder.batchedInput("s", {}); }), Contains("input 's'") && Contains("rank 0"));
  CHECK(builder.program().inputs().size() == 1);
}

TEST_CASE("a value made by a node never takes an input's name") {
  Builder builder;
  const ValueId named = builder.sharedInput("v0", {2}), other = builder.sharedInput("v2", {2});
  for (int i = 0; i < 3; ++i) builder.apply(nodes::add, {named, other});
  const Program program = std::move(builder).finish();
  CHECK(program.find("v0") == named);
  CHECK(program.find("v2") == other);
  for (std::size_t i = 0; i < program.values().size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(program.values()[i].name != program.values()[j].name);
}

TEST_CASE("a pointwise result is batched as its operands are, any other as its node says") {
  Builder builder;
  const ValueId x = builder.batchedInput("x", {2, 3, 4, 4}), p = builder.sharedInput("p", {5});
  CHECK(builder.type(builder.apply(nodes::relu, {x})) == Type{Shape{2, 3, 4, 4}, true});
  CHECK(builder.type(builder.apply(nodes::relu, {p})) == Type{Shape{5}, false});
  CHECK(builder.type(builder.apply(nodes::gap, {x})) == Type{Shape{2, 3}, true});
  CHECK(builder.type(builder.apply(nodes::bnBatchMean, {x})) == Type{Shape{3}, false});
  const ValueId gamma = builder.sharedInput("gamma", {3});
  CHECK(builder.type(builder.apply(nodes::bnBatch, {x, gamma, gamma}, {number("eps", 1)})) ==
        Type{Shape{2, 3, 4, 4}, true});
  CHECK(builder.type(builder.apply(nodes::allReduceMean, {p})) == Type{Shape{5}, false});
}

TEST_CASE("a refused node leaves the program as it was") {
  Builder builder;
  const ValueId x = builder.batchedInput("x", {2, 3});
  const std::string before = builder.program().text();
  CHECK_THROWS_AS(builder.apply(nodes::gap, {x}), Error);
  CHECK_THROWS_AS(builder.apply(nodes::add, {x}), Error);
  CHECK_THROWS_AS(builder.apply(nodes::scale, {x}), Error);
  CHECK(builder.program().text() == before);
}

TEST_CASE("values of no program are refused") {
  Builder builder;
  const ValueId x = builder.batchedInput("x", {2, 3});
  for (const ValueId stranger : {-1, x + 1}) {
    CHECK_THAT(refusal([&] { builder.apply(nodes::relu, {stranger}); }),
               Contains("relu: operand x is not a value of this program"));
    CHECK_THAT(refusal([&] { builder.apply(nodes::add, {x, stranger}); }), Contains("add: operand b is not a value"));
    CHECK_THAT(refusal([&] { builder.result("y", stranger); }), Contains("result 'y' is not a value of this program"));
    CHECK_THAT(refusal([&] { addAdjoint(builder, stranger, x); }), Contains("not a value of this program"));
    CHECK_THAT(refusal([&] { addAdjoint(builder, x, stranger); }), Contains("not a value of this program"));
  }
}

TEST_CASE("two results of one name are refused; one value may be two results") {
  Builder builder;
  const ValueId x = builder.batchedInput("x", {2, 3}), y = builder.apply(nodes::relu, {x});
  builder.result("y", y);
  builder.result("again", y);
  CHECK_THAT(refusal([&] { builder.result("y", x); }), Contains("two results named 'y'"));
  CHECK(builder.program().results().size() == 2);
}

TEST_CASE("an error says which node it is about") {
  Builder builder;
  const ValueId x = builder.batchedInput("x", {2, 3});
  try {
    builder.apply(nodes::gap, {x});
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.where().operation == "gap");
    CHECK_THAT(error.what(), Contains("gap: operand x: expected [C,H,W], found [3] per example"));
  }
}

TEST_CASE("an adjoint needs a node that has one, and a cotangent of the value's type") {
  Builder builder;
  const ValueId x = builder.batchedInput("x", {2, 3, 4, 4}), w = builder.sharedInput("w", {3});
  const ValueId y = builder.apply(nodes::gap, {x}), mean = builder.apply(nodes::bnBatchMean, {x});
  CHECK_THAT(refusal([&] { addAdjoint(builder, x, x); }), Contains("'x' has no vector-Jacobian product"));
  CHECK_THAT(refusal([&] { addAdjoint(builder, mean, w); }), Contains("has no vector-Jacobian product"));
  // Nothing in gap's adjoint, and nothing at all in shift's, would notice these.
  const ValueId wrong = builder.batchedInput("wrong", {2, 5}), shared = builder.sharedInput("shared", {2, 3});
  CHECK_THAT(refusal([&] { addAdjoint(builder, y, wrong); }),
             Contains("gap") && Contains("expected [2,3]") && Contains("found [2,5]"));
  CHECK_THAT(refusal([&] { addAdjoint(builder, y, shared); }),
             Contains("expected [2,3], batched") && Contains("found [2,3], shared"));
  const ValueId shifted = builder.apply(nodes::shift, {y}, {number("by", 1)});
  CHECK_THAT(refusal([&] { addAdjoint(builder, shifted, wrong); }), Contains("shift") && Contains("found [2,5]"));
  CHECK(builder.type(addAdjoint(builder, y, builder.batchedInput("dy", {2, 3}))[0]) == Type{Shape{2, 3, 4, 4}, true});
}

TEST_CASE("a rank beyond the largest is refused, also where the batch axis makes it so") {
  Builder builder;
  const ValueId scale = builder.sharedInput("s", {}), x = builder.batchedInput("x", {2, 1, 1, 1, 1, 1, 1, 1});
  CHECK(builder.type(builder.apply(nodes::scaleBy, {scale, x})).shape == Shape{2, 1, 1, 1, 1, 1, 1, 1});
  CHECK_THAT(refusal([&] { builder.sharedInput("y", {1, 1, 1, 1, 1, 1, 1, 1, 1}); }), Contains("rank 9"));
}

}  // namespace
}  // namespace shardlaw::test
