// StableHLO text: what is read is printed and read as the same program, and a small one is evaluated, in two ways that
// agree.
#include <cstring>

#include "interp/error.h"
#include "interp/stablehlo/evaluate.h"
#include "interp/stablehlo/inline.h"
#include "interp/stablehlo/operations.h"
#include "interp/stablehlo/printer.h"
#include "interp/stablehlo/reader.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace shardlaw;
using namespace shardlaw::stablehlo;

/// Cells of the values of a function together; a mutation can ask for any number.
double cellsOf(const Module& module) {
  double cells = 0;
  for (const Function& function : module.functions)
    for (const Value& value : function.values) cells += static_cast<double>(value.type.shape.cells());
  return cells;
}

/// Loops may not end.
bool hasLoop(const Region& region) {
  for (const Operation& operation : region.operations) {
    if (operation.info == findOperation("while")) return true;
    for (const Region& inner : operation.regions)
      if (hasLoop(inner)) return true;
  }
  return false;
}

bool same(const Cells<F32>& a, const Cells<F32>& b) {
  return a.visit([&](const auto& tensor) {
    const auto& other = std::get<std::decay_t<decltype(tensor)>>(b.variant());
    return tensor.shape() == other.shape() &&
           std::memcmp(tensor.view().data(), other.view().data(), static_cast<std::size_t>(a.bytes())) == 0;
  });
}

std::vector<std::vector<Cells<F32>>> argumentsOf(const Module& module, std::size_t replicas) {
  std::vector<std::vector<Cells<F32>>> arguments(replicas);
  float next = 0;
  for (auto& replica : arguments)
    for (const ValueId id : module.entry().body.arguments) {
      replica.push_back(Cells<F32>::unwritten(module.entry().type(id)));
      replica.back().visit([&](auto& tensor) {
        using Cell = std::decay_t<decltype(tensor[0])>;
        for (std::int64_t i = 0; i < tensor.cells(); ++i) {
          if constexpr (std::is_same_v<Cell, Bit<F32>>) tensor[i] = {i % 2 == 0};
          else tensor[i] = static_cast<Cell>(next += 0.5F);
        }
      });
    }
  return arguments;
}

/// The results of the entry function; nothing where it is refused.
std::vector<std::vector<Cells<F32>>> evaluated(const Module& module, bool kernels) {
  EvaluateOptions<F32> options;
  options.kernels = kernels;
  const auto stated = static_cast<std::size_t>(std::max(module.replicas, module.partitions));
  try {
    return evaluate<F32>(F32(), module, argumentsOf(module, stated == 1 ? 2 : stated), options).results;
  } catch (const Error& error) {
    fuzz::require(std::strlen(error.what()) < 2000, "a refusal is short", error.what());
    return {};
  }
}

void evaluateBoth(const Module& module, const std::string& input) {
  for (const Function& function : module.functions)
    if (hasLoop(function.body)) return;
  if (cellsOf(module) > 20000 || module.replicas > 8 || module.partitions > 8) return;
  const auto fast = evaluated(module, true), plain = evaluated(module, false);
  fuzz::require(fast.size() == plain.size(), "kernels refuse what denotations refuse", input);
  for (std::size_t r = 0; r < fast.size(); ++r)
    for (std::size_t i = 0; i < fast[r].size(); ++i)
      fuzz::require(same(fast[r][i], plain[r][i]), "kernels give what denotations give", input);
  Module flat;
  try {
    flat = inlined(module, 10000);
  } catch (const Error&) {
    return;
  }
  const auto inOne = evaluated(flat, true);
  if (inOne.size() != fast.size()) return;  // calls may be nested too deeply for the evaluator
  for (std::size_t r = 0; r < fast.size(); ++r)
    for (std::size_t i = 0; i < fast[r].size(); ++i)
      fuzz::require(same(fast[r][i], inOne[r][i]), "inlined it is the same program", input);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(fuzz::textOf(data, size));
  Module module;
  try {
    module = parseModule(input, "input");
  } catch (const Error& error) {
    const std::string message = error.what();
    fuzz::require(message.starts_with("input:"), "a refusal names the file", message + "\n" + input);
    fuzz::require(oneLine(message) == message, "a refusal is one line", input);
    fuzz::require(message.size() < 2000, "a refusal is short", input);
    return 0;
  }
  const std::string text = print(module);
  const Module again = parseModule(text, "printed");
  fuzz::require(sameProgram(again, module), "what is printed reads as the same program", input);
  fuzz::require(print(again) == text, "what is read prints as the same text", input);
  try {
    module.entry();
  } catch (const Error&) {
    return 0;
  }
  evaluateBoth(module, input);
  return 0;
}
