// Rendered programs: what SEMANTICS 4 says of their text, and what evaluating them takes.
#include <algorithm>
#include <catch2/catch.hpp>

#include "interp/stablehlo/evaluate.h"
#include "interp/stablehlo/lower.h"
#include "interp/stablehlo/operations.h"
#include "interp/stablehlo/printer.h"
#include "interp/stablehlo/reader.h"
#include "net/net.h"
#include "net/program.h"

namespace shardlaw::test {
namespace {

using stablehlo::Module;
using stablehlo::OperationInfo;

std::string textOf(const Program& program, std::int64_t replicas = 1) {
  return stablehlo::print(stablehlo::lower(program, replicas).module);
}

/// From the first operation to before the return.
std::string bodyOf(const std::string& text) {
  const std::size_t header = text.find("func.func"), start = text.find('\n', header) + 1;
  const std::size_t end = text.rfind("return");
  REQUIRE(end != std::string::npos);
  return text.substr(start, text.rfind('\n', end) + 1 - start);
}

StepOptions stepOf(Optimizer optimizer, std::int64_t replicas = 1) {
  StepOptions options;
  options.optimizer = optimizer;
  options.replicas = replicas;
  return options;
}

std::int64_t count(const Module& module, const OperationInfo& info) {
  const auto& operations = module.entry().body.operations;
  return std::count_if(operations.begin(), operations.end(), [&](const auto& each) { return each.info == &info; });
}

TEST_CASE("what is printed is read as the same program and printed as the same bytes") {
  for (const NamedNet& named : namedNets()) {
    if (named.name == "resnet-34") continue;
    const Net net = named.make();
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam})
      for (const std::int64_t replicas : {1, 4}) {
        const Module module = stablehlo::lower(trainStep(net, 2, stepOf(optimizer, replicas)), replicas).module;
        const std::string text = stablehlo::print(module);
        const Module read = stablehlo::parseModule(text, "step.mlir");
        INFO(named.name << " at " << replicas);
        CHECK(sameProgram(read, module));
        CHECK(stablehlo::print(read) == text);
      }
  }
}

TEST_CASE("at one replica the body of fwd is a byte prefix of every train step's") {
  for (const NamedNet& named : namedNets()) {
    const Net net = named.make();
    const std::string forward = bodyOf(textOf(fwd(net, 2)));
    REQUIRE(forward.size() > 1000);
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam}) {
      INFO(named.name);
      CHECK(bodyOf(textOf(trainStep(net, 2, stepOf(optimizer)))).starts_with(forward));
    }
  }
}

TEST_CASE("cifar8's train step has the signature of SEMANTICS 4, and as many products and all-reduces") {
  using namespace stablehlo::operations;
  const Net net = findNet("cifar8-bn").make();
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam})
    for (const std::int64_t replicas : {1, 4}) {
      const Module module =
          stablehlo::parseModule(textOf(trainStep(net, 2, stepOf(optimizer, replicas)), replicas), "a");
      CHECK(module.entry().body.arguments.size() == 135);
      CHECK(module.entry().body.results.size() == 133);
      CHECK(count(module, all_reduce) == (replicas > 1 ? 62 : 0));
      CHECK(count(module, convolution) == 23);
      CHECK(count(module, dot_general) + count(module, dot) == 9);
    }
}

/// Arguments of 1/2 in every cell, which every root and every quotient of a step can take.
std::vector<stablehlo::Cells<F64>> halves(const Module& module) {
  std::vector<stablehlo::Cells<F64>> arguments;
  for (const stablehlo::ValueId id : module.entry().body.arguments) {
    arguments.push_back(stablehlo::Cells<F64>::unwritten(module.entry().type(id)));
    auto& cells = arguments.back().floats();
    std::fill_n(cells.view().data(), cells.cells(), 0.5);
  }
  return arguments;
}

TEST_CASE("what a step takes is at most 1.5 times its largest set of live values") {
  struct Given {
    const char* net;
    std::int64_t batch, replicas;
  };
  for (const Given& given : {Given{"tiny-bn", 2, 1}, Given{"tiny-resnet", 2, 3}, Given{"tiny-bn", 64, 2},
                             Given{"cifar8-bn-narrow", 2, 1}, Given{"cifar8-bn-narrow", 1, 2}}) {
    const Module module =
        stablehlo::lower(trainStep(findNet(given.net).make(), given.batch, stepOf(Optimizer::adam, given.replicas)),
                         given.replicas)
            .module;
    std::vector<std::vector<stablehlo::Cells<F64>>> arguments(static_cast<std::size_t>(given.replicas), halves(module));
    const auto peak = stablehlo::evaluate<F64>(F64(), module, std::move(arguments)).peak;
    INFO(given.net << " at " << given.replicas << ": live " << peak.live << ", taken " << peak.taken);
    // The state, old and new, is live at the end.
    std::int64_t results = 0;
    for (const stablehlo::ValueId id : module.entry().body.results) results += module.entry().type(id).shape.cells();
    CHECK(peak.live >= 8 * results * given.replicas);
    CHECK(2 * peak.taken <= 3 * peak.live);
  }
}

}  // namespace
}  // namespace shardlaw::test
