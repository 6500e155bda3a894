// P1 and P1a: the forward pass of a synchronised batch normalisation.
#include "props/law/common.h"

namespace shardlaw::laws {
namespace {

Claim claimP1(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const BnInputs in = bnInputs(claim, c);
  const ValueId y = addSyncForward(claim.left, in.x.left, in.gamma.left, in.beta.left, c.eps()).y;
  claim.shard("y", {y, claim.right.apply(nodes::bnBatch, {in.x.right, in.gamma.right, in.beta.right}, epsOf(c))});
  return std::move(claim).finish();
}

Claim claimP1a(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const BnInputs in = bnInputs(claim, c);
  const Pair st = claim.shared("st", Role::statistics, Shape{2 * c[C]});
  claim.shard("y", claim.apply(nodes::bnSync, {in.x, in.gamma, in.beta, st}, epsOf(c)), Agreement::bits);
  return std::move(claim).finish();
}

}  // namespace

extern const Law p1{"P1",
                    "bnSync on replica r, fed by the two-round statistics, = batchShard(bnBatch over G, r)",
                    mapUses({eps}),
                    claimP1,
                    {},
                    {}};
extern const Law p1a{"P1a", "for any st, bnSync commutes with sharding", mapUses({eps}), claimP1a, {}, {}};

}  // namespace shardlaw::laws
