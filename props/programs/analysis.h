// What a false-pass bound needs to know of a program's structure.
//
// As in props/certificate.h, evaluating a program at a random point of the field is evaluating rational functions of
// the inputs and of one fresh variable per distinct argument of an opaque function, unless two arguments that differ as
// expressions happen to be equal. Here the arguments are found in the text: a comparison compares its operands, an
// exponential has one. Degrees do not depend on sizes, so that one scalar per value will do.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "interp/number/shared_degree.h"
#include "interp/stablehlo/module.h"

namespace shardlaw::programs {

/// What can be mistaken for each other: arguments of comparisons; of √ and 1/√, which are tied; of each other function.
enum class Family { compared, roots, exp, log, tanh, round, other };
inline constexpr std::size_t familyCount = 7;

/// An operation that compares or applies a function: the values whose cells it does that to. Those of a comparison are
/// its operands; those of a function are the values that the cells are copied from, as copies have the same expression.
struct Site {
  Family family;
  const stablehlo::Operation* operation;
  std::vector<stablehlo::ValueId> values;
  double cells = 0;  ///< of its operands, on one replica: each is an application
};

/// Bounds some values: their degrees, and how many different divisors (that are not constant) each of them depends on,
/// on one replica.
struct DegreeBound {
  SharedDegreeScalar degree;
  double divisors = 0;

  void include(const SharedDegreeScalar& other, double itsDivisors) {
    degree = larger(degree, other);
    divisors = std::max(divisors, itsDivisors);
  }
};

/// Of a module without calls.
struct Analysis {
  std::string unknown;                     ///< why no bound is known; empty where one is
  std::vector<SharedDegreeScalar> degree;  ///< of each value's cells
  DegreeBound results;                     ///< of all results together
  /// For each value the one that its cells are copied or chosen from: itself, mostly.
  std::vector<stablehlo::ValueId> source;
  std::vector<Site> sites;
  /// Bounds the arguments of each family.
  std::array<DegreeBound, familyCount> arguments{};
  /// The largest degree of a divisor, but for roots, and its roots.
  double divisor = 0, divisorRoots = 0;
  bool nested = false;  ///< a divisor is a fraction itself
};

Analysis analysed(const stablehlo::Module& module);

}  // namespace shardlaw::programs
