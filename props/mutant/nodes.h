// Nodes that only mutants use: wrong denotations, and helpers to express wrong compositions.
#pragma once

#include "interp/ir/node.h"

namespace shardlaw::mutant_nodes {

extern const Node maxPool2BackLast, maxPool3BackLast;  ///< dy to the last maximum of a window
extern const Node maxPool2BackAll, maxPool3BackAll;    ///< dy to every maximal cell
extern const Node selectPosAtZero;                     ///< dy where p ≥ 0
extern const Node selectMidAtSix;                      ///< dy where 0 < p ≤ 6
extern const Node rotateExamples;                      ///< example n is example n+1 of the operand, cyclically
extern const Node firstExampleOnly;                    ///< every example but the first is zero
extern const Node bnSyncEpsOutside, bnSyncEpsMissing, bnSyncEpsFloor;  ///< √σ² + ε; √σ²; √max(σ², ε)
extern const Node convPadsSwapped;        ///< rows padded by the kernel's columns, and the reverse
extern const Node maxPool3ZeroPadded;     ///< zeros outside the map
extern const Node adamwEpsInside;         ///< √(v'/bc2 + ε)
extern const Node adamwDecayWithoutRate;  ///< wd·θ in place of (wd·lr)·θ

std::span<const Node* const> all();

}  // namespace shardlaw::mutant_nodes
