// What a node's lowering sees: its operands in the module, and an emitter.
#pragma once

#include "interp/node/convolution.h"
#include "interp/node/nodes.h"
#include "interp/stablehlo/emitter.h"

namespace shardlaw::stablehlo {

class Lowering {
 public:
  Lowering(Emitter& emitter, const Program& program, const shardlaw::Value& value, std::vector<ValueId> operands,
           std::int64_t replicaCount)
      : emit(emitter), replicas(replicaCount), program_(program), value_(value), operands_(std::move(operands)) {}

  Emitter& emit;
  const std::int64_t replicas;

  /// The operand as the text has it: batched values flat.
  ValueId flat(std::size_t i) const { return operands_[i]; }
  /// The operand under its own shape.
  ValueId in(std::size_t i) { return emit.reshape(operands_[i], shape(i)); }
  /// With the leading batch axis where it is batched.
  const Shape& shape(std::size_t i) const { return program_.value(value_.operation->operands[i]).type.shape; }
  /// Of the result.
  const Shape& shape() const { return value_.type.shape; }
  const shardlaw::Attributes& attributes() const { return value_.operation->attributes; }
  const Rational& rational(std::string_view name) const { return attributes().rational(name); }
  std::int64_t integer(std::string_view name) const { return attributes().integer(name); }

 private:
  const Program& program_;
  const shardlaw::Value& value_;
  std::vector<ValueId> operands_;
};

/// One function per node, named as it is: the result under its own shape, or flat. They are in convolutions.cc,
/// normalisation.cc, … A function that makes two values for one operation makes them in two statements or declarators:
/// C++ leaves the order of arguments open, and the text must not depend on the compiler.
namespace lowerings {
#define SHARDLAW_NODE(Type, id) ValueId id(Lowering& at);
#include "interp/node/table.def"
#undef SHARDLAW_NODE
}  // namespace lowerings

}  // namespace shardlaw::stablehlo
