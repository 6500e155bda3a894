// The reader: forms, spellings, names, and where it refuses.
#include <catch2/catch.hpp>

#include "interp/stablehlo/operation.h"
#include "tests/interp/stablehlo/text.h"

namespace shardlaw::stablehlo::test {
namespace {

using Catch::Contains;
using Integers = std::vector<std::int64_t>;

const std::string conv = "%r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], ";
const std::string convArguments = "%a: tensor<1x4x4x2xf32>, %b: tensor<3x3x2x5xf32>";
const std::string convTypes = " : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x4x4x5xf32>";
const std::string groups = "{batch_group_count = 1 : i64, feature_group_count = 1 : i64}";

/// All texts are programs, and the same one.
void checkSame(const std::string& arguments, const std::vector<std::string>& operations) {
  const Module first = read(body(arguments, operations[0]));
  for (const std::string& operation : operations) {
    INFO(operation);
    CHECK(sameProgram(first, read(body(arguments, operation))));
  }
}

TEST_CASE("a function's values, operations and results") {
  const Module m = read(R"(
module @m attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 4 : i32} {
  func.func public @main(%x: tensor<2xf32> {mhlo.sharding = "{replicated}", tf.aliasing_output = 0 : i32} loc("x"),
                         %y: tensor<2xf32>) -> (tensor<2xf32> {jax.result_info = "a\22b"}, tensor<2xf32>) {
    %0 = stablehlo.add %x, %y : tensor<2xf32> loc(#loc1)
    return %0, %x : tensor<2xf32>, tensor<2xf32>
  } loc(fused["a", "b"])
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("f"("g.py":1:2 to :4))
)");
  CHECK(m.name == "m");
  CHECK(m.replicas == 4);
  CHECK(m.partitions == 2);
  const Function& f = m.entry();
  CHECK(f.name == "main");
  CHECK(f.isPublic);
  CHECK(f.resultNames == std::vector<std::string>{"a\"b", ""});
  REQUIRE(f.values.size() == 3);
  CHECK(f.values[0].name == "x");
  CHECK(f.values[2].name == "0");
  CHECK(f.type(2) == TensorType{DType::f32, {2}});
  CHECK(f.body.results == std::vector<ValueId>{2, 0});
  const Operation& add = f.body.operations[0];
  CHECK(add.info->name == "add");
  CHECK(add.operands == std::vector<ValueId>{0, 1});
  CHECK(add.position.line == 5);
  CHECK(add.position.column == 10);
}

TEST_CASE("spellings of one operation") {
  checkSame("%a: tensor<3xf32>",
            {"%r = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>",
             "%r = \"stablehlo.broadcast_in_dim\"(%a) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> "
             "tensor<2x3xf32>",
             "%r = \"stablehlo.broadcast_in_dim\"(%a) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> "
             "tensor<2x3xf32>",
             "%r = \"stablehlo.broadcast_in_dim\"(%a) {broadcast_dimensions = dense<1> : tensor<1xi64>} : "
             "(tensor<3xf32>) -> tensor<2x3xf32>",
             "%r = \"stablehlo.broadcast_in_dim\"(%a) {broadcast_dimensions = dense<[1]> : tensor<1xi64>, "
             "mhlo.frontend_attributes = {a = [{}], b}} : (tensor<3xf32>) -> tensor<2x3xf32>",
             "%r = stablehlo.broadcast_in_dim %a, dims = [1] {some.hint = #other.attr<x = [1], y = \">\">} : "
             "(tensor<3xf32>) -> tensor<2x3xf32>"});
  checkSame("%a: tensor<3xf32>", {"%r = stablehlo.add %a, %a : tensor<3xf32>",
                                  "%r = stablehlo.add %a, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>",
                                  "%r = \"stablehlo.add\"(%a, %a) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>"});
  checkSame("", {"%r = stablehlo.constant dense<1.5> : tensor<2xf32>",
                 "%r = stablehlo.constant {an.attribute = 1 : i32} dense<[1.5, 1.5]> : tensor<2xf32>",
                 "%r = \"stablehlo.constant\"() {value = dense<1.5> : tensor<2xf32>} : () -> tensor<2xf32>",
                 "%r = \"stablehlo.constant\"() <{value = dense<0x3FC00000> : tensor<2xf32>}> : () -> tensor<2xf32>",
                 "%r = stablehlo.constant() {value = dense<\"0x0000C03F\"> : tensor<2xf32>} : () -> tensor<2xf32>"});
}

TEST_CASE("a square is a product") {
  checkSame("%a: tensor<3xf32>",
            {"%r = stablehlo.multiply %a, %a : tensor<3xf32>", "%r = chlo.square %a : tensor<3xf32> -> tensor<3xf32>",
             "%r = \"chlo.square\"(%a) : (tensor<3xf32>) -> tensor<3xf32>"});
  CHECK_THAT(refusal(body("%a: tensor<3xf32>", "%r = chlo.square %a : tensor<3xf32> -> tensor<4xf32>")),
             Contains("2:6: chlo.square: expected result 0 of type tensor<3xf32>") || Contains("stablehlo.multiply"));
}

TEST_CASE("defaults left out") {
  checkSame("%a: tensor<8xf32>",
            {"%r = stablehlo.slice %a [0:4] : (tensor<8xf32>) -> tensor<4xf32>",
             "%r = stablehlo.slice %a [0:4:1] : (tensor<8xf32>) -> tensor<4xf32>",
             "%r = \"stablehlo.slice\"(%a) {start_indices = dense<0> : tensor<1xi64>, limit_indices = array<i64: 4>, "
             "strides = array<i64: 1>} : (tensor<8xf32>) -> tensor<4xf32>"});
  const std::string types = " : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>";
  checkSame("%a: tensor<2x3xf32>, %b: tensor<3x4xf32>",
            {"%r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]" + types,
             "%r = stablehlo.dot_general %a, %b, batching_dims = [] x [], contracting_dims = [1] x [0]" + types,
             "%r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST], "
             "algorithm = <lhs_precision_type = tf32, accumulation_type = f32>" +
                 types,
             "%r = \"stablehlo.dot_general\"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<"
             "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = "
             "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}>" +
                 types});
}

TEST_CASE("a convolution's dimensions and window") {
  const Attributes a = attributesOf(
      convArguments, conv + "window = {stride = [1, 2], pad = [[0, 1], [2, 3]], reverse = [false, true]} " + groups +
                         " : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x3x4x5xf32>");
  CHECK(a.integer("input_batch_dimension") == 0);
  CHECK(a.integer("input_feature_dimension") == 3);
  CHECK(a.integers("input_spatial_dimensions") == Integers{1, 2});
  CHECK(a.integer("kernel_input_feature_dimension") == 2);
  CHECK(a.integer("kernel_output_feature_dimension") == 3);
  CHECK(a.integers("kernel_spatial_dimensions") == Integers{0, 1});
  CHECK(a.integers("window_strides") == Integers{1, 2});
  CHECK(a.matrix("padding") == Matrix{2, {0, 1, 2, 3}});
  CHECK(a.integers("window_reversal") == Integers{0, 1});
  checkSame(convArguments,
            {conv + "window = {pad = [[1, 1], [1, 1]]} " + groups + convTypes,
             conv +
                 "window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, "
                 "precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}" +
                 convTypes,
             "%r = \"stablehlo.convolution\"(%a, %b) {padding = dense<1> : tensor<2x2xi64>, dimension_numbers = "
             "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 1 : i64, "
             "feature_group_count = 1 : i64}" +
                 convTypes,
             "%r = \"stablehlo.convolution\"(%a, %b) {padding = dense<1> : tensor<2x2xi64>, dimension_numbers = "
             "#stablehlo.conv<raw input_feature_dimension = 3, input_spatial_dimensions = [1, 2], "
             "kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = "
             "[0, 1], output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, batch_group_count = 1 : i64, "
             "feature_group_count = 1 : i64}" +
                 convTypes});
  CHECK_THAT(refusal(body(convArguments, "%r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 0, f]x")),
             Contains("expected each axis once, found '0'"));
  CHECK_THAT(refusal(body(convArguments, "%r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 2, f]x")),
             Contains("the spatial axes from 0"));
}

TEST_CASE("the forms of a reduction") {
  const std::string types = "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>";
  checkSame(
      "%a: tensor<2x3xf32>, %b: tensor<f32>",
      {"%r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : " + types,
       "%r = stablehlo.reduce(%a init: %b) across dimensions = [1] {a.b = 1} : " + types +
           "\n reducer(%x: tensor<f32> loc(unknown), %y: tensor<f32>) { %s = stablehlo.add %x, %y : tensor<f32> "
           "stablehlo.return %s : tensor<f32> }",
       "%r = \"stablehlo.reduce\"(%a, %b) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : "
       "tensor<f32> \"stablehlo.return\"(%s) : (tensor<f32>) -> () }) {dimensions = dense<1> : tensor<1xi64>} : " +
           types});
  const Module two = read(body("%a: tensor<3xf32>, %i: tensor<3xi32>, %b: tensor<f32>, %c: tensor<i32>", R"(
    %r:2 = stablehlo.reduce(%a init: %b), (%i init: %c) across dimensions = [0] : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%x: tensor<f32>, %y: tensor<f32>) (%k: tensor<i32>, %l: tensor<i32>) {
      stablehlo.return %y, %k : tensor<f32>, tensor<i32>
    })"));
  const Function& f = two.functions[0];
  const Region& region = f.body.operations[0].regions[0];
  std::vector<std::string> names;
  for (const ValueId id : region.arguments) names.push_back(f.value(id).name);
  CHECK(names == std::vector<std::string>{"x", "k", "y", "l"});
  CHECK(f.value(region.results[0]).name == "y");
  CHECK(f.value(f.body.operations[0].results[1]).name == "r#1");
  CHECK_THAT(refusal(body("%a: tensor<3xf32>, %b: tensor<f32>",
                          "%r = stablehlo.reduce(%a init: %b) applies stablehlo.abs across dimensions = [0] : "
                          "(tensor<3xf32>, tensor<f32>) -> tensor<f32>")),
             Contains("expected an operation of two operands"));
}

TEST_CASE("names of regions repeat, names of values do not") {
  const Module m = read(R"(
func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({ %1 = stablehlo.add %x, %x : tensor<f32> stablehlo.return %1 : tensor<f32> },
                          { %1 = stablehlo.multiply %x, %x : tensor<f32> stablehlo.return %1 : tensor<f32> })
       : (tensor<i1>) -> tensor<f32>
  %a:2 = stablehlo.while(%i = %0, %j = %x) : tensor<f32>, tensor<f32>
   cond { stablehlo.return %p : tensor<i1> } do { stablehlo.return %j, %i : tensor<f32>, tensor<f32> }
  return %a#1 : tensor<f32>
})");
  const Function& f = m.functions[0];
  std::vector<std::string> names;
  for (const Value& value : f.values) names.push_back(value.name);
  CHECK(names == std::vector<std::string>{"p", "x", "1", "v1_1", "0", "5.i", "6.j", "i", "j", "a#0", "a#1"});
  CHECK(f.body.operations[1].regions[1].results == std::vector<ValueId>{8, 7});
  CHECK(f.body.results == std::vector<ValueId>{10});
  CHECK_THAT(refusal(body("%x: tensor<f32>", "%x = stablehlo.add %x, %x : tensor<f32>")),
             Contains("a.mlir:2:1: stablehlo.add: expected a new name, found a second '%x'"));
}

TEST_CASE("tuples are taken apart") {
  const Module m = read(R"(
func.func @main(%t: tuple<tensor<f32>, tuple<tensor<i32>>>) -> (tuple<tensor<i32>, tensor<f32>> {jax.result_info = "r"}) {
  %x = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tensor<f32>
  %u = "stablehlo.get_tuple_element"(%t) {index = 1 : i32} : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %i = stablehlo.get_tuple_element %u[0] : (tuple<tensor<i32>>) -> tensor<i32>
  %v = stablehlo.tuple %i, %x : tuple<tensor<i32>, tensor<f32>>
  %w = call @f(%v) : (tuple<tensor<i32>, tensor<f32>>) -> tuple<tensor<i32>, tensor<f32>>
  return %w : tuple<tensor<i32>, tensor<f32>>
}
func.func private @f(%0: tuple<tensor<i32>, tensor<f32>>) -> tuple<tensor<i32>, tensor<f32>> {
  return %0 : tuple<tensor<i32>, tensor<f32>>
})");
  const Function& f = m.functions[0];
  CHECK(f.body.arguments == std::vector<ValueId>{0, 1});
  REQUIRE(f.body.operations.size() == 1);
  CHECK(f.body.operations[0].operands == std::vector<ValueId>{1, 0});
  CHECK(f.body.results == std::vector<ValueId>{2, 3});
  CHECK(f.resultNames == std::vector<std::string>{"r", "r"});
  CHECK(m.functions[1].body.results == std::vector<ValueId>{0, 1});
  CHECK_THAT(refusal(body("%t: tuple<tensor<f32>>",
                          "%x = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>>) -> tensor<f32>")),
             Contains("the number of an element below 1, found 1"));
  CHECK_THAT(refusal(body("%t: tuple<tensor<f32>>", "%x = stablehlo.add %t, %t : tuple<tensor<f32>>")),
             Contains("accepted"));
}

TEST_CASE("a generic module") {
  const Module generic = read(R"("builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2xf32>) -> tensor<2xf32>, res_attrs = [{jax.result_info = "r"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2xf32>):
    %0 = "func.call"(%arg0) <{callee = @f}> : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) : () -> ()
  "func.func"() ({
  ^bb0(%arg0: tensor<2xf32>):
    "func.return"(%arg0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "f", sym_visibility = "private"} : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} : () -> ())");
  const Module pretty = read(R"(module @m attributes {mhlo.num_replicas = 2 : i32} {
  func.func public @main(%x: tensor<2xf32>) -> (tensor<2xf32> {jax.result_info = "r"}) {
    %0 = func.call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
  func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }
})");
  CHECK(sameProgram(generic, pretty));
  CHECK(generic.name == "m");
  CHECK_FALSE(generic.functions[1].isPublic);
}

TEST_CASE("collectives and aliases of attributes") {
  const std::string region =
      "({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> stablehlo.return %s : "
      "tensor<f32> }) : (tensor<2xf32>) -> tensor<2xf32>";
  const Attributes a =
      attributesOf("%a: tensor<2xf32>",
                   "%r = \"stablehlo.all_reduce\"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 3, "
                   "type = 0>, replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>, "
                   "use_global_device_ids}> " +
                       region);
  CHECK(a.integer("channel_id") == 3);
  CHECK(a.integer("use_global_device_ids") == 1);
  CHECK(a.matrix("replica_groups") == Matrix{2, {0, 2, 1, -1}});
  const Module aliased = read("#dims = array<i64: 1>\n#other = #x.y<{a = 1}>\nmodule {\n" +
                              body("%a: tensor<3xf32>",
                                   "%r = \"stablehlo.broadcast_in_dim\"(%a) "
                                   "{broadcast_dimensions = #dims, x.y = #other} : (tensor<3xf32>) "
                                   "-> tensor<2x3xf32>") +
                              "}");
  CHECK(aliased.functions[0].body.operations[0].attributes.integers("broadcast_dimensions") == Integers{1});
}

TEST_CASE("what is refused, and where") {
  const auto refused = [](const std::string& operation, const std::string& message) {
    INFO(operation);
    CHECK_THAT(refusal(body("%a: tensor<2xf32>, %b: tensor<2xi32>", operation)), Contains("a.mlir:" + message));
  };
  refused("%r = stablehlo.add %a, %c : tensor<2xf32>",
          "2:24: stablehlo.add: expected a value that is defined before, found '%c'");
  refused("%r = stablehlo.add %a, %b : tensor<2xf32>",
          "2:6: stablehlo.add: expected '%b' of type tensor<2xf32>, found tensor<2xi32>");
  refused("%r = stablehlo.add %a, %a : tensor<3xf32>",
          "2:6: stablehlo.add: expected '%a' of type tensor<3xf32>, found tensor<2xf32>");
  refused("%r = \"stablehlo.add\"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>",
          "2:6: stablehlo.add: expected result 0 of type tensor<2xf32>, found tensor<3xf32>");
  refused("%r = \"stablehlo.add\"(%a) : (tensor<2xf32>) -> tensor<2xf32>",
          "2:6: stablehlo.add: expected 2 operands, found 1");
  refused("%r = stablehlo.floor %b : tensor<2xi32>", "2:6: stablehlo.floor: expected floats, found tensor<2xi32>");
  refused("\"stablehlo.add\"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> ()",
          "2:1: stablehlo.add: expected 1 result, found 0");
  refused("%r:2 = \"stablehlo.add\"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)",
          "2:8: stablehlo.add: expected 1 results, found 2");
  refused("stablehlo.iota dim = 0", "2:1: stablehlo.iota: expected 1 result, found 0");
  refused("%r:2 = stablehlo.add %a, %a : tensor<2xf32>", "2:8: stablehlo.add: expected names for 1 results, found 2");
  refused("%r = stablehlo.add %a#1, %a : tensor<2xf32>", "2:20: stablehlo.add: expected one of the 1 results of '%a'");
  refused("%r = stablehlo.add %a %a : tensor<2xf32>", "2:23: stablehlo.add: expected ',', found '%a'");
  refused("%r = stablehlo.add %a, %a", "3:1: stablehlo.add: expected ':', found 'return'");
  refused("%r = \"stablehlo.reshape\"(%a) {foo = 1} : (tensor<2xf32>) -> tensor<2xf32>",
          "2:31: stablehlo.reshape: expected an attribute of the operation, found 'foo'");
  refused("%r = \"stablehlo.broadcast_in_dim\"(%a) : (tensor<2xf32>) -> tensor<2xf32>",
          "2:6: stablehlo.broadcast_in_dim: expected the attribute broadcast_dimensions, found none");
  refused("%r = stablehlo.custom_call @f(%a) : (tensor<2xf32>) -> tensor<2xf32>",
          "2:6: stablehlo.custom_call: expected an operation that shardlaw knows, found 'stablehlo.custom_call @f'");
  refused("%r = mhlo.add %a, %a : tensor<2xf32>", "2:6: mhlo.add: expected an operation that shardlaw knows");
  refused("%r = stablehlo.call %a : tensor<2xf32>", "2:6: stablehlo.call: expected an operation that shardlaw knows");
  refused("%r = stablehlo.convert %a : (tensor<2xf32>) -> tensor<?xf32>",
          "2:55: stablehlo.convert: expected a tensor of static shape, found an extent '?'");
  refused("%r = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xi4>",
          "2:57: stablehlo.convert: expected an element type that shardlaw has");
  refused("%r = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 1.0>>",
          "2:57: stablehlo.convert: expected an element type");
  refused("%r = stablehlo.convert %a : (tensor<2xf32>) -> !stablehlo.token",
          "2:48: stablehlo.convert: expected a type 'tensor<…>', found '!stablehlo.token'");
  refused("call @f() : () -> ()", "2:1: func.call: expected a function of the module, found '@f'");
  refused("call @main(%a) : (tensor<2xf32>) -> ()", "2:1: func.call: expected 2 arguments for @main, found 1");
  refused("call @main(%a, %b) : (tensor<2xf32>, tensor<2xi32>) -> ()", "2:1: func.call: expected no recursion");
  refused("return\n\"stablehlo.add\"(%a, %a)", "3:1: func.func: expected '}', found '\"stablehlo.add\"'");
}

TEST_CASE("what is refused of functions and modules") {
  CHECK_THAT(refusal(""), Contains("a.mlir:1:1: expected a function, found none"));
  CHECK_THAT(refusal("module {}"), Contains("expected a function, found none"));
  CHECK_THAT(refusal("func.func @f() { return } x"), Contains("expected a function, found 'x'"));
  CHECK_THAT(refusal("module { func.func @f() { return } } x"), Contains("expected the end of the text, found 'x'"));
  CHECK_THAT(refusal("func.func @f() { return } func.func @f() { return }"),
             Contains("1:37: func.func: expected a new name, found a second function '@f'"));
  CHECK_THAT(refusal("func.func private @f(%a: tensor<f32>)"), Contains("expected the body of the function"));
  CHECK_THAT(refusal("func.func @f(%a: tensor<f32>) -> tensor<i32> { return %a : tensor<f32> }"),
             Contains("expected result 0 of type tensor<i32>, found tensor<f32>"));
  CHECK_THAT(refusal("func.func @f(%a: tensor<f32>) -> tensor<f32> { return }"),
             Contains("expected 1 results, found 0"));
  CHECK_THAT(refusal("func.func @f() { ^a: return ^b: return }"), Contains("expected a region of one block"));
  CHECK_THAT(refusal("module attributes {mhlo.num_replicas = 0 : i32} { func.func @f() { return } }"),
             Contains("mhlo.num_replicas: expected 1 to 1000000, found 0"));
  CHECK_THAT(refusal("func.func @f() { return"), Contains("expected '}', found the end of the text"));
}

}  // namespace
}  // namespace shardlaw::stablehlo::test
