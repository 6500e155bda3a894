#include "net/program.h"

#include <algorithm>
#include <iterator>

#include "interp/error.h"
#include "interp/names.h"
#include "net/forward.h"

namespace shardlaw {
namespace {

Shape flat(const Net& net, std::int64_t batch) {
  if (batch < 1) throw Error("net " + net.name + ": expected a batch of at least 1, found " + std::to_string(batch));
  return Shape{batch, net.image.cells()};
}

std::vector<ValueId> parameterInputs(Builder& builder, const Net& net, const std::string& suffix) {
  std::vector<ValueId> ids;
  for (const Parameter& parameter : net.parameters)
    ids.push_back(builder.sharedInput(parameter.name + suffix, parameter.shape));
  return ids;
}

std::vector<ValueId> statisticInputs(Builder& builder, const Net& net, const std::string& suffix) {
  std::vector<ValueId> ids;
  for (const Statistic& statistic : net.statistics)
    ids.push_back(builder.sharedInput(statistic.name + suffix, statistic.shape));
  return ids;
}

}  // namespace

Optimizer findOptimizer(std::string_view name) {
  const std::string wanted = lowerCase(name);
  const auto* found = std::find(std::begin(optimizerNames), std::end(optimizerNames), wanted);
  if (found == std::end(optimizerNames))
    throw Error("no optimizer is named '" + excerpt(name) + "'; there are sgd, mom, adam");
  return static_cast<Optimizer>(found - std::begin(optimizerNames));
}

Program fwd(const Net& net, std::int64_t batch, const StepOptions& options) {
  Builder builder;
  const ValueId x = builder.batchedInput("x", flat(net, batch));
  const std::vector<ValueId> theta = parameterInputs(builder, net, "");
  builder.result("logits", addForward(builder, net, options, x, theta).logits);
  return std::move(builder).finish();
}

Program fwdEval(const Net& net, std::int64_t batch, const NetConstants& constants) {
  Builder builder;
  const ValueId x = builder.batchedInput("x", flat(net, batch));
  const std::vector<ValueId> theta = parameterInputs(builder, net, "");
  const std::vector<ValueId> statistics = statisticInputs(builder, net, "");
  StepOptions options;
  options.constants = constants;
  builder.result("logits", addForward(builder, net, options, x, theta, statistics).logits);
  return std::move(builder).finish();
}

Program trainStep(const Net& net, std::int64_t batch, const StepOptions& options, Outputs outputs) {
  Builder builder;
  StepInputs inputs{};
  inputs.x = builder.batchedInput("x", flat(net, batch));
  inputs.theta = parameterInputs(builder, net, "");
  inputs.m = parameterInputs(builder, net, "m");
  inputs.v = parameterInputs(builder, net, "v");
  inputs.lr = builder.sharedInput("lr", Shape{});
  inputs.bc1 = builder.sharedInput("bc1", Shape{});
  inputs.bc2 = builder.sharedInput("bc2", Shape{});
  statisticInputs(builder, net, "i");
  inputs.onehot = builder.batchedInput("onehot", Shape{batch, net.classes});
  const StepValues step = addTrainStep(builder, net, options, inputs);
  const auto results = [&](const std::vector<ValueId>& values, const std::string& suffix) {
    for (std::size_t i = 0; i < values.size(); ++i) builder.result(net.parameters[i].name + suffix, values[i]);
  };
  results(step.theta, "");
  results(step.m, "m");
  results(step.v, "v");
  builder.result("loss", step.loss);
  builder.result("bc1", inputs.bc1);
  builder.result("bc2", inputs.bc2);
  for (std::size_t i = 0; i < step.statistics.size(); ++i) builder.result(net.statistics[i].name, step.statistics[i]);
  if (outputs == Outputs::logitsToo) builder.result("logits", step.logits);
  return std::move(builder).finish();
}

}  // namespace shardlaw
