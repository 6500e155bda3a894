#include "interp/stablehlo/inline.h"

#include <algorithm>
#include <iterator>

#include "interp/error.h"
#include "interp/stablehlo/operations.h"

namespace shardlaw::stablehlo {
namespace {

class Inliner {
 public:
  Inliner(const Module& module, std::size_t most) : module_(module), most_(most) {}

  Function run() {
    const Function& entry = module_.entry();
    into_.name = entry.name;
    into_.resultNames = entry.resultNames;
    Ids ids(entry.values.size(), -1);
    for (const ValueId argument : entry.body.arguments) into_.body.arguments.push_back(copy(entry, argument, "", ids));
    add(entry, entry.body, "", ids, into_.body.operations);
    for (const ValueId result : entry.body.results) into_.body.results.push_back(at(ids, result));
    return std::move(into_);
  }

 private:
  /// For each value of a function the one that stands for it here.
  using Ids = std::vector<ValueId>;

  static ValueId& at(Ids& ids, ValueId id) { return ids[static_cast<std::size_t>(id)]; }
  ValueId copy(const Function& from, ValueId id, const std::string& suffix, Ids& ids) {
    into_.values.push_back({from.value(id).name + suffix, from.type(id)});
    return at(ids, id) = static_cast<ValueId>(into_.values.size() - 1);
  }

  void add(const Function& from, const Region& region, const std::string& suffix, Ids& ids,
           std::vector<Operation>& operations) {
    for (const Operation& operation : region.operations) {
      if (operation.info == &operations::call) {
        const std::vector<ValueId> returned = call(operation, ids, operations);
        for (std::size_t i = 0; i < returned.size(); ++i) at(ids, operation.results[i]) = returned[i];
        continue;
      }
      if (++count_ > most_)
        throw Error(locationOf(module_, operation),
                    "with all calls replaced there are more than " + std::to_string(most_) + " operations");
      Operation made;
      made.info = operation.info;
      made.attributes = operation.attributes;
      made.position = operation.position;
      for (const ValueId operand : operation.operands) made.operands.push_back(at(ids, operand));
      for (const Region& inner : operation.regions) {
        Region to;
        for (const ValueId argument : inner.arguments) to.arguments.push_back(copy(from, argument, suffix, ids));
        add(from, inner, suffix, ids, to.operations);
        for (const ValueId result : inner.results) to.results.push_back(at(ids, result));
        made.regions.push_back(std::move(to));
      }
      for (const ValueId result : operation.results) made.results.push_back(copy(from, result, suffix, ids));
      operations.push_back(std::move(made));
    }
  }

  /// Adds what a call does, and returns its results.
  std::vector<ValueId> call(const Operation& operation, Ids& outer, std::vector<Operation>& operations) {
    const Function& callee = *module_.find(operation.attributes.keyword("callee", ""));
    if (++depth_ > deepest)
      throw Error(locationOf(module_, operation), "calls are nested more than " + std::to_string(deepest) + " deep");
    Ids ids(callee.values.size(), -1);
    for (std::size_t i = 0; i < operation.operands.size(); ++i)
      at(ids, callee.body.arguments[i]) = at(outer, operation.operands[i]);
    add(callee, callee.body, "." + callee.name + std::to_string(calls_++), ids, operations);
    --depth_;
    std::vector<ValueId> returned;
    for (const ValueId result : callee.body.results) returned.push_back(at(ids, result));
    return returned;
  }

  static constexpr int deepest = 200;
  const Module& module_;
  std::size_t most_, count_ = 0;
  int depth_ = 0, calls_ = 0;
  Function into_;
};

void markReads(const Operation& operation, std::vector<bool>& live) {
  for (const ValueId operand : operation.operands) live[static_cast<std::size_t>(operand)] = true;
  for (const Region& region : operation.regions) {
    for (const Operation& inner : region.operations) markReads(inner, live);
    for (const ValueId result : region.results) live[static_cast<std::size_t>(result)] = true;
  }
}

}  // namespace

Module pruned(Module module, const std::vector<std::size_t>& results) {
  Function& function = module.functions.at(0);
  std::vector<ValueId> values;
  std::vector<std::string> names;
  for (const std::size_t i : results) {
    values.push_back(function.body.results.at(i));
    names.push_back(i < function.resultNames.size() ? function.resultNames[i] : std::string());
  }
  function.body.results = std::move(values);
  function.resultNames = std::move(names);
  std::vector<bool> live(function.values.size());
  for (const ValueId result : function.body.results) live[static_cast<std::size_t>(result)] = true;
  std::vector<Operation> kept;
  auto& operations = function.body.operations;
  for (auto operation = operations.rbegin(); operation != operations.rend(); ++operation) {
    if (std::none_of(operation->results.begin(), operation->results.end(),
                     [&](ValueId id) { return live[static_cast<std::size_t>(id)]; }))
      continue;
    markReads(*operation, live);
    kept.push_back(std::move(*operation));
  }
  operations.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  return module;
}

Module inlined(const Module& module, std::size_t most) {
  Module made;
  made.file = module.file;
  made.name = module.name;
  made.replicas = module.replicas;
  made.partitions = module.partitions;
  made.functions.push_back(Inliner(module, most).run());
  return made;
}

}  // namespace shardlaw::stablehlo
