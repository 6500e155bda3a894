// Train steps as text: the right one holds, and every wrong one is refuted.
#include <catch2/catch.hpp>
#include <set>

#include "tests/props/programs/edits.h"

namespace shardlaw::programs::test {
namespace {

constexpr std::int64_t batch = 2, replicas = 4;

bool isBias(const std::string& name) { return name.starts_with("cb"); }

/// The parameters whose new value or moments differ, each once.
std::set<std::string> parametersOf(const Judgement& judgement, const Net& net) {
  std::set<std::string> named;
  for (const Difference& difference : judgement.differences)
    for (const Parameter& parameter : net.parameters)
      for (const char* slot : {"", "m", "v"})
        if (difference.name == parameter.name + slot) named.insert(parameter.name);
  return named;
}

/// What a wrong version of every all-reduce comes to: refuted, but for gradients that are 0 on every replica (of a
/// convolution's bias in front of a normalisation), which stay what they are. That of a gradient names its parameter
/// and no other.
template <class F>
void refutesEveryAllReduce(const std::string& name, Optimizer optimizer, const F& wrong) {
  const Net net = findNet(name).make();
  const Module right = step(name, optimizer, batch, replicas), global = step(name, optimizer, batch * replicas, 1);
  REQUIRE(judged(right, global, replicas).outcome == Outcome::holds);
  std::set<std::string> expected, alone;
  for (const Parameter& parameter : net.parameters) expected.insert(parameter.name);
  std::size_t held = 0, zeros = 0;
  for (const Parameter& parameter : net.parameters) zeros += isBias(parameter.name) ? 1 : 0;
  for (const std::size_t at : allReduces(right)) {
    INFO(name << ", operation " << at);
    const Judgement judgement = judged(wrong(right, at), global, replicas);
    held += judgement.outcome == Outcome::holds ? 1 : 0;
    if (judgement.outcome == Outcome::holds) continue;
    CHECK(judgement.outcome == Outcome::refuted);
    const auto parameters = parametersOf(judgement, net);
    if (parameters.size() == 1) alone.insert(*parameters.begin());
  }
  CHECK(held <= zeros);
  for (const std::string& parameter : expected) {
    INFO(parameter);
    CHECK((isBias(parameter) || alone.count(parameter) == 1));
  }
}

TEST_CASE("a step is itself") {
  for (const char* net : {"tiny-bn", "tiny-resnet"})
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam}) {
      const Module one = step(net, optimizer, 3, 1), many = step(net, optimizer, 3, 2);
      const Judgement judgement = judged(one, one, 1);
      CHECK(judgement.outcome == Outcome::holds);
      CHECK(judgement.falsePassLog2 <= -60);
      CHECK_THROWS_AS(judged(many, many, 1), Error);  // groups of replicas that are not there
    }
}

TEST_CASE("the data-parallel step is the step at the global batch, for every optimizer") {
  for (const char* net : {"tiny-bn", "tiny-resnet"})
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam})
      for (const std::int64_t count : {2, 3, 4}) {
        INFO(net << " " << count);
        const Judgement judgement =
            judged(step(net, optimizer, batch, count), step(net, optimizer, batch * count, 1), count);
        CHECK(judgement.outcome == Outcome::holds);
        CHECK(judgement.falsePassLog2 <= -60);
      }
}

TEST_CASE("the loss is a replica's own, and is said to differ where it is not left out") {
  JudgeOptions options;
  options.pairing.replicas = replicas;
  const Judgement judgement = judge(step("tiny-bn", Optimizer::sgd, batch, replicas),
                                    step("tiny-bn", Optimizer::sgd, batch * replicas, 1), options);
  CHECK(judgement.outcome == Outcome::refuted);
  REQUIRE(judgement.differences.size() == 1);
  CHECK(judgement.differences[0].name == "loss");
  CHECK_FALSE(judgement.differences[0].ratio.has_value());
}

TEST_CASE("a step without one of its all-reduces is refuted") {
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam})
    refutesEveryAllReduce("tiny-bn", optimizer, without);
}

TEST_CASE("a step with one of its all-reduces doubled is refuted") {
  refutesEveryAllReduce("tiny-bn", Optimizer::sgd, doubled);
  refutesEveryAllReduce("tiny-resnet", Optimizer::mom, doubled);
}

TEST_CASE("a step with one of its all-reduces over wrong groups is refuted") {
  const stablehlo::Matrix halves{2, {0, 1, 2, 3}}, crossed{2, {0, 2, 1, 3}}, uneven{3, {0, 1, 2, 3, -1, -1}};
  for (const auto& groups : {halves, crossed, uneven})
    refutesEveryAllReduce("tiny-bn", Optimizer::mom,
                          [&](const Module& module, std::size_t at) { return overGroups(module, at, groups); });
}

TEST_CASE("another order of the replicas in a group changes nothing") {
  Module module = step("tiny-bn", Optimizer::adam, batch, replicas);
  for (const std::size_t at : allReduces(module)) module = overGroups(module, at, {4, {2, 0, 3, 1}});
  CHECK(judged(module, step("tiny-bn", Optimizer::adam, batch * replicas, 1), replicas).outcome == Outcome::holds);
}

TEST_CASE("a step with a sum in the place of a mean is refuted") {
  refutesEveryAllReduce("tiny-bn", Optimizer::adam, summed);
  refutesEveryAllReduce("tiny-resnet", Optimizer::sgd, summed);
}

TEST_CASE("a step with a normalisation per replica is refuted") {
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam}) {
    const Module right = step("tiny-bn", optimizer, batch, replicas), global = step("tiny-bn", optimizer, 8, 1);
    const std::vector<std::size_t> all = allReduces(right);
    const std::size_t gradients = findNet("tiny-bn").make().parameters.size();
    REQUIRE(all.size() > gradients);
    // Without synchronisation every all-reduce of statistics is the replica's own value.
    Module local = right;
    const auto& operations = right.functions[0].body.operations;
    std::size_t bypassed = 0;
    for (const std::size_t at : all) {
      if (right.functions[0].type(operations[at].results[0]).shape.rank() != 1 || bypassed == all.size() - gradients)
        continue;
      local = summed(local, at);
      bypass(local, at);
      ++bypassed;
    }
    const Judgement judgement = judged(reread(local), global, replicas);
    CHECK(judgement.outcome == Outcome::refuted);
  }
}

TEST_CASE("a step whose loss is divided by the global batch as well is refuted") {
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam}) {
    const Module global = step("tiny-bn", optimizer, batch * replicas, 1);
    CHECK(judged(step("tiny-bn", optimizer, batch, replicas, batch * replicas), global, replicas).outcome ==
          Outcome::refuted);
    CHECK(judged(step("tiny-bn", optimizer, batch, replicas, batch), global, replicas).outcome == Outcome::holds);
  }
}

TEST_CASE("another optimizer is another step") {
  const Module global = step("tiny-bn", Optimizer::mom, batch * replicas, 1);
  CHECK(judged(step("tiny-bn", Optimizer::sgd, batch, replicas), global, replicas).outcome == Outcome::refuted);
}

}  // namespace
}  // namespace shardlaw::programs::test
