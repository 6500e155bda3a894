// P2, P2a and P2γ: the backward pass of a synchronised batch normalisation.
#include "props/law/common.h"

namespace shardlaw::laws {
namespace {

Claim claimP2(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const BnInputs in = bnInputs(claim, c);
  const ValueId st = addSyncStatistics(claim.left, in.x.left);
  const ValueId dx = addSyncBackward(claim.left, in.x.left, in.gamma.left, in.dy.left, st, c.eps()).dx;
  claim.shard("dx", {dx, claim.right.apply(nodes::bnBatchBack, {in.x.right, in.gamma.right, in.dy.right}, epsOf(c))});
  return std::move(claim).finish();
}

Claim claimP2a(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const BnInputs in = bnInputs(claim, c);
  const Pair ds = claim.shared("ds", Role::dyStatistics, Shape{4 * c[C]});
  claim.shard("dx", claim.apply(nodes::bnSyncBack, {in.x, in.gamma, in.dy, ds}, epsOf(c)), Agreement::bits);
  return std::move(claim).finish();
}

Claim claimP2gamma(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const BnInputs in = bnInputs(claim, c);
  const ValueId st = addSyncStatistics(claim.left, in.x.left);
  const ValueId local = claim.left.apply(nodes::bnSyncGammaGrad, {in.x.left, in.dy.left, st}, epsOf(c));
  claim.averaged("dγ", {local, claim.right.apply(nodes::bnGammaGrad, {in.x.right, in.dy.right}, epsOf(c))});
  return std::move(claim).finish();
}

}  // namespace

extern const Law p2{"P2",
                    "bnSyncBack on replica r, fed by the collective over the replicas' bnSyncDyStats, = "
                    "batchShard(bnBatchBack over G, r)",
                    mapUses({eps}),
                    claimP2,
                    {},
                    {}};
extern const Law p2a{"P2a", "for any ds, bnSyncBack commutes with sharding", mapUses({eps}), claimP2a, {}, {}};
extern const Law p2gamma{
    "P2γ", "AR over replicas of bnSyncGammaGrad = (1/R)·bnGammaGrad over G", mapUses({eps}), claimP2gamma, {}, {}};

}  // namespace shardlaw::laws
