#include <algorithm>

#include "interp/stablehlo/operation.h"

namespace shardlaw::stablehlo {
namespace {

std::string numbered(const char* what, std::size_t i) { return what + (" " + std::to_string(i)); }

std::string typesOf(std::span<const TensorType> types) {
  std::string text = "(";
  for (const TensorType& type : types) text += (text.size() > 1 ? ", " : "") + toString(type);
  return text + ")";
}

}  // namespace

std::string fullName(const OperationInfo& info) {
  return (info.name == "call" ? "func." : "stablehlo.") + std::string(info.name);
}

Location locationOf(const Module& module, const Operation& operation) {
  return {module.file, operation.position.line, operation.position.column, fullName(*operation.info)};
}

void TypeRule::refuse(const std::string& message) const { throw Error(locationOf(module_, operation_), message); }

void TypeRule::refuseResults(std::size_t expected) const {
  refuse("expected " + std::to_string(expected) + (expected == 1 ? " result" : " results") + ", found " +
         std::to_string(results()));
}

void TypeRule::result(std::size_t i, const TensorType& expected) const {
  if (stated(i) != expected)
    refuse("expected " + numbered("result", i) + " of type " + toString(expected) + ", found " + toString(stated(i)));
}

void TypeRule::requireSameType(std::size_t i, std::size_t j) const {
  if (operand(i) != operand(j))
    refuse("expected operands " + std::to_string(i) + " and " + std::to_string(j) + " of one type, found " +
           toString(operand(i)) + " and " + toString(operand(j)));
}

void TypeRule::requireRank(std::size_t i, int rank) const {
  if (operand(i).shape.rank() != rank)
    refuse("expected " + numbered("operand", i) + " of rank " + std::to_string(rank) + ", found " +
           toString(operand(i)));
}

void TypeRule::requireElement(std::size_t i, DType element) const {
  if (operand(i).element != element)
    refuse("expected " + numbered("operand", i) + " of " + std::string(spelling(element)) + ", found " +
           toString(operand(i)));
}

void TypeRule::requireRegion(std::size_t k, std::span<const TensorType> arguments,
                             std::span<const TensorType> results) const {
  const auto compare = [&](const char* what, std::span<const TensorType> expected, const std::vector<ValueId>& found) {
    std::vector<TensorType> types;
    types.reserve(found.size());
    for (const ValueId id : found) types.push_back(type(id));
    if (!std::equal(types.begin(), types.end(), expected.begin(), expected.end()))
      refuse("expected " + numbered("region", k) + " with " + what + " " + typesOf(expected) + ", found " +
             typesOf(types));
  };
  compare("arguments", arguments, region(k).arguments);
  compare("results", results, region(k).results);
}

void TypeRule::requireAxes(std::string_view attribute, std::span<const std::int64_t> axes, int rank) const {
  std::vector<bool> taken(static_cast<std::size_t>(rank), false);
  for (const std::int64_t axis : axes) {
    if (axis < 0 || axis >= rank)
      refuse(std::string(attribute) + ": expected axes below " + std::to_string(rank) + ", found " +
             std::to_string(axis));
    if (taken[static_cast<std::size_t>(axis)])
      refuse(std::string(attribute) + ": axis " + std::to_string(axis) + " is there twice");
    taken[static_cast<std::size_t>(axis)] = true;
  }
}

void TypeRule::requireCount(std::string_view attribute, std::size_t found, std::size_t expected) const {
  if (found != expected)
    refuse(std::string(attribute) + ": expected " + std::to_string(expected) + " entries, found " +
           std::to_string(found));
}

std::string toString(const ElementTypes& types) {
  const bool integers = types.integers && types.unsignedIntegers;
  if (types.floats && integers && types.booleans) return "any";
  std::string text;
  const auto add = [&](bool has, const char* kind) {
    if (has) text += (text.empty() ? "" : ", ") + std::string(kind);
  };
  add(types.floats, "floats");
  add(integers, "integers");
  add(types.integers && !integers, "signed integers");
  add(types.booleans, "i1");
  return text;
}

void checkOperation(const TypeRule& rule) {
  const ElementTypes& types = rule.info().types;
  if (rule.operands() > 0 || rule.results() > 0) {
    const TensorType& type = rule.operands() > 0 ? rule.operand(0) : rule.stated(0);
    if (!types.accept(type.element)) rule.refuse("expected " + toString(types) + ", found " + toString(type));
  }
  rule.info().check(rule);
  if (rule.results() != rule.typedResults())
    rule.refuse("expected " + std::to_string(rule.typedResults()) + " results, found " +
                std::to_string(rule.results()));
}

}  // namespace shardlaw::stablehlo
