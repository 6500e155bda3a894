// The programs of SEMANTICS 4: their signatures, and how many operations of each kind they have.
#include "net/program.h"
#include "tests/net/refusal.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sstream>

#include "interp/error.h"
#include "interp/node/nodes.h"
#include "net/forward.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;
using Rows = std::vector<std::string>;
using Counts = std::map<std::string_view, int>;

const Net& cifar8Narrow() {
  static const Net net = cifar8(64);
  return net;
}

StepOptions with(Optimizer optimizer, std::int64_t replicas = 1, bool bf16 = false) {
  StepOptions options;
  options.optimizer = optimizer;
  options.replicas = replicas;
  options.bf16 = bf16;
  return options;
}

Counts countsOf(const Program& program) {
  Counts counts;
  for (const Value& value : program.values())
    if (value.operation) ++counts[value.operation->node->name];
  return counts;
}
int sumOf(const Counts& counts, std::initializer_list<std::string_view> names) {
  int sum = 0;
  for (const std::string_view name : names) sum += counts.contains(name) ? counts.at(name) : 0;
  return sum;
}

Rows inputNames(const Program& program) {
  Rows names;
  for (const ValueId id : program.inputs()) names.push_back(program.value(id).name);
  return names;
}
Rows resultNames(const Program& program) {
  Rows names;
  for (const Result& result : program.results()) names.push_back(result.name);
  return names;
}

/// The 38 names, each with a suffix.
Rows parameters(const std::string& suffix) {
  Rows names;
  for (int i = 1; i <= 8; ++i)
    for (const char* name : {"W", "cb", "g", "bt"}) names.push_back(name + std::to_string(i) + suffix);
  for (const char* name : {"W9", "b9", "Wa", "ba", "Wb", "bb"}) names.push_back(name + suffix);
  return names;
}
Rows statistics(const std::string& suffix) {
  Rows names;
  for (int i = 1; i <= 8; ++i)
    for (const char* name : {"mu", "var"}) names.push_back("n" + std::to_string(i) + name + suffix);
  return names;
}
Rows joined(const std::vector<Rows>& parts) {
  Rows all;
  for (const Rows& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST_CASE("train_step has 135 arguments and 133 results, at every optimizer, precision and number of replicas") {
  const Rows arguments = joined(
      {{"x"}, parameters(""), parameters("m"), parameters("v"), {"lr", "bc1", "bc2"}, statistics("i"), {"onehot"}});
  const Rows results =
      joined({parameters(""), parameters("m"), parameters("v"), {"loss", "bc1", "bc2"}, statistics("")});
  REQUIRE(arguments.size() == 135);
  REQUIRE(results.size() == 133);
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam})
    for (const std::int64_t replicas : {1, 4})
      for (const bool bf16 : {false, true}) {
        const Program program = trainStep(cifar8Narrow(), 2, with(optimizer, replicas, bf16));
        CHECK(inputNames(program) == arguments);
        CHECK(resultNames(program) == results);
      }
}

TEST_CASE("arguments and results have their shapes; only x and onehot are cut over the replicas") {
  const Net& net = cifar8Narrow();
  const Program program = trainStep(net, 6, with(Optimizer::adam, 4));
  const auto type = [&](std::size_t i) { return program.value(program.inputs()[i]).type; };
  CHECK(type(0) == Type{Shape{6, 3072}, true});
  CHECK(type(134) == Type{Shape{6, 10}, true});
  for (std::size_t i = 0; i < 38; ++i)
    for (const std::size_t state : {0, 1, 2}) CHECK(type(1 + 38 * state + i) == Type{net.parameters[i].shape, false});
  for (std::size_t i = 115; i < 118; ++i) CHECK(type(i) == Type{Shape{}, false});
  for (std::size_t i = 0; i < 16; ++i) CHECK(type(118 + i) == Type{net.statistics[i].shape, false});
  const auto result = [&](std::size_t i) { return program.value(program.results()[i].value).type; };
  for (std::size_t i = 0; i < 114; ++i) CHECK(result(i) == Type{net.parameters[i % 38].shape, false});
  for (std::size_t i = 114; i < 117; ++i) CHECK(result(i) == Type{Shape{}, false});
  for (std::size_t i = 0; i < 16; ++i) CHECK(result(117 + i) == Type{net.statistics[i].shape, false});
  // bc1 and bc2 are handed through.
  CHECK(program.results()[115].value == program.inputs()[116]);
  CHECK(program.results()[116].value == program.inputs()[117]);
}

TEST_CASE("fwd and fwd_eval: x, the parameters, and the frozen statistics of the latter") {
  const Program forward = fwd(cifar8Narrow(), 3), frozen = fwdEval(cifar8Narrow(), 3);
  CHECK(inputNames(forward) == joined({{"x"}, parameters("")}));
  CHECK(inputNames(frozen) == joined({{"x"}, parameters(""), statistics("")}));
  for (const Program* program : {&forward, &frozen}) {
    CHECK(resultNames(*program) == Rows{"logits"});
    CHECK(program->value(program->results()[0].value).type == Type{Shape{3, 10}, true});
  }
  const Counts expected{{"unflatten", 1}, {"conv", 8},    {"bnEval", 8}, {"relu", 10},
                        {"maxPool2", 4},  {"flatten", 1}, {"dense", 3}};
  CHECK(countsOf(frozen) == expected);
  Counts trained = expected;
  trained.erase("bnEval");
  trained["bnBatch"] = 8;
  CHECK(countsOf(forward) == trained);
}

TEST_CASE("every BN of fwd_eval reads its own statistics, mean and variance in their places") {
  const Program program = fwdEval(cifar8Narrow(), 1);
  int layer = 0;
  for (const Value& value : program.values()) {
    if (!value.operation || value.operation->node != &nodes::bnEval) continue;
    const std::string number = std::to_string(++layer);
    const auto operand = [&](std::size_t i) { return program.value(value.operation->operands[i]).name; };
    CHECK(operand(1) == "g" + number);
    CHECK(operand(2) == "bt" + number);
    CHECK(operand(3) == "n" + number + "mu");
    CHECK(operand(4) == "n" + number + "var");
    CHECK(value.operation->attributes.rational("eps") == ratio(1, 100'000));
  }
  CHECK(layer == 8);
}

TEST_CASE("one replica: 23 convolutions and 9 dense products, forward and backward") {
  const Counts counts = countsOf(trainStep(cifar8Narrow(), 2, with(Optimizer::sgd)));
  const Counts expected{{"unflatten", 2},  // of the images, and the adjoint of flatten
                        {"flatten", 1},
                        {"conv", 8},
                        {"convBack", 7},
                        {"convWeightGrad", 8},
                        {"convBiasGrad", 8},
                        {"bnBatch", 8},
                        {"bnBatchMean", 8},
                        {"bnBatchVar", 8},
                        {"bnBatchBack", 8},
                        {"bnGammaGrad", 8},
                        {"bnBetaGrad", 8},
                        {"relu", 10},
                        {"selectPos", 10},
                        {"maxPool2", 4},
                        {"maxPool2Back", 4},
                        {"dense", 3},
                        {"denseBack", 3},
                        {"denseWeightGrad", 3},
                        {"denseBiasGrad", 3},
                        {"crossEntropyLoss", 1},
                        {"crossEntropyCotangent", 1},
                        {"sgd", 38}};
  CHECK(counts == expected);
  CHECK(sumOf(counts, {"conv", "convBack", "convWeightGrad"}) == 23);
  CHECK(sumOf(counts, {"dense", "denseBack", "denseWeightGrad"}) == 9);
}

TEST_CASE("bf16: the convolutions by their twins and nothing else") {
  const Counts rounded = countsOf(trainStep(cifar8Narrow(), 2, with(Optimizer::sgd, 1, true)));
  Counts expected = countsOf(trainStep(cifar8Narrow(), 2, with(Optimizer::sgd)));
  for (const auto& [name, twin] :
       {std::pair{"conv", "convBf16"}, {"convBack", "convBackBf16"}, {"convWeightGrad", "convWeightGradBf16"}}) {
    expected[twin] = expected[name];
    expected.erase(name);
  }
  CHECK(rounded == expected);
  CHECK(sumOf(rounded, {"convBf16", "convBackBf16", "convWeightGradBf16"}) == 23);
}

TEST_CASE("above one replica there are 62 all-reduces: one a parameter, three a BN") {
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam}) {
    const Program program = trainStep(cifar8Narrow(), 2, with(optimizer, 2));
    const Counts counts = countsOf(program);
    CHECK(counts.at("allReduceMean") == 62);
    CHECK(sumOf(counts, {"bnBatch", "bnBatchBack", "bnGammaGrad", "bnBatchVar"}) == 0);
    for (const char* name : {"bnPack", "bnSync", "bnSyncDyStats", "bnSyncBack", "bnSyncGammaGrad", "bnBetaGrad",
                             "bnStatsMean", "bnStatsVar", "bnBatchMean", "bnBatchVarAt"})
      CHECK(counts.at(name) == 8);
    Counts reduced;
    for (const Value& value : program.values())
      if (value.operation && value.operation->node == &nodes::allReduceMean)
        ++reduced[program.value(value.operation->operands[0]).operation->node->name];
    CHECK(reduced == Counts{{"bnBatchMean", 8},
                            {"bnBatchVarAt", 8},
                            {"bnSyncDyStats", 8},
                            {"convWeightGrad", 8},
                            {"convBiasGrad", 8},
                            {"bnSyncGammaGrad", 8},
                            {"bnBetaGrad", 8},
                            {"denseWeightGrad", 3},
                            {"denseBiasGrad", 3}});
  }
  const Net resnet = findNet("tiny-resnet").make();
  CHECK(countsOf(trainStep(resnet, 1, with(Optimizer::sgd, 3))).at("allReduceMean") ==
        static_cast<int>(resnet.parameters.size() + 3 * resnet.statistics.size() / 2));
}

TEST_CASE("a program at one replica has no collective") {
  for (const NamedNet& named : namedNets())
    CHECK_FALSE(countsOf(trainStep(named.skeleton(), 1, with(Optimizer::adam))).contains("allReduceMean"));
}

/// Lines of a program's text, without inputs and results.
Rows body(const Program& program) {
  std::istringstream text(program.text());
  Rows lines;
  for (std::string line; std::getline(text, line);)
    if (line.find(" = input ") == std::string::npos && !line.starts_with("result ")) lines.push_back(line);
  return lines;
}

TEST_CASE("the body of fwd is a byte prefix of every f32 train_step at one replica") {
  for (const char* name : {"tiny-bn", "tiny-resnet", "cifar8-bn"}) {
    const Net net = findNet(name).make();
    const Rows forward = body(fwd(net, 2));
    CHECK(forward.size() > 10);
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam}) {
      Rows step = body(trainStep(net, 2, with(optimizer)));
      REQUIRE(step.size() > forward.size());
      step.resize(forward.size());
      CHECK(step == forward);
    }
  }
}

/// Values that no result needs.
std::set<std::string> unused(const Program& program) {
  std::vector<bool> needed(program.values().size());
  for (const Result& result : program.results()) needed[static_cast<std::size_t>(result.value)] = true;
  std::set<std::string> names;
  for (std::size_t id = program.values().size(); id-- > 0;) {
    const Value& value = program.values()[id];
    if (!needed[id]) names.insert(value.operation ? std::string(value.operation->node->name) : value.name);
    else if (value.operation)
      for (const ValueId operand : value.operation->operands) needed[static_cast<std::size_t>(operand)] = true;
  }
  return names;
}

TEST_CASE("no operation is computed for nothing; of the inputs only the statistics, and SGD's v, m and corrections") {
  for (const char* name : {"tiny-bn", "tiny-resnet"}) {
    const Net net = findNet(name).make();
    std::set<std::string> expected;
    for (const Statistic& statistic : net.statistics) expected.insert(statistic.name + "i");
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam})
      for (const std::int64_t replicas : {1, 2}) {
        INFO(name << " " << optimizerNames[static_cast<std::size_t>(optimizer)] << " R = " << replicas);
        // Moments that an optimizer does not touch, and corrections, are results themselves.
        CHECK(unused(trainStep(net, 2, with(optimizer, replicas))) == expected);
      }
    CHECK(unused(fwd(net, 2)).empty());
    CHECK(unused(fwdEval(net, 2)).empty());
  }
}

TEST_CASE("the constants of SEMANTICS 4, and the divisor of the loss cotangent") {
  const Program program = trainStep(findNet("tiny-bn").make(), 3, with(Optimizer::adam, 2));
  std::set<std::string> seen;
  for (const Value& value : program.values()) {
    if (!value.operation) continue;
    const auto& [node, operands, attributes] = *value.operation;
    if (attributes.find("batch") != nullptr) CHECK(attributes.integer("batch") == 3);
    if (node == &nodes::bnSync) CHECK(attributes.rational("eps") == decimal("1e-5"));
    if (node == &nodes::adamwMoment) CHECK(attributes.rational("beta") == ratio(9, 10));
    if (node == &nodes::adamwMoment) CHECK(attributes.rational("oneMinusBeta") == ratio(1, 10));
    if (node == &nodes::adamwSquare) CHECK(attributes.rational("beta") == ratio(999, 1000));
    if (node == &nodes::adamwSquare) CHECK(attributes.rational("oneMinusBeta") == ratio(1, 1000));
    if (node == &nodes::adamw) CHECK(attributes.rational("eps") == decimal("1e-8"));
    if (node == &nodes::adamw) CHECK(attributes.rational("decay") == decimal("1e-4"));
    seen.insert(std::string(node->name));
  }
  for (const char* name : {"bnSync", "adamwMoment", "adamwSquare", "adamw", "crossEntropyLoss"})
    CHECK(seen.contains(name));
  const Program momentum = trainStep(findNet("tiny-bn").make(), 3, with(Optimizer::mom));
  for (const Value& value : momentum.values())
    if (value.operation && value.operation->attributes.find("momentum") != nullptr)
      CHECK(value.operation->attributes.rational("momentum") == ratio(9, 10));
  StepOptions options = with(Optimizer::sgd);
  options.divisor = 12;
  const Program divided = trainStep(findNet("tiny-bn").make(), 3, options);
  for (const Value& value : divided.values()) {
    if (!value.operation) continue;
    if (value.operation->node == &nodes::crossEntropyCotangent)
      CHECK(value.operation->attributes.integer("batch") == 12);
    if (value.operation->node == &nodes::crossEntropyLoss) CHECK(value.operation->attributes.integer("batch") == 3);
  }
}

TEST_CASE("SGD hands m and v through, Nesterov m; the velocity is kept in v") {
  const Net net = findNet("tiny-bn").make();
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam}) {
    const Program program = trainStep(net, 1, with(optimizer));
    const std::size_t n = net.parameters.size();
    for (std::size_t i = 0; i < n; ++i) {
      const auto passed = [&](std::size_t k) { return program.results()[k].value == program.inputs()[k + 1]; };
      CHECK_FALSE(passed(i));
      CHECK(passed(n + i) == (optimizer != Optimizer::adam));
      CHECK(passed(2 * n + i) == (optimizer == Optimizer::sgd));
    }
  }
}

TEST_CASE("bf16 is refused where a layer has no twin, and batches of none anywhere") {
  const Net resnet = findNet("tiny-resnet").make(), plain = findNet("tiny-bn").make();
  const StepOptions bf16 = with(Optimizer::sgd, 1, true);
  CHECK_THAT(refusalOf([&] { trainStep(resnet, 1, bf16); }), Contains("convStrided has no bf16 twin (conv0)"));
  CHECK_THAT(refusalOf([&] { fwd(resnet, 1, bf16); }), Contains("tiny-resnet") && Contains("no bf16 twin"));
  CHECK(refusalOf([&] { trainStep(plain, 1, bf16); }) == "accepted");
  for (const std::int64_t batch : {0, -1}) {
    CHECK_THAT(refusalOf([&] { fwd(plain, batch); }), Contains("expected a batch of at least 1"));
    CHECK_THAT(refusalOf([&] { fwdEval(plain, batch); }), Contains("expected a batch of at least 1"));
    CHECK_THAT(refusalOf([&] { trainStep(plain, batch, {}); }), Contains("expected a batch of at least 1"));
  }
}

TEST_CASE("optimizers have the names of SEMANTICS 4") {
  CHECK(findOptimizer("sgd") == Optimizer::sgd);
  CHECK(findOptimizer("mom") == Optimizer::mom);
  CHECK(findOptimizer("adam") == Optimizer::adam);
  CHECK(refusalOf([] { findOptimizer("adamw"); }) == "no optimizer is named 'adamw'; there are sgd, mom, adam");
}

}  // namespace
}  // namespace shardlaw::test
