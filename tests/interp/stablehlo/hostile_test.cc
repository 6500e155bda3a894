// Texts that mean harm: they are refused, soon and in little memory.
#include <catch2/catch.hpp>
#include <chrono>

#include "interp/stablehlo/printer.h"
#include "tests/interp/stablehlo/text.h"

namespace shardlaw::stablehlo::test {
namespace {

using Catch::Contains;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST_CASE("brackets in one another exhaust no stack") {
  constexpr int many = 1'000'000;
  CHECK_THAT(refusal(body("", "%0 = stablehlo.constant dense<" + repeated("[", many))), Contains("rank 8 at most"));
  CHECK_THAT(refusal("func.func @f(%a: " + repeated("tuple<", many)), Contains("fewer tuples"));
  for (const char* bracket : {"(", "[", "{", "<"})
    CHECK_THAT(refusal("module attributes {a = " + repeated(bracket, many)), Contains("fewer brackets"));
  CHECK_THAT(refusal("#a = " + repeated("<", many)), Contains("fewer brackets"));
  CHECK_THAT(refusal(body("%p: tensor<i1>", repeated("\"stablehlo.if\"(%p) ({ ", many))),
             Contains("at most 128 regions in one another"));
  CHECK_THAT(refusal(repeated("module {", many)), Contains("expected a function"));
}

TEST_CASE("huge types and splats cost no memory") {
  const Module m = read(body("", "%0 = stablehlo.constant dense<0.5> : tensor<1000000x1000000x1000000xf32>"));
  CHECK(m.functions[0].values[0].type.shape.cells() == 1'000'000'000'000'000'000);
  CHECK_THAT(refusal(body("", "%0 = stablehlo.constant dense<0.5> : tensor<4294967296x4294967296xf32>")),
             Contains("a.mlir:2:38: stablehlo.constant:"));
  CHECK_THAT(refusal(body("", "%0 = stablehlo.constant dense<0.5> : tensor<99999999999999999999xf32>")),
             Contains("expected an extent below 2^63"));
  CHECK_THAT(refusal(body("", "%0 = stablehlo.constant dense<\"0x00\"> : tensor<4611686018427387904xi8>")),
             Contains("accepted"));
  CHECK_THAT(refusal(body("", "%0 = stablehlo.constant dense<\"0x0000\"> : tensor<9223372036854775807xi8>")),
             Contains("expected the bytes"));
  CHECK_THAT(refusal(body("%a: tensor<f32>",
                          "%0 = \"stablehlo.broadcast_in_dim\"(%a) {broadcast_dimensions = dense<0> : "
                          "tensor<1000000000000xi64>} : (tensor<f32>) -> tensor<f32>")),
             Contains("expected at most 1048576 integers"));
  CHECK_THAT(refusal(body("", "%0 = stablehlo.constant dense<0.5> : tensor<" + repeated("1x", 1'000'000) + "f32>")),
             Contains("rank 8 at most"));
  CHECK_THAT(refusal(body("%a: tensor<f32>", "%0:1000000000 = stablehlo.add %a, %a : tensor<f32>")),
             Contains("expected a number of results"));
}

TEST_CASE("a tuple that is used again and again") {
  const std::string tuple = "tuple<" + repeated("tensor<f32>, ", 9'999) + "tensor<f32>>";
  CHECK_THAT(refusal(body("%t: " + tuple, "stablehlo.optimization_barrier " + repeated("%t, ", 100'000) + "%t")),
             Contains("expected tuples of fewer elements"));
}

TEST_CASE("bytecode is no text") {
  CHECK_THAT(refusal("ML\xEFR..."), Contains("a.mlir: expected StableHLO as text, found MLIR's bytecode"));
}

TEST_CASE("a text cut anywhere is refused") {
  const std::string text = R"(module @m attributes {mhlo.num_replicas = 4 : i32} {
  func.func public @main(%a: tensor<2xf32> {x.y = "z"}, %b: tensor<f32>) -> (tensor<f32> {jax.result_info = "r"}) {
    %0 = stablehlo.constant dense<[1.5, 0x3F800000]> : tensor<2xf32> loc("f")
    %1 = stablehlo.add %a, %0 {a.b = [1, 2]} : tensor<2xf32>
    %2 = stablehlo.reduce(%1 init: %b) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    return %2 : tensor<f32>
  }
})";
  REQUIRE(refusal(text) == "accepted");
  for (std::size_t size = 0; size < text.size(); ++size) {
    INFO(size);
    CHECK(refusal(text.substr(0, size)) != "accepted");
  }
  // A byte changed is refused or read, and nothing else.
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const char c : {'\0', '"', '<', '9', '%', '}'}) {
      std::string other = text;
      other[at] = c;
      try {
        print(read(other));
      } catch (const Error&) {
      }
    }
}

TEST_CASE("a long text is read in time") {
  constexpr int many = 30'000;
  std::string operations = "%0 = stablehlo.add %a, %a : tensor<128x256xf32>\n";
  for (int i = 1; i < many; ++i)
    operations +=
        "%" + std::to_string(i) + " = stablehlo.add %" + std::to_string(i - 1) + ", %a : tensor<128x256xf32>\n";
  const std::string text = body("%a: tensor<128x256xf32>", operations);
  const auto start = std::chrono::steady_clock::now();
  CHECK(read(text).functions[0].body.operations.size() == many);
  // Generous: sanitizers and loaded machines run this, too. What is quadratic takes minutes.
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

TEST_CASE("names that repeat in many regions stay unique in linear time") {
  std::string operations;
  for (int i = 0; i < 20'000; ++i)
    operations +=
        "\"stablehlo.if\"(%p) ({ %x = stablehlo.add %a, %a : tensor<f32> stablehlo.return %x : tensor<f32> }, "
        "{ stablehlo.return %a : tensor<f32> }) : (tensor<i1>) -> tensor<f32>\n";
  const Module module = read(body("%p: tensor<i1>, %a: tensor<f32>", operations));
  CHECK(module.functions[0].values.size() == 40'002);
  CHECK(module.functions[0].values[40'000].name == "x_19999");
}

}  // namespace
}  // namespace shardlaw::stablehlo::test
