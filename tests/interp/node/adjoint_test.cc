// Every adjoint is the transpose of its node's Jacobian, which dual numbers take from the denotation itself.
#include <catch2/catch.hpp>
#include <set>

#include "tests/interp/against.h"
#include "tests/interp/node/samples.h"

namespace shardlaw::test {
namespace {

struct Vjp {
  Program program;
  std::vector<bool> has;  ///< which operands have a cotangent, as the results d0, d1, …
};

/// The node on inputs, then its adjoint at the input "dy".
Vjp vjpOf(const Node& node, const std::vector<Shape>& shapes, const Attributes& attributes) {
  Builder builder;
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    operands.push_back(builder.input(std::string(node.operands[i].name), {shapes[i], node.operands[i].batched}));
  const ValueId y = builder.apply(node, operands, attributes);
  const Type type = builder.type(y);
  Vjp vjp;
  const std::vector<ValueId> cotangents = addAdjoint(builder, y, builder.input("cotangent", type));
  builder.result("y", y);
  for (std::size_t i = 0; i < cotangents.size(); ++i) {
    vjp.has.push_back(cotangents[i] >= 0);
    if (vjp.has[i]) builder.result("d" + std::to_string(i), cotangents[i]);
  }
  vjp.program = std::move(builder).finish();
  return vjp;
}

/// Random operands; the labels of the loss sum to 1, which its adjoint assumes.
Tensors<Exact> drawOperands(const Node& node, const std::vector<Shape>& shapes, Random& random, Draw draw) {
  Tensors<Exact> operands;
  for (const Shape& shape : shapes) operands.push_back(random.tensor<Field>(shape, draw));
  if (&node == &nodes::crossEntropyLoss) {
    const std::int64_t classes = shapes[1][1];
    for (std::int64_t n = 0; n < shapes[1][0]; ++n) {
      Field rest = Field::fromSigned(1);
      for (std::int64_t j = 1; j < classes; ++j) rest = rest - operands[1][n * classes + j];
      operands[1][n * classes] = rest;
    }
  }
  return operands;
}

/// Column k of the Jacobian in operand i: the tangent of the result at the k-th unit tangent.
Tensor<DualScalar<Field>> jacobianColumn(const Exact& exact, const Node& node, const Tensors<Exact>& operands,
                                         const Attributes& attributes, std::size_t i, std::int64_t k) {
  Tensors<DualExact> duals;
  for (const auto& operand : operands) {
    duals.emplace_back(operand.shape());
    for (std::int64_t cell = 0; cell < operand.cells(); ++cell) duals.back()[cell].primal = operand[cell];
  }
  duals[i][k].tangent = exact.literal(1);
  return apply(DualExact(exact), node, duals, attributes);
}

/// Empty where every cotangent of the adjoint is Jᵀ·dy.
std::string adjointError(const Node& node, const std::vector<Shape>& shapes, const Attributes& attributes,
                         Random& random, Draw draw) {
  const Vjp vjp = vjpOf(node, shapes, attributes);
  const Exact exact(random.bits());
  const Tensors<Exact> operands = drawOperands(node, shapes, random, draw);
  Tensors<Exact> inputs = operands;
  inputs.push_back(random.tensor<Field>(vjp.program.value(vjp.program.find("cotangent")).type.shape));
  const Tensor<Field>& dy = inputs.back();
  const auto values = evaluate(exact, vjp.program, {inputs})[0];
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!vjp.has[i]) continue;
    const auto& found = values[static_cast<std::size_t>(vjp.program.find("d" + std::to_string(i)))];
    Tensor<Field> expected(shapes[i]);
    for (std::int64_t k = 0; k < expected.cells(); ++k) {
      const auto column = jacobianColumn(exact, node, operands, attributes, i, k);
      for (std::int64_t o = 0; o < dy.cells(); ++o) expected[k] = expected[k] + column[o].tangent * dy[o];
    }
    if (auto d = difference(found, expected); !d.empty())
      return "operand " + std::string(node.operands[i].name) + ": " + d;
  }
  return "";
}

TEST_CASE("every adjoint in the table is the transposed Jacobian") {
  Random random(111);
  for (const Node* node : allNodes()) {
    if (node->adjoint == nullptr || node->straightThrough) continue;
    INFO(node->name);
    const Sample& sample = samples().at(node->name);
    for (const Draw draw : {Draw::any, Draw::small}) {
      // Small integers tie in pools and stand at relu's kink; a BN row of them may be constant.
      REQUIRE(adjointError(*node, sample.shapes, sample.attributes, random, draw) == "");
    }
  }
}

TEST_CASE("the nodes that have an adjoint, and the operands that have a cotangent") {
  // Backward nodes, statistics and bf16 twins (rounding has no derivative) have none.
  const std::set<std::string_view> expected{"conv",     "convStrided", "depthwise",    "depthwiseStrided",
                                            "dense",    "flatten",     "unflatten",    "relu",
                                            "relu6",    "scale",       "shift",        "divConst",
                                            "add",      "sub",         "mul",          "maxPool2",
                                            "maxPool3", "gap",         "softmax",      "crossEntropyLoss",
                                            "bnBatch",  "bnEval",      "bnPerChannel", "allReduceMean"};
  std::set<std::string_view> found;
  for (const Node* node : allNodes()) {
    if (node->adjoint == nullptr || node->straightThrough) continue;
    found.insert(node->name);
    std::vector<bool> constants(node->operands.size());
    if (node->name == "bnEval") constants[3] = constants[4] = true;  // frozen statistics
    if (node->name == "crossEntropyLoss") constants[1] = true;       // labels
    const Sample& sample = samples().at(node->name);
    const std::vector<bool> has = vjpOf(*node, sample.shapes, sample.attributes).has;
    for (std::size_t i = 0; i < has.size(); ++i) CHECK(has[i] != constants[i]);
  }
  CHECK(found == expected);
}

TEST_CASE("adjoints at random shapes: convolutions at both phases, pools on odd maps, BN rows") {
  Random random(112);
  for (int i = 0; i < 12; ++i) {
    const std::int64_t n = random.between(1, 2), c = random.between(1, 3), o = random.between(1, 3);
    const std::int64_t kH = random.between(1, 5), kW = random.between(1, 4), h = random.between(1, 2),
                       w = random.between(1, 3);
    const Attributes phase{word("phase", random.chance(50) ? "even" : "odd")}, eps{number("eps", "0.5")};
    const Shape x{n, c, 2 * h, 2 * w}, any{n, c, random.between(1, 4), random.between(1, 4)};
    INFO("kernel " << kH << "×" << kW << " x " << toString(x) << " or " << toString(any));
    const auto draw = random.chance(50) ? Draw::small : Draw::any;
    REQUIRE(adjointError(nodes::conv, {{o, c, kH, kW}, {o}, any}, {}, random, Draw::any) == "");
    REQUIRE(adjointError(nodes::convStrided, {{o, c, kH, kW}, {o}, x}, phase, random, Draw::any) == "");
    REQUIRE(adjointError(nodes::depthwise, {{c, 1, kH, kW}, {c}, any}, {}, random, Draw::any) == "");
    REQUIRE(adjointError(nodes::depthwiseStrided, {{c, 1, kH, kW}, {c}, x}, phase, random, Draw::any) == "");
    REQUIRE(adjointError(nodes::maxPool2, {x}, {}, random, draw) == "");
    REQUIRE(adjointError(nodes::maxPool3, {any}, {}, random, draw) == "");
    REQUIRE(adjointError(nodes::gap, {any}, {}, random, draw) == "");
    REQUIRE(adjointError(nodes::bnBatch, {any, {c}, {c}}, eps, random, Draw::any) == "");
    REQUIRE(adjointError(nodes::bnPerChannel, {any, {c}, {c}}, eps, random, Draw::any) == "");
    REQUIRE(adjointError(nodes::bnEval, {any, {c}, {c}, {c}, {c}}, eps, random, Draw::any) == "");
  }
}

TEST_CASE("relu, relu6 and pools at their kinks differentiate as their masks say") {
  // Cells at 0 and 6 and all-equal windows: the derivative of the denotation is 0, or the first cell's.
  const Exact exact(113);
  for (const Node* node : {&nodes::relu, &nodes::relu6, &nodes::maxPool2, &nodes::maxPool3}) {
    for (const int at : {0, 6}) {
      const Shape shape{1, 1, 2, 2};
      const Tensors<Exact> operands{Literal{shape, all(4, at)}.in(exact)};
      const bool pool = node == &nodes::maxPool2 || node == &nodes::maxPool3;
      for (std::int64_t k = 0; k < 4; ++k) {
        const auto column = jacobianColumn(exact, *node, operands, {}, 0, k);
        const bool moves = pool ? k == 0 : node == &nodes::relu && at == 6;
        INFO(node->name << " at " << at << ", cell " << k);
        CHECK(same(column[pool ? 0 : k].tangent, Field::fromSigned(moves ? 1 : 0)));
      }
    }
  }
}

/// Which operand is the cotangent of a backward node; −1 where the node is not one.
int cotangentOf(const Node& node) {
  for (std::size_t i = 0; i < node.operands.size(); ++i)
    if (node.operands[i].name == "dy" || node.operands[i].name == "dg") return static_cast<int>(i);
  return -1;
}

/// bnSyncBack is linear in dy and in the two means of ds together: without those means, in dy.
template <class S>
void dropMeans(const Node& node, std::vector<Tensor<S>>& operands) {
  if (node.name == "bnSyncBack")
    for (std::int64_t k = operands[3].cells() / 2; k < operands[3].cells(); ++k) operands[3][k] = S{};
}

/// The node's result without the statistics that bnSyncDyStats passes through.
template <class S>
Tensor<S> linearPart(const Node& node, Tensor<S> result) {
  if (node.name == "bnSyncDyStats")
    for (std::int64_t k = 0; k < result.cells() / 2; ++k) result[k] = S{};
  return result;
}

TEST_CASE("case 27: backward nodes scale with dy by powers of two to the bit, whatever the values") {
  Random random(114);
  int nodes = 0;
  for (const Node* node : allNodes()) {
    const int at = cotangentOf(*node);
    if (at < 0) continue;
    ++nodes;
    const Sample& sample = samples().at(node->name);
    Tensors<F32> operands;
    for (const Shape& shape : sample.shapes) operands.push_back(random.tensor<float>(shape, Draw::positive));
    dropMeans(*node, operands);
    const auto once = linearPart(*node, apply(F32{}, *node, operands, sample.attributes));
    for (const float by : {2.0F, -4.0F}) {
      Tensors<F32> scaled = operands;
      Tensor<float>& dy = scaled[static_cast<std::size_t>(at)];
      for (std::int64_t k = 0; k < dy.cells(); ++k) dy[k] = by * dy[k];
      Tensor<float> expected = once;
      for (std::int64_t k = 0; k < expected.cells(); ++k) expected[k] = by * expected[k];
      INFO(node->name << " by " << by);
      CHECK(difference(linearPart(*node, apply(F32{}, *node, scaled, sample.attributes)), expected) == "");
    }
  }
  CHECK(nodes == 29);
}

TEST_CASE("backward nodes are additive in dy") {
  Random random(115);
  for (const Node* node : allNodes()) {
    const int at = cotangentOf(*node);
    if (at < 0 || node->name.ends_with("Bf16")) continue;  // rounding is not additive
    const Sample& sample = samples().at(node->name);
    const Exact exact(random.bits());
    Tensors<Exact> a = drawOperands(*node, sample.shapes, random, Draw::any);
    dropMeans(*node, a);
    Tensors<Exact> b = a, sum = a;
    const auto i = static_cast<std::size_t>(at);
    b[i] = random.tensor<Field>(sample.shapes[i]);
    for (std::int64_t k = 0; k < sum[i].cells(); ++k) sum[i][k] = a[i][k] + b[i][k];
    const auto of = [&](const Tensors<Exact>& operands) {
      return linearPart(*node, apply(exact, *node, operands, sample.attributes));
    };
    Tensor<Field> expected = of(a);
    const Tensor<Field> second = of(b);
    for (std::int64_t k = 0; k < expected.cells(); ++k) expected[k] = expected[k] + second[k];
    INFO(node->name);
    CHECK(difference(of(sum), expected) == "");
  }
}

}  // namespace
}  // namespace shardlaw::test
