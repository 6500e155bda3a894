// The memory of a training run.
#pragma once

#include "net/net.h"
#include "net/program.h"

namespace shardlaw {

/// The most cells that an evaluation of the program holds at once, where it gives every value up after its last use
/// (interp/exec/evaluate.h).
double peakCells(const Program& program);

/// Throws Error where a run with that step on that many replicas does not fit in memory: before minutes of drawing
/// parameters, and before the machine runs out of it. `bytes` are a cell's.
void requireRunFits(const Net& net, const Program& step, std::int64_t replicas, double bytes);

}  // namespace shardlaw
