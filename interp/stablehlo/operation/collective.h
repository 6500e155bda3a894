// Collectives: the evaluator finds the groups, a denotation sees one of them.
#pragma once

#include "interp/stablehlo/operation/fold.h"

namespace shardlaw::stablehlo {

/// Attributes that say which replicas form a group: see groups.h.
#define SHARDLAW_GROUP_ATTRIBUTES                                                            \
  {"replica_groups", AttributeType::matrix, true}, {"channel_id", AttributeType::integer}, { \
    "use_global_device_ids", AttributeType::integer                                          \
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
    const Combiner combiner = combinerOf(call.operation.regions[0]);
    for (std::size_t i = 0; i < call.operands[0].size(); ++i) {
      if (combiner == Combiner::general) general(call, i);
      else known(call, combiner, i);
      for (std::size_t m = 1; m < call.results.size(); ++m) call.results[m][i] = call.results[0][i];
    }
  }

 private:
  template <class D>
  static void known(const GroupCall<D>& call, Combiner combiner, std::size_t i) {
    const DType element = call.function.type(call.operation.operands[i]).element;
    withFold<D>(call.domain, combiner, element, *call.operands[0][i], *call.operands[0][i], call.results[0][i],
                [&](const auto& first, const auto&, auto& out, const auto& maker) {
                  using T = std::decay_t<decltype(first)>;
                  for (std::int64_t cell = 0; cell < out.cells(); ++cell) {
                    auto fold = maker(first[cell]);
                    for (std::size_t m = 1; m < call.operands.size(); ++m)
                      fold.add(std::get<T>(call.operands[m][i]->variant())[cell]);
                    out[cell] = fold.total();
                  }
                });
  }

  template <class D>
  static void general(const GroupCall<D>& call, std::size_t i) {
    for (std::int64_t cell = 0; cell < call.results[0][i].cells(); ++cell) {
      std::vector<Cells<D>> total;
      total.push_back(cellAt(*call.operands[0][i], cell));
      for (std::size_t m = 1; m < call.operands.size(); ++m) {
        total.push_back(cellAt(*call.operands[m][i], cell));
        total = call.regions[0](std::move(total));
      }
      setCell(call.results[0][i], cell, total[0]);
    }
  }
};

}  // namespace shardlaw::stablehlo
