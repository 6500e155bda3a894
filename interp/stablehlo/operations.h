// The StableHLO operations by name: operations::broadcast_in_dim, …
#pragma once

#include <span>
#include <string_view>

#include "interp/stablehlo/operation.h"

namespace shardlaw::stablehlo {

namespace operations {
#define SHARDLAW_OPERATION(Type, id) extern const OperationInfo id;
#include "interp/stablehlo/table.def"
#undef SHARDLAW_OPERATION
}  // namespace operations

/// Every operation, in the order of the table.
std::span<const OperationInfo* const> allOperations();

/// The operation of that name (without "stablehlo."), or null.
const OperationInfo* findOperation(std::string_view name);

}  // namespace shardlaw::stablehlo
