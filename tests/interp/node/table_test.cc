// What holds for every node of the table: names, samples, and what any node refuses.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "tests/interp/node/samples.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

/// Applies the node to operands of these types.
std::string refusalOfTypes(const Node& node, const std::vector<Type>& types, const Attributes& attributes) {
  return refusal([&] {
    Builder builder;
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < types.size(); ++i)
      operands.push_back(builder.input("in" + std::to_string(i), types[i]));
    builder.apply(node, operands, attributes);
  });
}
std::vector<Type> typesOf(const Node& node, const Sample& sample) {
  std::vector<Type> types;
  for (std::size_t i = 0; i < sample.shapes.size(); ++i) types.push_back({sample.shapes[i], node.operands[i].batched});
  return types;
}
std::string operandNamed(const Node& node, std::size_t i) {
  return "operand " + std::string(node.operands[i].name) + ":";
}

TEST_CASE("names are unique, findable, and every node has a formula and a sample") {
  std::set<std::string_view> names;
  for (const Node* node : allNodes()) {
    INFO(node->name);
    CHECK(names.insert(node->name).second);
    CHECK(findNode(node->name) == node);
    CHECK_FALSE(node->formula.empty());
    REQUIRE(samples().contains(node->name));
    CHECK(refusalOfTypes(*node, typesOf(*node, samples().at(node->name)), samples().at(node->name).attributes) ==
          "accepted");
  }
  CHECK(names.size() == samples().size());
  CHECK(findNode("no such node") == nullptr);
}

TEST_CASE("every node refuses too few and too many operands") {
  for (const Node* node : allNodes()) {
    const Sample& sample = samples().at(node->name);
    std::vector<Type> few = typesOf(*node, sample), many = few;
    few.pop_back();
    many.push_back(many.back());
    const std::string name = std::string(node->name) + ": ", wanted = std::to_string(node->operands.size());
    CHECK_THAT(refusalOfTypes(*node, few, sample.attributes),
               Contains(name) && Contains("expected " + wanted + " operands, found " + std::to_string(few.size())));
    CHECK_THAT(refusalOfTypes(*node, many, sample.attributes),
               Contains(name) && Contains("expected " + wanted + " operands, found " + std::to_string(many.size())));
  }
}

TEST_CASE("every node refuses a batched operand for a shared one, and the reverse") {
  for (const Node* node : allNodes()) {
    const Sample& sample = samples().at(node->name);
    for (std::size_t i = 0; i < sample.shapes.size(); ++i) {
      std::vector<Type> types = typesOf(*node, sample);
      if (node->kind == NodeKind::pointwise && i == 0) continue;  // the others must be like the first
      types[i].batched = !types[i].batched;
      if (types[i].batched && types[i].shape.rank() == 0) types[i].shape = Shape{3};
      INFO(node->name << " operand " << i);
      CHECK_THAT(refusalOfTypes(*node, types, sample.attributes),
                 Contains(std::string(node->name) + ": ") && Contains(operandNamed(*node, i)) &&
                     Contains(types[i].batched ? "is shared by all examples" : "is batched") &&
                     Contains("found " + toString(types[i].shape)) &&
                     Contains(types[i].batched ? ", batched" : ", shared"));
    }
  }
}

TEST_CASE("every node refuses batched operands of different batch sizes") {
  int refused = 0;
  for (const Node* node : allNodes()) {
    const Sample& sample = samples().at(node->name);
    std::vector<std::size_t> batched;
    for (std::size_t i = 0; i < sample.shapes.size(); ++i)
      if (node->operands[i].batched) batched.push_back(i);
    for (std::size_t k = 1; k < batched.size(); ++k) {
      std::vector<Type> types = typesOf(*node, sample);
      types[batched[k]].shape = types[batched[k]].shape.tail().batchOf(4);
      INFO(node->name << " operand " << batched[k]);
      CHECK_THAT(refusalOfTypes(*node, types, sample.attributes),
                 Contains(operandNamed(*node, batched[k])) &&
                     Contains("a batch of 3, found " + toString(types[batched[k]].shape)));
      ++refused;
    }
  }
  CHECK(refused > 20);
}

bool worksOnCoordinates(const Node& node) {
  const std::string_view optimizers[] = {"sgd", "nesterovVelocity", "nesterov", "adamwMoment", "adamwSquare", "adamw"};
  return std::ranges::find(optimizers, node.name) != std::end(optimizers);
}

TEST_CASE("every node refuses an operand of another rank, naming it and its shape") {
  for (const Node* node : allNodes()) {
    if (node->kind == NodeKind::collective) continue;  // any shape
    const Sample& sample = samples().at(node->name);
    for (std::size_t i = 0; i < sample.shapes.size(); ++i) {
      if (node->kind == NodeKind::pointwise && sample.shapes.size() == 1) continue;
      if (node->name == "scaleBy" && i == 1) continue;
      std::vector<Type> types = typesOf(*node, sample);
      std::vector<std::int64_t> extents(types[i].shape.extents().begin(), types[i].shape.extents().end());
      extents.push_back(1);
      types[i].shape = Shape(std::span<const std::int64_t>(extents));
      const bool perExample = node->kind == NodeKind::perExample && node->operands[i].batched;
      // A node that works coordinate by coordinate compares with its first operand, and so names the other.
      const bool comparesWithFirst = node->kind == NodeKind::pointwise || (i == 0 && worksOnCoordinates(*node));
      const std::size_t named = comparesWithFirst ? 1 : i;
      const Shape shown = comparesWithFirst ? types[1].shape : perExample ? types[i].shape.tail() : types[i].shape;
      INFO(node->name << " operand " << i);
      CHECK_THAT(refusalOfTypes(*node, types, sample.attributes),
                 Contains(std::string(node->name) + ": ") && Contains(operandNamed(*node, named)) &&
                     Contains("expected ") && Contains("found " + toString(shown)));
    }
  }
}

TEST_CASE("every node refuses missing, mistyped and unknown attributes") {
  for (const Node* node : allNodes()) {
    const Sample& sample = samples().at(node->name);
    const std::vector<Type> types = typesOf(*node, sample);
    for (const AttributeSpec& spec : node->attributes) {
      Attributes without, mistyped;
      for (const auto& [name, value] : sample.attributes)
        if (name != spec.name) without.set(name, value), mistyped.set(name, value);
      if (spec.type == AttributeType::keyword) mistyped.set(spec.name, Attribute{std::int64_t{3}});
      else mistyped.set(spec.name, Attribute{std::string("three")});
      const std::string named = std::string(node->name) + ": attribute " + std::string(spec.name) + ": expected ";
      CHECK_THAT(refusalOfTypes(*node, types, without), Contains(named) && Contains("found none"));
      CHECK_THAT(refusalOfTypes(*node, types, mistyped),
                 Contains(named) && Contains(spec.type == AttributeType::keyword ? "found '3'" : "found 'three'"));
    }
    Attributes unknown = sample.attributes;
    unknown.set("epsilon", Attribute{Rational(1)});
    CHECK_THAT(refusalOfTypes(*node, types, unknown),
               Contains(std::string(node->name) + ": no attribute is named 'epsilon'"));
  }
}

TEST_CASE("an integer is not taken for a number, nor a number for an integer") {
  CHECK_THAT(refusal(nodes::scale, {{2, 3}}, {integer("by", 2)}),
             Contains("attribute by: expected a number, found '2'"));
  CHECK_THAT(refusal(nodes::crossEntropyCotangent, {{2, 3}, {2, 3}}, {number("batch", 2)}),
             Contains("attribute batch: expected an integer, found '2'"));
}

TEST_CASE("every node accepts what its denotation then evaluates, in exact, f64 and degree") {
  for (const Node* node : allNodes()) {
    const Sample& sample = samples().at(node->name);
    const Program program = oneNode(*node, sample.shapes, sample.attributes);
    INFO(node->name);
    const auto evaluated = [&](const auto& domain) {
      using D = std::decay_t<decltype(domain)>;
      Tensors<D> inputs;
      for (const Shape& shape : sample.shapes) {
        inputs.emplace_back(shape);
        for (std::int64_t k = 0; k < shape.cells(); ++k) inputs.back()[k] = domain.literal(ratio(k + 1, 7));
      }
      return evaluateAt(domain, program, {inputs}, "y")[0].shape();
    };
    const Shape declared = program.value(program.find("y")).type.shape;
    CHECK(evaluated(Exact(1)) == declared);
    CHECK(evaluated(F64{}) == declared);
    CHECK(evaluated(Degree{}) == declared);
  }
}

}  // namespace
}  // namespace shardlaw::test
