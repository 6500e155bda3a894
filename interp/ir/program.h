// Program: a typed, single-assignment list of operations over nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interp/ir/node.h"

namespace shardlaw {

/// Position of a value in its program.
using ValueId = std::int32_t;

/// A batched value has a leading example axis and is cut along it over the replicas; any other is held
/// whole by every replica.
struct Type {
  Shape shape;
  bool batched = false;

  friend bool operator==(const Type&, const Type&) = default;
};

struct Operation {
  const Node* node = nullptr;
  std::vector<ValueId> operands;
  Attributes attributes;
};

/// One value: an input, or the result of an operation on earlier values.
struct Value {
  std::string name;
  Type type;
  std::optional<Operation> operation;  ///< empty for an input
};

struct Result {
  std::string name;
  ValueId value;
};

/// A per-replica program. With collectives in it, it denotes a data-parallel computation; at one replica
/// it is an ordinary program. Immutable: made by a Builder, which has checked it.
class Program {
 public:
  const std::vector<Value>& values() const { return values_; }
  const Value& value(ValueId id) const { return values_[static_cast<std::size_t>(id)]; }
  const std::vector<ValueId>& inputs() const { return inputs_; }
  const std::vector<Result>& results() const { return results_; }

  /// The value of that name; throws Error where there is none.
  ValueId find(std::string_view name) const;
  /// Cells of all values together.
  std::int64_t cells() const;
  /// For each value the last operation that reads it, as a position; results live to the end.
  std::vector<ValueId> lastUses() const;
  /// A line per operation: name = node(operands) {attributes} : shape.
  std::string text() const;

 private:
  friend class Builder;
  std::vector<Value> values_;
  std::vector<ValueId> inputs_;
  std::vector<Result> results_;
};

}  // namespace shardlaw
