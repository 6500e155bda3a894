// What the laws share.
#pragma once

#include "interp/node/nodes.h"
#include "interp/node/synchronised.h"
#include "props/law.h"

namespace shardlaw::laws {

using enum Dimension;

/// [C,H,W] of the case.
inline Shape mapOf(const Case& c) { return Shape{c[C], c[H], c[W]}; }
inline Shape channelsOf(const Case& c) { return Shape{c[C]}; }
inline Attributes epsOf(const Case& c) { return {{"eps", Attribute{c.eps()}}}; }
SampleSize sampleSizeOf(const Case& c);

/// The dimensions of a batch of maps, and how its cells are drawn.
std::vector<Use> mapUses(std::vector<Use> more = {});

/// The dimensions of a random network.
std::vector<Use> networkUses(std::vector<Use> more = {});

/// The inputs of a batch normalisation.
struct BnInputs {
  Pair x, gamma, beta, dy;
};
BnInputs bnInputs(ClaimBuilder& claim, const Case& c);

/// Nodes of the table that satisfy the predicate.
std::vector<const Node*> nodesWhere(bool (*predicate)(const Node&));
std::vector<std::string> namesOf(const std::vector<const Node*>& nodes);

/// Inputs for every operand that the node's sample asks for. `replace` may be −1, or the operand that the
/// caller makes itself.
std::vector<Pair> sampleInputs(ClaimBuilder& claim, const Node& node, const Sample& sample, int skip = -1);

/// shard for a batched value, everywhere for any other.
void sameValue(ClaimBuilder& claim, const std::string& what, Pair value, Agreement agreement = Agreement::bound);

}  // namespace shardlaw::laws
