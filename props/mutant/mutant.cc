#include "props/mutant/mutant.h"

#include "interp/error.h"
#include "interp/names.h"
#include "props/rendered.h"

namespace shardlaw {
namespace {

/// Rewrites one side; returns whether anything changed. `map` takes old value ids to new ones.
bool mutateSide(const Mutant& mutant, Side& side, const Case& c, std::vector<ValueId>& map) {
  bool changed = false;
  side.program = rewrite(
      side.program,
      [&](Builder& builder, const Operation& operation, const std::vector<ValueId>& operands) {
        std::optional<ValueId> replaced = mutant.replace(MutantSite{builder, operation, operands, c});
        changed = changed || replaced.has_value();
        return replaced;
      },
      map);
  return changed;
}

}  // namespace

bool MutantSite::operandIs(std::size_t i, const Node& node) const {
  const auto& made = builder.program().value(operands[i]).operation;
  return made && made->node == &node;
}

const Mutant& findMutant(std::string_view name) {
  const std::string wanted = lowerCase(name);
  const Mutant* nearest = nullptr;
  std::size_t least = 0;
  for (const Mutant& mutant : allMutants()) {
    const std::size_t distance = editDistance(wanted, mutant.name);
    if (distance == 0) return mutant;
    if (nearest == nullptr || distance < least) {
      nearest = &mutant;
      least = distance;
    }
  }
  throw Error("no mutant is named '" + excerpt(name) + "'; did you mean '" + std::string(nearest->name) +
              "'? verify --list shows them all");
}

bool applyMutant(const Mutant& mutant, Claim& claim, const Case& c) {
  bool changed = false;
  for (const std::string_view name : mutant.interleaved) {
    for (const ClaimInput& input : claim.inputs)
      if (input.name == name && input.global.batched && claim.left.replicas > 1 && c[Dimension::N] > 1) {
        claim.interleaved.emplace_back(name);
        changed = true;
      }
  }
  if (claim.right.rendered && !mutant.edits.empty()) {
    const std::string text = renderedText(claim.right);
    for (const TextEdit& edit : mutant.edits) changed = changed || text.find(edit.from) != std::string::npos;
    claim.right.edits = mutant.edits;
  }
  if (mutant.replace == nullptr) return changed;
  std::vector<ValueId> map;
  changed = mutateSide(mutant, claim.left, c, map) || changed;
  for (Equation& equation : claim.equations) equation.left = map[static_cast<std::size_t>(equation.left)];
  for (Pairing& pairing : claim.pairings) pairing.result = map[static_cast<std::size_t>(pairing.result)];
  if (mutant.side == MutantSide::left && claim.pairings.empty()) return changed;
  // The vector-Jacobian product of an adjoint claim stands on its right side.
  changed = mutateSide(mutant, claim.right, c, map) || changed;
  for (Equation& equation : claim.equations) equation.right = map[static_cast<std::size_t>(equation.right)];
  for (Pairing& pairing : claim.pairings)
    for (auto& [name, cotangent] : pairing.cotangents) cotangent = map[static_cast<std::size_t>(cotangent)];
  return changed;
}

}  // namespace shardlaw
