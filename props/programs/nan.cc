#include "props/programs/nan.h"

#include <algorithm>
#include <cmath>

#include "interp/stablehlo/operations.h"

namespace shardlaw::programs {
namespace {

using stablehlo::Function;
using stablehlo::Operation;

bool isNaN(const Operation& operation) {
  if (operation.info != &stablehlo::operations::constant) return false;
  const stablehlo::Literal& literal = operation.attributes.literal("value");
  if (!stablehlo::isFloat(literal.type().element) || literal.type().shape.cells() == 0 || !literal.isSplat())
    return false;
  const stablehlo::Number number = literal.at(0);
  const double* bits = std::get_if<double>(&number);
  return bits != nullptr && std::isnan(*bits);
}

bool hasNaN(const Function& function) {
  return std::any_of(function.body.operations.begin(), function.body.operations.end(), isNaN);
}

void replace(Function& function) {
  const auto nan = static_cast<stablehlo::ValueId>(function.values.size());
  function.values.push_back({nanName, {DType::f32, {}}});
  function.body.arguments.push_back(nan);
  for (Operation& operation : function.body.operations) {
    if (!isNaN(operation)) continue;
    // Of whatever float type: in the field, and in numbers, all are alike.
    operation.info = &stablehlo::operations::broadcast_in_dim;
    operation.operands = {nan};
    operation.attributes = {};
    operation.attributes.set("broadcast_dimensions", std::vector<std::int64_t>{});
  }
}

}  // namespace

void replaceNaNs(stablehlo::Module& replica, stablehlo::Module& global) {
  if (!hasNaN(replica.entry()) && !hasNaN(global.entry())) return;
  replace(replica.functions[0]);
  replace(global.functions[0]);
}

}  // namespace shardlaw::programs
