#include "interp/stablehlo/liveness.h"

#include <algorithm>
#include <unordered_set>

namespace shardlaw::stablehlo {
namespace {

/// Every value that an operation reads, its regions included.
void addReads(const Operation& operation, std::vector<ValueId>& reads) {
  reads.insert(reads.end(), operation.operands.begin(), operation.operands.end());
  for (const Region& region : operation.regions) {
    for (const Operation& inner : region.operations) addReads(inner, reads);
    reads.insert(reads.end(), region.results.begin(), region.results.end());
  }
}

}  // namespace

Liveness::Liveness(const Module& module) {
  for (const Function& function : module.functions) add(function.body);
}

void Liveness::add(const Region& region) {
  // Walked backwards, a value's first appearance is its last use.
  RegionLiveness liveness;
  std::unordered_set<ValueId> own(region.arguments.begin(), region.arguments.end());
  for (const Operation& operation : region.operations) own.insert(operation.results.begin(), operation.results.end());
  std::unordered_set<ValueId> seen;
  for (auto result = region.results.rbegin(); result != region.results.rend(); ++result) {
    const bool isNew = seen.insert(*result).second;
    liveness.last.push_back(isNew && own.count(*result) > 0);
  }
  std::reverse(liveness.last.begin(), liveness.last.end());
  liveness.dead.resize(region.operations.size());
  std::vector<ValueId> reads;
  for (std::size_t i = region.operations.size(); i-- > 0;) {
    const Operation& operation = region.operations[i];
    reads.assign(operation.results.begin(), operation.results.end());
    addReads(operation, reads);
    for (const ValueId value : reads)
      if (own.count(value) > 0 && seen.insert(value).second) liveness.dead[i].push_back(value);
  }
  for (const ValueId argument : region.arguments)
    if (seen.count(argument) == 0) liveness.unused.push_back(argument);
  regions_.emplace(&region, std::move(liveness));
  for (const Operation& operation : region.operations)
    for (const Region& inner : operation.regions) add(inner);
}

}  // namespace shardlaw::stablehlo
