#include "interp/stablehlo/operation/control.h"

namespace shardlaw::stablehlo {
namespace {

std::vector<TensorType> resultTypes(const TypeRule& rule) {
  std::vector<TensorType> types;
  for (std::size_t i = 0; i < rule.results(); ++i) types.push_back(rule.stated(i));
  return types;
}

}  // namespace

void While::check(const TypeRule& rule) {
  rule.require(rule.results() == rule.operands(), "expected a result for each operand, found " +
                                                      std::to_string(rule.results()) + " for " +
                                                      std::to_string(rule.operands()));
  for (std::size_t i = 0; i < rule.operands(); ++i) rule.result(i, rule.operand(i));
  const std::vector<TensorType> types = resultTypes(rule);
  const TensorType condition[] = {{DType::boolean, {}}};
  rule.requireRegion(0, types, condition);
  rule.requireRegion(1, types, types);
}

void If::check(const TypeRule& rule) {
  const TensorType expected{DType::boolean, {}};
  rule.require(rule.operand(0) == expected,
               "expected a predicate of type " + toString(expected) + ", found " + toString(rule.operand(0)));
  for (std::size_t k = 0; k < 2; ++k) rule.requireRegion(k, {}, resultTypes(rule));
}

void Case::check(const TypeRule& rule) {
  const TensorType expected{DType::i32, {}};
  rule.require(rule.operand(0) == expected,
               "expected an index of type " + toString(expected) + ", found " + toString(rule.operand(0)));
  rule.require(rule.regions() > 0, "expected at least one region, found none");
  for (std::size_t k = 0; k < rule.regions(); ++k) rule.requireRegion(k, {}, resultTypes(rule));
}

void checkCall(const TypeRule& rule, const Function* callee) {
  const std::string name = "@" + rule.attributes().keyword("callee", "");
  if (callee == nullptr) rule.refuse("expected a function of the module, found '" + excerpt(name) + "'");
  const auto compare = [&](const char* what, std::size_t found, const std::vector<ValueId>& values, const auto& type) {
    rule.require(found == values.size(), "expected " + std::to_string(values.size()) + " " + what + "s for " +
                                             excerpt(name) + ", found " + std::to_string(found));
    for (std::size_t i = 0; i < found; ++i)
      if (type(i) != callee->type(values[i]))
        rule.refuse("expected " + std::string(what) + " " + std::to_string(i) + " of " + excerpt(name) + " of type " +
                    toString(callee->type(values[i])) + ", found " + toString(type(i)));
  };
  compare("argument", rule.operands(), callee->body.arguments,
          [&](std::size_t i) -> const TensorType& { return rule.operand(i); });
  compare("result", rule.results(), callee->body.results,
          [&](std::size_t i) -> const TensorType& { return rule.stated(i); });
}

void FuncCall::check(const TypeRule& rule) {
  checkCall(rule, rule.module().find(rule.attributes().keyword("callee", "")));
}

}  // namespace shardlaw::stablehlo
