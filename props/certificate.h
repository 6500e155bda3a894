// False-pass bounds for claims with millions of comparisons.
//
// An opaque function of a field is a fixed pseudo-random one, so evaluating a program at a random point is evaluating a
// rational function of the inputs and of one fresh variable per distinct argument, unless two arguments that differ as
// expressions happen to be equal as elements. Bounding that by all pairs of arguments, as `Degree` does, says nothing
// for 10^7 comparisons. But at a given point it can be seen: where the compared cells of the global program are
// pairwise distinct and not 0, no two of its arguments have collided; and as every such cell is compared with its
// namesake of the other program, what is left to chance is, for each cell, that it hits 0 or that it equals a namesake
// that is another expression. So the bound grows with the number of cells and no longer with its square.
#pragma once

#include <map>
#include <vector>

#include "props/judge_impl.h"

namespace shardlaw {

/// The values of a program whose cells are the arguments of comparisons and of √, but for 0: of each operand of a
/// comparing node the value that its cells were selected from.
struct Arguments {
  std::vector<ValueId> compared, roots;
};
Arguments argumentsOf(const Program& program);

/// Whether the cells of the values, −∞ left out, are pairwise distinct and not 0.
bool areDistinct(const std::vector<Tensor<Field>>& values, const std::vector<ValueId>& which);
std::int64_t cellsOf(const Program& program, const std::vector<ValueId>& which);

/// What the false-pass bound of a claim needs to know of its structure, read off its skeleton.
struct Degrees {
  SharedDegreeScalar difference;  ///< of the sides of an equation
  SharedDegree::Counts counts;
  /// Divisions per cell of a result, by the node that made it.
  std::map<const Node*, double> divisions;
};
/// The skeleton has one example per replica.
Degrees degreesOf(const Claim& skeleton);

/// log2 of the bound on one point. `distinct` says whether areDistinct holds there for the arguments of the right
/// side; all pairs are counted where not. `applications` are those of both sides.
double certifiedLog2(const Claim& claim, const Degrees& degrees, const PerOpaque<std::int64_t>& applications,
                     bool distinct);

}  // namespace shardlaw
