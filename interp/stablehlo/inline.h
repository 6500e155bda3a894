// Modules without calls.
#pragma once

#include "interp/stablehlo/module.h"

namespace shardlaw::stablehlo {

/// The module with one function: its entry, in which every call, also inside regions, is replaced by what it calls.
/// Values keep their order; those of a callee get a suffix. Throws Error, with the call's position, where functions
/// call themselves, and where the whole would have more than `most` operations.
Module inlined(const Module& module, std::size_t most = std::size_t{1} << 22);

/// The module, which must be inlined, with these of its results, in that order, and without the operations of the
/// entry's body on which none of them depends.
Module pruned(Module module, const std::vector<std::size_t>& results);

}  // namespace shardlaw::stablehlo
