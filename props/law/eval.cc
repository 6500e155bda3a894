// Eval: with frozen statistics an example's logits do not depend on its batch.
#include <cmath>

#include "net/forward.h"
#include "props/gen/graph.h"
#include "props/law/common.h"

namespace shardlaw::laws {
namespace {

Claim evalClaim(const Net& net, std::int64_t replicas, std::int64_t examples) {
  ClaimBuilder claim(replicas, examples);
  const Pair x = claim.batched("x", Role::activation, Shape{net.image.cells()});
  std::vector<ValueId> leftTheta, rightTheta, leftFrozen, rightFrozen;
  for (const Parameter& parameter : net.parameters) {
    const Pair pair = claim.shared(parameter.name, Role::weight, parameter.shape);
    if (parameter.initial == Initial::heNormal) claim.scaleBy(std::sqrt(parameter.heVariance()));
    leftTheta.push_back(pair.left);
    rightTheta.push_back(pair.right);
  }
  for (const Statistic& statistic : net.statistics) {
    const Pair pair = claim.shared(statistic.name, statistic.isVariance ? Role::variance : Role::mean, statistic.shape);
    leftFrozen.push_back(pair.left);
    rightFrozen.push_back(pair.right);
  }
  const ForwardPass left = addForward(claim.left, net, {}, x.left, leftTheta, leftFrozen);
  const ForwardPass right = addForward(claim.right, net, {}, x.right, rightTheta, rightFrozen);
  for (std::size_t i = 0; i < left.landmarks.size(); ++i)
    claim.shard(left.landmarks[i].name, {left.landmarks[i].value, right.landmarks[i].value}, Agreement::bits);
  return std::move(claim).finish();
}

Claim claimEval(const Case& c) {
  if (c[Dimension::net] == randomNet) return networkClaim(c, BnFlavour::frozen);
  const NamedNet& named = netOf(c[Dimension::net]);
  Claim claim = evalClaim(named.make(), c[R], c[N]);
  claim.skeleton = std::make_shared<const Claim>(evalClaim(named.skeleton(), c[R] == 1 ? 1 : 2, 1));
  return claim;
}

}  // namespace

extern const Law eval{"eval",
                      "a forward with frozen statistics treats examples independently: every value of "
                      "replica r is the shard of the global one",
                      networkUses({{Dimension::net, {randomNet, smallNets().high}}}),
                      claimEval,
                      {},
                      {}};

}  // namespace shardlaw::laws
