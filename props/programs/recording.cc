#include "props/programs/recording.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "interp/stablehlo/sharding.h"
#include "props/residues.h"

namespace shardlaw::programs {
namespace {

using stablehlo::Cells;
using stablehlo::Function;
using stablehlo::Operation;
using stablehlo::ValueId;

double pairsOf(double count) { return count * (count - 1) / 2; }

/// Each constant once.
Tensor<Field> constantsOf(const Tensor<Field>& cells) {
  std::set<std::uint64_t> seen;
  std::vector<Field> once;
  for (std::int64_t i = 0; i < cells.cells(); ++i)
    if ((i == 0 || !(cells[i] == cells[i - 1])) && seen.insert(cells[i].residue()).second) once.push_back(cells[i]);
  return Tensor<Field>(Shape{static_cast<std::int64_t>(once.size())}, once);
}

bool areEqual(const Tensor<Field>& a, const Tensor<Field>& b) {
  return a.shape() == b.shape() && std::equal(a.view().data(), a.view().data() + a.cells(), b.view().data());
}

std::vector<const Site*> sitesOf(const Analysis& analysis, Family family) {
  std::vector<const Site*> sites;
  for (const Site& site : analysis.sites)
    if (site.family == family) sites.push_back(&site);
  return sites;
}

/// Cells that a family's sites were given, on all replicas, as often as they were given.
double applicationsOf(const Sides& sides, Family family) {
  const auto of = [&](const Recording& recording) {
    const auto count = [&](Opaque f) { return static_cast<double>(recording.applications[f]); };
    switch (family) {
      case Family::compared: return 0.0;
      case Family::roots: return count(Opaque::sqrt) + count(Opaque::rsqrt);
      case Family::exp: return count(Opaque::exp);
      case Family::log: return count(Opaque::log);
      case Family::tanh: return count(Opaque::tanh);
      case Family::round: return count(Opaque::round);
      case Family::other: return count(Opaque::other);
    }
    return 0.0;
  };
  return of(sides.atReplicas) + of(sides.atGlobal);
}

/// Applications of the sites' operations.
double cellsOf(const std::vector<const Site*>& sites, std::int64_t replicas) {
  double cells = 0;
  for (const Site* site : sites) cells += site->cells * static_cast<double>(replicas);
  return cells;
}

/// The values behind a family's sites, each once per operation that they are given to; those without variables apart
/// from the others.
struct Bases {
  struct Base {
    ValueId value;
    const stablehlo::OperationInfo* to;
    friend auto operator<=>(const Base&, const Base&) = default;
  };
  std::vector<Base> variable;
  std::vector<ValueId> constant;
};
Bases basesOf(const Analysis& analysis, const std::vector<const Site*>& sites) {
  std::set<Bases::Base> seen;
  Bases bases;
  for (const Site* site : sites)
    for (const ValueId value : site->values) {
      const Bases::Base base{value, site->operation->info};
      if (!seen.insert(base).second) continue;
      if (analysis.degree[static_cast<std::size_t>(value)].isConstant()) bases.constant.push_back(value);
      else bases.variable.push_back(base);
    }
  return bases;
}

/// The global program's arguments without those that are the same in every cell as another, and whether the cells of
/// these are pairwise distinct and no constant of either program's sites.
struct Apart {
  struct Argument {
    const Tensor<Field>* cells;
    std::set<const stablehlo::OperationInfo*> to;
  };
  std::vector<Argument> arguments;
  double same = 0;
  bool distinct = false;
};
Apart apartOf(const Sides& sides, const Bases& replica, const Bases& global) {
  Apart apart;
  Residues residues;
  std::set<std::uint64_t> constants{0, Field::lowest().residue()};
  const auto addConstants = [&](const Recording& recording, const Bases& bases) {
    for (const ValueId value : bases.constant) {
      const Tensor<Field>& tensor = recording.seen.at(value)[0];
      for (std::int64_t i = 0; i < tensor.cells(); ++i) constants.insert(tensor[i].residue());
    }
  };
  addConstants(sides.atReplicas, replica);
  addConstants(sides.atGlobal, global);
  for (const auto& [value, to] : global.variable) {
    const Tensor<Field>& tensor = sides.atGlobal.seen.at(value)[0];
    const auto isSame = [&](const Apart::Argument& other) { return areEqual(*other.cells, tensor); };
    const auto same = std::find_if(apart.arguments.begin(), apart.arguments.end(), isSame);
    if (same != apart.arguments.end()) {
      same->to.insert(to);
      if (same->cells != &tensor) ++apart.same;
      continue;
    }
    apart.arguments.push_back({&tensor, {to}});
    for (std::int64_t i = 0; i < tensor.cells(); ++i)
      if (!tensor[i].isLowest()) residues.add(tensor[i]);
  }
  for (const std::uint64_t constant : constants)
    if (constant != Field::lowest().residue()) residues.add(Field::fromUnsigned(constant));
  apart.distinct = residues.areDistinct();
  return apart;
}

/// Whether a value of the replicas is one of the global program's, cut or copied.
bool isCutFrom(const std::vector<Tensor<Field>>& replicas, const Tensor<Field>& whole) {
  const auto count = static_cast<std::int64_t>(replicas.size());
  const auto sharding = stablehlo::shardingIfAny(replicas[0].shape(), whole.shape(), count);
  if (!sharding) return false;
  for (std::int64_t r = 0; r < count; ++r) {
    const Tensor<Field>& at = replicas[static_cast<std::size_t>(r)];
    bool equal = sharding->isReplicated() ? areEqual(at, whole) : true;
    if (!sharding->isReplicated())
      stablehlo::eachRunOfShard(
          whole.shape(), sharding->axis, r, count, [&](std::int64_t from, std::int64_t to, std::int64_t cells) {
            equal =
                equal && std::equal(at.view().data() + to, at.view().data() + to + cells, whole.view().data() + from);
          });
    if (!equal) return false;
  }
  return true;
}

}  // namespace

Recording recorded(std::uint64_t seed, const stablehlo::Module& module, const Analysis& analysis,
                   Arguments<Exact> arguments) {
  const Function& function = module.entry();
  std::set<ValueId> wanted;
  for (const Site& site : analysis.sites) wanted.insert(site.values.begin(), site.values.end());
  RootArguments roots;
  const Exact domain(seed, &roots);
  Recording recording;
  const auto keep = [&](ValueId id, const Cells<Exact>& cells) {
    if (wanted.count(id) == 0) return;
    const bool constant = analysis.degree[static_cast<std::size_t>(id)].isConstant();
    recording.seen[id].push_back(constant ? constantsOf(cells.floats()) : cells.floats());
  };
  for (std::size_t i = 0; i < function.body.arguments.size(); ++i)
    for (const auto& replica : arguments) keep(function.body.arguments[i], replica[i]);
  stablehlo::EvaluateOptions<Exact> options;
  options.after = [&](std::int64_t, const Function&, const Operation& operation,
                      std::span<const Cells<Exact>* const> results) {
    for (std::size_t i = 0; i < results.size(); ++i) keep(operation.results[i], *results[i]);
  };
  recording.evaluation = stablehlo::evaluate(domain, module, std::move(arguments), options);
  recording.applications = domain.applications();
  recording.sharedRoots = roots.shared();
  return recording;
}

double coincidencesOf(const Sides& sides, Family family) {
  const auto left = sitesOf(sides.replica, family), right = sitesOf(sides.global, family);
  const double given = cellsOf(left, sides.replicas) + cellsOf(right, 1);
  const double all = std::max(given, applicationsOf(sides, family));
  const Bases replica = basesOf(sides.replica, left), global = basesOf(sides.global, right);
  // Where an application has no site, its argument is not known.
  bool seen = applicationsOf(sides, family) <= given;
  Apart apart;
  if (seen) apart = apartOf(sides, replica, global);
  seen = seen && apart.distinct;
  // Namesakes stand in the same order, mostly: the search begins where the last one was found.
  std::size_t next = 0;
  for (std::size_t i = 0; seen && i < replica.variable.size(); ++i) {
    const auto& at = sides.atReplicas.seen.at(replica.variable[i].value);
    seen = false;
    for (std::size_t k = 0; !seen && k < apart.arguments.size(); ++k) {
      const std::size_t candidate = (next + k) % apart.arguments.size();
      const Apart::Argument& argument = apart.arguments[candidate];
      seen = argument.to.contains(replica.variable[i].to) && isCutFrom(at, *argument.cells);
      if (seen) next = candidate;
    }
  }
  if (!seen) return pairsOf(all + 1);  // any two of all arguments may coincide, and 0
  // A value of the replicas may equal one that is another expression: then one cell of it does by chance, whichever it
  // is of the global values that it could be cut from, given to the same function. Values that are the same in every
  // cell may be so by chance.
  double ways = apart.same;
  for (const auto& [value, to] : replica.variable) {
    const auto& at = sides.atReplicas.seen.at(value);
    for (const Apart::Argument& argument : apart.arguments)
      if (argument.to.contains(to) && stablehlo::shardingIfAny(at[0].shape(), argument.cells->shape(), sides.replicas))
        ways += static_cast<double>(sides.replicas);
  }
  return ways;
}

namespace {

/// Whether two comparisons are of one kind, on operands of which the replicas' are cut from the global ones.
bool areNamesakes(const Sides& sides, const Site& replica, const Site& global) {
  const Operation &a = *replica.operation, &b = *global.operation;
  if (a.info != b.info || replica.values.size() != global.values.size() ||
      a.attributes.keyword("comparison_direction", "") != b.attributes.keyword("comparison_direction", ""))
    return false;
  for (std::size_t i = 0; i < replica.values.size(); ++i)
    if (!isCutFrom(sides.atReplicas.seen.at(replica.values[i]), sides.atGlobal.seen.at(global.values[i])[0]))
      return false;
  return true;
}

}  // namespace

double comparedCoincidencesOf(const Sides& sides, std::string& unmatched) {
  const auto left = sitesOf(sides.replica, Family::compared), right = sitesOf(sides.global, Family::compared);
  std::size_t next = 0;
  for (const Site* site : left) {
    bool found = false;
    for (std::size_t k = 0; !found && k < right.size(); ++k) {
      const std::size_t candidate = (next + k) % right.size();
      found = areNamesakes(sides, *site, *right[candidate]);
      if (found) next = candidate;
    }
    if (found) continue;
    unmatched = "a comparison of the replicas is none of the global program's: stablehlo." +
                std::string(site->operation->info->name) + " at line " + std::to_string(site->operation->position.line);
    return 0;
  }
  double values = 0;
  for (const Site* site : left) values += static_cast<double>(site->values.size());
  return values * static_cast<double>(right.size()) * static_cast<double>(sides.replicas);
}

FalsePass falsePassOf(const Sides& sides) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  FalsePass chance;
  chance.unknown = !sides.replica.unknown.empty() ? sides.replica.unknown : sides.global.unknown;
  if (!chance.unknown.empty()) return chance;
  const auto sharedRoots = static_cast<double>(sides.atReplicas.sharedRoots + sides.atGlobal.sharedRoots);
  const auto divisorDegree = [&](const Analysis& of, double divisors) {
    return of.nested ? infinity : divisors * (of.divisor + of.divisorRoots * sharedRoots);
  };
  const auto bound = [&](const DegreeBound& replica, const DegreeBound& global) {
    const SharedDegreeScalar scalar = larger(replica.degree, global.degree);
    // 0 · ∞: where there is no division it does not matter what is unknown of divisors.
    const double fractions = scalar.power + scalar.extra;
    if (fractions == 0) return std::max(1.0, scalar.degree + scalar.roots * sharedRoots);
    const double divisors = divisorDegree(sides.replica, replica.divisors * static_cast<double>(sides.replicas)) +
                            divisorDegree(sides.global, global.divisors);
    return std::max(1.0, scalar.degree + fractions * divisors + scalar.roots * sharedRoots);
  };
  double chances = bound(sides.replica.results, sides.global.results);
  for (std::size_t f = 0; f < familyCount; ++f) {
    const double degree = bound(sides.replica.arguments[f], sides.global.arguments[f]);
    const auto family = static_cast<Family>(f);
    const double ways =
        family == Family::compared ? comparedCoincidencesOf(sides, chance.unknown) : coincidencesOf(sides, family);
    if (!chance.unknown.empty()) return chance;
    chances += ways * degree;
  }
  // An opaque value is 64 random bits modulo p, so that no element is likelier than (1 + p·2^-64)/p.
  constexpr auto p = static_cast<double>(Field::modulus);
  chance.log2 = std::min(0.0, std::log2(chances * (1 + p * 0x1p-64) / p));
  if (chance.log2 > -1) chance.unknown = "the bound on a false pass is too large";
  return chance;
}

}  // namespace shardlaw::programs
