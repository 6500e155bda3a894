// Modules without calls, and without what no result needs.
#include "interp/stablehlo/inline.h"

#include <catch2/catch.hpp>

#include "interp/error.h"
#include "interp/stablehlo/printer.h"
#include "interp/stablehlo/reader.h"

namespace shardlaw::stablehlo {
namespace {

TEST_CASE("a call is replaced by what it calls, also in regions and through several functions") {
  const Module module = parseModule(R"(module {
  func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
    %a = call @twice(%x) : (tensor<f32>) -> tensor<f32>
    %b = "stablehlo.if"(%p) ({
      %c = call @twice(%a) : (tensor<f32>) -> tensor<f32>
      stablehlo.return %c : tensor<f32>
    }, {
      stablehlo.return %x : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    return %a, %b : tensor<f32>, tensor<f32>
  }
  func.func private @twice(%y: tensor<f32>) -> tensor<f32> {
    %s = call @sum(%y, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %s : tensor<f32>
  }
  func.func private @sum(%u: tensor<f32>, %v: tensor<f32>) -> tensor<f32> {
    %w = stablehlo.add %u, %v : tensor<f32>
    return %w : tensor<f32>
  }
})",
                                    "text");
  const Module expected = parseModule(R"(
func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  %a = stablehlo.add %x, %x : tensor<f32>
  %b = "stablehlo.if"(%p) ({
    %c = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %a, %b : tensor<f32>, tensor<f32>
})",
                                      "text");
  CHECK(sameProgram(inlined(module), expected));
}

TEST_CASE("what would grow without end is refused") {
  // Each function calls the next twice: 2^20 additions from forty lines.
  std::string text =
      "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %a = call @f0(%x) : (tensor<f32>) -> tensor<f32>\n"
      "  return %a : tensor<f32>\n}\n";
  for (int i = 0; i < 20; ++i) {
    const std::string next = "@f" + std::to_string(i + 1);
    text += "func.func private @f" + std::to_string(i) + "(%x: tensor<f32>) -> tensor<f32> {\n  %a = call " + next +
            "(%x) : (tensor<f32>) -> tensor<f32>\n  %b = call " + next +
            "(%a) : (tensor<f32>) -> tensor<f32>\n  return %b : tensor<f32>\n}\n";
  }
  text +=
      "func.func private @f20(%x: tensor<f32>) -> tensor<f32> {\n  %a = stablehlo.add %x, %x : tensor<f32>\n"
      "  return %a : tensor<f32>\n}\n";
  CHECK_THROWS_WITH(inlined(parseModule(text, "text"), 1000), Catch::Contains("more than 1000 operations"));
}

TEST_CASE("results are picked in order, and what none of them needs is gone") {
  const Module module = parseModule(R"(
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %a = stablehlo.add %x, %x : tensor<f32>
  %b = stablehlo.multiply %x, %x : tensor<f32>
  %c = stablehlo.subtract %b, %x : tensor<f32>
  return %a, %b, %c : tensor<f32>, tensor<f32>, tensor<f32>
})",
                                    "text");
  const Module expected = parseModule(R"(
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %b = stablehlo.multiply %x, %x : tensor<f32>
  %c = stablehlo.subtract %b, %x : tensor<f32>
  return %c, %b : tensor<f32>, tensor<f32>
})",
                                      "text");
  CHECK(print(pruned(inlined(module), {2, 1})) == print(expected));
}

}  // namespace
}  // namespace shardlaw::stablehlo
