// S1 to S6: means and variances of a batch from those of its shards.
#include "props/law/common.h"

namespace shardlaw::laws {
namespace {

ValueId average(ClaimBuilder& claim, ValueId value) { return claim.left.apply(nodes::allReduceMean, {value}); }

Claim claimS1(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Pair x = claim.batched("x", Role::activation, mapOf(c));
  const Pair mean = claim.apply(nodes::bnBatchMean, {x});
  claim.everywhere("μ", {average(claim, mean.left), mean.right});
  return std::move(claim).finish();
}

Claim claimS2(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Pair x = claim.batched("x", Role::activation, mapOf(c));
  const Pair m2 = claim.apply(nodes::bnBatchMean, {claim.apply(nodes::mul, {x, x})});
  claim.everywhere("m2", {average(claim, m2.left), m2.right});
  return std::move(claim).finish();
}

Claim claimS3(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Pair x = claim.batched("x", Role::activation, mapOf(c));
  const ValueId mean = average(claim, claim.left.apply(nodes::bnBatchMean, {x.left}));
  const ValueId var = average(claim, claim.left.apply(nodes::bnBatchVarAt, {x.left, mean}));
  claim.everywhere("σ²", {var, claim.right.apply(nodes::bnBatchVar, {x.right})});
  return std::move(claim).finish();
}

Claim claimS4(const Case& c) {
  ClaimBuilder claim(1, c.globalBatch());
  const Pair x = claim.batched("x", Role::activation, mapOf(c));
  const ValueId mean = claim.left.apply(nodes::bnBatchMean, {x.left});
  const ValueId var = claim.left.apply(nodes::bnBatchVar, {x.left});
  const ValueId sum = claim.left.apply(nodes::add, {var, claim.left.apply(nodes::mul, {mean, mean})});
  const ValueId m2 = claim.right.apply(nodes::bnBatchMean, {claim.right.apply(nodes::mul, {x.right, x.right})});
  claim.everywhere("σ² + μ²", {sum, m2});
  return std::move(claim).finish();
}

/// A pointwise function of x and dy: `depth` nodes, each drawn from the bits of the case's graph number.
Pair pointwiseFunction(ClaimBuilder& claim, const Case& c, Pair x, Pair dy) {
  std::vector<Pair> values{x, dy};
  for (std::int64_t i = 0; i < c[depth]; ++i) {
    const std::uint64_t bits = mix64(static_cast<std::uint64_t>(c[graph]), static_cast<std::uint64_t>(i));
    const Pair a = values[(bits >> 8) % values.size()], b = values[(bits >> 16) % values.size()];
    const Node* choices[] = {&nodes::mul, &nodes::add, &nodes::sub, &nodes::relu, &nodes::selectPos, &nodes::mul};
    const Node& node = *choices[bits % 6];
    values.push_back(node.operands.size() == 1 ? claim.apply(node, {a}) : claim.apply(node, {a, b}));
  }
  return values.back();
}

Claim claimS5(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Pair x = claim.batched("x", Role::activation, mapOf(c));
  const Pair dy = claim.batched("dy", Role::cotangent, mapOf(c));
  const Pair mean = claim.apply(nodes::bnBatchMean, {pointwiseFunction(claim, c, x, dy)});
  claim.everywhere("mean f(x, dy)", {average(claim, mean.left), mean.right});
  return std::move(claim).finish();
}

Claim claimS6(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Pair k = claim.shared("K", Role::weight, channelsOf(c));
  claim.everywhere("K", {average(claim, k.left), k.right});
  return std::move(claim).finish();
}

Claim claimOneRound(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Pair x = claim.batched("x", Role::activation, mapOf(c));
  const ValueId mean = average(claim, claim.left.apply(nodes::bnBatchMean, {x.left}));
  const ValueId squares = claim.left.apply(nodes::mul, {x.left, x.left});
  const ValueId m2 = average(claim, claim.left.apply(nodes::bnBatchMean, {squares}));
  const ValueId var = claim.left.apply(nodes::sub, {m2, claim.left.apply(nodes::mul, {mean, mean})});
  claim.everywhere("σ²", {var, claim.right.apply(nodes::bnBatchVar, {x.right})});
  return std::move(claim).finish();
}

}  // namespace

extern const Law s1{"S1", "μ = (1/R) Σ_r μ_r", mapUses(), claimS1, {}, {}};
extern const Law s2{"S2", "m2 = (1/R) Σ_r m2_r, m2 the second moments", mapUses(), claimS2, {}, {}};
extern const Law s3{"S3", "σ² = (1/R) Σ_r (σ²_r + (μ_r − μ)²), Chan", mapUses(), claimS3, {}, {}};
extern const Law s4{"S4", "σ² + μ² = m2", mapUses(), claimS4, {}, {}, nullptr, Trivial::never};
extern const Law s5{"S5",
                    "the mean over M cells of any f(x, dy) is the replica mean of its means over m cells",
                    mapUses({{depth, {1, 5}}, graph}),
                    claimS5,
                    {},
                    {}};
extern const Law s6{"S6",    "(1/R) Σ_r K = K",  {R, C, Dimension::data, scale}, claimS6, {}, {},
                    nullptr, Trivial::oneReplica};

extern const Law oneRound{
    "one-round",
    "σ² = E x² − μ² from one exchange of [μ ‖ E x²]: an identity of the reals whose floats cancel "
    "when |μ| ≫ σ",
    mapUses(),
    claimOneRound,
    {},
    {}};

}  // namespace shardlaw::laws
