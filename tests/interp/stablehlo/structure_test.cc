// Structured attributes become their parts, and stand together again in print.
#include <catch2/catch.hpp>

#include "interp/stablehlo/printer.h"
#include "tests/interp/stablehlo/text.h"

namespace shardlaw::stablehlo::test {
namespace {

using Catch::Contains;
using Integers = std::vector<std::int64_t>;

TEST_CASE("a gather's dimension numbers") {
  const std::string arguments = "%a: tensor<4x6xf32>, %i: tensor<3x1xi32>";
  const std::string gather =
      "\"stablehlo.gather\"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = "
      "[0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, "
      "tensor<3x1xi32>) -> tensor<3x6xf32>";
  const Attributes a = attributesOf(arguments, "%0 = " + gather);
  CHECK(a.integers("offset_dims") == Integers{1});
  CHECK(a.integers("collapsed_slice_dims") == Integers{0});
  CHECK(a.integers("start_index_map") == Integers{0});
  CHECK(a.integer("index_vector_dim", -1) == 1);
  CHECK(a.integers("slice_sizes") == Integers{1, 6});
  CHECK_FALSE(a.has("operand_batching_dims"));
  const std::string printed = print(read(body(arguments, "%0 = " + gather)));
  CHECK_THAT(printed, Contains("dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
                               "start_index_map = [0], index_vector_dim = 1>"));
  CHECK(print(read(printed)) == printed);
}

TEST_CASE("a scatter's dimension numbers, with parts that are 0 left out and a comma at the end") {
  const Attributes a = attributesOf(
      "%a: tensor<4xf32>, %i: tensor<1x3xi32>, %u: tensor<3xf32>",
      "%0 = \"stablehlo.scatter\"(%a, %i, %u) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %y : "
      "tensor<f32> }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], "
      "scatter_dims_to_operand_dims = [0],>, unique_indices = true} : (tensor<4xf32>, tensor<1x3xi32>, tensor<3xf32>) "
      "-> tensor<4xf32>");
  CHECK(a.integers("inserted_window_dims") == Integers{0});
  CHECK(a.integer("index_vector_dim", -1) == 0);
  CHECK(a.integer("unique_indices", 0) == 1);
}

TEST_CASE("an epsilon is a rational") {
  const std::string norm = body(
      "%x: tensor<2x3xf32>, %s: tensor<3xf32>",
      "%0:3 = \"stablehlo.batch_norm_training\"(%x, %s, %s) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : "
      "i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)");
  const auto epsilon = [&](bool simplest) {
    return read(norm, {.simplest = simplest}).functions[0].body.operations[0].attributes.rational("epsilon");
  };
  CHECK(epsilon(false) == decimal("9.99999974e-6"));
  CHECK(epsilon(true) == decimal("1e-5"));
  CHECK_THAT(print(read(norm)), Contains("<{epsilon = 9.99999974e-06 : f32, feature_index = 1 : i64}>"));
}

TEST_CASE("parts that are wrong") {
  const auto refused = [](const std::string& structure) {
    return refusal(body("%a: tensor<2x3xf32>, %b: tensor<3x4xf32>",
                        "%0 = \"stablehlo.dot_general\"(%a, %b) {dot_dimension_numbers = " + structure +
                            "} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>"));
  };
  CHECK(refused("#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>") == "accepted");
  CHECK_THAT(refused("#stablehlo.dot<foo = [1]>"), Contains("expected a part of '#stablehlo.dot', found 'foo'"));
  CHECK_THAT(refused("#stablehlo.gather<>"), Contains("expected '#stablehlo.dot<…>', found '#stablehlo.gather'"));
  CHECK_THAT(refused("#stablehlo.dot<lhs_contracting_dimensions = [1], lhs_contracting_dimensions = [1]>"),
             Contains("expected the attribute lhs_contracting_dimensions once, found it twice"));
}

}  // namespace
}  // namespace shardlaw::stablehlo::test
