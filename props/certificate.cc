#include "props/certificate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "interp/node/nodes.h"
#include "props/residues.h"

namespace shardlaw {
namespace {

struct ArgumentRow {
  const Node* node;
  std::size_t operand;  ///< the one whose cells are the arguments
  int divisor = -1;     ///< the one that they are divided by; −1 for none
};

/// Nodes that compare the cells of an operand with each other and with 0.
constexpr ArgumentRow comparing[] = {{&nodes::relu, 0},         {&nodes::selectPos, 0}, {&nodes::maxPool2, 0},
                                     {&nodes::maxPool2Back, 0}, {&nodes::maxPool3, 0},  {&nodes::maxPool3Back, 0}};
/// Nodes that take √(v/c) of the cells v of an operand.
constexpr ArgumentRow rooting[] = {{&nodes::adamw, 2, 5}};
/// Nodes whose cells are cells of their operand, or 0.
constexpr const Node* selecting[] = {&nodes::relu, &nodes::maxPool2, &nodes::maxPool3, &nodes::flatten,
                                     &nodes::unflatten};

struct RoundingRow {
  const Node* node;
  std::size_t operands[2];  ///< those whose cells are rounded
  int bias;                 ///< the operand that is added, by channel, to what is rounded at the end; −1 for none
};
constexpr RoundingRow rounding[] = {
    {&nodes::convBf16, {0, 2}, 1}, {&nodes::convBackBf16, {0, 1}, -1}, {&nodes::convWeightGradBf16, {0, 1}, -1}};

const RoundingRow* roundingRow(const Value& value) {
  const auto isIt = [&](const RoundingRow& row) { return value.operation && value.operation->node == row.node; };
  const auto* found = std::find_if(std::begin(rounding), std::end(rounding), isIt);
  return found == std::end(rounding) ? nullptr : found;
}

ValueId selectedFrom(const Program& program, ValueId id) {
  const auto& operation = program.value(id).operation;
  const bool selects =
      operation && std::find(std::begin(selecting), std::end(selecting), operation->node) != std::end(selecting);
  return selects ? selectedFrom(program, operation->operands[0]) : id;
}

template <std::size_t rows>
std::vector<Argument> operandsOf(const Program& program, const ArgumentRow (&table)[rows]) {
  std::set<Argument> found;
  for (const Value& value : program.values())
    for (const ArgumentRow& row : table)
      if (value.operation && value.operation->node == row.node) {
        const auto& operands = value.operation->operands;
        found.insert({selectedFrom(program, operands[row.operand]),
                      row.divisor < 0 ? -1 : operands[static_cast<std::size_t>(row.divisor)]});
      }
  return {found.begin(), found.end()};
}

template <class Row, std::size_t rows>
bool has(const Row (&table)[rows], const Node& node) {
  return std::any_of(std::begin(table), std::end(table), [&](const Row& row) { return row.node == &node; });
}

/// Which values of the left side some equation depends on.
std::vector<bool> livingValues(const Claim& claim) {
  const auto& values = claim.left.program.values();
  std::vector<bool> lives(values.size());
  for (const Equation& equation : claim.equations) lives[static_cast<std::size_t>(equation.left)] = true;
  for (std::size_t id = values.size(); id-- > 0;)
    if (lives[id] && values[id].operation)
      for (const ValueId operand : values[id].operation->operands) lives[static_cast<std::size_t>(operand)] = true;
  return lives;
}

/// Whether a value is the same on both sides: both are one input, cut as the other is, or an equation has them.
bool areSame(const Claim& claim, ValueId left, ValueId right) {
  const Value &a = claim.left.program.value(left), &b = claim.right.program.value(right);
  const auto isCommon = [&](const ClaimInput& input) { return input.name == a.name && !input.perReplica; };
  const auto& interleaved = claim.interleaved;
  if (!a.operation && !b.operation && a.name == b.name &&
      std::find(interleaved.begin(), interleaved.end(), a.name) == interleaved.end() &&
      std::any_of(claim.inputs.begin(), claim.inputs.end(), isCommon))
    return true;
  return std::any_of(claim.equations.begin(), claim.equations.end(),
                     [&](const Equation& equation) { return equation.left == left && equation.right == right; });
}

double pairsOf(double count) { return count * (count - 1) / 2; }

/// Cells of the largest of a result and its operands: how often a node may divide grows with no other number.
std::int64_t largestOf(const Program& program, const Value& value) {
  std::int64_t most = value.type.shape.cells();
  for (const ValueId operand : value.operation->operands)
    most = std::max(most, program.value(operand).type.shape.cells());
  return most;
}

/// The product of all divisors of one side at its real size; infinite where one is a fraction itself.
double divisorDegree(const Side& side, const Degrees& degrees, double sharedRoots) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  double count = 0;
  for (const Value& value : side.program.values()) {
    if (!value.operation) continue;
    const auto found = degrees.divisions.find(value.operation->node);
    if (found == degrees.divisions.end()) return unknown;
    count += found->second * static_cast<double>(largestOf(side.program, value) * side.replicas);
  }
  const double each = degrees.counts.divisor + degrees.counts.divisorRoots * sharedRoots;
  return degrees.counts.nested ? unknown : count * each;
}

}  // namespace

Arguments argumentsOf(const Program& program) { return {operandsOf(program, comparing), operandsOf(program, rooting)}; }

bool knowsComparisons(const Node& node) { return has(comparing, node); }
bool knowsRoots(const Node& node) { return has(rooting, node); }
bool knowsRoundings(const Node& node) { return has(rounding, node); }

std::int64_t cellsOf(const Program& program, const std::vector<Argument>& which) {
  std::int64_t cells = 0;
  for (const Argument& argument : which) cells += program.value(argument.value).type.shape.cells();
  return cells;
}

bool areEquated(const Claim& claim) {
  const Arguments left = argumentsOf(claim.left.program), right = argumentsOf(claim.right.program);
  const std::vector<bool> lives = livingValues(claim);
  const auto all = [&](const std::vector<Argument>& of, const std::vector<Argument>& with) {
    return std::all_of(of.begin(), of.end(), [&](const Argument& a) {
      if (!lives[static_cast<std::size_t>(a.value)]) return true;
      return std::any_of(with.begin(), with.end(), [&](const Argument& b) {
        const bool divided = a.divisor >= 0;
        return divided == (b.divisor >= 0) && areSame(claim, a.value, b.value) &&
               (!divided || areSame(claim, a.divisor, b.divisor));
      });
    });
  };
  return all(left.compared, right.compared) && all(left.roots, right.roots);
}

bool areDistinct(const std::vector<Tensor<Field>>& values, const std::vector<Argument>& which) {
  Residues residues;
  residues.add(Field());
  for (const Argument& argument : which) {
    const Tensor<Field>& tensor = values[static_cast<std::size_t>(argument.value)];
    const Field scale =
        argument.divisor < 0 ? Field::fromUnsigned(1) : values[static_cast<std::size_t>(argument.divisor)][0].inverse();
    for (std::int64_t i = 0; i < tensor.cells(); ++i)
      if (!tensor[i].isLowest()) residues.add(tensor[i] * scale);
  }
  return residues.areDistinct();
}

std::int64_t roundedCellsOf(const Program& program) {
  std::int64_t cells = 0;
  for (const Value& value : program.values()) {
    const RoundingRow* row = roundingRow(value);
    if (row == nullptr) continue;
    cells += value.type.shape.cells();
    for (const std::size_t i : row->operands) cells += program.value(value.operation->operands[i]).type.shape.cells();
  }
  return cells;
}

bool areRoundedApart(const Exact& domain, const Program& program, const std::vector<Tensor<Field>>& values) {
  Residues residues;
  std::set<ValueId> seen;
  const auto add = [&](Field rounded) {
    if (!(rounded == Field())) residues.add(rounded);
  };
  for (std::size_t id = 0; id < program.values().size(); ++id) {
    const RoundingRow* row = roundingRow(program.values()[id]);
    if (row == nullptr) continue;
    const auto& operands = program.values()[id].operation->operands;
    for (const std::size_t i : row->operands) {
      const ValueId from = selectedFrom(program, operands[i]);
      if (!seen.insert(from).second) continue;
      const Tensor<Field>& tensor = values[static_cast<std::size_t>(from)];
      for (std::int64_t k = 0; k < tensor.cells(); ++k) add(domain.roundToBf16(tensor[k]));
    }
    const Tensor<Field>& result = values[id];
    const bool biased = row->bias >= 0;
    const auto bias = static_cast<std::size_t>(row->bias);
    const std::int64_t map = biased ? result.shape()[2] * result.shape()[3] : 1;
    for (std::int64_t k = 0; k < result.cells(); ++k) {
      if (!biased) add(result[k]);
      else add(result[k] - values[static_cast<std::size_t>(operands[bias])][k / map % result.shape()[1]]);
    }
  }
  return residues.areDistinct();
}

bool areRoundingsEquated(const Claim& claim) {
  const Program& program = claim.left.program;
  const std::vector<bool> lives = livingValues(claim);
  const auto isEquated = [&](ValueId id) {
    const Value& value = program.value(id);
    if (!value.operation) return areSame(claim, id, claim.right.program.find(value.name));
    return std::any_of(claim.equations.begin(), claim.equations.end(), [&](const Equation& e) { return e.left == id; });
  };
  for (std::size_t id = 0; id < program.values().size(); ++id) {
    const RoundingRow* row = roundingRow(program.values()[id]);
    if (row == nullptr || !lives[id]) continue;
    if (!isEquated(static_cast<ValueId>(id))) return false;
    for (const std::size_t i : row->operands)
      if (!isEquated(selectedFrom(program, program.values()[id].operation->operands[i]))) return false;
  }
  return true;
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
      const auto cells = static_cast<double>(largestOf(side.program, value) * side.replicas);
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

double certifiedLog2(const Claim& claim, const Degrees& degrees, const PointFacts& facts) {
  const auto sharedRoots = static_cast<double>(facts.sharedRoots);
  const double divisors =
      divisorDegree(claim.left, degrees, sharedRoots) + divisorDegree(claim.right, degrees, sharedRoots);
  const auto bound = [&](const SharedDegreeScalar& scalar) {
    // 0 · ∞: where there is no division it does not matter what is unknown of divisors.
    const double fractions = scalar.power + scalar.extra;
    return std::max(1.0, scalar.degree + (fractions > 0 ? fractions * divisors : 0) + scalar.roots * sharedRoots);
  };
  const Arguments left = argumentsOf(claim.left.program), right = argumentsOf(claim.right.program);
  const auto cells = [&](std::vector<Argument> Arguments::*kind) {
    return static_cast<double>(cellsOf(claim.left.program, left.*kind) * claim.left.replicas +
                               cellsOf(claim.right.program, right.*kind) * claim.right.replicas);
  };
  // Of distinct cells each may equal its namesake; otherwise any two of both sides and 0 may coincide.
  const bool seen = facts.distinct && areEquated(claim);
  const auto coincidences = [&](double of) { return seen ? of : pairsOf(of + 1); };
  double chances =
      bound(degrees.difference) + coincidences(cells(&Arguments::compared)) * bound(degrees.counts.compared);
  const double roots = cells(&Arguments::roots);
  // Each rounded cell may be 0, or equal its namesake: that of another expression.
  const auto rounded = static_cast<double>(roundedCellsOf(claim.left.program) * claim.left.replicas +
                                           roundedCellsOf(claim.right.program) * claim.right.replicas);
  const bool roundedSeen = facts.roundedApart && areRoundingsEquated(claim);
  for (std::size_t i = 0; i < opaqueCount; ++i) {
    const auto f = static_cast<Opaque>(i);
    const auto count = static_cast<double>(facts.applications[f]);
    const bool allKnown = f == Opaque::sqrt && roots > 0 && count <= roots;
    // 0 is one argument more: rounding and roots are fixed there by rule.
    double ways = allKnown ? coincidences(roots) : pairsOf(count + 1);
    if (f == Opaque::round && count <= rounded && roundedSeen) ways = std::min(ways, 2 * rounded);
    chances += ways * bound(degrees.counts.arguments[f]);
  }
  // √ and 1/√ are tied: where some of their arguments are equal, any of them may be so by chance.
  if (facts.sharedRoots > 0)
    chances += static_cast<double>(facts.applications[Opaque::sqrt]) *
               static_cast<double>(facts.applications[Opaque::rsqrt]) *
               bound(larger(degrees.counts.arguments[Opaque::sqrt], degrees.counts.arguments[Opaque::rsqrt]));
  // An opaque value is 64 random bits modulo p, so that no element is likelier than (1 + p·2^-64)/p.
  constexpr auto p = static_cast<double>(Field::modulus);
  return std::min(0.0, std::log2(chances * (1 + p * 0x1p-64) / p));
}

}  // namespace shardlaw
