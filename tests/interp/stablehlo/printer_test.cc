// The printer: one canonical text, and what is read back from it.
#include "interp/stablehlo/printer.h"

#include <catch2/catch.hpp>

#include "tests/interp/stablehlo/text.h"

namespace shardlaw::stablehlo::test {
namespace {

using Catch::Contains;

/// A text that is printed as it stands.
void checkCanonical(const std::string& text) {
  const Module module = read(text);
  CHECK(print(module) == text);
  CHECK(sameProgram(module, read(print(module))));
}

std::string printedConstant(const std::string& text, const ReadOptions& options = {}) {
  const std::string printed = print(read(body("", "%0 = stablehlo.constant " + text), options));
  const std::size_t begin = printed.find("constant ") + 9;
  return printed.substr(begin, printed.find('\n', begin) - begin);
}

TEST_CASE("a canonical text is printed as it stands") {
  checkCanonical(R"(module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 4 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) -> (tensor<2xf32> {jax.result_info = "r[\22a\22]"}, tensor<i32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %1 = stablehlo.add %0, %arg0 : tensor<2x3xf32>
    %2 = stablehlo.compare GE, %1, %0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %3 = stablehlo.select %2, %0, %1 : tensor<2x3xi1>, tensor<2x3xf32>
    %4 = stablehlo.slice %3 [0:2, 1:3:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %5 = stablehlo.reduce(%3 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %c = stablehlo.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>
    %6 = stablehlo.iota dim = 0 : tensor<3xi32>
    %7 = func.call @f(%arg1) : (tensor<f32>) -> tensor<f32>
    %8:2 = stablehlo.optimization_barrier %0, %7 : tensor<2x3xf32>, tensor<f32>
    %k = stablehlo.constant dense<7> : tensor<i32>
    return %5, %k : tensor<2xf32>, tensor<i32>
  }
  func.func private @f(%arg0: tensor<f32>) -> tensor<f32> {
    return %arg0 : tensor<f32>
  }
}
)");
}

TEST_CASE("regions are printed with their names") {
  checkCanonical(R"(module {
  func.func public @main(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.if"(%p) ({
      %1 = stablehlo.add %x, %x : tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }, {
      stablehlo.return %x : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %2 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %4:2 = stablehlo.while(%i = %2, %j = %y) : tensor<4xf32>, tensor<f32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      stablehlo.return %i, %j : tensor<4xf32>, tensor<f32>
    }
    %5, %6 = stablehlo.reduce(%4#0 init: %y), (%x init: %y) across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
    reducer(%c: tensor<f32>, %d: tensor<f32>) (%e: tensor<f32>, %f: tensor<f32>) {
      stablehlo.return %c, %f : tensor<f32>, tensor<f32>
    }
    return %6 : tensor<f32>
  }
}
)");
}

TEST_CASE("a convolution is printed with its window") {
  checkCanonical(R"(module {
  func.func public @main(%a: tensor<1x4x4x2xf32>, %b: tensor<3x3x2x5xf32>) -> tensor<1x4x4x5xf32> {
    %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x4x4x5xf32>
    return %0 : tensor<1x4x4x5xf32>
  }
}
)");
}

TEST_CASE("numbers as they are printed") {
  CHECK(printedConstant("dense<1.000000e+00> : tensor<f32>") == "dense<1.0> : tensor<f32>");
  CHECK(printedConstant("dense<-2.5E-7> : tensor<f32>") == "dense<-2.5e-07> : tensor<f32>");
  CHECK(printedConstant("dense<1e-5> : tensor<f32>") == "dense<0.00001> : tensor<f32>");
  CHECK(printedConstant("dense<1e30> : tensor<f32>") == "dense<1.0e+30> : tensor<f32>");
  CHECK(printedConstant("dense<12345.678> : tensor<f64>") == "dense<12345.678> : tensor<f64>");
  CHECK(printedConstant("dense<120> : tensor<f64>") == "dense<120.0> : tensor<f64>");
  CHECK(printedConstant("dense<-0.0> : tensor<f32>") == "dense<-0.0> : tensor<f32>");
  CHECK(printedConstant("dense<0xff800000> : tensor<f32>") == "dense<0xFF800000> : tensor<f32>");
  CHECK(printedConstant("dense<0x3DCCCCCD> : tensor<f32>") == "dense<0x3DCCCCCD> : tensor<f32>");
  CHECK(printedConstant("dense<0x3FC0> : tensor<bf16>") == "dense<0x3FC0> : tensor<bf16>");
  CHECK(printedConstant("dense<18446744073709551615> : tensor<ui64>") == "dense<18446744073709551615> : tensor<ui64>");
  CHECK(printedConstant("dense<[true, false]> : tensor<2xi1>") == "dense<[true, false]> : tensor<2xi1>");
  CHECK(printedConstant("dense<\"0x0000C03F000080ff\"> : tensor<2xf32>") ==
        "dense<\"0x0000C03F000080FF\"> : tensor<2xf32>");
  CHECK(printedConstant("dense<> : tensor<0x2xf32>") == "dense<> : tensor<0x2xf32>");
  CHECK(printedConstant("dense<0.333333343> : tensor<f32>", {.simplest = true}) == "dense<0.33333334> : tensor<f32>");
}

TEST_CASE("printing settles: what is printed is read and printed the same") {
  const std::string text = R"(
func.func @"odd\09\22name"(%t: tuple<tensor<f32>, tensor<f32>>, %0: tensor<1x2xf32>) -> tensor<f32> {
  %x = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  stablehlo.add %x, %x : tensor<f32>
  %v1_1 = stablehlo.add %x, %x : tensor<f32>
  %r = "stablehlo.while"(%x) ({ ^bb0(%1: tensor<f32>): %2 = stablehlo.compare LT, %1, %1 : tensor<f32>
    stablehlo.return %2 : tensor<i1> }, { ^bb0(%1: tensor<f32>): stablehlo.return %1 : tensor<f32> }) : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
})";
  const std::string fixed = "stablehlo.compare LT, %1, %1 : (tensor<f32>, tensor<f32>) -> tensor<i1>";
  std::string program = text;
  program.replace(program.find("stablehlo.compare"), std::string("stablehlo.compare LT, %1, %1 : tensor<f32>").size(),
                  fixed);
  const Module module = read(program);
  const std::string printed = print(module);
  CHECK_THAT(printed, Contains("func.func public @\"odd\\09\\22name\"(%t.0: tensor<f32>, %t.1: tensor<f32>, %0:"));
  CHECK(print(read(printed)) == printed);
  CHECK(sameProgram(module, read(printed)));
}

}  // namespace
}  // namespace shardlaw::stablehlo::test
