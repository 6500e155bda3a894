// Numbers worked by hand (SEMANTICS, Example S and others) through the claims of the laws: what the right
// composition gives, and what a wrong version gives instead.
#include "tests/props/support.h"

namespace shardlaw {
namespace {

using test::Cells;
using test::checkCells;
using test::claimOf;
using test::gathered;
using test::valuesOf;
using test::withMutant;

const double root5 = std::sqrt(5.0);

/// Example S over equal shards: x = 0, 2, 4, 6 and dY = 1, 0, 0, 2 on R replicas; μ = 3, σ² = 5.
Case exampleS(int replicas) {
  Case c = test::parsed("C=1,H=1,W=1");
  c[Dimension::R] = replicas;
  c[Dimension::N] = 4 / replicas;
  return c;
}
const Cells s{{"x", {0, 2, 4, 6}}, {"dy", {1, 0, 0, 2}}, {"γ", {1}}, {"β", {0}}};
const std::vector<double> xhat{-3 / root5, -1 / root5, 1 / root5, 3 / root5};
const std::vector<double> dx{0.313050, -0.268328, -0.402492, 0.357771};

TEST_CASE("Example S: statistics, x-hat, dX, dgamma and dbeta are the global ones at any number of replicas") {
  for (const int replicas : {1, 2, 4}) {
    INFO("R = " << replicas);
    const Case c = exampleS(replicas);
    const auto mean = valuesOf(claimOf("statistics", c, 0), s, 0), var = valuesOf(claimOf("statistics", c, 0), s, 1);
    for (const auto& replica : mean.left) checkCells(replica, {3});
    for (const auto& replica : var.left) checkCells(replica, {5});
    checkCells(mean.right, {3});
    checkCells(var.right, {5});
    checkCells(gathered(valuesOf(claimOf("P1", c, 0), s)), xhat);
    checkCells(valuesOf(claimOf("P1", c, 0), s).right, xhat);
    checkCells(gathered(valuesOf(claimOf("P2", c, 0), s)), dx);
    checkCells(valuesOf(claimOf("P2", c, 0), s).right, dx);
    // The law states the mean over replicas of their own sums, 1/R of the gradient 3/√5.
    for (const auto& replica : valuesOf(claimOf("P2γ", c, 0), s).left) checkCells(replica, {3 / root5 / replicas});
    checkCells(valuesOf(claimOf("P2γ", c, 0), s).right, {3 / root5 / replicas});
  }
  const Case one = exampleS(1);
  for (const std::size_t equation : {0, 1, 2, 3}) {
    const std::vector<double> expected[] = {xhat, dx, {3 / root5}, {3}};
    INFO("R1, equation " << equation);
    checkCells(gathered(valuesOf(claimOf("R1", one, 0), s, equation)), expected[equation]);
    checkCells(valuesOf(claimOf("R1", one, 0), s, equation).right, expected[equation]);
  }
}

TEST_CASE("Example S: wrong versions give the numbers that they must give") {
  const Case c = exampleS(2);  // shards 0, 2 and 4, 6: μ_r = 1 and 5, σ²_r = 1
  const auto wrong = [&](std::string_view law, std::string_view mutant, std::size_t equation = 0) {
    return gathered(valuesOf(withMutant(claimOf(law, c, 0), mutant, c), s, equation));
  };
  checkCells(wrong("statistics", "mean-of-variances", 1), {1, 1});
  checkCells(wrong("statistics", "unbiased-variance", 1), {20.0 / 3, 20.0 / 3});
  // m = 2: 5·2/(2 − 1).
  checkCells(wrong("statistics", "local-unbiased-variance", 1), {10, 10});
  checkCells(wrong("statistics", "sum-mean", 0), {6, 6});
  checkCells(wrong("P1", "per-replica-bn"), {-1, 1, -1, 1});
  // dγ at local x̂: −1·1 + 1·2 = 1 instead of 3/√5, each halved by the mean.
  checkCells(wrong("P2γ", "local-xhat"), {0.5, 0.5});
  checkCells(wrong("P2γ", "averaged-twice"), {3 / root5 / 4, 3 / root5 / 4});
  checkCells(wrong("P2γ", "sum-gradient"), {3 / root5, 3 / root5});
  // Not reduced: the replicas' own sums, −3/√5 and 6/√5.
  checkCells(wrong("P2γ", "gradient-not-reduced"), {-3 / root5, 6 / root5});
  checkCells(wrong("P2", "stop-gradient"), {1 / root5, 0, 0, 2 / root5});
  // Over a shard of two, dx is 0: x̂ = ±1 leaves nothing of any dY.
  checkCells(wrong("P2", "per-replica-bn-back"), {0, 0, 0, 0});
  // mdy = 1/2 on replica 0 and 1 on replica 1 instead of 3/4; mdyx = 3/(4√5) is right.
  const auto dxAt = [&](double dy, double mdy, double xh) { return (dy - mdy - xh * 3 / (4 * root5)) / root5; };
  checkCells(wrong("P2", "local-mdy"),
             {dxAt(1, 0.5, xhat[0]), dxAt(0, 0.5, xhat[1]), dxAt(0, 1, xhat[2]), dxAt(2, 1, xhat[3])});
  // mdyx = −3/(2√5) and 6/(2√5) instead of 3/(4√5).
  const auto dxWith = [&](double dy, double mdyx, double xh) { return (dy - 0.75 - xh * mdyx) / root5; };
  const double low = -3 / (2 * root5), high = 3 / root5;
  checkCells(wrong("P2", "local-mdyx"),
             {dxWith(1, low, xhat[0]), dxWith(0, low, xhat[1]), dxWith(0, high, xhat[2]), dxWith(2, high, xhat[3])});
  // Twice the means, m = 2.
  const auto dxTwice = [&](double dy, double xh) { return (dy - 1.5 - xh * 3 / (2 * root5)) / root5; };
  const std::vector<double> doubled{dxTwice(1, xhat[0]), dxTwice(0, xhat[1]), dxTwice(0, xhat[2]), dxTwice(2, xhat[3])};
  checkCells(wrong("P2", "sums-for-means"), doubled);
}

TEST_CASE("gamma belongs into the reductions, once") {
  const Case c = exampleS(2);
  Cells cells = s;
  cells["γ"] = {3};
  // Everything is linear in g = γ·dy.
  checkCells(gathered(valuesOf(claimOf("P2", c, 0), cells)), {3 * dx[0], 3 * dx[1], 3 * dx[2], 3 * dx[3]}, 3e-6);
  const auto wrong = [&](std::string_view mutant) {
    return gathered(valuesOf(withMutant(claimOf("P2", c, 0), mutant, c), cells));
  };
  const auto at = [&](double dy, double xh, double factor) {
    return (3 * dy - factor * (0.75 + xh * 3 / (4 * root5))) / root5;
  };
  checkCells(wrong("gamma-missing"), {at(1, xhat[0], 1), at(0, xhat[1], 1), at(0, xhat[2], 1), at(2, xhat[3], 1)});
  checkCells(wrong("gamma-twice"), {at(1, xhat[0], 9), at(0, xhat[1], 9), at(0, xhat[2], 9), at(2, xhat[3], 9)});
}

TEST_CASE("the variance of 0, 2 and 10, 12 is 26, not the shards' 1") {
  const Case c = test::parsed("R=2,N=2");
  const Cells x{{"x", {0, 2, 10, 12}}};
  for (const std::string_view law : {"S3", "statistics"}) {
    const std::size_t equation = law == "S3" ? 0 : 1;
    checkCells(gathered(valuesOf(claimOf(law, c), x, equation)), {26, 26});
    checkCells(valuesOf(claimOf(law, c), x, equation).right, {26});
    checkCells(gathered(valuesOf(withMutant(claimOf(law, c), "mean-of-variances", c), x, equation)), {1, 1});
  }
  checkCells(gathered(valuesOf(claimOf("S1", c), x)), {6, 6});
  checkCells(gathered(valuesOf(claimOf("S2", c), x)), {62, 62});  // (0 + 4 + 100 + 144)/4
  checkCells(gathered(valuesOf(claimOf("S4", c), x)), {62});      // 26 + 36
}

TEST_CASE("statistics are not constants in the backward pass") {
  const Cells x{{"x", {1, 3}}, {"dy", {1, 0}}, {"γ", {1}}, {"β", {0}}};
  for (const int replicas : {1, 2}) {
    Case c = test::parsed("R=1");
    c[Dimension::R] = replicas;
    c[Dimension::N] = 2 / replicas;
    INFO("R = " << replicas);
    checkCells(gathered(valuesOf(claimOf("P2", c, 0), x)), {0, 0});
    checkCells(gathered(valuesOf(claimOf("P2", c, 1), x)), {0.176777, -0.176777});
    checkCells(valuesOf(claimOf("P2", c, 1), x).right, {0.176777, -0.176777});
    checkCells(gathered(valuesOf(withMutant(claimOf("P2", c, 0), "stop-gradient", c), x)), {1, 0});
  }
}

TEST_CASE("the gradient of a mean over the global batch is the same at every number of replicas") {
  std::vector<double> x, dy;
  for (int i = 1; i <= 12; ++i) x.push_back(i);
  for (const int replicas : {1, 2, 3, 4}) {
    INFO("R = " << replicas);
    Case c = test::parsed("C=1,K=1");
    c[Dimension::R] = replicas;
    c[Dimension::N] = 12 / replicas;
    c[Dimension::subject] = test::subjectNamed("P4", "denseWeightGrad");
    // A replica divides its loss by N, so its cotangent is 1/N; dw = Σ x/12 = 6.5.
    const Cells cells{{"x", x}, {"dy", std::vector<double>(12, replicas / 12.0)}};
    const Claim claim = claimOf("P4", c);
    const auto dw = [&](const Claim& of) { return gathered(valuesOf(of, cells)); };
    checkCells(dw(claim), std::vector<double>(static_cast<std::size_t>(replicas), 6.5));
    if (replicas == 1) continue;
    checkCells(dw(withMutant(claim, "sum-gradient", c)),
               std::vector<double>(static_cast<std::size_t>(replicas), 6.5 * replicas));
    checkCells(dw(withMutant(claim, "averaged-twice", c)),
               std::vector<double>(static_cast<std::size_t>(replicas), 6.5 / replicas));
    std::vector<double> own;  // r·N + (N + 1)/2
    for (int r = 0; r < replicas; ++r) own.push_back((r * 24 / replicas + 12 / replicas + 1) / 2.0);
    checkCells(dw(withMutant(claim, "gradient-not-reduced", c)), own);
  }
}

TEST_CASE("the transpose of a mean over replicas is a mean") {
  Case c = test::parsed("R=3,C=1");
  c[Dimension::subject] = test::subjectNamed("adjoint", "allReduceMean");
  const Claim claim = claimOf("adjoint", c);
  REQUIRE(claim.pairings.size() == 1);
  for (const std::string_view mutant : {"", "transpose-is-identity"}) {
    const Claim tried = mutant.empty() ? claim : withMutant(claim, mutant, c);
    std::vector<std::vector<Tensor<double>>> inputs;
    for (const double dy : {1.0, 2.0, 6.0})
      inputs.push_back({Tensor<double>(Shape{1}), Tensor<double>(Shape{1}, {dy})});
    const auto values = evaluate(F64(), tried.right.program, std::move(inputs));
    const auto at = static_cast<std::size_t>(tried.pairings[0].cotangents.at(0).second);
    for (std::size_t r = 0; r < 3; ++r)
      CHECK(values[r][at][0] == (mutant.empty() ? 3.0 : std::vector<double>{1, 2, 6}[r]));
  }
}

TEST_CASE("eps stands inside the root") {
  const Cells x{{"x", {1, 3}}, {"γ", {1}}, {"β", {0}}, {"dy", {0, 0}}};
  const Case c = test::parsed("R=2,N=1,eps=0");
  const auto y = [&](const Claim& claim) { return gathered(valuesOf(claim, x)); };
  checkCells(y(claimOf("P1", c)), {-0.707107, 0.707107});
  checkCells(y(withMutant(claimOf("P1", c), "eps-outside", c)), {-0.5, 0.5});
  checkCells(y(withMutant(claimOf("P1", c), "eps-floor", c)), {-1, 1});
  checkCells(y(withMutant(claimOf("P1", c), "eps-missing", c)), {-1, 1});
}

TEST_CASE("a frozen normalisation passes its cotangent through") {
  Case c = test::parsed("R=2,N=1");
  c[Dimension::subject] = test::subjectNamed("P3", "bnEvalBack");
  const Cells cells{{"γ", {2}}, {"var", {4}}, {"dy", {5, -7}}};
  checkCells(gathered(valuesOf(claimOf("P3", c, 0), cells)), {5, -7});
}

TEST_CASE("a pool's cotangent goes to the first maximum, a mask is strict at its kinks") {
  Case c = test::parsed("R=1,N=1");
  c[Dimension::subject] = test::subjectNamed("P3", "maxPool2Back");
  const Cells window{{"x", {1, 2, 2, 2}}, {"dy", {1}}};
  const auto dxOf = [&](const Cells& cells, std::string_view mutant) {
    const Claim right = claimOf("P3", c);
    return gathered(valuesOf(mutant.empty() ? right : withMutant(right, mutant, c), cells));
  };
  checkCells(dxOf(window, ""), {0, 1, 0, 0});
  checkCells(dxOf(window, "last-maximum"), {0, 0, 0, 1});
  checkCells(dxOf(window, "every-maximum"), {0, 1, 1, 1});
  c[Dimension::W] = 4;
  c[Dimension::subject] = test::subjectNamed("P3", "selectPos");
  const Cells kinks{{"p", {0, -0.0, 1, -1}}, {"dy", {1, 1, 1, 1}}};
  checkCells(dxOf(kinks, ""), {0, 0, 1, 0});
  checkCells(dxOf(kinks, "mask-at-zero"), {1, 1, 1, 0});
  c[Dimension::subject] = test::subjectNamed("P3", "selectMid");
  const Cells six{{"p", {6, 0, 5, 7}}, {"dy", {1, 1, 1, 1}}};
  checkCells(dxOf(six, ""), {0, 0, 1, 0});
  checkCells(dxOf(six, "mask-at-six"), {1, 0, 1, 0});
}

TEST_CASE("one row of global examples is dealt out in blocks, not one by one") {
  Case c = test::parsed("R=2,N=2,C=1,K=1");
  c[Dimension::subject] = test::subjectNamed("P4", "denseWeightGrad");
  const Cells cells{{"x", {1, 2, 3, 4}}, {"dy", {1, 10, 100, 1000}}};
  checkCells(gathered(valuesOf(claimOf("P4", c), cells)), {4321.0 / 2, 4321.0 / 2});
  // x is dealt as 1, 3 and 2, 4 while dy stays 1, 10 and 100, 1000: 1 + 30 + 200 + 4000.
  checkCells(gathered(valuesOf(withMutant(claimOf("P4", c), "interleaved", c), cells)), {4231.0 / 2, 4231.0 / 2});
}

TEST_CASE("small gradients are judged on their own scale (CASES 47)") {
  const Law& law = findLaw("P4");
  for (std::size_t subject = 0; subject < law.subjects.size(); ++subject) {
    INFO(law.subjects[subject]);
    Case c = test::parsed("R=3,N=2,C=3,H=2,W=3,K=2,data=generic,scale=1e-4");
    c[Dimension::subject] = static_cast<std::int64_t>(subject);
    const Claim right = law.claim(c);
    CHECK(judgeF64(right, c).kind == Outcome::Kind::holds);
    CHECK(judgeF64(withMutant(right, "sum-gradient", c), c).kind == Outcome::Kind::fails);
  }
}

}  // namespace
}  // namespace shardlaw
