// Running a module on the arrays of an .npz file, in the domain of a name.
#pragma once

#include <string>
#include <vector>

#include "interp/stablehlo/evaluate.h"
#include "interp/stablehlo/sharding.h"
#include "interp/tensor/npz.h"

namespace shardlaw::stablehlo {

struct RunOptions {
  std::string domain = "native";
  std::int64_t replicas = 1;
  ShardingRules sharding;
  std::uint64_t seed = 1;  ///< of exact's functions
  long bits = 256;         ///< of wide
  bool trace = false;      ///< keep every value of the entry function
  bool bounds = false;     ///< keep the bounds; of a domain that has them
};

struct RunResult {
  /// One per result, by name. At R > 1 all have a leading axis of replicas.
  std::vector<NamedArray> outputs;
  std::vector<NamedArray> trace, bounds;
  Peak peak;
};

/// The number of replicas or partitions that the module states; 1 where it states none.
std::int64_t statedReplicas(const Module& module);

/// Result i's name: its own, or out<i> where it has none, shares it with another, or could not be written.
std::string resultName(const Function& function, std::size_t i);

/// Each argument is the array of its name, or else arr_<i>, as numpy.savez names arrays without names. An array R times
/// as long as the argument along one axis is cut along it; one of the argument's shape is given to every replica.
/// Arrays of another element type are refused: nothing is rounded on the way in.
///
/// Throws Error for an unknown domain, a missing array, or one that does not fit; and what evaluate throws.
RunResult run(const Module& module, const NpzFile& inputs, const RunOptions& options);
/// A module without arguments.
RunResult run(const Module& module, const RunOptions& options);

}  // namespace shardlaw::stablehlo
