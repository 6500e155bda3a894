#include "interp/stablehlo/operation/comparison.h"

namespace shardlaw::stablehlo {

std::optional<Direction> directionOf(std::string_view word) {
  if (word == "EQ") return Direction::eq;
  if (word == "NE") return Direction::ne;
  if (word == "GE") return Direction::ge;
  if (word == "GT") return Direction::gt;
  if (word == "LE") return Direction::le;
  if (word == "LT") return Direction::lt;
  return std::nullopt;
}

std::optional<Direction> comparisonOf(const Region& region) {
  if (region.operations.size() != 1 || region.arguments.size() < 2) return std::nullopt;
  const Operation& only = region.operations[0];
  if (only.info->name != Compare::name || region.results != only.results) return std::nullopt;
  if (only.attributes.keyword("compare_type", "") == "TOTALORDER") return std::nullopt;
  const auto direction = directionOf(only.attributes.keyword("comparison_direction", ""));
  const ValueId a = region.arguments[0], b = region.arguments[1];
  if (!direction || only.operands == std::vector<ValueId>{a, b}) return direction;
  if (only.operands != std::vector<ValueId>{b, a}) return std::nullopt;
  switch (*direction) {
    case Direction::ge: return Direction::le;
    case Direction::gt: return Direction::lt;
    case Direction::le: return Direction::ge;
    case Direction::lt: return Direction::gt;
    default: return direction;
  }
}

void Compare::check(const TypeRule& rule) {
  rule.requireSameType(0, 1);
  const std::string direction = rule.attributes().keyword("comparison_direction", "");
  rule.require(directionOf(direction).has_value(),
               "comparison_direction: expected EQ, NE, GE, GT, LE or LT, found " + excerpt(direction));
  const std::string type = rule.attributes().keyword("compare_type", "");
  const DType element = rule.operand(0).element;
  const bool fits = type.empty() || type == "NOTYPE" ||
                    (isFloat(element) ? type == "FLOAT" || type == "TOTALORDER"
                                      : type == (isUnsigned(element) || isBoolean(element) ? "UNSIGNED" : "SIGNED"));
  rule.require(fits, "compare_type: expected " +
                         std::string(isFloat(element)                            ? "FLOAT or TOTALORDER"
                                     : isUnsigned(element) || isBoolean(element) ? "UNSIGNED"
                                                                                 : "SIGNED") +
                         " for " + toString(rule.operand(0)) + ", found " + excerpt(type));
  rule.result(0, {DType::boolean, rule.operand(0).shape});
}

void Select::check(const TypeRule& rule) {
  rule.requireElement(0, DType::boolean);
  rule.requireSameType(1, 2);
  const Shape& predicate = rule.operand(0).shape;
  rule.require(predicate.rank() == 0 || predicate == rule.operand(1).shape,
               "operand 0: expected a predicate of rank 0 or of the shape of " + toString(rule.operand(1)) +
                   ", found " + toString(rule.operand(0)));
  rule.result(0, rule.operand(1));
}

void Clamp::check(const TypeRule& rule) {
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
    const TensorType& limit = rule.operand(i);
    rule.require(
        limit.element == rule.operand(1).element && (limit.shape.rank() == 0 || limit.shape == rule.operand(1).shape),
        "operand " + std::to_string(i) + ": expected a limit of rank 0 or of the type " + toString(rule.operand(1)) +
            ", found " + toString(limit));
  }
  rule.result(0, rule.operand(1));
}

}  // namespace shardlaw::stablehlo
