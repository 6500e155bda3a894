// The forward pass of a net, written down as it is built so that it can be gone through backwards.
#pragma once

#include <optional>

#include "net/program.h"

namespace shardlaw {

/// One operation of the forward pass on values that gradients flow through.
struct TapeEntry {
  ValueId result;
  std::vector<ValueId> operands;
  std::string label;
  /// Set for a synchronised BN, whose backward pass is a composition: its packed statistics.
  std::optional<ValueId> statistics;
};

struct ForwardPass {
  ValueId logits;
  std::vector<TapeEntry> tape;
  std::vector<Landmark> landmarks;
  /// For each BN layer the value it normalises, in the order of Net::statistics.
  std::vector<ValueId> normalised;
  /// For each BN layer its packed statistics, where they are synchronised.
  std::vector<ValueId> packed;
};

/// Statistics to normalise by; empty for those of the batch.
using Frozen = std::vector<ValueId>;

/// x is [B, C·H·W]; theta in the order of Net::parameters.
ForwardPass addForward(Builder& builder, const Net& net, const StepOptions& options, ValueId x,
                       const std::vector<ValueId>& theta, const Frozen& frozen = {});

}  // namespace shardlaw
