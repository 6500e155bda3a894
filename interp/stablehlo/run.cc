#include "interp/stablehlo/run.h"

#include <algorithm>
#include <map>

#include "interp/error.h"
#include "interp/names.h"
#include "interp/stablehlo/groups.h"
#include "interp/stablehlo/transfer.h"

namespace shardlaw::stablehlo {
namespace {

std::string nameIn(const NpzFile& inputs, const Value& argument, std::size_t i) {
  const std::string positional = "arr_" + std::to_string(i);
  return inputs.contains(argument.name) || !inputs.contains(positional) ? argument.name : positional;
}

/// What `read` gives, or its refusal with a place in front.
template <class F>
auto refusedIn(const Location& where, const F& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(where, error.what());
  }
}
Location locationOf(const Module& module, const Value& argument) {
  return {module.file, 0, 0, "argument '" + argument.name + "'"};
}

Array arrayFor(const NpzFile& inputs, const Value& argument, std::size_t i) {
  NpyOptions npy;
  npy.bf16 = argument.type.element == DType::bf16;
  npy.most = std::uint64_t{1} << 40;
  Array array = inputs.read(nameIn(inputs, argument, i), npy);
  if (array.type != argument.type.element)
    throw Error("expected cells of " + std::string(spelling(argument.type.element)) + ", found " +
                std::string(spelling(array.type)));
  return array;
}

void requireArguments(const Function& entry, const std::string& option, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto isIt = [&](ValueId id) { return entry.value(id).name == name; };
    if (std::none_of(entry.body.arguments.begin(), entry.body.arguments.end(), isIt))
      throw Error(option + ": no argument is named '" + excerpt(name) + "'");
  }
}

/// [replica][argument].
std::vector<std::vector<Array>> shardsOf(const Module& module, const NpzFile& inputs, const RunOptions& options) {
  const Function& entry = module.entry();
  requireArguments(entry, "--shard", options.sharding.sharded);
  requireArguments(entry, "--replicate", options.sharding.replicated);
  std::vector<std::vector<Array>> shards(static_cast<std::size_t>(options.replicas));
  for (std::size_t i = 0; i < entry.body.arguments.size(); ++i) {
    const Value& argument = entry.value(entry.body.arguments[i]);
    const Array global = refusedIn(locationOf(module, argument), [&] { return arrayFor(inputs, argument, i); });
    const Sharding sharding = refusedIn(Location{module.file, 0, 0, "argument"}, [&] {
      return shardingOf(argument.name, argument.type.shape, global.shape, options.replicas, options.sharding);
    });
    for (std::int64_t r = 0; r < options.replicas; ++r)
      shards[static_cast<std::size_t>(r)].push_back(shardOf(global, sharding, r, options.replicas));
  }
  return shards;
}

/// Replicas' arrays under a leading axis; at one replica the array itself.
NamedArray stacked(const std::string& name, const std::vector<Array>& replicas) {
  if (replicas.size() == 1) return {name, replicas[0]};
  Array all = zeros(replicas[0].type, replicas[0].shape.batchOf(static_cast<std::int64_t>(replicas.size())));
  auto* to = all.bytes.data();
  for (const Array& one : replicas) to = std::copy(one.bytes.begin(), one.bytes.end(), to);
  return {name, all};
}

template <class D>
RunResult runIn(const D& domain, const Module& module, std::vector<std::vector<Array>> shards,
                const RunOptions& options) {
  const Function& entry = module.entry();
  std::vector<std::vector<Cells<D>>> arguments;
  for (std::vector<Array>& replica : shards) {
    arguments.emplace_back();
    for (std::size_t i = 0; i < replica.size(); ++i)
      arguments.back().push_back(refusedIn(locationOf(module, entry.value(entry.body.arguments[i])),
                                           [&] { return cellsOf(domain, std::exchange(replica[i], {})); }));
  }
  RunResult result;
  // By value; a value of a loop's body is kept as each replica had it last, one that not all have had is left out.
  std::map<std::string, std::map<std::int64_t, Array>> traced;
  std::vector<std::string> order;
  EvaluateOptions<D> evaluation;
  if (options.trace)
    evaluation.after = [&](std::int64_t replica, const Function& function, const Operation& operation,
                           std::span<const Cells<D>* const> results) {
      if (&function != &entry) return;
      for (std::size_t i = 0; i < results.size(); ++i) {
        const Value& value = function.value(operation.results[i]);
        auto& arrays = traced[value.name];
        if (arrays.empty()) order.push_back(value.name);
        arrays[replica] = arrayOf<D>(*results[i], value.type.element);
      }
    };
  const auto evaluated = evaluate(domain, module, std::move(arguments), evaluation);
  result.peak = evaluated.peak;
  for (std::size_t i = 0; i < entry.body.results.size(); ++i) {
    const DType element = entry.type(entry.body.results[i]).element;
    std::vector<Array> values, bounds;
    for (const auto& replica : evaluated.results) {
      values.push_back(arrayOf<D>(replica[i], element));
      if constexpr (std::is_same_v<D, Bounded64> || std::is_same_v<D, Bounded32>)
        if (options.bounds && isFloat(element)) bounds.push_back(boundsOf<D>(replica[i]));
    }
    result.outputs.push_back(stacked(resultName(entry, i), values));
    if (!bounds.empty()) result.bounds.push_back(stacked(resultName(entry, i), bounds));
  }
  for (const std::string& name : order) {
    if (traced[name].size() != static_cast<std::size_t>(options.replicas)) continue;
    std::vector<Array> arrays;
    for (auto& [replica, array] : traced[name]) arrays.push_back(std::move(array));
    result.trace.push_back(stacked(name, arrays));
  }
  return result;
}

using Shards = std::vector<std::vector<Array>>;

struct RunDomain {
  std::string_view name;
  RunResult (*run)(const Module&, Shards, const RunOptions&);
};

template <class D>
RunResult runPlain(const Module& module, Shards shards, const RunOptions& options) {
  return runIn(D(), module, std::move(shards), options);
}
RunResult runExact(const Module& module, Shards shards, const RunOptions& options) {
  return runIn(Exact(options.seed), module, std::move(shards), options);
}
RunResult runWide(const Module& module, Shards shards, const RunOptions& options) {
  return runIn(Wide(options.bits), module, std::move(shards), options);
}

constexpr RunDomain domains[] = {{Native::name, runPlain<Native>},
                                 {Exact::name, runExact},
                                 {F64::name, runPlain<F64>},
                                 {F32::name, runPlain<F32>},
                                 {Wide::name, runWide},
                                 {Bounded64::name, runPlain<Bounded64>},
                                 {Bounded32::name, runPlain<Bounded32>}};

RunResult runNamed(const Module& module, Shards shards, const RunOptions& options) {
  const std::string name = lowerCase(options.domain);
  if (options.bounds && !name.starts_with("bounded"))
    throw Error("bounds are known in bounded64 and bounded32 only, found domain " + name);
  std::string all;
  for (const RunDomain& domain : domains) {
    if (domain.name == name) return domain.run(module, std::move(shards), options);
    all += (all.empty() ? "" : ", ") + std::string(domain.name);
  }
  throw Error("no domain is named '" + excerpt(options.domain) + "'; there are " + all);
}

}  // namespace

std::int64_t statedReplicas(const Module& module) { return std::max(module.replicas, module.partitions); }

std::string resultName(const Function& function, std::size_t i) {
  const auto& names = function.resultNames;
  const auto count = [&](const std::string& name) { return std::count(names.begin(), names.end(), name); };
  const bool named = i < names.size() && !names[i].empty();
  if (named && count(names[i]) == 1 && oneLine(names[i]) == names[i]) return names[i];
  std::string name = "out" + std::to_string(i);
  while (count(name) > 0) name += '_';
  return name;
}

RunResult run(const Module& module, const NpzFile& inputs, const RunOptions& options) {
  return runNamed(module, shardsOf(module, inputs, options), options);
}

RunResult run(const Module& module, const RunOptions& options) {
  const Function& entry = module.entry();
  if (!entry.body.arguments.empty())
    throw Error(locationOf(module, entry.value(entry.body.arguments[0])),
                "expected inputs, of " + std::to_string(entry.body.arguments.size()) +
                    " arguments altogether; none were given");
  return runNamed(module, std::vector<std::vector<Array>>(static_cast<std::size_t>(options.replicas)), options);
}

}  // namespace shardlaw::stablehlo
