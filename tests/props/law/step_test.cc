// The laws about whole train steps: what holds, and the first value that shows each wrong version.
#include <set>

#include "net/program.h"
#include "tests/props/support.h"

namespace shardlaw::test {
namespace {

using enum Dimension;

constexpr std::string_view optimizers[] = {"sgd", "mom", "adam"};

Case caseOf(std::string_view net, std::string_view optimizer, std::string_view more = "") {
  Case c = parsed("R=3,N=2,data=generic,net=" + std::string(net) + ",optimizer=" + std::string(optimizer) +
                  std::string(more));
  c.seed = 7;
  return c;
}

std::string showOf(const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::undefined) return "undefined: " + outcome.reason;
  return outcome.kind == Outcome::Kind::holds ? "holds" : outcome.mismatch->what;
}

/// "holds", or the first equation that fails in `exact`.
std::string verdict(const Claim& claim, const Case& c) { return showOf(judgeExact(claim, c)); }

TEST_CASE("step and lockstep hold exactly and in f64, with every optimizer on both small nets") {
  for (const std::string_view net : {"tiny-bn", "tiny-resnet"})
    for (const std::string_view optimizer : optimizers)
      for (const std::string_view law : {"step", "lockstep"}) {
        INFO(law << " of " << net << " by " << optimizer);
        const Case c = caseOf(net, optimizer, law == "step" ? "" : ",steps=3");
        const Claim claim = findLaw(law).claim(c);
        const Outcome outcome = judgeExact(claim, c);
        CHECK(showOf(outcome) == "holds");
        CHECK_FALSE(outcome.vacuous);
        CHECK(outcome.falsePassLog2 < falsePassTarget);
        CHECK(showOf(judgeF64(claim, c)) == "holds");
      }
}

TEST_CASE("a step's equations are about every value of the forward pass, every cotangent and all that is handed back") {
  const Case c = caseOf("tiny-bn", "adam");
  std::set<std::string> names;
  const Claim claim = findLaw("step").claim(c);
  for (const Equation& equation : claim.equations) names.insert(equation.what);
  for (const std::string name : {"conv1",          "bn1",
                                 "relu1",          "pool1",
                                 "flatten",        "dense5",
                                 "relu6",          "dense7",
                                 "n1mu",           "n4var",
                                 "logits.d",       "dense7.dx",
                                 "relu6.dx",       "flatten.dx",
                                 "pool2.dx",       "bn4.dx",
                                 "conv4.dx",       "conv2.dx",
                                 "gradient of W1", "gradient of cb4",
                                 "gradient of g3", "gradient of bt2",
                                 "gradient of b7", "W1m'",
                                 "bt4v'",          "b7'",
                                 "mean loss"})
    CHECK(names.contains(name));
  CHECK_FALSE(names.contains("conv1.dx"));  // nothing asks for the gradient of the images
  // Four values for each of 22 parameters.
  CHECK(std::count_if(names.begin(), names.end(), [](const auto& name) { return name.ends_with('\''); }) == 3 * 22);
  for (const Equation& equation : claim.equations) {
    INFO(equation.what);
    CHECK((equation.relation == Relation::shard) == claim.left.program.value(equation.left).type.batched);
  }
}

/// A mutant, and where it shows on each net; empty where it changes nothing there.
struct Kill {
  std::string_view mutant, optimizer, plain, residual;
};

// In the order of a step: forward, statistics, backward, updates; so the first value that differs is where the slip is.
constexpr Kill kills[] = {
    {"interleaved", "sgd", "conv1", "conv0"},
    {"per-replica-bn", "sgd", "bn1", "bn0"},
    {"statistic-slots-swapped", "sgd", "n1mu", "n0mu"},
    {"both-divisors", "sgd", "logits.d", "logits.d"},
    {"local-mdy", "sgd", "bn4.dx", "bn2_2_2.dx"},
    {"local-mdyx", "sgd", "bn4.dx", "bn2_2_2.dx"},
    {"local-xhat", "sgd", "gradient of g1", "gradient of g0"},
    {"one-gradient-not-reduced", "sgd", "gradient of bt1", "gradient of bt0"},
    {"one-gradient-not-reduced", "adam", "gradient of bt1", "gradient of bt0"},
    {"bf16-weight-gradient", "sgd", "gradient of W1", "gradient of W1_1_1"},
    {"other-bias-gradient", "sgd", "bt1'", "bt0'"},
    {"other-bias-gradient", "mom", "bt1v'", "bt0v'"},
    {"other-bias-gradient", "adam", "bt1m'", "bt0m'"},
    {"other-moments", "sgd", "", ""},
    {"other-moments", "mom", "W1v'", "W0v'"},
    {"other-moments", "adam", "W1m'", "W0m'"},
    {"coupled-decay", "sgd", "", ""},
    {"coupled-decay", "adam", "W1m'", "W0m'"},
};

TEST_CASE("every slip of a whole step shows at the value where it was made") {
  for (const Kill& kill : kills)
    for (const auto& [net, where] : {std::pair{"tiny-bn", kill.plain}, {"tiny-resnet", kill.residual}}) {
      INFO(kill.mutant << " on " << net << " by " << kill.optimizer);
      const Case c = caseOf(net, kill.optimizer);
      Claim claim = findLaw("step").claim(c);
      CHECK(applyMutant(findMutant(kill.mutant), claim, c) == !where.empty());
      CHECK(verdict(claim, c) == (where.empty() ? "holds" : where));
    }
}

TEST_CASE("a slip in lockstep shows in the first step that has it") {
  const Case c = caseOf("tiny-bn", "adam", ",steps=2");
  const Claim claim = findLaw("lockstep").claim(c);
  CHECK(verdict(withMutant(claim, "one-gradient-not-reduced", c), c) == "step 1: gradient of bt1");
  CHECK(verdict(withMutant(claim, "other-moments", c), c) == "step 1: W1m'");
}

int reductionsIn(const Program& program) {
  return static_cast<int>(std::count_if(program.values().begin(), program.values().end(), [](const Value& value) {
    return value.operation && value.operation->node == &nodes::allReduceMean;
  }));
}

TEST_CASE("of all gradients that one-gradient-not-reduced could leave alone it leaves one") {
  for (const std::string_view optimizer : optimizers) {
    const Case c = caseOf("tiny-bn", optimizer);
    const Claim right = findLaw("step").claim(c), wrong = withMutant(right, "one-gradient-not-reduced", c);
    CHECK(reductionsIn(wrong.left.program) == reductionsIn(right.left.program) - 1);
  }
}

/// The claim with operations of its left side replaced.
Claim changed(Claim claim, const Replacement& replace) {
  std::vector<ValueId> map;
  const std::string before = claim.left.program.text();
  claim.left.program = rewrite(claim.left.program, replace, map);
  REQUIRE(claim.left.program.text() != before);
  for (Equation& equation : claim.equations) equation.left = map[static_cast<std::size_t>(equation.left)];
  return claim;
}

TEST_CASE("state that is threaded wrongly from step to step is seen, and not before the step that reads it") {
  const Case c = caseOf("tiny-bn", "adam", ",steps=3");
  const Claim claim = findLaw("lockstep").claim(c);
  // The second step reads the first one's old moments again, or the third the second's.
  const auto stale = [](int step) {
    return [step](Builder& builder, const Operation& operation, const std::vector<ValueId>& operands) {
      std::optional<ValueId> replaced;
      if (operation.node != &nodes::adamwMoment) return replaced;
      const auto& made = builder.program().value(operands[0]).operation;
      if (!made) return replaced;
      const bool isThird = builder.program().value(made->operands[0]).operation.has_value();
      if (isThird == (step == 3))
        replaced = builder.apply(nodes::adamwMoment, {made->operands[0], operands[1]}, operation.attributes);
      return replaced;
    };
  };
  CHECK(verdict(changed(claim, stale(2)), c) == "step 2: W1m'");
  CHECK(verdict(changed(claim, stale(3)), c) == "step 3: W1m'");
}

TEST_CASE("each step of lockstep has a rate, corrections and data of its own") {
  const Case c = caseOf("tiny-resnet", "adam", ",steps=3");
  const Claim claim = findLaw("lockstep").claim(c);
  std::set<std::string> names;
  for (const ClaimInput& input : claim.inputs) names.insert(input.name);
  for (const char* name : {"lr", "bc1", "bc2", "x", "onehot"})
    for (const char* step : {"", "@2", "@3"}) CHECK(names.contains(std::string(name) + step));
  // θ, m and v are given once.
  CHECK(names.size() == 3 * 5 + 3 * findNet("tiny-resnet").make().parameters.size());
  // The rate, or a correction, of another step.
  for (const std::size_t operand : {3U, 4U, 5U}) {
    const Claim slipped =
        changed(claim, [&](Builder& builder, const Operation& operation, std::vector<ValueId> operands) {
          std::optional<ValueId> replaced;
          if (operation.node != &nodes::adamw) return replaced;
          const std::string& name = builder.program().value(operands[operand]).name;
          if (!name.ends_with("@3")) return replaced;
          operands[operand] = builder.program().find(name.substr(0, name.size() - 1) + "2");
          replaced = builder.apply(nodes::adamw, operands, operation.attributes);
          return replaced;
        });
    CHECK(verdict(slipped, c) == "step 3: W0'");
  }
}

TEST_CASE("step-bf16 holds without the convolutions' weight gradients, and says nothing of them") {
  for (const std::string_view optimizer : optimizers) {
    const Case c = caseOf("tiny-bn", optimizer);
    const Claim claim = findLaw("step-bf16").claim(c);
    CHECK(verdict(claim, c) == "holds");
    CHECK(showOf(judgeF64(claim, c)) == "holds");
    std::set<std::string> names;
    for (const Equation& equation : claim.equations) names.insert(equation.what);
    for (int i = 1; i <= 4; ++i) {
      CHECK_FALSE(names.contains("gradient of W" + std::to_string(i)));
      CHECK(names.contains("gradient of cb" + std::to_string(i)));
    }
    for (const char* name : {"gradient of W5", "gradient of W7", "conv2.dx", "conv4", "n4var"})
      CHECK(names.contains(name));
    CHECK(std::none_of(names.begin(), names.end(), [](const auto& name) { return name.ends_with('\''); }));
  }
}

/// A bf16 step whose replicas divide by the global batch, and the gradients of the parameters of one kind.
Claim bf16Gradients(const std::string& kind) {
  const Net net = findNet("tiny-bn").make();
  constexpr std::int64_t replicas = 2, examples = 2;
  ClaimBuilder claim(replicas, examples);
  StepInputs left{}, right{};
  const auto set = [&](Pair pair, ValueId StepInputs::*slot) { left.*slot = pair.left, right.*slot = pair.right; };
  set(claim.batched("x", Role::activation, Shape{net.image.cells()}), &StepInputs::x);
  set(claim.batched("onehot", Role::label, Shape{net.classes}), &StepInputs::onehot);
  for (const auto& [name, slot] :
       {std::pair{"lr", &StepInputs::lr}, {"bc1", &StepInputs::bc1}, {"bc2", &StepInputs::bc2}})
    set(claim.shared(name, Role::variance, Shape{}), slot);
  for (const auto& [suffix, slot] : {std::pair{"", &StepInputs::theta}, {"m", &StepInputs::m}, {"v", &StepInputs::v}})
    for (const Parameter& parameter : net.parameters) {
      const Pair pair = claim.shared(parameter.name + suffix, Role::weight, parameter.shape);
      (left.*slot).push_back(pair.left);
      (right.*slot).push_back(pair.right);
    }
  StepOptions options;
  options.bf16 = true;
  options.divisor = replicas * examples;
  const StepValues global = addTrainStep(claim.right, net, options, right);
  options.replicas = replicas;
  const StepValues parallel = addTrainStep(claim.left, net, options, left);
  for (std::size_t i = 0; i < global.landmarks.size(); ++i) {
    const Landmark& mark = parallel.landmarks[i];
    REQUIRE(mark.name == global.landmarks[i].name);
    if (!mark.name.starts_with("gradient of " + kind)) continue;
    const ValueId sum = claim.left.apply(nodes::scale, {mark.value}, {{"by", Attribute{Rational(replicas)}}});
    claim.everywhere(mark.name, {sum, global.landmarks[i].value});
  }
  return std::move(claim).finish();
}

TEST_CASE("with the bf16 weight gradients step-bf16 would be false: each replica rounds its own sum") {
  const Case c = parsed("R=2,N=2,data=generic,net=tiny-bn");
  CHECK(verdict(bf16Gradients("cb"), c) == "holds");
  CHECK(verdict(bf16Gradients("bt"), c) == "holds");
  CHECK(verdict(bf16Gradients("b5"), c) == "holds");
  CHECK(verdict(bf16Gradients("W5"), c) == "holds");
  for (const std::string name : {"W1", "W2", "W3", "W4"})
    CHECK(verdict(bf16Gradients(name), c) == "gradient of " + name);
}

}  // namespace
}  // namespace shardlaw::test
