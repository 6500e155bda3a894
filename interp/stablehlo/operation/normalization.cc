#include "interp/stablehlo/operation/normalization.h"

namespace shardlaw::stablehlo {

void NormalizationOperation::check(const TypeRule& rule, std::span<const std::size_t> features,
                                   std::span<const std::size_t> alike) {
  const TensorType& operand = rule.operand(0);
  const std::int64_t axis = rule.attributes().integer("feature_index");
  requireAxis(rule, "feature_index", axis, operand.shape.rank());
  const Rational& epsilon = rule.attributes().rational("epsilon");
  rule.require(epsilon >= 0, "epsilon: expected at least 0, found " + shardlaw::toString(epsilon));
  const TensorType vector{operand.element, Shape{operand.shape[static_cast<int>(axis)]}};
  const auto require = [&](std::size_t i, const TensorType& expected) {
    rule.require(rule.operand(i) == expected, "operand " + std::to_string(i) + ": expected " + toString(expected) +
                                                  " for operand 0 of type " + toString(operand) + ", found " +
                                                  toString(rule.operand(i)));
  };
  for (const std::size_t i : features) require(i, vector);
  for (const std::size_t i : alike) require(i, operand);
}

namespace {

/// Results: one like operand 0, and `vectors` like operand 1.
void checkResults(const TypeRule& rule, std::size_t vectors) {
  rule.require(rule.results() == vectors + 1,
               "expected " + std::to_string(vectors + 1) + " results, found " + std::to_string(rule.results()));
  rule.result(0, rule.operand(0));
  for (std::size_t i = 1; i <= vectors; ++i) rule.result(i, rule.operand(1));
}

}  // namespace

void BatchNormTraining::check(const TypeRule& rule) {
  const std::size_t features[] = {1, 2};
  NormalizationOperation::check(rule, features, {});
  checkResults(rule, 2);
}

void BatchNormInference::check(const TypeRule& rule) {
  const std::size_t features[] = {1, 2, 3, 4};
  NormalizationOperation::check(rule, features, {});
  checkResults(rule, 0);
}

void BatchNormGrad::check(const TypeRule& rule) {
  const std::size_t features[] = {1, 2, 3}, alike[] = {4};
  NormalizationOperation::check(rule, features, alike);
  checkResults(rule, 2);
}

}  // namespace shardlaw::stablehlo
