// StableHLO programs: a module of functions, each a list of operations with regions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interp/stablehlo/attributes.h"

namespace shardlaw::stablehlo {

struct OperationInfo;

/// A value of a function, numbered through all of its regions.
using ValueId = std::int32_t;

struct Position {
  int line = 0, column = 0;
};

struct Operation;

/// Operations that end in results: the operands of the terminator (stablehlo.return, func.return). They may read values
/// of the regions around them.
struct Region {
  std::vector<ValueId> arguments;
  std::vector<Operation> operations;
  std::vector<ValueId> results;
};

struct Operation {
  const OperationInfo* info = nullptr;
  std::vector<ValueId> operands, results;
  Attributes attributes;
  std::vector<Region> regions;
  Position position;  ///< of its name in the text; 0 where there is none
};

struct Value {
  std::string name;  ///< without the "%"; unique in its function
  TensorType type;
};

/// Tuples are no values: the reader takes them apart.
struct Function {
  std::string name;
  std::vector<Value> values;
  Region body;
  std::vector<std::string> resultNames;  ///< one per result; empty where the text gives none (jax.result_info)
  bool isPublic = true;

  const Value& value(ValueId id) const { return values[static_cast<std::size_t>(id)]; }
  const TensorType& type(ValueId id) const { return value(id).type; }
};

struct Module {
  std::string file;  ///< for errors; empty where it was not read
  std::string name;
  std::int64_t replicas = 1, partitions = 1;  ///< mhlo.num_replicas, mhlo.num_partitions; 1 where they are left out
  std::vector<Function> functions;

  /// "main", or else the only public one. Throws Error where neither is there.
  const Function& entry() const;
  const Function* find(std::string_view function) const;
};

/// Equal but for files, positions and names of values and of the module.
bool sameProgram(const Module& a, const Module& b);

}  // namespace shardlaw::stablehlo
