#include <set>

#include "props/gen/cases.h"
#include "tests/props/support.h"

namespace shardlaw {
namespace {

using Catch::Contains;
using enum Dimension;

TEST_CASE("every law of SEMANTICS 3 up to bf16 is in the table, in its order, by its name") {
  const std::vector<std::string> expected{"S1",      "S2",         "S3",  "S4",      "S5",   "S6",  "P1",
                                          "P1a",     "P2",         "P2a", "P2γ",     "P3",   "P4",  "linear",
                                          "divisor", "statistics", "R1",  "adjoint", "eval", "bf16"};
  std::vector<std::string> found;
  for (const Law* law : allLaws())
    if (std::find(expected.begin(), expected.end(), law->name) != expected.end()) found.emplace_back(law->name);
  CHECK(found == expected);
  std::set<std::string_view> names;
  for (const Law* law : allLaws()) {
    CHECK(names.insert(law->name).second);
    CHECK_FALSE(law->statement.empty());
  }
}

TEST_CASE("laws are found whatever their case, and P2gamma by each of its spellings") {
  for (const std::string_view spelling : {"P2γ", "p2γ", "P2g", "p2g", "P2G", "P2gamma", "p2Gamma", "P2GAMMA"}) {
    INFO(spelling);
    CHECK(findLaw(spelling).name == "P2γ");
  }
  CHECK(findLaw("p2").name == "P2");
  CHECK(findLaw("ADJOINT").name == "adjoint");
  CHECK(findLaw("r1").name == "R1");
}

TEST_CASE("an unknown law is answered with the nearest name") {
  const auto answer = [](std::string_view name) {
    try {
      return std::string(findLaw(name).name);
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  CHECK(answer("P22") == "no law is named 'P22'; did you mean 'P2'? verify --list shows them all");
  CHECK_THAT(answer("ajoint"), Contains("did you mean 'adjoint'?"));
  CHECK_THAT(answer("divisors"), Contains("did you mean 'divisor'?"));
  CHECK_THAT(answer(""), Contains("no law is named ''"));
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST_CASE("every node is a subject of the laws that are about its kind") {
  for (const Node* node : allNodes()) {
    INFO(node->name);
    const bool perExample = node->kind == NodeKind::pointwise || node->kind == NodeKind::perExample;
    CHECK(has(findLaw("P3").subjects, node->name) == perExample);
    CHECK(has(findLaw("P4").subjects, node->name) == node->sumsExamples);
    CHECK(has(findLaw("adjoint").subjects, node->name) == (node->adjoint != nullptr && !node->straightThrough));
    CHECK(has(findLaw("linear").subjects, node->name) == (node->cotangent >= 0));
  }
}

TEST_CASE("P4 is about every gradient that sums over examples and does not round its sum") {
  for (const std::string_view gradient :
       {"convWeightGrad", "convBiasGrad", "convStridedWeightGrad", "depthwiseWeightGrad", "depthwiseStridedWeightGrad",
        "denseWeightGrad", "denseBiasGrad", "bnBetaGrad", "bnPerChannelGammaGrad", "bnSyncGammaGrad"})
    CHECK(has(findLaw("P4").subjects, gradient));
  CHECK_FALSE(has(findLaw("P4").subjects, "convWeightGradBf16"));
  CHECK_FALSE(has(findLaw("P4").subjects, "bnGammaGrad"));
}

TEST_CASE("every node with a forward meaning has a vector-Jacobian product to check") {
  for (const std::string_view node :
       {"conv",     "convStrided", "depthwise", "depthwiseStrided", "dense",  "relu",         "relu6",
        "maxPool2", "maxPool3",    "gap",       "softmax",          "scale",  "shift",        "divConst",
        "add",      "sub",         "mul",       "bnBatch",          "bnEval", "bnPerChannel", "allReduceMean"}) {
    INFO(node);
    CHECK(has(findLaw("adjoint").subjects, node));
  }
}

std::set<const Node*> nodesIn(const Program& program) {
  std::set<const Node*> found;
  for (const Value& value : program.values())
    if (value.operation) found.insert(value.operation->node);
  return found;
}

TEST_CASE("a subject's claim is about the node of that name, and no subject has another's") {
  for (const std::string_view name : {"P3", "P4", "adjoint", "linear"}) {
    const Law& law = findLaw(name);
    REQUIRE(law.uses.size() > 1);
    for (std::size_t i = 0; i < law.subjects.size(); ++i) {
      Case c = test::parsed("R=2,N=2,C=2,H=2,W=2,K=2,kH=2,kW=2");
      c[subject] = static_cast<std::int64_t>(i);
      INFO(law.name << " " << law.subjects[i]);
      const Node* node = law.subjects[i] == "synchronised bn" ? &nodes::bnSync : findNode(law.subjects[i]);
      CHECK(nodesIn(law.claim(c).left.program).contains(node));
    }
    const auto use =
        std::find_if(law.uses.begin(), law.uses.end(), [](const Use& u) { return u.dimension == subject; });
    REQUIRE(use != law.uses.end());
    CHECK(use->hard);
    CHECK(use->range == Range{0, static_cast<std::int64_t>(law.subjects.size()) - 1});
  }
}

TEST_CASE("every node of the table is met by some law") {
  std::set<const Node*> met;
  for (const Law* law : allLaws()) {
    const CaseSpace space = caseSpace(*law, {});
    test::Words words(2);
    for (int i = 0; i < 400; ++i) {
      const Claim claim = law->claim(drawCase(space, words));
      met.merge(nodesIn(claim.left.program));
      met.merge(nodesIn(claim.right.program));
    }
  }
  for (const Node* node : allNodes()) {
    INFO(node->name);
    CHECK(met.contains(node));
  }
}

TEST_CASE("laws about per-example maps ask for equal bits, others for a bound") {
  const Case c = test::parsed("R=2,N=2,C=2");
  for (const std::string_view law : {"P1a", "P2a", "P3", "bf16"})
    CHECK(findLaw(law).claim(c).equations[0].agreement == Agreement::bits);
  for (const std::string_view law : {"P1", "P2", "P2γ", "P4", "S1"})
    CHECK(findLaw(law).claim(c).equations[0].agreement == Agreement::bound);
}

TEST_CASE("claims have R replicas of N examples on the left and one of R·N on the right") {
  Case c = test::parsed("R=3,N=2");
  for (const std::string_view law : {"S1", "P1", "P2", "P2γ", "P3", "P4", "graph", "divisor", "statistics"}) {
    const Claim claim = findLaw(law).claim(c);
    INFO(law);
    CHECK(claim.left.replicas == 3);
    CHECK(claim.right.replicas == 1);
    CHECK_FALSE(claim.equations.empty());
    for (const ClaimInput& input : claim.inputs)
      if (input.global.batched) CHECK(input.global.shape[0] == 6);
  }
  CHECK(findLaw("adjoint").claim(c).right.replicas == 3);
  CHECK_FALSE(findLaw("adjoint").claim(c).pairings.empty());
}

Outcome::Kind judged(std::string_view law, std::string_view domain, const Case& c) {
  return findJudgeDomain(domain).judge(findLaw(law).claim(c), c, {}).kind;
}

TEST_CASE("the divisor step survives bf16 rounding for powers of two only, and opaque rounding for R = 1 only") {
  const auto failures = [](std::string_view domain, int replicas) {
    int failed = 0;
    Case c = test::parsed("N=2,C=2,H=2,W=3,K=2,kH=3,kW=3,data=1");
    c[R] = replicas;
    for (c.seed = 0; c.seed < 20; ++c.seed) failed += judged("bf16-divisor", domain, c) == Outcome::Kind::fails;
    return failed;
  };
  for (const int replicas : {1, 2, 4, 8, 16}) CHECK(failures("f64", replicas) == 0);
  for (const int replicas : {3, 5, 6, 7, 12}) CHECK(failures("f64", replicas) == 20);
  CHECK(failures("exact", 1) == 0);
  CHECK(failures("exact", 2) == 20);
  CHECK(failures("exact", 4) == 20);
}

TEST_CASE("the mean of shard variances is the variance only where the shard means agree") {
  Case c = test::parsed("R=3,N=2,C=2,H=2,W=2,seed=1");
  for (const auto& [data, fails] :
       {std::pair{DataClass::equalShards, false}, {DataClass::shifted, true}, {DataClass::generic, true}}) {
    c[Dimension::data] = static_cast<int>(data);
    const Claim claim = test::withMutant(test::claimOf("S3", c), "mean-of-variances", c);
    INFO(name(data));
    CHECK((judgeExact(claim, c).kind == Outcome::Kind::fails) == fails);
    CHECK((judgeF64(claim, c).kind == Outcome::Kind::fails) == fails);
  }
}

}  // namespace
}  // namespace shardlaw
