// A side of a claim as StableHLO text: what a reader of the text computes.
#pragma once

#include <map>

#include "interp/exec/evaluate.h"
#include "interp/stablehlo/evaluate.h"
#include "interp/stablehlo/lower.h"
#include "interp/stablehlo/module.h"
#include "props/claim.h"

namespace shardlaw {

/// A program that was lowered, printed and read back.
struct Rendered {
  stablehlo::Module module;
  /// For each value of the program the value of the read function that denotes it.
  std::vector<stablehlo::ValueId> values;
};
Rendered renderedAndRead(const Side& side);
/// The text, without its edits.
std::string renderedText(const Side& side);

namespace detail {

using stablehlo::Native;

template <class D>
inline constexpr bool hasStablehlo =
#define SHARDLAW_IS_DOMAIN(DOMAIN, ...) std::is_same_v<D, DOMAIN> ||
    SHARDLAW_STABLEHLO_DOMAINS(SHARDLAW_IS_DOMAIN) false;
#undef SHARDLAW_IS_DOMAIN

/// Evaluates the text of a program on the program's inputs: the same values, by the program's ids.
template <class D>
ReplicaValues<D> evaluateRendered(const D& domain, const Side& side,
                                  std::vector<std::vector<Tensor<typename D::Scalar>>> inputs) {
  using Cells = stablehlo::Cells<D>;
  const Program& program = side.program;
  const Rendered rendered = renderedAndRead(side);
  const stablehlo::Function& function = rendered.module.entry();
  ReplicaValues<D> values(inputs.size());
  for (auto& one : values) one.resize(program.values().size());
  // A value of the text can stand for several of the program, which differ in shape only.
  std::multimap<stablehlo::ValueId, ValueId> denotes;
  for (std::size_t id = 0; id < rendered.values.size(); ++id)
    denotes.emplace(rendered.values[id], static_cast<ValueId>(id));
  const auto keep = [&](std::int64_t replica, stablehlo::ValueId read, const Cells& cells) {
    const auto [first, last] = denotes.equal_range(read);
    for (auto entry = first; entry != last; ++entry) {
      auto copy = cells.floats();
      values[static_cast<std::size_t>(replica)][static_cast<std::size_t>(entry->second)] =
          std::move(copy).reshaped(program.value(entry->second).type.shape);
    }
  };
  std::vector<std::vector<Cells>> arguments(inputs.size());
  for (std::size_t r = 0; r < inputs.size(); ++r)
    for (std::size_t i = 0; i < inputs[r].size(); ++i) {
      const stablehlo::ValueId argument = function.body.arguments[i];
      arguments[r].push_back(std::move(inputs[r][i]).reshaped(function.type(argument).shape));
      keep(static_cast<std::int64_t>(r), argument, arguments[r].back());
    }
  stablehlo::EvaluateOptions<D> options;
  options.after = [&](std::int64_t replica, const stablehlo::Function&, const stablehlo::Operation& operation,
                      std::span<const Cells* const> results) {
    for (std::size_t i = 0; i < results.size(); ++i)
      if (denotes.count(operation.results[i]) > 0) keep(replica, operation.results[i], *results[i]);
  };
  stablehlo::evaluate(domain, rendered.module, std::move(arguments), options);
  return values;
}

}  // namespace detail
}  // namespace shardlaw
