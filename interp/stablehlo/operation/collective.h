// Collectives: the evaluator finds the groups, a denotation sees one of them.
#pragma once

#include "interp/stablehlo/operation/fold.h"

namespace shardlaw::stablehlo {

/// Attributes that say which replicas form a group: see groups.h.
#define SHARDLAW_GROUP_ATTRIBUTES                                                            \
  {"replica_groups", AttributeType::matrix, true}, {"channel_id", AttributeType::integer}, { \
    "use_global_device_ids", AttributeType::integer                                          \
  }

/// The body's fold of operand i over the members of a group, in their order, into `out`.
template <class D>
void foldOverGroup(const GroupCall<D>& call, std::size_t i, Cells<D>& out) {
  const Combiner combiner = combinerOf(call.operation.regions[0]);
  if (combiner == Combiner::general) {
    for (std::int64_t cell = 0; cell < out.cells(); ++cell) {
      std::vector<Cells<D>> total;
      total.push_back(cellAt(*call.operands[0][i], cell));
      for (std::size_t m = 1; m < call.operands.size(); ++m) {
        total.push_back(cellAt(*call.operands[m][i], cell));
        total = call.regions[0](std::move(total));
      }
      setCell(out, cell, total[0]);
    }
    return;
  }
  const DType element = call.function.type(call.operation.operands[i]).element;
  withFold<D>(call.domain, combiner, element, *call.operands[0][i], *call.operands[0][i], out,
              [&](const auto& firsts, const auto&, auto& to, const auto& maker) {
                using T = std::decay_t<decltype(firsts)>;
                std::vector<const T*> others;
                for (std::size_t m = 1; m < call.operands.size(); ++m)
                  others.push_back(&std::get<T>(call.operands[m][i]->variant()));
                parallelBlocks(to.cells(), to.cells() >= parallelCells, [&](std::int64_t first, std::int64_t last) {
                  for (std::int64_t cell = first; cell < last; ++cell) {
                    auto fold = maker(firsts[cell]);
                    for (const T* other : others) fold.add((*other)[cell]);
                    to[cell] = fold.total();
                  }
                });
              });
}

struct AllReduce : CollectiveOperation {
  static constexpr std::string_view name = "all_reduce";
  static constexpr std::string_view formula =
      "the body's fold of the operand over the replicas of a group, in the group's order";
  static constexpr AttributeSpec specs[] = {SHARDLAW_GROUP_ATTRIBUTES};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = -1;
  static constexpr int regions = 1;
  static constexpr Degrees degrees = Degrees::sums;
  static constexpr bool rounds = true;

  static void check(const TypeRule& rule);

  template <class D>
  static void denoteGroup(const GroupCall<D>& call) {
    for (std::size_t i = 0; i < call.operands[0].size(); ++i) {
      foldOverGroup(call, i, call.results[0][i]);
      for (std::size_t m = 1; m < call.results.size(); ++m) call.results[m][i] = call.results[0][i];
    }
  }
};

}  // namespace shardlaw::stablehlo
