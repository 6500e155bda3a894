// golden operations: what is known of each StableHLO operation, from the table of operations.
#include "interp/stablehlo/operations.h"

#include <fmt/format.h>

#include "interp/command/options.h"
#include "interp/command/terminal.h"
#include "net/golden/golden.h"

namespace shardlaw::golden {
namespace {

using stablehlo::OperationInfo;

constexpr const char* examples = R"(Examples:
  golden operations            every operation: its element types, and in which domains it has a meaning
  golden operations --formulas what each of them denotes

Exit status: 0 done, 2 usage or bad input.)";

std::string typesOf(const OperationInfo& info) {
  return info.kind == stablehlo::OperationKind::control ? "any" : toString(info.types);
}

std::string support(bool refused, const OperationInfo& info) {
  if (!refused) return "yes";
  return info.refused.what == stablehlo::RefusedIn{}.what ? "no" : "in part";
}

std::string table() {
  std::string text = fmt::format("{:<23} {:<24} {:<8} {:<15} {:<8} {}\n", "operation", "element types", "exact",
                                 "native f64 f32", "wide", "bounded");
  for (const OperationInfo* info : stablehlo::allOperations()) {
    const auto& refused = info->refused;
    const bool part = (refused.exact || refused.wide || refused.bounded) && support(true, *info) == "in part";
    text += fmt::format("{:<23} {:<24} {:<8} {:<15} {:<8} {}{}\n", info->name, typesOf(*info),
                        support(refused.exact, *info), "yes", support(refused.wide, *info),
                        support(refused.bounded, *info), part ? fmt::format(" (not {})", refused.what) : "");
  }
  return text;
}

std::string formulas() {
  std::string text;
  for (const OperationInfo* info : stablehlo::allOperations())
    text += fmt::format("{:<23} {}\n", info->name, info->formula);
  return text;
}

}  // namespace

int operations(int argc, const char* const* argv) {
  command::Options options({"golden operations", "Lists the StableHLO operations, from the table that the reader uses.",
                            "list the StableHLO operations that shardlaw knows", "[OPTIONS]", examples});
  bool wantsFormulas = false;
  options.flag("--formulas", wantsFormulas, "What each operation denotes");
  if (const auto instead = options.parse(argc, argv, "the list is of every operation")) {
    command::print(*instead);
    return done;
  }
  command::print(wantsFormulas ? formulas() : table());
  return done;
}

}  // namespace shardlaw::golden
