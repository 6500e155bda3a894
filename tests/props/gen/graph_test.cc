#include "props/gen/graph.h"

#include <set>

#include "props/gen/cases.h"
#include "tests/props/support.h"

namespace shardlaw {
namespace {

using enum Dimension;

constexpr std::string_view flavours[] = {"chain", "graph", "eval"};
BnFlavour flavourOf(std::string_view law) {
  return law == "chain" ? BnFlavour::none : law == "graph" ? BnFlavour::batch : BnFlavour::frozen;
}

std::vector<Case> defaultCases(std::string_view law, std::uint64_t seed) {
  const CaseSpace space = caseSpace(findLaw(law), {});
  test::Words words(seed);
  std::vector<Case> cases;
  for (int i = 0; i < 200; ++i) cases.push_back(drawCase(space, words));
  return cases;
}

/// Names of the operations of a program, strided ones with their phase.
std::map<std::string, int> kindsOf(const Program& program) {
  std::map<std::string, int> kinds;
  for (const Value& value : program.values()) {
    if (!value.operation) continue;
    std::string name(value.operation->node->name);
    if (value.operation->attributes.find("phase") != nullptr)
      name += " " + value.operation->attributes.keyword("phase");
    ++kinds[name];
  }
  return kinds;
}

TEST_CASE("two hundred networks have every kind of layer several times, forward and backward") {
  const std::vector<std::string> common{"conv",
                                        "convBack",
                                        "convWeightGrad",
                                        "convBiasGrad",
                                        "depthwise",
                                        "depthwiseBack",
                                        "depthwiseWeightGrad",
                                        "convStrided even",
                                        "convStrided odd",
                                        "convStridedBack even",
                                        "convStridedBack odd",
                                        "convStridedWeightGrad even",
                                        "convStridedWeightGrad odd",
                                        "depthwiseStrided even",
                                        "depthwiseStrided odd",
                                        "depthwiseStridedBack even",
                                        "depthwiseStridedBack odd",
                                        "depthwiseStridedWeightGrad even",
                                        "depthwiseStridedWeightGrad odd",
                                        "maxPool2",
                                        "maxPool2Back",
                                        "maxPool3",
                                        "maxPool3Back",
                                        "relu",
                                        "selectPos",
                                        "relu6",
                                        "selectMid",
                                        "scale",
                                        "shift",
                                        "add",
                                        "bnPerChannel",
                                        "bnPerChannelBack",
                                        "bnPerChannelGammaGrad",
                                        "gap",
                                        "gapBack",
                                        "dense",
                                        "denseBack",
                                        "denseWeightGrad",
                                        "denseBiasGrad"};
  const std::map<std::string_view, std::vector<std::string>> own{
      {"chain", {}},
      {"graph",
       {"bnSync", "bnSyncBack", "bnSyncDyStats", "bnSyncGammaGrad", "bnBetaGrad", "bnBatchMean", "bnBatchVarAt",
        "bnPack", "allReduceMean"}},
      {"eval", {"bnEval", "bnEvalBack", "bnBetaGrad"}}};
  for (const std::string_view law : flavours) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      INFO(law << ", seed " << seed);
      std::map<std::string, int> networksWith;
      for (const Case& c : defaultCases(law, seed))
        for (const auto& [kind, count] : kindsOf(networkClaim(c, flavourOf(law)).left.program)) ++networksWith[kind];
      for (const std::string& kind : common) {
        INFO(kind);
        CHECK(networksWith[kind] >= 3);
      }
      for (const std::string& kind : own.at(law)) {
        INFO(kind);
        CHECK(networksWith[kind] >= 20);
      }
    }
  }
}

TEST_CASE("the first layer of a network differs from one network to the next") {
  std::set<std::string> first;
  Case c = test::parsed("depth=1,R=2,N=2,C=2,H=2,W=3,kH=3,kW=3");
  for (c[graph] = 0; c[graph] < 100; ++c[graph]) {
    std::string kinds;
    const Claim claim = networkClaim(c, BnFlavour::none);
    for (const Value& value : claim.left.program.values()) {
      if (!value.operation) continue;
      if (value.operation->node == &nodes::gap) break;
      kinds += std::string(value.operation->node->name) + " ";
    }
    first.insert(kinds);
  }
  CHECK(first.size() >= 10);
}

/// The forward layers of a network up to its head, as text.
std::vector<std::string> layersOf(const Program& program) {
  std::vector<std::string> layers;
  for (const Value& value : program.values()) {
    if (!value.operation) continue;
    if (value.operation->node == &nodes::gap) break;
    std::string text(value.operation->node->name);
    for (const ValueId operand : value.operation->operands) text += " " + std::to_string(operand);
    for (const auto& [name, attribute] : value.operation->attributes) text += " " + name + toString(attribute);
    layers.push_back(text + toString(value.type.shape));
  }
  return layers;
}

TEST_CASE("the network of a smaller depth is a prefix of a deeper one, so that cases shrink") {
  for (Case c : defaultCases("graph", 3)) {
    for (const BnFlavour flavour : {BnFlavour::none, BnFlavour::batch}) {
      c[depth] = 8;
      const std::vector<std::string> deep = layersOf(networkClaim(c, flavour).left.program);
      std::size_t last = 0;
      for (c[depth] = 1; c[depth] <= 8; ++c[depth]) {
        const std::vector<std::string> layers = layersOf(networkClaim(c, flavour).left.program);
        if (layers.size() < last || layers.size() > deep.size() ||
            !std::equal(layers.begin(), layers.end(), deep.begin()))
          FAIL("depth " << c[depth] << " of graph " << c[graph] << " is no prefix");
        last = layers.size();
      }
    }
  }
}

template <class Position>
std::set<ValueId> checkedIn(const Claim& claim, Position Equation::*side) {
  std::set<ValueId> checked;
  for (const Equation& equation : claim.equations) checked.insert(equation.*side);
  return checked;
}

TEST_CASE("no batched value of either side is left unchecked, nor any gradient") {
  for (const std::string_view law : flavours) {
    for (const Case& c : defaultCases(law, 5)) {
      const Claim claim = networkClaim(c, flavourOf(law));
      const std::set<ValueId> left = checkedIn(claim, &Equation::left), right = checkedIn(claim, &Equation::right);
      const auto requireChecked = [&](const Program& program, const std::set<ValueId>& checked) {
        for (std::size_t id = 0; id < program.values().size(); ++id) {
          const Value& value = program.values()[id];
          if (!value.operation || !value.type.batched || checked.contains(static_cast<ValueId>(id))) continue;
          FAIL(law << ", " << toString(c, {depth, graph}, {}) << ": " << value.operation->node->name
                   << " is unchecked");
        }
      };
      requireChecked(claim.left.program, left);
      requireChecked(claim.right.program, right);
      // Each parameter's gradient is one division on the right; the γ and β of every normalisation are among them.
      std::size_t parameters = 0, gradients = 0;
      for (const ClaimInput& input : claim.inputs) parameters += input.role == Role::weight ? 1 : 0;
      for (const Equation& equation : claim.equations) gradients += equation.what.starts_with("gradient ") ? 1 : 0;
      CHECK(gradients == parameters);
    }
  }
}

TEST_CASE("per-example networks agree to the bit, networks with batch statistics within bounds") {
  const Case c = test::parsed("R=2,N=2,C=2,H=2,W=2,K=2,depth=4,graph=7");
  for (const std::string_view law : flavours) {
    const Claim claim = networkClaim(c, flavourOf(law));
    for (const Equation& equation : claim.equations) {
      if (equation.relation != Relation::shard) continue;
      CHECK(equation.agreement == (law == "graph" ? Agreement::bound : Agreement::bits));
    }
  }
}

TEST_CASE("a frozen network has a frozen normalisation at any depth") {
  for (Case c : defaultCases("eval", 9)) {
    c[depth] = 1;
    if (!kindsOf(networkClaim(c, BnFlavour::frozen).left.program).contains("bnEval")) FAIL("graph " << c[graph]);
  }
}

}  // namespace
}  // namespace shardlaw
