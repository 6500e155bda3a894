// Mutants: wrong versions that the laws must reject. Each is a small named change of a claim.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "props/claim.h"

namespace shardlaw {

/// Which side of a claim is wrong: the data-parallel program, or both (a node that is wrong wherever it is
/// used).
enum class MutantSide { left, both };

/// An operation of a claim's program, while the program is being copied.
struct MutantSite {
  Builder& builder;
  const Operation& operation;
  const std::vector<ValueId>& operands;  ///< in the copy
  const Case& c;

  bool is(const Node& node) const { return operation.node == &node; }
  /// Whether operand i of this operation was made by the node.
  bool operandIs(std::size_t i, const Node& node) const;
  ValueId apply(const Node& node, std::vector<ValueId> values, const Attributes& attributes) const {
    return builder.apply(node, std::move(values), attributes);
  }
  ValueId apply(const Node& node, std::vector<ValueId> values) const { return builder.apply(node, std::move(values)); }
  /// The operation as it is, on these operands.
  ValueId again(std::vector<ValueId> values) const {
    return builder.apply(*operation.node, std::move(values), operation.attributes);
  }
};

struct Mutant {
  std::string_view name;
  std::string_view summary;
  /// Laws that must refute it, by name.
  std::vector<std::string_view> laws;
  MutantSide side = MutantSide::left;
  /// Gives another value for an operation, or nullopt to keep it. Null for a mutant of the inputs.
  std::optional<ValueId> (*replace)(const MutantSite&) = nullptr;
  /// Inputs of the left side that are cut by stride instead of contiguously.
  std::vector<std::string_view> interleaved{};
  /// Changes of the text of a rendered side.
  std::vector<TextEdit> edits{};
};

/// Every mutant, in the order of SEMANTICS 3 "What must be refuted".
std::span<const Mutant> allMutants();

/// Ignores case. Throws Error, with the nearest name, where there is none.
const Mutant& findMutant(std::string_view name);

/// Changes the claim; false where the mutant touches nothing in it, so that the case says nothing about it.
bool applyMutant(const Mutant& mutant, Claim& claim, const Case& c);

}  // namespace shardlaw
