// P3: per-example maps commute with sharding.
#include "props/gen/graph.h"
#include "props/law/common.h"

namespace shardlaw::laws {
namespace {

const std::vector<const Node*>& perExampleNodes() {
  static const std::vector<const Node*> nodes = nodesWhere(
      [](const Node& node) { return node.kind == NodeKind::pointwise || node.kind == NodeKind::perExample; });
  return nodes;
}

Claim claimP3(const Case& c) {
  const Node& node = *perExampleNodes()[static_cast<std::size_t>(c[subject])];
  const Sample sample = node.sample(sampleSizeOf(c));
  ClaimBuilder claim(c[R], c[N]);
  claim.shard(std::string(node.name), claim.apply(node, sampleInputs(claim, node, sample), sample.attributes),
              Agreement::bits);
  return std::move(claim).finish();
}

Claim claimChain(const Case& c) { return networkClaim(c, BnFlavour::none); }
Claim claimGraph(const Case& c) { return networkClaim(c, BnFlavour::batch); }

}  // namespace

extern const Law p3{
    "P3",
    "batchShard(batchMap f X, r) = batchMap f X_r, aux sharded alike, for every per-example "
    "and pointwise node and VJP",
    mapUses({K, kH, kW, phase, eps, {subject, {0, static_cast<std::int64_t>(perExampleNodes().size()) - 1}, true}}),
    claimP3,
    namesOf(perExampleNodes()),
    {}};
extern const Law chain{"chain",
                       "P3 at random chains of per-example nodes, forward and backward: every value of replica "
                       "r is the shard of the global one",
                       networkUses(),
                       claimChain,
                       {},
                       {}};
extern const Law network{"graph",
                         "P3 and P4 at random data-parallel networks with synchronised BN and residual joins: "
                         "every value of replica r is the shard of the global one",
                         networkUses(),
                         claimGraph,
                         {},
                         {}};
}  // namespace shardlaw::laws
