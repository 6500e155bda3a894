#include "props/claim.h"

#include "interp/error.h"
#include "interp/node/nodes.h"

namespace shardlaw {

ClaimBuilder::ClaimBuilder(std::int64_t replicas, std::int64_t examples, std::int64_t rightReplicas)
    : replicas_(replicas), examples_(examples), rightReplicas_(rightReplicas) {}

Pair ClaimBuilder::batched(const std::string& name, Role role, const Shape& shape) {
  const std::int64_t global = replicas_ * examples_;
  claim_.inputs.push_back({name, role, {shape.batchOf(global), true}});
  return {left.batchedInput(name, shape.batchOf(examples_)),
          right.batchedInput(name, shape.batchOf(global / rightReplicas_))};
}

Pair ClaimBuilder::shared(const std::string& name, Role role, const Shape& shape) {
  claim_.inputs.push_back({name, role, {shape, false}});
  return {left.sharedInput(name, shape), right.sharedInput(name, shape)};
}

Pair ClaimBuilder::perReplica(const std::string& name, Role role, const Shape& shape) {
  const Pair input = shared(name, role, shape);
  claim_.inputs.back().perReplica = true;
  return input;
}

Pair ClaimBuilder::apply(const Node& node, const std::vector<Pair>& operands, const Attributes& attributes) {
  return applyLeftRight(node, operands, attributes, attributes);
}

Pair ClaimBuilder::applyLeftRight(const Node& node, const std::vector<Pair>& operands, const Attributes& leftAttributes,
                                  const Attributes& rightAttributes) {
  std::vector<ValueId> lefts, rights;
  for (const Pair& operand : operands) {
    lefts.push_back(operand.left);
    rights.push_back(operand.right);
  }
  return {left.apply(node, std::move(lefts), leftAttributes), right.apply(node, std::move(rights), rightAttributes)};
}

void ClaimBuilder::shard(const std::string& what, Pair value, Agreement agreement) {
  claim_.equations.push_back({what, value.left, value.right, Relation::shard, agreement});
}

void ClaimBuilder::everywhere(const std::string& what, Pair value, Agreement agreement) {
  claim_.equations.push_back({what, value.left, value.right, Relation::everywhere, agreement});
}

void ClaimBuilder::averaged(const std::string& what, Pair gradient) {
  const ValueId mean = left.apply(nodes::allReduceMean, {gradient.left});
  const Attributes byReplicas{{"by", Attribute{Rational(static_cast<long>(replicas_))}}};
  everywhere(what, {mean, right.apply(nodes::divConst, {gradient.right}, byReplicas)});
}

Claim ClaimBuilder::finish() && {
  claim_.left = {std::move(left).finish(), replicas_};
  claim_.right = {std::move(right).finish(), rightReplicas_};
  return std::move(claim_);
}

Role roleOf(std::string_view operand) {
  if (operand == "dy" || operand == "dg") return Role::cotangent;
  if (operand == "W" || operand == "b" || operand == "γ" || operand == "β") return Role::weight;
  if (operand == "μ") return Role::mean;
  if (operand == "var") return Role::variance;
  if (operand == "st") return Role::statistics;
  if (operand == "ds") return Role::dyStatistics;
  if (operand == "t") return Role::label;
  if (operand == "z") return Role::logit;
  return Role::activation;
}

Program rewrite(const Program& program, const Replacement& replace, std::vector<ValueId>& map) {
  Builder builder;
  map.assign(program.values().size(), -1);
  for (std::size_t id = 0; id < program.values().size(); ++id) {
    const Value& value = program.values()[id];
    if (!value.operation) {
      map[id] = builder.input(value.name, value.type);
      continue;
    }
    std::vector<ValueId> operands;
    for (const ValueId operand : value.operation->operands) operands.push_back(map[static_cast<std::size_t>(operand)]);
    const std::optional<ValueId> replaced = replace(builder, *value.operation, operands);
    map[id] = replaced ? *replaced : builder.apply(*value.operation->node, operands, value.operation->attributes);
  }
  for (const Result& result : program.results())
    builder.result(result.name, map[static_cast<std::size_t>(result.value)]);
  return std::move(builder).finish();
}

}  // namespace shardlaw
