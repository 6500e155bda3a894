// Lowering: programs of nodes as StableHLO modules.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "interp/ir/program.h"
#include "interp/stablehlo/module.h"

namespace shardlaw::stablehlo {

struct Lowered {
  Module module;
  /// For each value of the program the value of the module's function that denotes it, under `shapeInText`.
  std::vector<ValueId> values;
};

/// Batched values of any rank are [N, cells of one example] between nodes; others keep their shape.
Shape shapeInText(const Type& type);

/// A module of one function, main, whose arguments and results are those of the program, by name, in f32. The k-th node
/// ends in the value v<k>; what it computes on the way is v<k>_0, v<k>_1, … A node that only gives another shape to
/// what is flat anyway has no operations and no number. All-reduces join `replicas` replicas.
///
/// Values of equal programs have equal names, so that a program that begins with the operations of another has a text
/// that begins with its text.
Lowered lower(const Program& program, std::int64_t replicas);

}  // namespace shardlaw::stablehlo
