#include "props/programs/recording.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "interp/error.h"
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
    if (seen.insert(cells[i].residue()).second) once.push_back(cells[i]);
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

/// Applications of the sites' operations, and distinct expressions among their arguments at most.
struct Counted {
  double given = 0, cells = 0;
};
Counted counted(const Recording& recording, const std::vector<const Site*>& sites, std::int64_t replicas) {
  Counted all;
  for (const Site* site : sites) {
    all.given += site->cells * static_cast<double>(replicas);
    for (const ValueId value : site->values)
      for (const auto& tensor : recording.seen.at(value)) all.cells += static_cast<double>(tensor.cells());
  }
  return all;
}

/// Whether the arguments of one program are pairwise distinct, and not 0 or another constant, but for values that are
/// the same in every cell. Adds how many of those there were, and the cells of all that are apart.
bool areApart(const Analysis& analysis, const Recording& recording, const std::vector<const Site*>& sites,
              double& cells, double& same) {
  std::vector<const Tensor<Field>*> apart;
  std::set<ValueId> values;
  std::set<std::uint64_t> constants{0};
  Residues residues;
  for (const Site* site : sites)
    for (const ValueId value : site->values) {
      if (!values.insert(value).second) continue;
      const Tensor<Field>& tensor = recording.seen.at(value)[0];
      const auto isSame = [&](const Tensor<Field>* other) { return areEqual(*other, tensor); };
      const bool constant = analysis.degree[static_cast<std::size_t>(value)].isConstant();
      if (constant)
        for (std::int64_t i = 0; i < tensor.cells(); ++i) constants.insert(tensor[i].residue());
      else if (std::any_of(apart.begin(), apart.end(), isSame)) ++same;
      else apart.push_back(&tensor);
    }
  for (const Tensor<Field>* tensor : apart) {
    cells += static_cast<double>(tensor->cells());
    for (std::int64_t i = 0; i < tensor->cells(); ++i)
      if (!(*tensor)[i].isLowest()) residues.add((*tensor)[i]);
  }
  for (const std::uint64_t constant : constants)
    if (constant != Field::lowest().residue()) residues.add(Field::fromUnsigned(constant));
  return residues.areDistinct();
}

/// Whether the values of two sites are equal: one cut or copied from the other.
bool areNamesakes(const Sides& sides, const Site& replica, const Site& global) {
  if (replica.operation != global.operation || replica.values.size() != global.values.size()) return false;
  for (std::size_t i = 0; i < replica.values.size(); ++i) {
    const auto& at = sides.atReplicas.seen.at(replica.values[i]);
    const Tensor<Field>& whole = sides.atGlobal.seen.at(global.values[i])[0];
    try {
      const auto sharding = stablehlo::shardingOf("", at[0].shape(), whole.shape(), sides.replicas);
      for (std::int64_t r = 0; r < sides.replicas; ++r)
        if (!areEqual(at[static_cast<std::size_t>(r)], shardOf(whole, sharding, r, sides.replicas))) return false;
    } catch (const Error&) {
      return false;
    }
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

Coincidences coincidencesOf(const Sides& sides, Family family) {
  const auto left = sitesOf(sides.replica, family), right = sitesOf(sides.global, family);
  const Counted ofReplicas = counted(sides.atReplicas, left, sides.replicas), ofGlobal = counted(sides.atGlobal, right, 1);
  const double given = ofReplicas.given + ofGlobal.given;
  const double all = std::max(given, applicationsOf(sides, family));
  Coincidences coincidences;
  double cells = 0, same = 0;
  // Where an application has no site, its argument is not known.
  bool seen = left.size() == right.size() && applicationsOf(sides, family) <= given;
  for (std::size_t k = 0; seen && k < left.size(); ++k) seen = areNamesakes(sides, *left[k], *right[k]);
  seen = seen && areApart(sides.global, sides.atGlobal, right, cells, same);
  coincidences.seen = seen;
  // Each cell of a replica may equal a namesake that is another expression, each global one 0, each pair of values that
  // are the same in every cell may be so by chance. Otherwise any two of all may coincide, and 0.
  coincidences.ways = seen ? ofReplicas.cells + cells + same : pairsOf(all + 1);
  return coincidences;
}

double falsePassLog2(const Sides& sides) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!sides.replica.unknown.empty() || !sides.global.unknown.empty()) return 0;
  const auto sharedRoots = static_cast<double>(sides.atReplicas.sharedRoots + sides.atGlobal.sharedRoots);
  const auto divisorsOf = [&](const Analysis& of, double replicas) {
    return of.nested ? infinity : of.divisions * replicas * (of.divisor + of.divisorRoots * sharedRoots);
  };
  const double divisors =
      divisorsOf(sides.replica, static_cast<double>(sides.replicas)) + divisorsOf(sides.global, 1);
  const auto bound = [&](const SharedDegreeScalar& scalar) {
    // 0 · ∞: where there is no division it does not matter what is unknown of divisors.
    const double fractions = scalar.power + scalar.extra;
    return std::max(1.0, scalar.degree + (fractions > 0 ? fractions * divisors : 0) + scalar.roots * sharedRoots);
  };
  SharedDegreeScalar difference;
  for (const stablehlo::ValueId id : sides.replicaFunction.body.results)
    difference = larger(difference, sides.replica.degree[static_cast<std::size_t>(id)]);
  for (const stablehlo::ValueId id : sides.globalFunction.body.results)
    difference = larger(difference, sides.global.degree[static_cast<std::size_t>(id)]);
  double chances = bound(difference);
  for (std::size_t f = 0; f < familyCount; ++f) {
    const auto degree = bound(larger(sides.replica.arguments[f], sides.global.arguments[f]));
    const auto cc = coincidencesOf(sides, static_cast<Family>(f)); fprintf(stderr, "family %zu ways %g seen %d degree %g apps %g\n", f, cc.ways, (int)cc.seen, degree, applicationsOf(sides, static_cast<Family>(f)));
    chances += cc.ways * degree;
  }
  // An opaque value is 64 random bits modulo p, so that no element is likelier than (1 + p·2^-64)/p.
  constexpr auto p = static_cast<double>(Field::modulus);
  return std::min(0.0, std::log2(chances * (1 + p * 0x1p-64) / p));
}

}  // namespace shardlaw::programs
