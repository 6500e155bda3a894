#include "interp/stablehlo/lower.h"

#include <algorithm>
#include <cctype>

#include "interp/stablehlo/lowering/lowering.h"

namespace shardlaw::stablehlo {
namespace {

using LowerFunction = ValueId (*)(Lowering&);

LowerFunction lowering(const Node& node) {
#define SHARDLAW_NODE(Type, id) \
  if (&node == &nodes::id) return &lowerings::id;
#include "interp/node/table.def"
#undef SHARDLAW_NODE
  throw std::logic_error("a node outside the table");
}

/// A name as MLIR takes them: bytes that have no place in one (those of γ, say) become their two hexadecimal digits.
std::string identifier(const std::string& name) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string plain;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '_' || c == '.' || c == '$') plain += c;
    else plain += std::string("_") + digits[byte >> 4] + digits[byte & 15];
  }
  const bool startsWithDigit = !plain.empty() && std::isdigit(static_cast<unsigned char>(plain[0])) != 0;
  return startsWithDigit ? "_" + plain : plain;
}

}  // namespace

Shape shapeInText(const Type& type) {
  if (!type.batched || type.shape.rank() <= 2) return type.shape;
  const std::int64_t examples = type.shape[0];
  return Shape{examples, type.shape.tail().cells()};
}

Lowered lower(const Program& program, std::int64_t replicas) {
  Emitter emitter("main");
  Lowered lowered;
  lowered.values.assign(program.values().size(), -1);
  for (const shardlaw::ValueId input : program.inputs()) {
    const shardlaw::Value& value = program.value(input);
    lowered.values[static_cast<std::size_t>(input)] =
        emitter.argument(identifier(value.name), {DType::f32, shapeInText(value.type)});
  }
  int node = 0;
  for (std::size_t id = 0; id < program.values().size(); ++id) {
    const shardlaw::Value& value = program.values()[id];
    if (!value.operation) continue;
    const std::string name = "v" + std::to_string(node);
    emitter.startNames(name);
    std::vector<ValueId> operands;
    for (const shardlaw::ValueId operand : value.operation->operands)
      operands.push_back(lowered.values[static_cast<std::size_t>(operand)]);
    Lowering at(emitter, program, value, operands, replicas);
    const ValueId result = emitter.reshape(lowering(*value.operation->node)(at), shapeInText(value.type));
    lowered.values[id] = result;
    // A node without operations gives one of its operands, which has a name.
    if (std::find(operands.begin(), operands.end(), result) != operands.end()) continue;
    emitter.name(result, name);
    ++node;
  }
  for (const shardlaw::Result& result : program.results())
    emitter.result(result.name, lowered.values[static_cast<std::size_t>(result.value)]);
  lowered.module.name = "shardlaw";
  lowered.module.replicas = replicas;
  lowered.module.functions.push_back(std::move(emitter).finish());
  return lowered;
}

}  // namespace shardlaw::stablehlo
