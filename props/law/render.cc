// render: the text of a program denotes what the program denotes.
#include "props/gen/graph.h"
#include "props/law/common.h"

namespace shardlaw::laws {
namespace {

const std::vector<const Node*>& everyNode() {
  static const std::vector<const Node*> nodes(allNodes().begin(), allNodes().end());
  return nodes;
}

/// A program against its own text, at the same number of replicas: every value.
Claim textOf(Claim graph) {
  Claim claim;
  claim.inputs = std::move(graph.inputs);
  claim.left = graph.left;
  claim.right = {graph.left.program, graph.left.replicas, true};
  for (std::size_t id = 0; id < claim.left.program.values().size(); ++id) {
    const Value& value = claim.left.program.values()[id];
    if (!value.operation) continue;
    const auto at = static_cast<ValueId>(id);
    claim.equations.push_back(
        {value.name + " = " + std::string(value.operation->node->name), at, at, Relation::everywhere});
  }
  return claim;
}

Claim claimRender(const Case& c) {
  const Node& node = *everyNode()[static_cast<std::size_t>(c[subject])];
  const Sample sample = node.sample(sampleSizeOf(c));
  ClaimBuilder claim(c[R], c[N], c[R]);
  claim.apply(node, sampleInputs(claim, node, sample), sample.attributes);
  return textOf(std::move(claim).finish());
}

Claim claimRenderGraph(const Case& c) { return textOf(networkClaim(c, BnFlavour::batch)); }

}  // namespace

extern const Law render{
    "render",
    "every node's StableHLO text, read back and evaluated at R replicas, denotes what the node denotes",
    mapUses({K, kH, kW, phase, eps, {subject, {0, static_cast<std::int64_t>(everyNode().size()) - 1}, true}}),
    claimRender,
    namesOf(everyNode()),
    {},
    nullptr,
    Trivial::never};
extern const Law renderGraph{"render-graph",
                             "the same of random data-parallel networks: every value of the text is that of the graph",
                             networkUses(),
                             claimRenderGraph,
                             {},
                             {},
                             nullptr,
                             Trivial::never};

}  // namespace shardlaw::laws
