// Small programs, right and wrong.
#include "props/programs/judge.h"

#include <catch2/catch.hpp>

#include "interp/error.h"
#include "interp/stablehlo/reader.h"

namespace shardlaw::programs::test {
namespace {

using Catch::Contains;
using stablehlo::Module;

/// A function of x and y, four cells each, around operations that end in %r.
Module of(const std::string& operations, const std::string& file = "a.mlir") {
  return stablehlo::parseModule("func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>) {\n" +
                                    operations + "\nreturn %r : tensor<4xf32>\n}\n",
                                file);
}
std::string constant(const std::string& name, const std::string& value) {
  return "%" + name + " = stablehlo.constant dense<" + value + "> : tensor<4xf32>\n";
}

Judgement judged(const Module& a, const Module& b, PairingOptions pairing = {}) {
  JudgeOptions options;
  options.pairing = std::move(pairing);
  if (options.pairing.replicas < 1) options.pairing.replicas = 1;
  return judge(a, b, options);
}

std::string refusal(const Module& a, const Module& b, const PairingOptions& pairing = {}) {
  try {
    judged(a, b, pairing);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

const std::string add = "%r = stablehlo.add %x, %y : tensor<4xf32>";

TEST_CASE("order, names and repeated operations do not matter") {
  const Module a =
      of("%0 = stablehlo.multiply %x, %y : tensor<4xf32>\n%1 = stablehlo.multiply %y, %x : tensor<4xf32>\n"
         "%r = stablehlo.add %0, %1 : tensor<4xf32>");
  const Module b =
      of(constant("two", "2.0") +
         "%p = stablehlo.multiply %two, %x : tensor<4xf32>\n%r = stablehlo.multiply %p, %y : tensor<4xf32>");
  CHECK(judged(a, b).outcome == Outcome::holds);
  CHECK(judged(b, a).outcome == Outcome::holds);
}

TEST_CASE("what differs at negative numbers only is refuted") {
  const Module relu = of(constant("zero", "0.0") + "%r = stablehlo.maximum %x, %zero : tensor<4xf32>");
  const Module identity = of(constant("zero", "0.0") + "%r = stablehlo.add %x, %zero : tensor<4xf32>");
  CHECK(judged(relu, relu).outcome == Outcome::holds);
  const Judgement judgement = judged(relu, identity);
  CHECK(judgement.outcome == Outcome::refuted);
  CHECK(judgement.numbers == "wide");
  CHECK(judgement.differences.at(0).relative.value() > 0.1);
}

TEST_CASE("what differs in the field only is not refuted") {
  const Module abs = of("%r = stablehlo.abs %x : tensor<4xf32>");
  const Module root = of("%0 = stablehlo.multiply %x, %x : tensor<4xf32>\n%r = stablehlo.sqrt %0 : tensor<4xf32>");
  const Judgement judgement = judged(abs, root);
  CHECK(judgement.outcome == Outcome::undecided);
  CHECK_THAT(judgement.reason, Contains("not decided exactly, holds numerically"));
  // A predicate: x > 0 and 2x > 0 are one over the reals, and two under an arbitrary order.
  const auto mask = [](const std::string& of) {
    return stablehlo::parseModule(
        "func.func @main(%x: tensor<64xf32>) -> tensor<64xi1> {\n"
        "%z = stablehlo.constant dense<0.0> : tensor<64xf32>\n"
        "%d = stablehlo.add %x, %x : tensor<64xf32>\n%m = stablehlo.compare GT, " +
            of +
            ", %z : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xi1>\n"
            "return %m : tensor<64xi1>\n}\n",
        "mask.mlir");
  };
  CHECK(judged(mask("%x"), mask("%x")).outcome == Outcome::holds);
  CHECK(judged(mask("%x"), mask("%d")).outcome == Outcome::undecided);
}

TEST_CASE("what differs above 1 only is refuted, as a norm that is clipped") {
  const Module clipped = of(constant("one", "1.0") + "%r = stablehlo.minimum %x, %one : tensor<4xf32>");
  const Module plain = of(constant("zero", "0.0") + "%r = stablehlo.add %x, %zero : tensor<4xf32>");
  CHECK(judged(clipped, clipped).outcome == Outcome::holds);
  CHECK(judged(clipped, plain).outcome == Outcome::refuted);
}

TEST_CASE("a small constant shows beside small numbers") {
  // Inside the root or outside of it, as Adam's epsilon: at numbers near 1 the two differ by less than literals do.
  const std::string eps = constant("e", "1.0e-8");
  const Module outside = of(eps +
                            "%0 = stablehlo.multiply %x, %x : tensor<4xf32>\n%1 = stablehlo.sqrt %0 : "
                            "tensor<4xf32>\n%2 = stablehlo.add %1, %e : tensor<4xf32>\n"
                            "%r = stablehlo.divide %y, %2 : tensor<4xf32>");
  const Module missing =
      of("%0 = stablehlo.multiply %x, %x : tensor<4xf32>\n%1 = stablehlo.sqrt %0 : tensor<4xf32>\n"
         "%r = stablehlo.divide %y, %1 : tensor<4xf32>");
  CHECK(judged(outside, outside).outcome == Outcome::holds);
  CHECK(judged(outside, missing).outcome == Outcome::refuted);
}

TEST_CASE("a NaN that is never chosen is no hindrance, and one that is shows") {
  const std::string nan =
      "%n = stablehlo.constant dense<0x7FC00000> : tensor<4xf32>\n%p = stablehlo.is_finite %x : "
      "(tensor<4xf32>) -> tensor<4xi1>\n";
  const Module filled = of(nan + "%r = stablehlo.select %p, %y, %n : tensor<4xi1>, tensor<4xf32>");
  const Module chosen = of(nan + "%r = stablehlo.select %p, %n, %y : tensor<4xi1>, tensor<4xf32>");
  const Module plain = of(constant("z", "0.0") + "%r = stablehlo.add %y, %z : tensor<4xf32>");
  const Judgement judgement = judged(filled, plain);
  CHECK(judgement.outcome == Outcome::holds);
  CHECK(judgement.pairing.arguments.size() == 2);
  CHECK(judged(chosen, chosen).outcome == Outcome::holds);
  CHECK(judged(chosen, plain).outcome == Outcome::refuted);
}

TEST_CASE("a division by zero is not decided, and says where it is") {
  const Module zero =
      of("%0 = stablehlo.subtract %x, %x : tensor<4xf32>\n%r = stablehlo.divide %y, %0 : tensor<4xf32>");
  const Judgement judgement = judged(zero, zero);
  CHECK(judgement.outcome == Outcome::undecided);
  CHECK_THAT(judgement.reason, Contains("a.mlir:3:6: stablehlo.divide: division by zero"));
}

TEST_CASE("a result that is a constant multiple says so") {
  const auto sharded = [](const std::string& cells, const std::string& after) {
    const std::string type = "tensor<" + cells + "xf32>";
    return stablehlo::parseModule("func.func @main(%x: " + type +
                                      ") -> tensor<f32> {\n%z = stablehlo.constant dense<0.0> "
                                      ": tensor<f32>\n%s = stablehlo.reduce(%x init: %z) applies stablehlo.add across "
                                      "dimensions = [0] : (" +
                                      type + ", tensor<f32>) -> tensor<f32>\n" + after + "return %r : tensor<f32>\n}\n",
                                  "sum.mlir");
  };
  const std::string reduced =
      "%a = \"stablehlo.all_reduce\"(%s) ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n%t = stablehlo.add %p, %q : "
      "tensor<f32>\nstablehlo.return %t : tensor<f32>\n}) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : "
      "(tensor<f32>) -> tensor<f32>\n";
  const auto scaled = [](const std::string& from, const std::string& by) {
    return "%c = stablehlo.constant dense<" + by + "> : tensor<f32>\n%r = stablehlo.divide " + from +
           ", %c : tensor<f32>\n";
  };
  const Module global = sharded("6", scaled("%s", "6.0"));
  CHECK(judged(sharded("2", reduced + scaled("%a", "6.0")), global, {3, {}, {}}).outcome == Outcome::holds);
  // Sum for mean, and a mean that is taken twice (case 9).
  const Judgement sum = judged(sharded("2", reduced + scaled("%a", "2.0")), global, {3, {}, {}});
  CHECK(sum.outcome == Outcome::refuted);
  CHECK(sum.differences.at(0).ratio == Rational(3));
  const Judgement twice = judged(sharded("2", reduced + scaled("%a", "18.0")), global, {3, {}, {}});
  CHECK(twice.outcome == Outcome::refuted);
  CHECK(twice.differences.at(0).ratio == ratio(1, 3));
  const Judgement none = judged(sharded("2", scaled("%s", "2.0")), global, {3, {}, {}});
  CHECK(none.outcome == Outcome::refuted);
  CHECK_FALSE(none.differences.at(0).ratio.has_value());
}

TEST_CASE("programs that do not fit together are refused") {
  const Module a = of(add);
  const Module one = stablehlo::parseModule(
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "return %x : tensor<4xf32>\n}\n",
      "one.mlir");
  const Module ints = stablehlo::parseModule(
      "func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {\n"
      "return %x : tensor<4xi32>\n}\n",
      "ints.mlir");
  CHECK_THAT(refusal(a, one), Contains("expected two programs with as many arguments, found 2 and 1"));
  CHECK_THAT(refusal(one, ints), Contains("argument 'x': expected one element type"));
  CHECK_THAT(refusal(a, a, {1, {}, {"nosuch"}}), Contains("--ignore: no result is named 'nosuch'"));
  CHECK_THAT(refusal(a, a, {1, {}, {"x"}}), Contains("--ignore: no result is named 'x'"));
  CHECK_THAT(refusal(a, a, {1, {}, {"out0"}}), Contains("no result is left to compare"));
  CHECK_THAT(refusal(a, a, {1, {{"z"}, {}}, {}}), Contains("--shard: no argument or result is named 'z'"));
  CHECK_THAT(refusal(a, a, {2, {{"x"}, {}}, {}}), Contains("'x': expected an axis that is R times longer globally"));
}

TEST_CASE("results of one name are told apart") {
  const Module twins = stablehlo::parseModule(
      "func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = \"r\"}, tensor<4xf32> "
      "{jax.result_info = \"r\"}) {\n%y = stablehlo.negate %x : tensor<4xf32>\n"
      "return %x, %y : tensor<4xf32>, tensor<4xf32>\n}\n",
      "twins.mlir");
  const Module equal = stablehlo::parseModule(
      "func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n"
      "return %x, %x : tensor<4xf32>, tensor<4xf32>\n}\n",
      "equal.mlir");
  const Judgement judgement = judged(twins, equal);
  REQUIRE(judgement.differences.size() == 1);
  CHECK(judgement.differences[0].name == "out1");
  CHECK(judgement.differences[0].ratio == Rational(-1));
}

}  // namespace
}  // namespace shardlaw::programs::test
