// sdy.manual_computation, as JAX prints shard_map.
#include <catch2/catch.hpp>

#include "interp/stablehlo/printer.h"
#include "tests/interp/stablehlo/text.h"

namespace shardlaw::stablehlo::test {
namespace {

using Catch::Contains;

const std::string head =
    "module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {\n"
    "sdy.mesh @mesh = <[\"i\"=4]>\n";

/// The sum of eight numbers, two on each of four processes.
std::string program(const std::string& operands = "%x, %w", const std::string& inside = "tensor<2xf32>",
                    const std::string& result = "%0#0, %0#1", const std::string& before = "",
                    const std::string& after = "") {
  return head +
         "func.func public @main(%x: tensor<8xf32>, %w: tensor<3xf32>) -> (tensor<8xf32> {jax.result_info = "
         "\"y\"}, tensor<3xf32>) {\n" +
         before + "%0:2 = sdy.manual_computation(" + operands +
         ") in_shardings=[<@mesh, [{\"i\"}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{\"i\"}]>, <@mesh, [{}]>] "
         "manual_axes={\"i\"} (%a: " +
         inside + ", %b: tensor<3xf32>) {\n%1 = stablehlo.add %a, %a : " + inside + "\nsdy.return %1, %b : " + inside +
         ", tensor<3xf32>\n} : (tensor<8xf32>, tensor<3xf32>) -> (tensor<8xf32>, tensor<3xf32>)\n" + after + "return " +
         result + " : tensor<8xf32>, tensor<3xf32>\n}\n}\n";
}

TEST_CASE("a function that is one manual computation is what each process runs") {
  const Module module = read(program());
  const Module plain = read(
      "module attributes {mhlo.num_partitions = 4 : i32} {\nfunc.func @main(%x: tensor<2xf32>, %w: tensor<3xf32>) -> "
      "(tensor<2xf32> {jax.result_info = \"y\"}, tensor<3xf32>) {\n%1 = stablehlo.add %x, %x : tensor<2xf32>\n"
      "return %1, %w : tensor<2xf32>, tensor<3xf32>\n}\n}\n");
  CHECK(sameProgram(module, plain));
  const Function& entry = module.entry();
  CHECK(entry.value(entry.body.arguments[0]).name == "x");
  CHECK(entry.value(entry.body.arguments[1]).name == "w");
  CHECK(sameProgram(read(print(module)), module));
}

TEST_CASE("one result has no number") {
  const Module module =
      read(head +
           "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n%0 = sdy.manual_computation(%x) "
           "in_shardings=[<@mesh, [{\"i\"}]>] out_shardings=[<@mesh, [{\"i\"}]>] manual_axes={\"i\"} (%a: "
           "tensor<1xf32>) {\nsdy.return %a : tensor<1xf32>\n} : (tensor<4xf32>) -> tensor<4xf32>\nreturn %0 : "
           "tensor<4xf32>\n}\n}\n");
  CHECK(module.entry().type(module.entry().body.results[0]).shape == Shape{1});
}

TEST_CASE("what is more than a manual computation, or other than its shards, is refused") {
  CHECK_THAT(refusal(program("%w, %x")), Contains("a.mlir:4:31: sdy.manual_computation: expected '%x'"));
  CHECK_THAT(refusal(program("%x")), Contains("sdy.manual_computation: expected ','"));
  CHECK_THAT(refusal(program("%x, %w", "tensor<3xf32>")),
             Contains("expected argument 0 to be tensor<8xf32> or one of its 4 shards along one axis"));
  CHECK_THAT(refusal(program("%x, %w", "tensor<2xf64>")), Contains("expected argument 0 to be tensor<8xf32>"));
  CHECK_THAT(refusal(program("%x, %w", "tensor<2xf32>", "%0#1, %0#0")), Contains("the results in their order"));
  CHECK_THAT(refusal(program("%x, %w", "tensor<2xf32>", "%x, %w")), Contains("the results in their order"));
  const std::string other = "%9 = stablehlo.add %x, %x : tensor<8xf32>\n";
  CHECK_THAT(refusal(program("%x, %w", "tensor<2xf32>", "%0#0, %0#1", other)),
             Contains("expected an operation that shardlaw knows, found 'sdy.manual_computation'"));
  CHECK_THAT(refusal(program("%x, %w", "tensor<2xf32>", "%0#0, %0#1", "", other)),
             Contains("a function with sdy.manual_computation holds nothing else"));
  // What is outside is not seen inside.
  std::string text = program();
  text.replace(text.find("%a, %a"), 6, "%x, %a");
  CHECK_THAT(refusal(text), Contains("expected a value that is defined before"));
  // Cut anywhere it is refused.
  const std::string whole = program();
  for (std::size_t size = 0; size + 2 < whole.size(); ++size) CHECK(refusal(whole.substr(0, size)) != "accepted");
}

TEST_CASE("sdy.return ends nothing else") {
  CHECK_THAT(refusal("func.func @main() {\nsdy.return\n}\n"), Contains("expected an operation that shardlaw knows"));
}

}  // namespace
}  // namespace shardlaw::stablehlo::test
