// Random data-parallel networks.
#pragma once

#include "props/case.h"
#include "props/claim.h"

namespace shardlaw {

/// What normalises a random network.
enum class BnFlavour {
  none,    ///< nothing that couples examples
  batch,   ///< the synchronised composition on the left, bnBatch on the right
  frozen,  ///< bnEval, at least one
};

/// A network of c.depth random layers (convolutions, depthwise, strides, pools, activations, normalisation,
/// residual joins) and a dense head, drawn from c.graph; forward, and backward from a cotangent of the
/// logits. The network of a smaller depth is a prefix of a larger one's, so that cases shrink.
///
/// The claim has one equation for every value: a batched value on replica r is the shard of the global one,
/// statistics are equal on every replica, and parameter gradients average to 1/R of the global ones. Without
/// batch statistics floats must agree to the bit.
Claim networkClaim(const Case& c, BnFlavour flavour);

}  // namespace shardlaw
