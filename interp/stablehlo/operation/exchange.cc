#include "interp/stablehlo/operation/exchange.h"

#include <set>

#include "interp/stablehlo/operation/reduction.h"

namespace shardlaw::stablehlo {
namespace {

/// The axis's extent of the result is a positive multiple of the operand's: how many processes that takes.
void requireSameButAxis(const TypeRule& rule, std::size_t i, std::int64_t axis) {
  const TensorType &from = rule.operand(i), &to = rule.stated(i);
  bool fits = from.element == to.element && from.shape.rank() == to.shape.rank();
  for (int a = 0; fits && a < from.shape.rank(); ++a) fits = a == axis || from.shape[a] == to.shape[a];
  rule.require(fits, "expected result " + std::to_string(i) + " to differ from " + toString(from) + " along axis " +
                         std::to_string(axis) + " alone, found " + toString(to));
}

void requireResults(const TypeRule& rule) {
  rule.require(rule.results() == rule.operands(), "expected a result for each operand, found " +
                                                      std::to_string(rule.results()) + " for " +
                                                      std::to_string(rule.operands()));
}

}  // namespace

void AllGather::check(const TypeRule& rule) {
  requireResults(rule);
  const std::int64_t axis = rule.attributes().integer("all_gather_dim");
  for (std::size_t i = 0; i < rule.operands(); ++i) {
    requireAxis(rule, "all_gather_dim", axis, rule.operand(i).shape.rank());
    requireSameButAxis(rule, i, axis);
    const std::int64_t part = rule.operand(i).shape[static_cast<int>(axis)],
                       whole = rule.stated(i).shape[static_cast<int>(axis)];
    rule.require(part == 0 ? whole == 0 : whole % part == 0, "expected a multiple of " + std::to_string(part) +
                                                                 " cells along axis " + std::to_string(axis) +
                                                                 ", found " + toString(rule.stated(i)));
  }
}

void ReduceScatter::check(const TypeRule& rule) {
  const std::int64_t axis = rule.attributes().integer("scatter_dimension");
  const TensorType& operand = rule.operand(0);
  requireAxis(rule, "scatter_dimension", axis, operand.shape.rank());
  requireSameButAxis(rule, 0, axis);
  const std::int64_t whole = operand.shape[static_cast<int>(axis)], part = rule.stated(0).shape[static_cast<int>(axis)];
  rule.require(part == 0 ? whole == 0 : whole % part == 0,
               "expected a result with a divisor of " + std::to_string(whole) + " cells along axis " +
                   std::to_string(axis) + ", found " + toString(rule.stated(0)));
  const TensorType scalar{operand.element, Shape{}};
  const TensorType pair[] = {scalar, scalar};
  rule.requireRegion(0, pair, std::span(&scalar, 1));
}

void AllToAll::check(const TypeRule& rule) {
  requireResults(rule);
  const std::int64_t split = rule.attributes().integer("split_dimension"),
                     join = rule.attributes().integer("concat_dimension"),
                     count = rule.attributes().integer("split_count");
  rule.require(count > 0, "split_count: expected at least 1, found " + std::to_string(count));
  for (std::size_t i = 0; i < rule.operands(); ++i) {
    const TensorType& operand = rule.operand(i);
    requireAxis(rule, "split_dimension", split, operand.shape.rank());
    requireAxis(rule, "concat_dimension", join, operand.shape.rank());
    std::vector<std::int64_t> extents = extentsOf(operand.shape);
    rule.require(extents[index(split)] % count == 0, "split_count: expected a divisor of axis " +
                                                         std::to_string(split) + " of " + toString(operand) +
                                                         ", found " + std::to_string(count));
    extents[index(split)] /= count;
    extents[index(join)] = extentOf(rule, static_cast<int>(join), Wide128{extents[index(join)]} * count);
    rule.result(i, {operand.element, shapeOf(rule, extents)});
  }
}

void CollectivePermute::check(const TypeRule& rule) {
  const Matrix pairs = rule.attributes().matrix("source_target_pairs");
  rule.require(pairs.cells.empty() || pairs.columns == 2,
               "source_target_pairs: expected pairs, found rows of " + std::to_string(pairs.columns));
  std::set<std::int64_t> sources, targets;
  for (std::int64_t row = 0; row < pairs.rows(); ++row) {
    const std::int64_t source = pairs.at(row, 0), target = pairs.at(row, 1);
    rule.require(source >= 0 && target >= 0, "source_target_pairs: expected numbers of processes, found " +
                                                 std::to_string(std::min(source, target)));
    rule.require(sources.insert(source).second,
                 "source_target_pairs: expected each source once, found " + std::to_string(source) + " twice");
    rule.require(targets.insert(target).second,
                 "source_target_pairs: expected each target once, found " + std::to_string(target) + " twice");
  }
  rule.result(0, rule.operand(0));
}

}  // namespace shardlaw::stablehlo
