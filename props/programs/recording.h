// Evaluating one of two programs at a point, and keeping what a bound has to see.
#pragma once

#include <map>
#include <vector>

#include "interp/stablehlo/evaluate.h"
#include "props/programs/analysis.h"
#include "props/programs/point.h"

namespace shardlaw::programs {

/// The field elements that a program compared or gave to opaque functions.
struct Recording {
  stablehlo::Evaluation<Exact> evaluation;
  /// By value: what it was on each replica. Values without variables have one copy of each constant.
  std::map<stablehlo::ValueId, std::vector<Tensor<Field>>> seen;
  PerOpaque<std::int64_t> applications;
  std::int64_t sharedRoots = 0;
};

Recording recorded(std::uint64_t seed, const stablehlo::Module& module, const Analysis& analysis,
                   Arguments<Exact> arguments);

/// What both recordings of a point have shown of a family: how many pairs of arguments could be equal by chance.
struct Coincidences {
  double ways = 0;
  bool seen = false;  ///< the global arguments are apart, and each of the replicas' is one of them
};

/// Both programs with their structures, at R replicas.
struct Sides {
  const stablehlo::Function& replicaFunction;
  const Analysis& replica;
  const Recording& atReplicas;
  const stablehlo::Function& globalFunction;
  const Analysis& global;
  const Recording& atGlobal;
  std::int64_t replicas;
};
Coincidences coincidencesOf(const Sides& sides, Family family);

/// log2 of the bound on the chance that different programs have agreed at the point.
double falsePassLog2(const Sides& sides);

}  // namespace shardlaw::programs
