#include "interp/ir/builder.h"

#include <algorithm>

#include "interp/error.h"

namespace shardlaw {
namespace {

[[noreturn]] void refuseNode(const Node& node, const std::string& message) {
  throw Error(Location{{}, 0, 0, std::string(node.name)}, message);
}

const char* describe(bool batched) { return batched ? "batched" : "shared by all examples"; }

std::string describe(const Type& type) { return toString(type.shape) + ", " + describe(type.batched); }

const char* describe(AttributeType type) {
  switch (type) {
    case AttributeType::integer: return "an integer";
    case AttributeType::rational: return "a number";
    case AttributeType::keyword: return "a word";
  }
  return "";
}

}  // namespace

void ShapeRule::refuse(const std::string& message) const { refuseNode(node_, message); }

void ShapeRule::refuse(std::size_t i, const std::string& expected) const {
  // A collective has one operand however many replicas hand it in.
  const std::size_t named = std::min(i, node_.operands.size() - 1);
  refuseNode(node_, "operand " + std::string(node_.operands[named].name) + ": expected " + expected + ", found " +
                        toString(operands_[i]) +
                        (node_.operands[named].batched && node_.kind == NodeKind::perExample ? " per example" : ""));
}

void ShapeRule::require(std::size_t i, const Shape& expected) const {
  if (!(operands_[i] == expected)) refuse(i, toString(expected));
}

void ShapeRule::requireRank(std::size_t i, int rank, std::string_view form) const {
  if (operands_[i].rank() != rank) refuse(i, std::string(form));
}

void ShapeRule::requireSame(std::size_t i, std::size_t j) const {
  if (!(operands_[j] == operands_[i]))
    refuse(j, toString(operands_[i]) + " like operand " + std::string(node_.operands[i].name));
}

void ShapeRule::requireKeyword(std::string_view name, std::span<const std::string_view> words) const {
  const std::string& found = attributes_.keyword(name);
  if (std::find(words.begin(), words.end(), found) != words.end()) return;
  std::string expected;
  for (const std::string_view word : words) expected += (expected.empty() ? "" : " or ") + std::string(word);
  refuse("attribute " + std::string(name) + ": expected " + expected + ", found '" + found + "'");
}

Shape PointwiseNode::shape(const ShapeRule& rule) {
  for (std::size_t i = 1; i < rule.operands(); ++i) rule.requireSame(0, i);
  return rule.operand(0);
}

bool Builder::named(const std::string& name) const {
  return std::any_of(program_.values_.begin(), program_.values_.end(),
                     [&](const Value& value) { return value.name == name; });
}

bool Builder::contains(ValueId id) const { return id >= 0 && id < static_cast<ValueId>(program_.values_.size()); }

ValueId Builder::input(const std::string& name, const Type& type) {
  if (named(name)) throw Error("two values named '" + name + "'");
  if (type.batched && type.shape.rank() == 0)
    throw Error("input '" + name + "': a batched value needs an example axis, found rank 0");
  program_.values_.push_back({name, type, std::nullopt});
  const auto id = static_cast<ValueId>(program_.values_.size() - 1);
  program_.inputs_.push_back(id);
  return id;
}

void Builder::checkOperands(const Node& node, const std::vector<ValueId>& operands) const {
  if (operands.size() != node.operands.size())
    refuseNode(node, "expected " + std::to_string(node.operands.size()) + " operands, found " +
                         std::to_string(operands.size()));
  std::int64_t examples = -1;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const OperandSpec& spec = node.operands[i];
    if (!contains(operands[i]))
      refuseNode(node, "operand " + std::string(spec.name) + " is not a value of this program");
    const Type& found = type(operands[i]);
    if (node.kind == NodeKind::pointwise) {
      if (found.batched != type(operands[0]).batched)
        refuseNode(node, "operand " + std::string(spec.name) + ": expected a value that is " +
                             describe(!found.batched) + " like operand " + std::string(node.operands[0].name) +
                             ", found " + toString(found.shape) + ", " + describe(found.batched));
    } else if (found.batched != spec.batched)
      refuseNode(node, "operand " + std::string(spec.name) + ": expected a value that is " + describe(spec.batched) +
                           ", found " + toString(found.shape) + ", " + describe(found.batched));
    if (!found.batched) continue;
    if (examples >= 0 && found.shape[0] != examples)
      refuseNode(node, "operand " + std::string(spec.name) + ": expected a batch of " + std::to_string(examples) +
                           ", found " + toString(found.shape));
    examples = found.shape[0];
  }
}

void Builder::checkAttributes(const Node& node, const Attributes& attributes) const {
  const auto matches = [](const Attribute& attribute, AttributeType type) {
    return attribute.index() == static_cast<std::size_t>(type);
  };
  for (const AttributeSpec& spec : node.attributes) {
    const Attribute* found = attributes.find(spec.name);
    if (found == nullptr || !matches(*found, spec.type))
      refuseNode(node, "attribute " + std::string(spec.name) + ": expected " + describe(spec.type) +
                           (found == nullptr ? ", found none" : ", found '" + toString(*found) + "'"));
  }
  for (const auto& [name, value] : attributes) {
    const auto known = [&name = name](const AttributeSpec& spec) { return spec.name == name; };
    if (std::none_of(node.attributes.begin(), node.attributes.end(), known))
      refuseNode(node, "no attribute is named '" + name + "'");
    if (attributes.find(name) != &value) refuseNode(node, "attribute " + name + " is given twice");
  }
}

ValueId Builder::apply(const Node& node, std::vector<ValueId> operands, Attributes attributes) {
  checkOperands(node, operands);
  checkAttributes(node, attributes);
  const bool perExample = node.kind == NodeKind::perExample;
  std::vector<Shape> shapes;
  std::int64_t examples = -1;
  for (const ValueId operand : operands) {
    const Type& found = type(operand);
    if (found.batched) examples = found.shape[0];
    shapes.push_back(found.batched && perExample ? found.shape.tail() : found.shape);
  }
  Shape shape = node.shape(ShapeRule(node, shapes, attributes));
  if (perExample) shape = shape.batchOf(examples);
  const bool batched = node.kind == NodeKind::pointwise ? type(operands[0]).batched : node.batchedResult;
  std::string name;
  do name = "v" + std::to_string(temporaries_++);
  while (named(name));
  program_.values_.push_back(
      {std::move(name), {shape, batched}, Operation{&node, std::move(operands), std::move(attributes)}});
  return static_cast<ValueId>(program_.values_.size() - 1);
}

void Builder::result(const std::string& name, ValueId value) {
  if (!contains(value)) throw Error("result '" + name + "' is not a value of this program");
  for (const Result& result : program_.results_)
    if (result.name == name) throw Error("two results named '" + name + "'");
  program_.results_.push_back({name, value});
}

std::vector<ValueId> addAdjoint(Builder& builder, ValueId result, ValueId cotangent, const std::vector<bool>& wanted) {
  if (!builder.contains(result) || !builder.contains(cotangent))
    throw Error("a vector-Jacobian product of what is not a value of this program");
  const Value& of = builder.program().value(result);
  const std::optional<Operation> operation = of.operation;
  if (!operation || operation->node->adjoint == nullptr)
    throw Error("value '" + of.name + "' has no vector-Jacobian product");
  if (const Type& found = builder.type(cotangent); !(found == of.type))
    throw Error("cotangent of '" + of.name + "', a " + std::string(operation->node->name) + ": expected " +
                describe(of.type) + ", found " + describe(found));
  if (!wanted.empty() && wanted.size() != operation->operands.size())
    throw std::logic_error("cotangents are wanted of other operands than there are");
  AdjointRule rule(builder, *operation, result, cotangent, wanted);
  operation->node->adjoint(rule);
  return rule.cotangents();
}

}  // namespace shardlaw
