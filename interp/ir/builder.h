// Builder: makes programs, and refuses ill-typed ones while they are made.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interp/ir/program.h"

namespace shardlaw {

/// What a node's shape rule sees. Operand shapes are those of one example where the node is per-example.
/// Every refusal is an Error that names the node, the operand, and what was expected and found.
class ShapeRule {
 public:
  ShapeRule(const Node& node, std::span<const Shape> operands, const Attributes& attributes)
      : node_(node), operands_(operands), attributes_(attributes) {}

  const Shape& operand(std::size_t i) const { return operands_[i]; }
  std::size_t operands() const { return operands_.size(); }
  const Attributes& attributes() const { return attributes_; }

  /// Operand i must have exactly this shape.
  void require(std::size_t i, const Shape& expected) const;
  /// Operand i must have this rank; `form` describes it ("[C,H,W]").
  void requireRank(std::size_t i, int rank, std::string_view form) const;
  /// Operands i and j must have the same shape.
  void requireSame(std::size_t i, std::size_t j) const;
  /// Keyword attribute `name` must be one of the words.
  void requireKeyword(std::string_view name, std::span<const std::string_view> words) const;
  /// Operand i is not as the node needs it: `expected` says how it must be.
  [[noreturn]] void refuse(std::size_t i, const std::string& expected) const;
  /// The node as a whole does not fit.
  [[noreturn]] void refuse(const std::string& message) const;

 private:
  const Node& node_;
  std::span<const Shape> operands_;
  const Attributes& attributes_;
};

class Builder {
 public:
  /// An input of the program. Names must differ.
  ValueId input(const std::string& name, const Type& type);
  ValueId batchedInput(const std::string& name, const Shape& shape) { return input(name, {shape, true}); }
  ValueId sharedInput(const std::string& name, const Shape& shape) { return input(name, {shape, false}); }

  /// Applies a node. Throws Error, naming the node, on a wrong number of operands, a batched operand where
  /// a shared one is needed (or the reverse), batches of different sizes, wrong shapes and attributes.
  ValueId apply(const Node& node, std::vector<ValueId> operands, Attributes attributes = {});

  /// Names a value as a result. Names must differ.
  void result(const std::string& name, ValueId value);

  bool contains(ValueId id) const;
  const Type& type(ValueId id) const { return program_.value(id).type; }
  const Program& program() const { return program_; }
  Program finish() && { return std::move(program_); }

 private:
  bool named(const std::string& name) const;
  void checkOperands(const Node& node, const std::vector<ValueId>& operands) const;
  void checkAttributes(const Node& node, const Attributes& attributes) const;

  Program program_;
  int temporaries_ = 0;
};

/// What a node's adjoint sees: the operation, the cotangent of its result, and a builder to add the
/// operations of the vector-Jacobian product to.
class AdjointRule {
 public:
  AdjointRule(Builder& into, const Operation& operation, ValueId result, ValueId cotangent,
              const std::vector<bool>& wanted)
      : builder(into),
        operation_(operation),
        result_(result),
        cotangent_(cotangent),
        wanted_(wanted),
        cotangents_(operation.operands.size(), -1) {}

  Builder& builder;

  ValueId operand(std::size_t i) const { return operation_.operands[i]; }
  /// The value of the operation itself.
  ValueId result() const { return result_; }
  /// The cotangent of the result.
  ValueId dy() const { return cotangent_; }
  const Attributes& attributes() const { return operation_.attributes; }
  Shape shape(std::size_t i) const { return builder.type(operand(i)).shape; }

  /// Whether anyone asks for the cotangent of operand i: a rule need not build a costly one that nobody reads.
  bool wants(std::size_t i) const { return wanted_.empty() || wanted_[i]; }
  /// Sets the cotangent of operand i.
  void set(std::size_t i, ValueId cotangent) { cotangents_[i] = cotangent; }
  /// One per operand; −1 where the operand has none (labels, saved statistics).
  const std::vector<ValueId>& cotangents() const { return cotangents_; }

 private:
  const Operation& operation_;
  ValueId result_, cotangent_;
  const std::vector<bool>& wanted_;
  std::vector<ValueId> cotangents_;
};

/// Adds the vector-Jacobian product of the value `result` to the builder and returns the cotangents of its
/// operands, −1 where an operand has none. `wanted` says which of them are read, one per operand; empty for all:
/// of the others some are left out. Throws Error where the node has no adjoint, or where the cotangent is of another
/// type than the value.
std::vector<ValueId> addAdjoint(Builder& builder, ValueId result, ValueId cotangent,
                                const std::vector<bool>& wanted = {});

}  // namespace shardlaw
