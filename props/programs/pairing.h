// Which arguments and results of two programs belong together.
#pragma once

#include <string>
#include <vector>

#include "interp/stablehlo/module.h"
#include "interp/stablehlo/sharding.h"

namespace shardlaw::programs {

/// An argument, or a result, of the data-parallel program and that of the global one.
struct Pair {
  std::string name;
  std::size_t replica, global;
  stablehlo::Sharding sharding;
};

struct PairingOptions {
  std::int64_t replicas = 1;
  stablehlo::ShardingRules sharding;
  std::vector<std::string> ignored;  ///< results that are not compared, by name
};

struct Pairing {
  std::vector<Pair> arguments, results;
  std::vector<std::string> ignored;
};

/// Arguments belong together by name where both programs have the same names, and by position otherwise; results alike.
/// Throws Error, with the names, where their numbers, element types or shapes do not fit, and where an option names
/// nothing.
Pairing pairingOf(const stablehlo::Function& replica, const stablehlo::Function& global, const PairingOptions& options);

}  // namespace shardlaw::programs
