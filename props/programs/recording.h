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

/// Both programs with their structures, at R replicas.
struct Sides {
  const Analysis& replica;
  const Recording& atReplicas;
  const Analysis& global;
  const Recording& atGlobal;
  std::int64_t replicas;
};

/// How many pairs of different expressions could be equal by chance, for a family of functions.
///
/// Where at this point the global arguments are seen to be pairwise distinct, and each value of the replicas' arguments
/// is seen to be one of theirs, cut or copied, what is left to chance is that such a value is another expression.
/// Otherwise any two arguments may coincide.
double coincidencesOf(const Sides& sides, Family family);

/// The same for comparisons. Their outcomes are bits, equal by chance half of the time: so every comparison of the
/// replicas must be one of the global program's, with operands cut or copied from that one's. `unmatched` says where
/// one is not.
double comparedCoincidencesOf(const Sides& sides, std::string& unmatched);

struct FalsePass {
  double log2 = 0;
  std::string unknown;  ///< why there is no bound
};
/// The chance that different programs have agreed at the point.
FalsePass falsePassOf(const Sides& sides);

}  // namespace shardlaw::programs
