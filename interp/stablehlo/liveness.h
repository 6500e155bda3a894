// When the values of a region are dead.
#pragma once

#include <unordered_map>
#include <vector>

#include "interp/stablehlo/module.h"

namespace shardlaw::stablehlo {

/// For one region: which of its own values (arguments and results of its operations) die where.
struct RegionLiveness {
  std::vector<ValueId> unused;             ///< arguments that nothing reads
  std::vector<std::vector<ValueId>> dead;  ///< per operation: values that nothing reads after it
  std::vector<bool> last;  ///< per result: the value is the region's own, and no later result is the same
};

/// Of every region of a module; a region inside another reads as its operation does.
class Liveness {
 public:
  explicit Liveness(const Module& module);
  const RegionLiveness& of(const Region& region) const { return regions_.at(&region); }

 private:
  void add(const Region& region);

  std::unordered_map<const Region*, RegionLiveness> regions_;
};

}  // namespace shardlaw::stablehlo
