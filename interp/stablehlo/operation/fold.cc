#include "interp/stablehlo/operation/fold.h"

#include <array>

namespace shardlaw::stablehlo {

Combiner combinerOf(const Region& region) {
  struct Known {
    std::string_view name;
    Combiner combiner;
  };
  static constexpr std::array<Known, 6> known{{{"add", Combiner::add},
                                               {"multiply", Combiner::multiply},
                                               {"maximum", Combiner::maximum},
                                               {"minimum", Combiner::minimum},
                                               {"and", Combiner::conjunction},
                                               {"or", Combiner::disjunction}}};
  if (region.arguments.size() != 2 || region.operations.size() != 1) return Combiner::general;
  const Operation& operation = region.operations[0];
  if (region.results != operation.results || operation.operands.size() != 2) return Combiner::general;
  // All of them commute.
  const ValueId a = operation.operands[0], b = operation.operands[1], first = region.arguments[0],
                second = region.arguments[1];
  if (!((a == first && b == second) || (a == second && b == first))) return Combiner::general;
  for (const Known& k : known)
    if (operation.info->name == k.name) return k.combiner;
  return Combiner::general;
}

}  // namespace shardlaw::stablehlo
