// Writing StableHLO programs as text.
#pragma once

#include <string>

#include "interp/stablehlo/module.h"

namespace shardlaw::stablehlo {

/// One text per module, in MLIR's pretty form, with the header of each function on a line of its own and the names of
/// its values. parseModule gives the module again but for positions, and XLA's parser accepts it. A float that was
/// given by its bits is written by them; a rational that no decimal is as the shortest decimal that rounds as it does.
std::string print(const Module& module);

}  // namespace shardlaw::stablehlo
