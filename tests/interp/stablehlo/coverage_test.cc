// The table of operations against the code: element types that the reader takes, domains that have a meaning.
#include <catch2/catch.hpp>

#include "interp/error.h"
#include "interp/stablehlo/operations.h"
#include "interp/stablehlo/reader.h"

namespace shardlaw::stablehlo {
namespace {

/// Operations of which "%a %b : T" is a whole program: all operands and the result of one type.
bool isPlain(const OperationInfo& info) {
  return info.kind == OperationKind::pointwise && info.format.find("::same") != std::string_view::npos &&
         info.format.find('$') == std::string_view::npos;
}

std::string program(const OperationInfo& info, const std::string& type) {
  std::string operands;
  for (int i = 0; i < info.least; ++i) operands += (i == 0 ? "" : ", ") + std::string("%a");
  return "func.func @main(%a: tensor<2x" + type + ">) -> tensor<2x" + type + "> {\n  %r = stablehlo." +
         std::string(info.name) + " " + operands + " : tensor<2x" + type + ">\n  return %r : tensor<2x" + type +
         ">\n}\n";
}

bool isRead(const OperationInfo& info, const std::string& type) {
  try {
    parseModule(program(info, type), "program");
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Whether the denotation on floats has a meaning in the domain.
template <class D>
bool denotes(const D& domain, const OperationInfo& info) {
  const Module module = parseModule(program(info, "f32"), "program");
  const Operation& operation = module.entry().body.operations.at(0);
  Cells<D> operand = Cells<D>::unwritten({DType::f32, Shape{2}}), result = operand;
  for (std::int64_t i = 0; i < 2; ++i) operand.floats()[i] = domain.literal(ratio(1, 4 + i));
  const std::vector<const Cells<D>*> operands(operation.operands.size(), &operand);
  try {
    info.denotation<D>().local({domain, operation, module.entry(), operands, {&result, 1}, {}, false});
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST_CASE("the reader takes the element types that the table says") {
  int tried = 0;
  for (const OperationInfo* info : allOperations()) {
    if (!isPlain(*info)) continue;
    ++tried;
    INFO(info->name);
    for (const char* type : {"f64", "f32", "f16", "bf16"}) CHECK(isRead(*info, type) == info->types.floats);
    for (const char* type : {"i64", "i32", "i16", "i8"}) CHECK(isRead(*info, type) == info->types.integers);
    for (const char* type : {"ui64", "ui8"}) CHECK(isRead(*info, type) == info->types.unsignedIntegers);
    CHECK(isRead(*info, "i1") == info->types.booleans);
    for (const char* type : {"complex<f32>", "f8E4M3FN", "i4", "!quant.uniform<i8:f32, 1.0>"})
      CHECK(!isRead(*info, type));
  }
  CHECK(tried > 30);
}

TEST_CASE("an operation on floats is refused in the domains that the table says, and in no other") {
  for (const OperationInfo* info : allOperations()) {
    if (!isPlain(*info) || !info->types.floats) continue;
    INFO(info->name);
    CHECK(denotes(Exact(1), *info) == !info->refused.exact);
    CHECK(denotes(Wide(), *info) == !info->refused.wide);
    CHECK(denotes(Bounded64(), *info) == !info->refused.bounded);
    CHECK(denotes(Bounded32(), *info) == !info->refused.bounded);
    CHECK(denotes(Native(), *info));
    CHECK(denotes(F64(), *info));
    CHECK(denotes(F32(), *info));
  }
}

TEST_CASE("every operation says what it denotes, and of how many operands") {
  for (const OperationInfo* info : allOperations()) {
    INFO(info->name);
    CHECK(!info->formula.empty());
    CHECK(info->least >= 0);
    CHECK((info->most == -1 || info->most >= info->least));
    CHECK(findOperation(info->name) == info);
  }
}

}  // namespace
}  // namespace shardlaw::stablehlo
