// Calls are checked when all functions are known.
#include <utility>

#include "interp/stablehlo/operation/control.h"
#include "interp/stablehlo/parser.h"

namespace shardlaw::stablehlo {

void Parser::checkCallsIn(const Function& f, const Region& region, std::vector<Callee>& callees) {
  for (const Operation& operation : region.operations) {
    for (const Region& inner : operation.regions) checkCallsIn(f, inner, callees);
    if (operation.info != &operations::call) continue;
    const auto found = functionsByName_.find(operation.attributes.keyword("callee", ""));
    const bool isKnown = found != functionsByName_.end();
    checkCall(TypeRule(module_, f, operation), isKnown ? &module_.functions[found->second] : nullptr);
    callees.push_back({found->second, operation.position});
  }
}

/// A function that calls itself, through others perhaps, never ends: there is no way out but a branch on data, and no
/// producer writes one. Functions without callees are taken away until none is left.
void Parser::refuseRecursion(const std::vector<std::vector<Callee>>& callees) {
  std::vector<std::vector<std::size_t>> callers(callees.size());
  std::vector<std::size_t> open(callees.size()), done;
  for (std::size_t f = 0; f < callees.size(); ++f) {
    open[f] = callees[f].size();
    if (open[f] == 0) done.push_back(f);
    for (const Callee& callee : callees[f]) callers[callee.function].push_back(f);
  }
  for (std::size_t next = 0; next < done.size(); ++next)
    for (const std::size_t caller : callers[done[next]])
      if (--open[caller] == 0) done.push_back(caller);
  for (std::size_t f = 0; f < callees.size(); ++f)
    for (const Callee& callee : callees[f]) {
      if (open[f] == 0 || open[callee.function] == 0) continue;
      lexer_.operation = "func.call";
      fail(callee.position, "expected no recursion, found a call of '@" +
                                excerpt(module_.functions[callee.function].name) + "' that may call '@" +
                                excerpt(module_.functions[f].name) + "'");
    }
}

void Parser::checkCalls() {
  std::vector<std::vector<Callee>> callees(module_.functions.size());
  for (std::size_t f = 0; f < callees.size(); ++f)
    checkCallsIn(module_.functions[f], module_.functions[f].body, callees[f]);
  refuseRecursion(callees);
}

}  // namespace shardlaw::stablehlo
