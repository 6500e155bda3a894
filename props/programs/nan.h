// NaN constants of two programs.
#pragma once

#include "interp/stablehlo/module.h"

namespace shardlaw::programs {

/// The name of the argument that stands for NaN; no text has it.
inline constexpr const char* nanName = "NaN constant";

/// A NaN that is never looked at is part of many programs: gather fills with it what lies outside. The field has none.
/// Where a program has splats of NaN in its entry function, both programs get one argument more, last, and those
/// constants are copies of it: what holds for any number there does not depend on it being none. Both are inlined.
void replaceNaNs(stablehlo::Module& replica, stablehlo::Module& global);

}  // namespace shardlaw::programs
