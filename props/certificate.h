// False-pass bounds for claims with millions of comparisons.
//
// An opaque function of a field is a fixed pseudo-random one, so evaluating a program at a random point is evaluating a
// rational function of the inputs and of one fresh variable per distinct argument, unless two arguments that differ as
// expressions happen to be equal as elements. Bounding that by all pairs of arguments, as `Degree` does, says nothing
// for 10^7 comparisons. But at a given point it can be seen: where the compared cells of the global program are
// pairwise distinct and not 0, no two of its arguments have collided; and if every such cell of the other program is
// part of an equation with its namesake, what is left to chance is, for each cell, that it equals a namesake that is
// another expression. So the bound grows with the number of cells and no longer with its square.
#pragma once

#include <map>
#include <vector>

#include "props/judge_impl.h"

namespace shardlaw {

/// The cells of a value, over the one cell of another where there is one.
struct Argument {
  ValueId value;
  ValueId divisor = -1;
  friend auto operator<=>(const Argument&, const Argument&) = default;
};

/// The arguments of comparisons and of √, but for 0: of each operand of a comparing node the value that its cells were
/// selected from. In ascending order, each once.
struct Arguments {
  std::vector<Argument> compared, roots;
};
Arguments argumentsOf(const Program& program);
/// Whether argumentsOf knows what the node compares, or takes the root of.
bool knowsComparisons(const Node& node);
bool knowsRoots(const Node& node);

/// Whether the arguments, −∞ left out, are pairwise distinct and not 0.
bool areDistinct(const std::vector<Tensor<Field>>& values, const std::vector<Argument>& which);
/// Of one replica.
std::int64_t cellsOf(const Program& program, const std::vector<Argument>& which);
/// Whether each argument of the left side is part of an equation with an argument of the right side, its divisor too;
/// those that no equation depends on need not be.
bool areEquated(const Claim& claim);

/// The nodes that round what they are given and what comes out: the bf16 twins.
bool knowsRoundings(const Node& node);
/// Cells that they round in a program, each as often as a node does, and each result.
std::int64_t roundedCellsOf(const Program& program);
/// Whether no two different arguments of rounding have coincided: whether all rounded cells, but for those that are 0,
/// are pairwise distinct. A sum that is rounded inside a node is known by its rounded value: the result, less the bias.
bool areRoundedApart(const Exact& domain, const Program& program, const std::vector<Tensor<Field>>& values);
/// Whether each value of the left side that is rounded, and each that is made by rounding, is part of an equation;
/// those that no equation depends on need not be.
bool areRoundingsEquated(const Claim& claim);

/// What the false-pass bound of a claim needs to know of its structure, read off its skeleton.
struct Degrees {
  SharedDegreeScalar difference;  ///< of the sides of an equation
  SharedDegree::Counts counts;
  /// Divisions per cell of an operation's largest value, operand or result, by its node.
  std::map<const Node*, double> divisions;
};
/// The skeleton has one example per replica.
Degrees degreesOf(const Claim& skeleton);

/// What the evaluation of both sides at one point has shown.
struct PointFacts {
  PerOpaque<std::int64_t> applications;
  std::int64_t sharedRoots = 0;  ///< elements of which both √ and 1/√ were taken
  bool distinct = false;         ///< areDistinct for the arguments of the right side
  bool roundedApart = false;     ///< areRoundedApart for the right side
};

/// log2 of the bound on one point. All pairs of arguments are counted where they are not distinct or not equated.
double certifiedLog2(const Claim& claim, const Degrees& degrees, const PointFacts& facts);

}  // namespace shardlaw
