#include "props/certificate.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include "interp/exec/parallel.h"
#include "interp/node/nodes.h"

namespace shardlaw {
namespace {

struct ArgumentRow {
  const Node* node;
  std::size_t operand;  ///< the one whose cells are the arguments
};

/// Nodes that compare the cells of an operand with each other and with 0.
constexpr ArgumentRow comparing[] = {{&nodes::relu, 0},         {&nodes::selectPos, 0}, {&nodes::maxPool2, 0},
                                     {&nodes::maxPool2Back, 0}, {&nodes::maxPool3, 0},  {&nodes::maxPool3Back, 0}};
/// Nodes that take √(v/c) of the cells v of an operand, c one and the same.
constexpr ArgumentRow rooting[] = {{&nodes::adamw, 2}};
/// Nodes whose cells are cells of their operand, or 0.
constexpr const Node* selecting[] = {&nodes::relu, &nodes::maxPool2, &nodes::maxPool3, &nodes::flatten,
                                     &nodes::unflatten};

ValueId selectedFrom(const Program& program, ValueId id) {
  const auto& operation = program.value(id).operation;
  const bool selects =
      operation && std::find(std::begin(selecting), std::end(selecting), operation->node) != std::end(selecting);
  return selects ? selectedFrom(program, operation->operands[0]) : id;
}

template <std::size_t rows>
std::vector<ValueId> operandsOf(const Program& program, const ArgumentRow (&table)[rows]) {
  std::set<ValueId> found;
  for (const Value& value : program.values())
    for (const ArgumentRow& row : table)
      if (value.operation && value.operation->node == row.node)
        found.insert(selectedFrom(program, value.operation->operands[row.operand]));
  return {found.begin(), found.end()};
}

double pairsOf(double count) { return count * (count - 1) / 2; }

/// The product of all divisors of one side at its real size; infinite where one is a fraction itself.
double divisorDegree(const Side& side, const Degrees& degrees) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  double count = 0;
  for (const Value& value : side.program.values()) {
    if (!value.operation) continue;
    const auto found = degrees.divisions.find(value.operation->node);
    if (found == degrees.divisions.end()) return unknown;
    count += found->second * static_cast<double>(value.type.shape.cells() * side.replicas);
  }
  return degrees.counts.nested ? unknown : count * degrees.counts.divisor;
}

}  // namespace

Arguments argumentsOf(const Program& program) { return {operandsOf(program, comparing), operandsOf(program, rooting)}; }

std::int64_t cellsOf(const Program& program, const std::vector<ValueId>& which) {
  std::int64_t cells = 0;
  for (const ValueId id : which) cells += program.value(id).type.shape.cells();
  return cells;
}

bool areDistinct(const std::vector<Tensor<Field>>& values, const std::vector<ValueId>& which) {
  // Cells are dealt into buckets, so that millions of them are sorted in parallel and in the cache.
  constexpr std::size_t buckets = 256;
  constexpr int shift = 52 - 8;
  std::vector<std::vector<std::uint64_t>> residues(buckets);
  for (const ValueId id : which) {
    const Tensor<Field>& tensor = values[static_cast<std::size_t>(id)];
    for (std::int64_t i = 0; i < tensor.cells(); ++i)
      if (!tensor[i].isLowest()) residues[tensor[i].residue() >> shift].push_back(tensor[i].residue());
  }
  std::atomic<bool> distinct = true;
  parallelFor(buckets, true, [&](std::int64_t i) {
    auto& bucket = residues[static_cast<std::size_t>(i)];
    std::sort(bucket.begin(), bucket.end());
    const bool zero = !bucket.empty() && bucket.front() == 0;
    if (zero || std::adjacent_find(bucket.begin(), bucket.end()) != bucket.end()) distinct = false;
  });
  return distinct;
}

Degrees degreesOf(const Claim& skeleton) {
  const SharedDegree domain;
  Degrees degrees;
  double before = 0;
  Case c;
  c[Dimension::R] = skeleton.left.replicas;
  c[Dimension::N] = 1;
  c[Dimension::data] = static_cast<std::int64_t>(DataClass::generic);
  const auto evaluated = [&](const Side& side) {
    EvaluateOptions options;
    options.after = [&](ValueId id) {
      const Value& value = side.program.value(id);
      const double divisions = domain.counts().divisions;
      const auto cells = static_cast<double>(value.type.shape.cells() * side.replicas);
      double& perCell = degrees.divisions[value.operation->node];
      perCell = std::max(perCell, (divisions - std::exchange(before, divisions)) / cells);
    };
    return detail::evaluateSide(domain, skeleton, side, c, Reader<SharedDegree>{&domain}, options);
  };
  detail::Sides<SharedDegree> sides;
  sides.right = evaluated(skeleton.right);
  sides.left = evaluated(skeleton.left);
  detail::compareSides<SharedDegree>(skeleton, sides, [&](const detail::Compared<SharedDegreeScalar>& at) {
    degrees.difference = larger(degrees.difference, larger(at.left, at.right));
  });
  degrees.counts = domain.counts();
  return degrees;
}

double certifiedLog2(const Claim& claim, const Degrees& degrees, const PerOpaque<std::int64_t>& applications,
                     bool distinct) {
  const double divisors = divisorDegree(claim.left, degrees) + divisorDegree(claim.right, degrees);
  const auto sharedRoots = static_cast<double>(std::min(applications[Opaque::sqrt], applications[Opaque::rsqrt]));
  const auto bound = [&](const SharedDegreeScalar& scalar) {
    // 0 · ∞: where there is no division it does not matter what is unknown of divisors.
    const double fractions = scalar.power + scalar.extra;
    return std::max(1.0, scalar.degree + (fractions > 0 ? fractions * divisors : 0) + scalar.roots * sharedRoots);
  };
  const Arguments arguments = argumentsOf(claim.right.program);
  double chances = bound(degrees.difference);
  // Of distinct cells each may hit 0, or equal its namesake; otherwise any two of both sides and 0 may coincide.
  const auto coincidences = [&](double cells) { return distinct ? 2 * cells : pairsOf(2 * cells + 1); };
  chances += coincidences(static_cast<double>(cellsOf(claim.right.program, arguments.compared))) *
             bound(degrees.counts.compared);
  for (std::size_t i = 0; i < opaqueCount; ++i) {
    const auto f = static_cast<Opaque>(i);
    const auto count = static_cast<double>(applications[f]);
    const auto seen = f == Opaque::sqrt ? static_cast<double>(cellsOf(claim.right.program, arguments.roots)) : 0;
    const bool allSeen = seen > 0 && count <= static_cast<double>(1 + claim.left.replicas) * seen;
    // 0 is one argument more: rounding and roots are fixed there by rule.
    chances += (allSeen ? coincidences(seen) : pairsOf(count + 1)) * bound(degrees.counts.arguments[f]);
  }
  // An opaque value is 64 random bits modulo p, so that no element is likelier than (1 + p·2^-64)/p.
  constexpr auto p = static_cast<double>(Field::modulus);
  return std::min(0.0, std::log2(chances * (1 + p * 0x1p-64) / p));
}

}  // namespace shardlaw
