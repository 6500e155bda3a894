#include "props/certificate.h"

#include <set>

#include "net/program.h"
#include "tests/interp/node/samples.h"
#include "tests/props/support.h"

namespace shardlaw::test {
namespace {

using enum Dimension;

using Found = std::vector<Argument>;

TEST_CASE("arguments are what a comparing node's cells were selected from, and a root's quotient") {
  Builder builder;
  const ValueId x = builder.batchedInput("x", Shape{2, 1, 4, 4}), dy = builder.batchedInput("dy", Shape{2, 1, 2, 2});
  const ValueId sum = builder.apply(nodes::add, {x, x});
  const ValueId relu = builder.apply(nodes::relu, {sum});
  builder.apply(nodes::maxPool2, {relu});
  const ValueId back = builder.apply(nodes::maxPool2Back, {relu, dy});
  builder.apply(nodes::selectPos, {sum, back});
  CHECK(argumentsOf(builder.program()).compared == Found{{sum}});
  CHECK(argumentsOf(builder.program()).roots.empty());
  // Of the pool the arguments are x itself; the cotangent is not compared.
  builder.apply(nodes::maxPool3, {x});
  CHECK(argumentsOf(builder.program()).compared == Found{{x}, {sum}});

  std::vector<ValueId> state;
  for (const char* name : {"θ", "m", "v"}) state.push_back(builder.sharedInput(name, Shape{3}));
  for (const char* name : {"lr", "bc1", "bc2"}) state.push_back(builder.sharedInput(name, Shape{}));
  builder.apply(nodes::adamw, state, {{"eps", Attribute{ratio(1, 10)}}, {"decay", Attribute{Rational(0)}}});
  CHECK(argumentsOf(builder.program()).roots == Found{{state[2], state[5]}});
  CHECK(cellsOf(builder.program(), argumentsOf(builder.program()).compared) == 64);
  CHECK(cellsOf(builder.program(), argumentsOf(builder.program()).roots) == 3);
}

Tensor<Field> fields(std::initializer_list<std::int64_t> numbers) {
  std::vector<Field> cells;
  for (const std::int64_t n : numbers) cells.push_back(Field::fromSigned(n));
  const auto count = static_cast<std::int64_t>(cells.size());
  return Tensor<Field>(Shape{count}, std::move(cells));
}
Tensor<Field> scalar(std::int64_t n) { return Tensor<Field>(Shape{}, {Field::fromSigned(n)}); }

TEST_CASE("arguments are distinct within a value and between values, none of them 0") {
  const std::vector<Tensor<Field>> values{fields({1, 2}), fields({3, 4}),
                                          fields({2, 5}), fields({6, 0}),
                                          fields({7, 7}), Tensor<Field>(Shape{2}, {Field::lowest(), Field::lowest()})};
  CHECK(areDistinct(values, Found{}));
  CHECK(areDistinct(values, Found{{0}}));
  CHECK(areDistinct(values, Found{{0}, {1}}));
  CHECK_FALSE(areDistinct(values, Found{{0}, {2}}));
  CHECK_FALSE(areDistinct(values, Found{{3}}));
  CHECK_FALSE(areDistinct(values, Found{{4}}));
  // −∞ is no argument.
  CHECK(areDistinct(values, Found{{0}, {5}}));
}

TEST_CASE("arguments of √ are distinct as quotients: distinct cells over different divisors may coincide") {
  const std::vector<Tensor<Field>> values{fields({1, 3}), fields({2, 5}), scalar(2), scalar(4), scalar(7)};
  CHECK(areDistinct(values, Found{{0, 2}, {1, 2}}));
  // 1/2 = 2/4: the corrections of two steps.
  CHECK_FALSE(areDistinct(values, Found{{0, 2}, {1, 3}}));
  CHECK(areDistinct(values, Found{{0, 2}, {1, 4}}));
}

/// relu of a batched x at R replicas of N examples of two cells, and what the equations are about.
Claim reluClaim(std::int64_t replicas, std::int64_t examples, bool argumentsToo) {
  ClaimBuilder claim(replicas, examples);
  const Pair x =
      claim.apply(nodes::scale, {claim.batched("x", Role::activation, Shape{2})}, {{"by", Attribute{Rational(3)}}});
  if (argumentsToo) claim.shard("3x", x);
  claim.shard("y", claim.apply(nodes::relu, {x}));
  return std::move(claim).finish();
}

/// The number of chances that a bound counts: those of hitting one element of the field.
double chancesOf(double log2) {
  constexpr auto p = static_cast<double>(Field::modulus);
  return std::exp2(log2) * p / (1 + p * 0x1p-64);
}

TEST_CASE("a bound by hand: one chance for the difference, one a compared cell, pairs where they are not seen apart") {
  const Claim claim = reluClaim(3, 2, true), unseen = reluClaim(3, 2, false);
  const Degrees degrees = degreesOf(reluClaim(2, 1, true));
  CHECK(degrees.difference.degree == 1);
  CHECK(degrees.counts.compared.degree == 1);
  CHECK(areEquated(claim));
  CHECK_FALSE(areEquated(unseen));
  // 12 cells a side, and 0.
  CHECK(chancesOf(certifiedLog2(claim, degrees, {{}, 0, true})) == Approx(1 + 24));
  CHECK(chancesOf(certifiedLog2(claim, degrees, {{}, 0, false})) == Approx(1 + 25 * 24 / 2));
  CHECK(chancesOf(certifiedLog2(unseen, degrees, {{}, 0, true})) == Approx(1 + 25 * 24 / 2));
}

TEST_CASE("an input is the same on both sides without an equation, unless it is cut otherwise or drawn anew") {
  ClaimBuilder builder(2, 2);
  builder.shard("y", builder.apply(nodes::relu, {builder.batched("x", Role::activation, Shape{2})}));
  Claim claim = std::move(builder).finish();
  CHECK(areEquated(claim));
  claim.interleaved = {"x"};
  CHECK_FALSE(areEquated(claim));
  ClaimBuilder another(2, 1);
  another.everywhere("y", another.apply(nodes::relu, {another.perReplica("x", Role::mean, Shape{2})}));
  CHECK_FALSE(areEquated(std::move(another).finish()));
}

TEST_CASE("comparisons of the left side alone are counted") {
  ClaimBuilder builder(2, 3);
  const Pair x = builder.batched("x", Role::activation, Shape{2});
  builder.shard("y", {builder.left.apply(nodes::relu, {x.left}), x.right});
  const Claim claim = std::move(builder).finish();
  const Degrees degrees = degreesOf(claim);
  CHECK_FALSE(areEquated(claim));
  // 12 cells and 0.
  CHECK(chancesOf(certifiedLog2(claim, degrees, {{}, 0, true})) == Approx(1 + 13 * 12 / 2));
}

/// AdamW on state that is given, two parameters, at R replicas.
Claim adamwClaim(std::int64_t replicas, bool rootsToo = true) {
  ClaimBuilder claim(replicas, 1);
  std::vector<Pair> state;
  for (const char* name : {"θ", "m", "v"}) state.push_back(claim.shared(name, Role::weight, Shape{2}));
  for (const char* name : {"lr", "bc1", "bc2"}) state.push_back(claim.shared(name, Role::variance, Shape{}));
  // Where v is no input of both sides an equation must be about it.
  const Attributes twice{{"by", Attribute{Rational(2)}}};
  state[2] = claim.apply(nodes::scale, {state[2]}, twice);
  if (rootsToo) claim.everywhere("v'", state[2]);
  claim.everywhere(
      "θ'", claim.apply(nodes::adamw, state, {{"eps", Attribute{ratio(1, 10)}}, {"decay", Attribute{ratio(1, 100)}}}));
  return std::move(claim).finish();
}

TEST_CASE("a bound by hand: roots of three replicas, divisions of every cell, and roots of either kind") {
  const Claim claim = adamwClaim(3);
  const Degrees degrees = degreesOf(adamwClaim(2));
  // θ − lr·((m/bc1)/(√(v/bc2) + ε)) − decay·lr·θ.
  CHECK(degrees.difference.degree == 2);
  CHECK(degrees.difference.power == 2);
  CHECK(degrees.difference.roots == 1);
  CHECK(degrees.divisions.at(&nodes::adamw) == 3);
  CHECK(degrees.divisions.at(&nodes::scale) == 0);
  PointFacts facts;
  facts.applications[Opaque::sqrt] = 8;  // two cells on three replicas, and two
  facts.distinct = true;
  // 24 divisors of degree 1: a difference of degree 2 + 2·24, arguments v/bc2 of degree 1 + 24.
  CHECK(chancesOf(certifiedLog2(claim, degrees, facts)) == Approx(50 + 8 * 25));
  facts.distinct = false;
  CHECK(chancesOf(certifiedLog2(claim, degrees, facts)) == Approx(50 + 9 * 8 / 2 * 25));
  facts.distinct = true;
  CHECK(chancesOf(certifiedLog2(adamwClaim(3, false), degrees, facts)) == Approx(50 + 9 * 8 / 2 * 25));
  // A root more than those of the table: nothing is known of it.
  facts.applications[Opaque::sqrt] = 9;
  CHECK(chancesOf(certifiedLog2(claim, degrees, facts)) == Approx(50 + 10 * 9 / 2 * 25));
  // One element under both roots, and five 1/√: divisors √ + ε of degree 1 + 1, a difference of 2 + 2·48 + 1.
  facts.applications[Opaque::sqrt] = 8;
  facts.applications[Opaque::rsqrt] = 5;
  facts.sharedRoots = 1;
  CHECK(chancesOf(certifiedLog2(claim, degrees, facts)) == Approx(99 + 8 * 49 + 6 * 5 / 2 + 8 * 5 * 49));
}

/// Every node that a program of a named net has, with every optimizer, at one replica and two.
std::set<const Node*> nodesOfNets() {
  std::set<const Node*> found;
  const auto add = [&](const Program& program) {
    for (const Value& value : program.values())
      if (value.operation) found.insert(value.operation->node);
  };
  for (const NamedNet& named : namedNets())
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam})
      for (const std::int64_t replicas : {1, 2})
        for (const bool bf16 : {false, true}) {
          if (bf16 && named.name.starts_with("tiny-res")) continue;
          if (bf16 && named.name.starts_with("resnet")) continue;
          StepOptions options;
          options.optimizer = optimizer;
          options.replicas = replicas;
          options.bf16 = bf16;
          add(trainStep(named.skeleton(), 1, options));
          add(fwdEval(named.skeleton(), 1));
        }
  return found;
}

/// What the evaluation of a node at such operands tells the domain; every cell is a variable.
SharedDegree::Counts countsOf(const Node& node, const SampleSize& size) {
  const shardlaw::Sample own = node.sample(size);
  const SharedDegree domain;
  Tensors<SharedDegree> operands;
  for (std::size_t i = 0; i < own.operands.size(); ++i) {
    const bool batched = node.kind == NodeKind::pointwise || node.operands[i].batched;
    const Shape& shape = own.operands[i];
    operands.emplace_back(batched ? shape.batchOf(size.N) : shape);
    for (std::int64_t k = 0; k < operands.back().cells(); ++k) operands.back()[k] = domain.variable();
  }
  apply(domain, node, operands, own.attributes);
  return domain.counts();
}

TEST_CASE("of the nodes that nets have, the tables list those that compare and those that take √, and no others") {
  const SampleSize size{.N = 2, .C = 2, .H = 2, .W = 4, .K = 3, .kH = 3, .kW = 3, .eps = decimal("1e-3")};
  const std::set<const Node*> nodes = nodesOfNets();
  CHECK(nodes.size() > 30);
  int comparing = 0, rooting = 0;
  for (const Node* node : nodes) {
    INFO(node->name);
    const auto counts = countsOf(*node, size);
    const bool compares = counts.compared.domain != nullptr, roots = counts.arguments[Opaque::sqrt].domain != nullptr;
    CHECK(knowsComparisons(*node) == compares);
    CHECK(knowsRoots(*node) == roots);
    comparing += compares ? 1 : 0;
    rooting += roots ? 1 : 0;
  }
  CHECK(comparing == 6);  // relu and its mask, two pools and their adjoints
  CHECK(rooting == 1);    // adamw
  // Nodes outside nets do compare, so the test can see it.
  CHECK(countsOf(nodes::selectMid, size).compared.domain != nullptr);
}

TEST_CASE("divisions per cell at the least sizes bound those at other sizes") {
  for (const Node* node : nodesOfNets()) {
    INFO(node->name);
    const auto largest = [&](const SampleSize& size) {
      const shardlaw::Sample own = node->sample(size);
      std::int64_t most = 1;
      for (std::size_t i = 0; i < own.operands.size(); ++i)
        most = std::max(most, own.operands[i].cells() * (node->operands[i].batched ? size.N : 1));
      return static_cast<double>(most);
    };
    const SampleSize least{.N = 1, .C = 1, .H = 2, .W = 2, .K = 2, .kH = 1, .kW = 1},
        large{.N = 3, .C = 3, .H = 2, .W = 4, .K = 5, .kH = 3, .kW = 3};
    const double perCell = countsOf(*node, least).divisions / largest(least);
    CHECK(countsOf(*node, large).divisions <= perCell * largest(large));
  }
  // What a loss divides by grows with its logits, not with its one result.
  ClaimBuilder claim(2, 1);
  const Pair z = claim.batched("z", Role::logit, Shape{2}), t = claim.batched("t", Role::label, Shape{2});
  claim.everywhere("loss", claim.apply(nodes::crossEntropyLoss, {z, t}, {{"batch", Attribute{std::int64_t{2}}}}));
  CHECK(degreesOf(std::move(claim).finish()).divisions.at(&nodes::crossEntropyLoss) == 1);
}

std::set<const Node*> nodesIn(const Program& program) {
  std::set<const Node*> found;
  for (const Value& value : program.values())
    if (value.operation) found.insert(value.operation->node);
  return found;
}

TEST_CASE("a skeleton has the nodes and the equations of its claim, or of one step of it; arguments are equated") {
  for (const char* text : {"step:net=tiny-bn,optimizer=adam", "step:net=tiny-resnet,optimizer=mom",
                           "lockstep:net=tiny-bn,optimizer=adam,steps=3", "step-bf16:net=tiny-bn,optimizer=adam",
                           "eval:net=tiny-resnet"}) {
    INFO(text);
    const std::string all(text);
    const auto colon = all.find(':');
    const Case c = parsed("R=3,N=2,data=generic," + all.substr(colon + 1));
    const Claim claim = findLaw(all.substr(0, colon)).claim(c);
    REQUIRE(claim.skeleton);
    CHECK(nodesIn(claim.skeleton->left.program) == nodesIn(claim.left.program));
    CHECK(nodesIn(claim.skeleton->right.program) == nodesIn(claim.right.program));
    const auto& ofOne = claim.skeleton->equations;
    const std::int64_t steps = std::max<std::int64_t>(1, c[Dimension::steps]);
    REQUIRE(static_cast<std::int64_t>(ofOne.size()) * steps == static_cast<std::int64_t>(claim.equations.size()));
    for (std::size_t i = 0; i < claim.equations.size(); ++i)
      CHECK(claim.equations[i].what.ends_with(ofOne[i % ofOne.size()].what));
    CHECK(areEquated(claim));
    CHECK_FALSE(argumentsOf(claim.right.program).compared.empty());
  }
}

TEST_CASE("degrees of the least sizes are those of the claim itself") {
  for (const char* text : {"net=tiny-bn,optimizer=adam", "net=tiny-resnet,optimizer=sgd"}) {
    INFO(text);
    const Claim claim = findLaw("step").claim(parsed("R=2,N=1,data=generic," + std::string(text)));
    const Degrees least = degreesOf(*claim.skeleton), own = degreesOf(claim);
    for (const auto& [a, b] : {std::pair{least.difference, own.difference},
                               {least.counts.compared, own.counts.compared},
                               {least.counts.arguments[Opaque::rsqrt], own.counts.arguments[Opaque::rsqrt]},
                               {least.counts.arguments[Opaque::log], own.counts.arguments[Opaque::log]}}) {
      CHECK(a.degree == b.degree);
      CHECK(a.power == b.power);
      CHECK(a.roots == b.roots);
    }
    CHECK_FALSE(own.counts.nested);
    CHECK(own.counts.divisor == least.counts.divisor);
    for (const auto& [node, perCell] : own.divisions) CHECK(perCell <= least.divisions.at(node));
  }
}

/// A bf16 convolution of one 1×1 kernel over two examples of one cell, and its values.
struct Rounded {
  Program program;
  std::vector<Tensor<Field>> values;
};

Rounded rounded(const Exact& domain, std::int64_t w, std::int64_t b, std::int64_t x0, std::int64_t x1) {
  Builder builder;
  const ValueId weights = builder.sharedInput("W", Shape{1, 1, 1, 1}), bias = builder.sharedInput("b", Shape{1});
  const ValueId x = builder.batchedInput("x", Shape{2, 1, 1, 1});
  builder.result("y", builder.apply(nodes::convBf16, {weights, bias, x}));
  const auto cell = [](const Shape& shape, std::initializer_list<std::int64_t> numbers) {
    std::vector<Field> cells;
    for (const std::int64_t n : numbers) cells.push_back(Field::fromSigned(n));
    return Tensor<Field>(shape, std::move(cells));
  };
  Program program = std::move(builder).finish();
  auto values = evaluate(domain, program,
                         {{cell(Shape{1, 1, 1, 1}, {w}), cell(Shape{1}, {b}), cell(Shape{2, 1, 1, 1}, {x0, x1})}})[0];
  return {std::move(program), std::move(values)};
}

TEST_CASE("rounded cells are seen apart by their rounded values: operands, and sums less their bias") {
  const Exact domain(3);
  const auto apart = [&](const Rounded& r) { return areRoundedApart(domain, r.program, r.values); };
  CHECK(apart(rounded(domain, 2, 5, 3, 4)));
  CHECK_FALSE(apart(rounded(domain, 2, 5, 3, 3)));
  CHECK_FALSE(apart(rounded(domain, 3, 5, 3, 4)));
  // 0 is rounded to 0 by rule, however often.
  CHECK(apart(rounded(domain, 2, 5, 0, 3)));
  CHECK(apart(rounded(domain, 2, 0, 0, 0)));
  // With W and x rounded to w and u, the sum w·u is rounded in turn: a bias says nothing about it.
  Rounded r = rounded(domain, 2, 5, 3, 4);
  const auto y = static_cast<std::size_t>(r.program.find("v0"));
  r.values[y][0] = domain.roundToBf16(Field::fromSigned(3)) + Field::fromSigned(5);
  CHECK_FALSE(apart(r));
  CHECK(roundedCellsOf(r.program) == 1 + 2 + 2);
}

Claim bf16Claim(bool sumsToo, bool operandsToo) {
  ClaimBuilder claim(2, 1);
  const Pair w = claim.shared("W", Role::weight, Shape{1, 1, 1, 1}), b = claim.shared("b", Role::weight, Shape{1});
  const Pair x = claim.apply(nodes::scale, {claim.batched("x", Role::activation, Shape{1, 1, 1})},
                             {{"by", Attribute{Rational(3)}}});
  if (operandsToo) claim.shard("3x", x);
  const Pair y = claim.apply(nodes::convBf16, {w, b, x});
  if (sumsToo) claim.shard("y", y);
  claim.shard("y + y", claim.apply(nodes::add, {y, y}));
  return std::move(claim).finish();
}

TEST_CASE("a bound by hand of roundings: two chances a rounded cell where all are equated, else pairs") {
  const Claim claim = bf16Claim(true, true);
  CHECK(areRoundingsEquated(claim));
  CHECK_FALSE(areRoundingsEquated(bf16Claim(false, true)));
  CHECK_FALSE(areRoundingsEquated(bf16Claim(true, false)));
  const Degrees degrees = degreesOf(claim);
  // Arguments are products of two rounded values; y is a rounded value and a bias.
  CHECK(degrees.counts.arguments[Opaque::round].degree == 2);
  CHECK(degrees.difference.degree == 1);
  PointFacts facts;
  // A replica rounds W, x and a sum: 3 cells twice; one device W, two cells of x and two sums: 5.
  facts.applications[Opaque::round] = 11;
  facts.roundedApart = true;
  CHECK(chancesOf(certifiedLog2(claim, degrees, facts)) == Approx(1 + 2 * 11 * 2));
  facts.roundedApart = false;
  CHECK(chancesOf(certifiedLog2(claim, degrees, facts)) == Approx(1 + 12 * 11 / 2 * 2));
  facts.roundedApart = true;
  facts.applications[Opaque::round] = 12;  // more than are known
  CHECK(chancesOf(certifiedLog2(claim, degrees, facts)) == Approx(1 + 13 * 12 / 2 * 2));
}

TEST_CASE("every node that rounds is known to") {
  for (const auto& [name, sample] : samples()) {
    const Node& node = *findNode(name);
    const SharedDegree domain;
    Builder builder;
    std::vector<ValueId> ids;
    std::vector<Tensor<SharedDegreeScalar>> inputs;
    for (std::size_t i = 0; i < sample.shapes.size(); ++i) {
      const bool batched =
          node.kind == NodeKind::pointwise || node.operands[std::min(i, node.operands.size() - 1)].batched;
      ids.push_back(builder.input(std::to_string(i), {sample.shapes[i], batched}));
      inputs.emplace_back(sample.shapes[i]);
      for (std::int64_t k = 0; k < inputs.back().cells(); ++k) inputs.back()[k] = domain.variable();
    }
    builder.apply(node, ids, sample.attributes);
    evaluate(domain, std::move(builder).finish(), {inputs});
    INFO(name);
    CHECK(knowsRoundings(node) == (domain.counts().arguments[Opaque::round].degree > 0));
  }
}

}  // namespace
}  // namespace shardlaw::test
