#include "props/programs/pairing.h"

#include <algorithm>
#include <set>

#include "interp/error.h"
#include "interp/stablehlo/run.h"

namespace shardlaw::programs {
namespace {

using stablehlo::Function;
using stablehlo::TensorType;

struct Named {
  std::string name;
  TensorType type;
};

std::vector<Named> argumentsOf(const Function& function) {
  std::vector<Named> all;
  for (const stablehlo::ValueId id : function.body.arguments)
    all.push_back({function.value(id).name, function.type(id)});
  return all;
}
std::vector<Named> resultsOf(const Function& function) {
  std::vector<Named> all;
  for (std::size_t i = 0; i < function.body.results.size(); ++i)
    all.push_back({stablehlo::resultName(function, i), function.type(function.body.results[i])});
  return all;
}

std::set<std::string> namesOf(const std::vector<Named>& all) {
  std::set<std::string> names;
  for (const Named& one : all) names.insert(one.name);
  return names;
}

std::vector<Pair> paired(const std::vector<Named>& replica, const std::vector<Named>& global, const std::string& what,
                         const PairingOptions& options) {
  if (replica.size() != global.size())
    throw Error("expected two programs with as many " + what + "s, found " + std::to_string(replica.size()) + " and " +
                std::to_string(global.size()));
  const auto names = namesOf(replica);
  const bool byName = names.size() == replica.size() && names == namesOf(global);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < replica.size(); ++i) {
    const auto isNamesake = [&](const Named& other) { return other.name == replica[i].name; };
    const auto found = std::find_if(global.begin(), global.end(), isNamesake);
    const std::size_t j = byName ? static_cast<std::size_t>(found - global.begin()) : i;
    Pair pair{replica[i].name, i, j, {}};
    const bool ignored = std::find(options.ignored.begin(), options.ignored.end(), pair.name) != options.ignored.end();
    if (!(ignored && what == "result")) {
      if (replica[i].type.element != global[j].type.element)
        throw Error(what + " '" + pair.name + "': expected one element type, found " + toString(replica[i].type) +
                    " on a replica and " + toString(global[j].type) + " globally");
      pair.sharding = stablehlo::shardingOf(pair.name, replica[i].type.shape, global[j].type.shape, options.replicas,
                                            options.sharding);
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

void requireKnown(const std::string& option, const std::vector<std::string>& names, const Pairing& pairing) {
  for (const std::string& name : names) {
    const auto isIt = [&](const Pair& pair) { return pair.name == name; };
    if (std::none_of(pairing.arguments.begin(), pairing.arguments.end(), isIt) &&
        std::none_of(pairing.results.begin(), pairing.results.end(), isIt))
      throw Error(option + ": no argument or result is named '" + excerpt(name) + "'");
  }
}

}  // namespace

Pairing pairingOf(const Function& replica, const Function& global, const PairingOptions& options) {
  Pairing pairing;
  pairing.arguments = paired(argumentsOf(replica), argumentsOf(global), "argument", options);
  pairing.results = paired(resultsOf(replica), resultsOf(global), "result", options);
  requireKnown("--shard", options.sharding.sharded, pairing);
  requireKnown("--replicate", options.sharding.replicated, pairing);
  for (const std::string& name : options.ignored) {
    const auto isIt = [&](const Pair& pair) { return pair.name == name; };
    if (std::none_of(pairing.results.begin(), pairing.results.end(), isIt))
      throw Error("--ignore: no result is named '" + excerpt(name) + "'");
  }
  const auto isIgnored = [&](const Pair& pair) {
    return std::find(options.ignored.begin(), options.ignored.end(), pair.name) != options.ignored.end();
  };
  for (const Pair& pair : pairing.results)
    if (isIgnored(pair)) pairing.ignored.push_back(pair.name);
  pairing.results.erase(std::remove_if(pairing.results.begin(), pairing.results.end(), isIgnored),
                        pairing.results.end());
  if (pairing.results.empty()) throw Error("no result is left to compare");
  return pairing;
}

}  // namespace shardlaw::programs
