// Rendered train steps, and wrong versions of them.
#pragma once

#include <string>

#include "interp/stablehlo/lower.h"
#include "interp/stablehlo/operations.h"
#include "interp/stablehlo/printer.h"
#include "interp/stablehlo/reader.h"
#include "net/net.h"
#include "net/program.h"
#include "props/programs/judge.h"

namespace shardlaw::programs::test {

using stablehlo::Module;

/// Printed and read again, as a user's file is.
inline Module reread(const Module& module) { return stablehlo::parseModule(stablehlo::print(module), "step.mlir"); }

inline Module step(const std::string& net, Optimizer optimizer, std::int64_t batch, std::int64_t replicas,
                   std::int64_t divisor = 0) {
  StepOptions options;
  options.optimizer = optimizer;
  options.replicas = replicas;
  options.divisor = divisor;
  return reread(stablehlo::lower(trainStep(findNet(net).make(), batch, options), replicas).module);
}

/// The loss is a replica's own (SEMANTICS 4).
inline Judgement judged(const Module& replica, const Module& global, std::int64_t replicas) {
  JudgeOptions options;
  options.pairing.replicas = replicas;
  options.pairing.ignored = {"loss"};
  return judge(replica, global, options);
}

/// The positions of the all-reduces in the entry function.
inline std::vector<std::size_t> allReduces(const Module& module) {
  std::vector<std::size_t> at;
  const auto& operations = module.functions[0].body.operations;
  for (std::size_t i = 0; i < operations.size(); ++i)
    if (operations[i].info == &stablehlo::operations::all_reduce) at.push_back(i);
  return at;
}

/// Operation `at` becomes one that gives its first operand on.
inline void bypass(Module& module, std::size_t at) {
  stablehlo::Operation& operation = module.functions[0].body.operations[at];
  operation.info = &stablehlo::operations::optimization_barrier;
  operation.operands.resize(1);
  operation.attributes = {};
  operation.regions.clear();
}

inline Module without(Module module, std::size_t at) {
  bypass(module, at);
  return reread(module);
}

/// The all-reduce's result is all-reduced again.
inline Module doubled(Module module, std::size_t at) {
  stablehlo::Function& function = module.functions[0];
  stablehlo::Operation again = function.body.operations[at];
  const auto old = again.results[0];
  function.values.push_back({"once", function.type(old)});
  const auto once = static_cast<stablehlo::ValueId>(function.values.size() - 1);
  // The body's values are the function's too: copies need values of their own.
  const auto fresh = [&](stablehlo::ValueId id) {
    function.values.push_back({"again" + std::to_string(function.values.size()), function.type(id)});
    return static_cast<stablehlo::ValueId>(function.values.size() - 1);
  };
  stablehlo::Region& body = again.regions[0];
  const auto a = body.arguments;
  for (auto& argument : body.arguments) argument = fresh(argument);
  stablehlo::Operation& sum = body.operations[0];
  sum.operands = body.arguments;
  sum.results[0] = fresh(sum.results[0]);
  body.results = sum.results;
  again.operands = {once};
  function.body.operations[at].results[0] = once;
  function.body.operations.insert(function.body.operations.begin() + static_cast<std::ptrdiff_t>(at) + 1, again);
  return reread(module);
}

inline Module overGroups(Module module, std::size_t at, const stablehlo::Matrix& groups) {
  module.functions[0].body.operations[at].attributes.set("replica_groups", groups);
  return reread(module);
}

/// The division that makes a mean of the all-reduce's sum is left out.
inline Module summed(Module module, std::size_t at) {
  const auto& operations = module.functions[0].body.operations;
  const auto sum = operations[at].results[0];
  for (std::size_t i = at + 1; i < operations.size(); ++i)
    if (operations[i].info == &stablehlo::operations::divide && operations[i].operands[0] == sum) {
      bypass(module, i);
      return reread(module);
    }
  throw std::logic_error("the sum is not divided");
}

}  // namespace shardlaw::programs::test
