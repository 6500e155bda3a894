// The one-round exchange [μ ‖ E x²]: right in the reals, and what floats make of it (CASES 15).
#include <catch2/catch.hpp>

#include "interp/exec/evaluate.h"
#include "interp/node/nodes.h"
#include "props/judge.h"
#include "props/law.h"

namespace shardlaw {
namespace {

/// x_k = offset + k/128 for k = 0 … 7: all exact in f32. The variance is 5.25/128² for every offset.
Tensor<float> sharpInput(float offset) {
  Tensor<float> x(Shape{8, 1, 1, 1});
  for (int k = 0; k < 8; ++k) x[k] = offset + static_cast<float>(k) / 128;
  return x;
}

struct Variances {
  float oneRound, twoPass;
};

Variances variancesOf(float offset) {
  Builder builder;
  const ValueId x = builder.batchedInput("x", Shape{8, 1, 1, 1});
  const ValueId mean = builder.apply(nodes::bnBatchMean, {x});
  const ValueId m2 = builder.apply(nodes::bnBatchMean, {builder.apply(nodes::mul, {x, x})});
  builder.result("one-round", builder.apply(nodes::sub, {m2, builder.apply(nodes::mul, {mean, mean})}));
  builder.result("two-pass", builder.apply(nodes::bnBatchVar, {x}));
  const Program program = std::move(builder).finish();
  const auto values = evaluate(F32(), program, {{sharpInput(offset)}});
  const auto at = [&](const char* name) { return values[0][static_cast<std::size_t>(program.find(name))][0]; };
  return {at("one-round"), at("two-pass")};
}

}  // namespace

TEST_CASE("one-round variances in f32 are -1024 at offset 1e5 and +8 at 1e4; two passes are right") {
  CHECK(variancesOf(1e5F).oneRound == -1024.0F);
  CHECK(variancesOf(1e5F).twoPass == 0.0003204345703125F);
  CHECK(variancesOf(1e4F).oneRound == 8.0F);
  CHECK(variancesOf(1e4F).twoPass == 0.0003204345703125F);
}

TEST_CASE("exact and wide accept the one-round exchange; f32 shows what it loses") {
  const Law& law = findLaw("one-round");
  const Case c = law.parse("R=3,N=2,C=2,H=2,W=3,data=largeOffset,seed=11");
  const Claim claim = law.claim(c);
  CHECK(judgeExact(claim, c).kind == Outcome::Kind::holds);
  CHECK(judgeWide(claim, c).kind == Outcome::Kind::holds);
  // |μ| is 1e4 times σ or more: of 24 bits the squares cost 2·log2(1e4) ≈ 26, so nothing is left; of f64's 53,
  // half. The residual is relative to σ².
  const Ladder ladder = ladderOf(claim, c);
  CHECK(ladder.f32 > 0.1);
  CHECK(ladder.f64 < 1e-6);
  CHECK(ladder.f64 > 1e-12);
  CHECK(ladder.falls());
}

TEST_CASE("the bound knows that the one-round exchange cancels, and accepts either evaluation") {
  const Law& law = findLaw("one-round");
  const Case c = law.parse("R=2,N=4,data=largeOffset,seed=5");
  CHECK(judgeF32(law.claim(c), c).kind == Outcome::Kind::holds);
  CHECK(judgeF32(law.claim(c), c).vacuous);
}

}  // namespace shardlaw
