// The synchronised batch normalisation of SEMANTICS 2.3 as a composition of nodes and three collectives.
#pragma once

#include "interp/ir/builder.h"

namespace shardlaw {

struct SyncForward {
  ValueId statistics;  ///< [2C], packed [μ ‖ σ²] of the global batch, on every replica
  ValueId y;           ///< [N,C,H,W]
};

struct SyncBackward {
  ValueId dyStatistics;  ///< [4C], [μ ‖ σ² ‖ mdy ‖ mdyx] of the global batch, on every replica
  ValueId dx;            ///< [N,C,H,W]
  ValueId gammaGrad;     ///< [C], the replica's own sum: averaged with the other parameter gradients
  ValueId betaGrad;      ///< [C], likewise
};

/// μ := AR(bnBatchMean x); v := AR(bnBatchVarAt(x, μ)); the result is bnPack(μ, v), [2C].
ValueId addSyncStatistics(Builder& builder, ValueId x);

/// y := bnSync(x, γ, β, statistics), statistics as above. x is [N,C,H,W], γ and β are [C].
SyncForward addSyncForward(Builder& builder, ValueId x, ValueId gamma, ValueId beta, const Rational& eps);

/// ds := AR(bnSyncDyStats(x, γ, dy, st)); dx := bnSyncBack(x, γ, dy, ds); the gradients of γ and β.
SyncBackward addSyncBackward(Builder& builder, ValueId x, ValueId gamma, ValueId dy, ValueId statistics,
                             const Rational& eps);

}  // namespace shardlaw
