// P4, Linear, Divisor, R1, statistics handed back, Adjoint, bf16.
#include "props/law/common.h"

namespace shardlaw::laws {
namespace {

const std::vector<const Node*>& gradientNodes() {
  static const std::vector<const Node*> nodes = nodesWhere([](const Node& node) { return node.sumsExamples; });
  return nodes;
}
const std::vector<const Node*>& cotangentNodes() {
  static const std::vector<const Node*> nodes = nodesWhere([](const Node& node) { return node.cotangent >= 0; });
  return nodes;
}
const std::vector<const Node*>& adjointNodes() {
  static const std::vector<const Node*> nodes =
      nodesWhere([](const Node& node) { return node.adjoint != nullptr && !node.straightThrough; });
  return nodes;
}
/// The nodes with an adjoint, and the synchronised composition after them.
std::vector<std::string> adjointSubjects() {
  std::vector<std::string> names = namesOf(adjointNodes());
  names.emplace_back("synchronised bn");
  return names;
}
Use subjectsOf(const std::vector<const Node*>& nodes) {
  return {subject, {0, static_cast<std::int64_t>(nodes.size()) - 1}, true};
}

Claim claimP4(const Case& c) {
  const Node& node = *gradientNodes()[static_cast<std::size_t>(c[subject])];
  const Sample sample = node.sample(sampleSizeOf(c));
  ClaimBuilder claim(c[R], c[N]);
  const std::vector<Pair> inputs = sampleInputs(claim, node, sample);
  claim.averaged(std::string(node.name), claim.apply(node, inputs, sample.attributes));
  return std::move(claim).finish();
}

/// VJP(a·dy + b·dy2) = a·VJP(dy) + b·VJP(dy2), and scaling by a power of two is exact even in floats.
Claim claimLinear(const Case& c) {
  const Node& node = *cotangentNodes()[static_cast<std::size_t>(c[subject])];
  const Sample sample = node.sample(sampleSizeOf(c));
  const auto at = static_cast<std::size_t>(node.cotangent);
  ClaimBuilder claim(1, c[N]);
  std::vector<Pair> operands = sampleInputs(claim, node, sample, node.cotangent);
  const Pair dy1 = claim.batched("dy", Role::cotangent, sample.operands[at]);
  const Pair dy2 = claim.batched("dy2", Role::cotangent, sample.operands[at]);
  const auto scaled = [](Builder& side, ValueId value, const Rational& by) {
    return side.apply(nodes::scale, {value}, {{"by", Attribute{by}}});
  };
  const auto leftAt = [&](ValueId dy) {
    std::vector<ValueId> values;
    for (const Pair& operand : operands) values.push_back(operand.left);
    values[at] = dy;
    return claim.left.apply(node, values, sample.attributes);
  };
  const auto rightAt = [&](ValueId dy) {
    std::vector<ValueId> values;
    for (const Pair& operand : operands) values.push_back(operand.right);
    values[at] = dy;
    return claim.right.apply(node, values, sample.attributes);
  };
  const Rational a = ratio(3, 7), b = ratio(-5, 2);
  const ValueId combined =
      claim.left.apply(nodes::add, {scaled(claim.left, dy1.left, a), scaled(claim.left, dy2.left, b)});
  const ValueId one = rightAt(dy1.right);
  const ValueId separate =
      claim.right.apply(nodes::add, {scaled(claim.right, one, a), scaled(claim.right, rightAt(dy2.right), b)});
  const std::string name(node.name);
  sameValue(claim, name + "(3/7·dy − 5/2·dy2)", {leftAt(combined), separate});
  sameValue(claim, name + "(−4·dy)", {leftAt(scaled(claim.left, dy1.left, -4)), scaled(claim.right, one, -4)},
            c.data() == DataClass::subnormal ? Agreement::bound : Agreement::equal);
  return std::move(claim).finish();
}

Claim claimDivisor(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Pair x = claim.batched("x", Role::activation, channelsOf(c));
  const Pair z = claim.batched("z", Role::logit, Shape{c[K]});
  const Pair t = claim.batched("t", Role::label, Shape{c[K]});
  const auto attributes = [&](std::int64_t batch) {
    Attributes made{{"batch", Attribute{batch}}};
    if (c[subject] == 1) made.set("alpha", Attribute{ratio(1, 10)});
    return made;
  };
  const Node& cotangent = c[subject] == 1 ? nodes::crossEntropySmoothedCotangent : nodes::crossEntropyCotangent;
  const Pair dz = claim.applyLeftRight(cotangent, {z, t}, attributes(c[N]), attributes(c.globalBatch()));
  for (const Pair& gradient : {claim.apply(nodes::denseWeightGrad, {x, dz}), claim.apply(nodes::denseBiasGrad, {dz})})
    claim.everywhere("averaged gradient", {claim.left.apply(nodes::allReduceMean, {gradient.left}), gradient.right});
  return std::move(claim).finish();
}

Claim claimStatistics(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Pair x = claim.batched("x", Role::activation, mapOf(c));
  const ValueId st = addSyncStatistics(claim.left, x.left);
  claim.everywhere("mean",
                   {claim.left.apply(nodes::bnStatsMean, {st}), claim.right.apply(nodes::bnBatchMean, {x.right})});
  claim.everywhere("variance",
                   {claim.left.apply(nodes::bnStatsVar, {st}), claim.right.apply(nodes::bnBatchVar, {x.right})});
  return std::move(claim).finish();
}

Claim claimR1(const Case& c) {
  ClaimBuilder claim(1, c[N]);
  const BnInputs in = bnInputs(claim, c);
  const SyncForward forward = addSyncForward(claim.left, in.x.left, in.gamma.left, in.beta.left, c.eps());
  const SyncBackward back =
      addSyncBackward(claim.left, in.x.left, in.gamma.left, in.dy.left, forward.statistics, c.eps());
  const ValueId x = in.x.right, gamma = in.gamma.right, dy = in.dy.right;
  claim.shard("y", {forward.y, claim.right.apply(nodes::bnBatch, {x, gamma, in.beta.right}, epsOf(c))});
  claim.shard("dx", {back.dx, claim.right.apply(nodes::bnBatchBack, {x, gamma, dy}, epsOf(c))});
  claim.everywhere("dγ", {back.gammaGrad, claim.right.apply(nodes::bnGammaGrad, {x, dy}, epsOf(c))});
  claim.everywhere("dβ", {back.betaGrad, claim.right.apply(nodes::bnBetaGrad, {dy})});
  claim.everywhere(
      "μ", {claim.left.apply(nodes::bnStatsMean, {forward.statistics}), claim.right.apply(nodes::bnBatchMean, {x})});
  claim.everywhere(
      "σ²", {claim.left.apply(nodes::bnStatsVar, {forward.statistics}), claim.right.apply(nodes::bnBatchVar, {x})});
  return std::move(claim).finish();
}

/// The synchronised composition as one function of x, γ and β on all replicas: J·dx goes through the forward
/// collectives, the VJP through the backward ones.
Claim claimAdjointSync(const Case& c) {
  ClaimBuilder claim(c[R], c[N], c[R]);
  const Pair x = claim.batched("x", Role::activation, mapOf(c));
  claim.markDifferentiable();
  const Pair gamma = claim.shared("γ", Role::weight, channelsOf(c));
  claim.markDifferentiable();
  const Pair beta = claim.shared("β", Role::weight, channelsOf(c));
  claim.markDifferentiable();
  const Pair dy = claim.batched("dy", Role::cotangent, mapOf(c));
  const ValueId y = addSyncForward(claim.left, x.left, gamma.left, beta.left, c.eps()).y;
  const ValueId st = addSyncStatistics(claim.right, x.right);
  const SyncBackward back = addSyncBackward(claim.right, x.right, gamma.right, dy.right, st, c.eps());
  claim.pairing({y, "dy", {{"x", back.dx}, {"γ", back.gammaGrad}, {"β", back.betaGrad}}});
  return std::move(claim).finish();
}

Claim claimAdjoint(const Case& c) {
  if (static_cast<std::size_t>(c[subject]) == adjointNodes().size()) return claimAdjointSync(c);
  const Node& node = *adjointNodes()[static_cast<std::size_t>(c[subject])];
  const Sample sample = node.sample(sampleSizeOf(c));
  ClaimBuilder claim(c[R], c[N], c[R]);
  std::vector<Pair> inputs;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const std::string name(node.operands[i].name);
    const Role role = roleOf(name);
    inputs.push_back(node.operands[i].batched            ? claim.batched(name, role, sample.operands[i])
                     : node.kind == NodeKind::collective ? claim.perReplica(name, role, sample.operands[i])
                                                         : claim.shared(name, role, sample.operands[i]));
    // A label or a frozen statistic has no cotangent, so nothing may flow into it.
    if (role != Role::label && role != Role::mean && role != Role::variance) claim.markDifferentiable();
  }
  const Pair y = claim.apply(node, inputs, sample.attributes);
  const Type& type = claim.right.type(y.right);
  const Pair dy = type.batched ? claim.batched("dy", Role::cotangent, type.shape.tail())
                               : claim.perReplica("dy", Role::cotangent, type.shape);
  const std::vector<ValueId> cotangents = addAdjoint(claim.right, y.right, dy.right);
  Pairing pairing{y.left, "dy", {}};
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (cotangents[i] >= 0) pairing.cotangents.emplace_back(node.operands[i].name, cotangents[i]);
  claim.pairing(std::move(pairing));
  return std::move(claim).finish();
}

Claim claimBf16(const Case& c) {
  const Node& node = c[subject] == 0 ? nodes::convBf16 : nodes::convBackBf16;
  const Sample sample = node.sample(sampleSizeOf(c));
  ClaimBuilder claim(c[R], c[N]);
  claim.shard(std::string(node.name), claim.apply(node, sampleInputs(claim, node, sample), sample.attributes),
              Agreement::bits);
  return std::move(claim).finish();
}

Claim claimBf16Divisor(const Case& c) {
  const Sample sample = nodes::convWeightGradBf16.sample(sampleSizeOf(c));
  ClaimBuilder claim(1, c[N]);
  const Pair x = claim.batched("x", Role::activation, sample.operands[0]);
  const Pair dy = claim.batched("dy", Role::cotangent, sample.operands[1]);
  const Attributes byReplicas{{"by", Attribute{Rational(static_cast<long>(c[R]))}}};
  const ValueId before = claim.left.apply(
      nodes::convWeightGradBf16, {x.left, claim.left.apply(nodes::divConst, {dy.left}, byReplicas)}, sample.attributes);
  const ValueId after = claim.right.apply(
      nodes::divConst, {claim.right.apply(nodes::convWeightGradBf16, {x.right, dy.right}, sample.attributes)},
      byReplicas);
  claim.everywhere("dW", {before, after}, Agreement::bits);
  return std::move(claim).finish();
}

bool powerOfTwoReplicas(Dimension d, std::int64_t value) { return d != R || (value & (value - 1)) == 0; }

}  // namespace

extern const Law p4{"P4",
                    "AR over replicas of Grad(X_r, DY_r) = (1/R)·Grad(X, DY) for every Σ_n gradient",
                    mapUses({K, kH, kW, phase, eps, subjectsOf(gradientNodes())}),
                    claimP4,
                    namesOf(gradientNodes()),
                    {}};
extern const Law linear{"linear",
                        "a VJP is linear in its cotangent",
                        {N, C, H, W, K, kH, kW, phase, eps, subjectsOf(cotangentNodes()), Dimension::data, scale},
                        claimLinear,
                        namesOf(cotangentNodes()),
                        {},
                        nullptr,
                        Trivial::never};
extern const Law divisor{"divisor",
                         "a replica divides its loss cotangent by N, the global step by R·N: the averaged "
                         "replica gradient is the global gradient",
                         {R, N, C, {K, {2, 6}}, {subject, {0, 1}, true}, Dimension::data, scale},
                         claimDivisor,
                         {"cross-entropy", "smoothed cross-entropy"},
                         {}};
extern const Law statistics{"statistics",
                            "bnStatsMean / bnStatsVar of the packed statistics = bnBatchMean / bnBatchVar over "
                            "G, on every replica",
                            mapUses(),
                            claimStatistics,
                            {},
                            {}};
extern const Law r1{"R1",
                    "at R = 1 every synchronised composition equals its plain node",
                    {{R, {1, 1}, true}, N, C, H, W, eps, Dimension::data, scale},
                    claimR1,
                    {},
                    {},
                    nullptr,
                    Trivial::never};
extern const Law adjoint{"adjoint",
                         "⟨dy, J·dx⟩ = ⟨VJP(dy), dx⟩ for every node that has a VJP",
                         {{R, {1, 6}},
                          N,
                          {C, {1, 5}},
                          {H, {1, 5}},
                          {W, {1, 5}},
                          {K, {1, 5}},
                          kH,
                          kW,
                          phase,
                          {eps, {0, 3}},
                          {subject, {0, static_cast<std::int64_t>(adjointNodes().size())}, true},
                          Dimension::data,
                          {scale, {0, 4}}},
                         claimAdjoint,
                         adjointSubjects(),
                         {},
                         nullptr,
                         Trivial::never};
extern const Law bf16{"bf16",
                      "the bf16 conv forward and input VJP shard exactly",
                      mapUses({K, kH, kW, {subject, {0, 1}, true}}),
                      claimBf16,
                      {"convBf16", "convBackBf16"},
                      {}};
extern const Law bf16divisor{"bf16-divisor",
                             "the divisor step survives bf16 rounding for R a power of two",
                             {R, N, C, H, W, K, kH, kW, {Dimension::data, {0, 4}, true}, scale},
                             claimBf16Divisor,
                             {},
                             {"f64", "f32"},
                             powerOfTwoReplicas,
                             Trivial::oneReplica};

}  // namespace shardlaw::laws
