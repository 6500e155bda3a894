// What the tests of props share: tiny claims and laws, and the values of a claim at inputs of the test's choice.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "interp/exec/evaluate.h"
#include "interp/node/nodes.h"
#include "props/judge_impl.h"
#include "props/law.h"
#include "props/mutant/mutant.h"

namespace shardlaw::test {

/// A case by the names and numbers of its dimensions.
inline Case parsed(std::string_view text) { return parseCase(text, {}); }

/// The cells of each input over the global batch, row-major, by name.
using Cells = std::map<std::string, std::vector<double>>;

/// Both values of an equation: the left one of each replica, the right one of replica 0.
template <class F>
struct Sides {
  std::vector<std::vector<F>> left;
  std::vector<F> right;
};

template <class F>
std::vector<F> cellsOf(const Tensor<F>& tensor) {
  return {tensor.view().data(), tensor.view().data() + tensor.cells()};
}

/// Evaluates a claim without pairings in IEEE arithmetic.
template <class F = double>
Sides<F> valuesOf(const Claim& claim, const Cells& cells, std::size_t equation = 0) {
  const auto given = [&](const ClaimInput& input, const Shape& shape) {
    INFO("input " << input.name << " of shape " << toString(shape));
    const std::vector<double>& numbers = cells.at(input.name);
    REQUIRE(static_cast<std::int64_t>(numbers.size()) == shape.cells());
    Tensor<F> tensor(shape);
    for (std::int64_t i = 0; i < tensor.cells(); ++i) tensor[i] = static_cast<F>(numbers[static_cast<std::size_t>(i)]);
    return tensor;
  };
  const Ieee<F> domain;
  const Equation& wanted = claim.equations.at(equation);
  const auto left = evaluate(domain, claim.left.program, detail::inputsOf<F>(claim, claim.left, true, given));
  const auto right = evaluate(domain, claim.right.program, detail::inputsOf<F>(claim, claim.right, false, given));
  Sides<F> sides;
  for (const auto& replica : left) sides.left.push_back(cellsOf(replica[static_cast<std::size_t>(wanted.left)]));
  sides.right = cellsOf(right[0][static_cast<std::size_t>(wanted.right)]);
  return sides;
}

/// The replicas' values one after the other: those of the global batch, where the value is batched.
template <class F>
std::vector<F> gathered(const Sides<F>& sides) {
  std::vector<F> all;
  for (const auto& replica : sides.left) all.insert(all.end(), replica.begin(), replica.end());
  return all;
}

/// The claim of a law, with ε as given: 0, say, which no case has.
inline Claim claimOf(std::string_view law, const Case& c, const Rational& eps) {
  Claim claim = findLaw(law).claim(c);
  const auto withEps = [&](Builder& builder, const Operation& operation, const std::vector<ValueId>& operands) {
    std::optional<ValueId> replaced;
    Attributes attributes = operation.attributes;
    if (attributes.find("eps") == nullptr) return replaced;
    attributes.set("eps", Attribute{eps});
    replaced = builder.apply(*operation.node, operands, attributes);
    return replaced;
  };
  std::vector<ValueId> map;
  claim.left.program = rewrite(claim.left.program, withEps, map);
  for (Equation& equation : claim.equations) equation.left = map[static_cast<std::size_t>(equation.left)];
  claim.right.program = rewrite(claim.right.program, withEps, map);
  for (Equation& equation : claim.equations) equation.right = map[static_cast<std::size_t>(equation.right)];
  return claim;
}
inline Claim claimOf(std::string_view law, const Case& c) { return findLaw(law).claim(c); }

inline Claim withMutant(Claim claim, std::string_view mutant, const Case& c) {
  INFO("mutant " << mutant);
  REQUIRE(applyMutant(findMutant(mutant), claim, c));
  return claim;
}

/// The number of a subject of a law, by name.
inline std::int64_t subjectNamed(std::string_view law, std::string_view subject) {
  const auto& subjects = findLaw(law).subjects;
  const auto found = std::find(subjects.begin(), subjects.end(), subject);
  INFO(law << " has no subject " << subject);
  REQUIRE(found != subjects.end());
  return found - subjects.begin();
}

template <class F>
void checkCells(const std::vector<F>& found, const std::vector<double>& expected, double within = 5e-7) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("cell " << i);
    CHECK(static_cast<double>(found[i]) == Approx(expected[i]).margin(within).epsilon(0));
  }
}

/// A source of well-mixed words.
class Words {
 public:
  explicit Words(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t operator()() { return mix64(seed_, count_++); }

 private:
  std::uint64_t seed_, count_ = 0;
};

}  // namespace shardlaw::test
