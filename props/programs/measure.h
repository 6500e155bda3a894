// How large exact differences are in numbers.
#pragma once

#include "interp/stablehlo/module.h"
#include "props/programs/judge.h"

namespace shardlaw::programs {

/// What an f32 literal is off by, with room for the few operations that carry it on.
inline constexpr double literalRounding = 0x1p-20;

/// Evaluates both programs on random numbers, in wide where that is affordable and in f64 elsewhere, and sets
/// `numbers` and the relative size of each difference: the largest that was seen. Several kinds of points are tried
/// until a difference is larger than the rounding of literals: positive numbers, numbers of both signs for what is
/// sharded (data) and then for everything, since a root of a negative number shows nothing, numbers above 1, since
/// norms are clipped there, and arguments of very different sizes, since a small constant does not matter beside large
/// ones.
///
/// Throws Error where an operation has no meaning there.
void measure(const stablehlo::Module& replica, const stablehlo::Module& global, const JudgeOptions& options,
             Judgement& judgement);

}  // namespace shardlaw::programs
