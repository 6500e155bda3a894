#include <algorithm>

#include "interp/stablehlo/families.h"
#include "interp/stablehlo/operations.h"

namespace shardlaw::stablehlo {
namespace {

enum Row : std::size_t {
#define SHARDLAW_OPERATION(Type, id) row_##id,
#include "interp/stablehlo/table.def"
#undef SHARDLAW_OPERATION
};

}  // namespace

namespace operations {
#define SHARDLAW_OPERATION(Type, id) constinit const OperationInfo id = makeOperation<Type>(row_##id);
#include "interp/stablehlo/table.def"
#undef SHARDLAW_OPERATION
}  // namespace operations

std::span<const OperationInfo* const> allOperations() {
  static constexpr const OperationInfo* table[] = {
#define SHARDLAW_OPERATION(Type, id) &operations::id,
#include "interp/stablehlo/table.def"
#undef SHARDLAW_OPERATION
  };
  return table;
}

const OperationInfo* findOperation(std::string_view name) {
  const auto all = allOperations();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const OperationInfo* info) { return info->name == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace shardlaw::stablehlo
