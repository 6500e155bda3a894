// A step in miniature: the averaged gradient of a dense layer through an optimizer.
#include "props/law/common.h"

namespace shardlaw::laws {
namespace {

struct Optimized {
  Pair gradient, theta;
};

/// The loss gradient of a dense layer, averaged on the left, and a parameter of its shape.
Optimized gradientOf(ClaimBuilder& claim, const Case& c) {
  const Pair x = claim.batched("x", Role::activation, channelsOf(c));
  const Pair z = claim.batched("z", Role::logit, Shape{c[K]});
  const Pair t = claim.batched("t", Role::label, Shape{c[K]});
  const Pair dz = claim.applyLeftRight(nodes::crossEntropyCotangent, {z, t}, {{"batch", Attribute{c[N]}}},
                                       {{"batch", Attribute{c.globalBatch()}}});
  Pair gradient = claim.apply(nodes::denseWeightGrad, {x, dz});
  gradient.left = claim.left.apply(nodes::allReduceMean, {gradient.left});
  return {gradient, claim.shared("θ", Role::weight, Shape{c[C], c[K]})};
}

void addSgd(ClaimBuilder& claim, const Optimized& step, Pair lr) {
  claim.everywhere("θ'", claim.apply(nodes::sgd, {step.theta, step.gradient, lr}));
}

void addNesterov(ClaimBuilder& claim, const Case& c, const Optimized& step, Pair lr) {
  const Attributes momentum{{"momentum", Attribute{ratio(9, 10)}}};
  const Pair v = claim.shared("velocity", Role::weight, Shape{c[C], c[K]});
  const Pair next = claim.apply(nodes::nesterovVelocity, {v, step.gradient}, momentum);
  claim.everywhere("v'", next);
  claim.everywhere("θ'", claim.apply(nodes::nesterov, {step.theta, step.gradient, next, lr}, momentum));
}

void addAdamw(ClaimBuilder& claim, const Case& c, const Optimized& step, Pair lr) {
  const auto betas = [](const char* beta, const char* rest) {
    return Attributes{{"beta", Attribute{decimal(beta)}}, {"oneMinusBeta", Attribute{decimal(rest)}}};
  };
  const Shape shape{c[C], c[K]};
  const Pair m = claim.shared("m", Role::weight, shape);
  const Pair v = claim.shared("second moment", Role::variance, shape);
  const Pair bc1 = claim.shared("bc1", Role::variance, Shape{}), bc2 = claim.shared("bc2", Role::variance, Shape{});
  const Pair nextM = claim.apply(nodes::adamwMoment, {m, step.gradient}, betas("0.9", "0.1"));
  const Pair nextV = claim.apply(nodes::adamwSquare, {v, step.gradient}, betas("0.999", "0.001"));
  claim.everywhere("m'", nextM);
  claim.everywhere("v'", nextV);
  // ε and the decay far above their usual sizes: at 1e-8 a wrong place for them is hard to see.
  claim.everywhere("θ'", claim.apply(nodes::adamw, {step.theta, nextM, nextV, lr, bc1, bc2},
                                     {{"eps", Attribute{c.eps()}}, {"decay", Attribute{ratio(1, 10)}}}));
}

Claim claimOptimizer(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Optimized step = gradientOf(claim, c);
  const Pair lr = claim.shared("lr", Role::variance, Shape{});
  switch (c[subject]) {
    case 0: addSgd(claim, step, lr); break;
    case 1: addNesterov(claim, c, step, lr); break;
    default: addAdamw(claim, c, step, lr); break;
  }
  return std::move(claim).finish();
}

}  // namespace

extern const Law optimizers{"optimizer",
                            "a step of SGD, Nesterov or AdamW from the averaged replica gradients is the step from the "
                            "global gradient, moments included",
                            {R, N, C, {K, {2, 6}}, {eps, {0, 3}}, {subject, {0, 2}, true}, Dimension::data, scale},
                            claimOptimizer,
                            {"SGD", "Nesterov", "AdamW"},
                            {}};

}  // namespace shardlaw::laws
