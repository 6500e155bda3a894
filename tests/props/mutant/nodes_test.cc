#include "props/mutant/nodes.h"

#include <catch2/catch.hpp>

#include "interp/exec/evaluate.h"
#include "interp/ir/builder.h"

using namespace shardlaw;

namespace {

/// The cells of the result where its memory held `before`.
std::vector<double> resultOver(const Node& node, double before) {
  const SampleSize size{.N = 3, .C = 2, .H = 3, .W = 2, .K = 2, .kH = 3, .kW = 2};
  const Sample sample = node.sample(size);
  Builder builder;
  std::vector<ValueId> ids;
  std::vector<Tensor<double>> operands;
  for (std::size_t i = 0; i < sample.operands.size(); ++i) {
    const bool batched = node.kind == NodeKind::pointwise || node.operands[i].batched;
    const Shape shape = batched ? sample.operands[i].batchOf(size.N) : sample.operands[i];
    ids.push_back(builder.input(std::to_string(i), {shape, batched}));
    operands.emplace_back(shape);
    for (std::int64_t k = 0; k < shape.cells(); ++k) operands.back()[k] = 1 + 0.25 * static_cast<double>((7 * k) % 11);
  }
  const Shape shape = builder.type(builder.apply(node, ids, sample.attributes)).shape;
  Tensor<double> result(shape, std::vector<double>(static_cast<std::size_t>(shape.cells()), before));
  const bool perExample = node.kind == NodeKind::perExample;
  for (std::int64_t n = 0; n < (perExample ? size.N : 1); ++n) {
    std::vector<View<const double>> views;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const View<const double> whole = std::as_const(operands[i]).view();
      views.push_back(perExample && node.operands[i].batched ? whole.slice(n) : whole);
    }
    const View<double> out = perExample ? result.view().slice(n) : result.view();
    node.denotation<F64>()(Call<F64>{F64{}, views, out, sample.attributes});
  }
  return {result.view().data(), result.view().data() + result.cells()};
}

}  // namespace

TEST_CASE("a mutant's node writes every cell of its result") {
  for (const Node* node : mutant_nodes::all()) {
    INFO(node->name);
    CHECK(resultOver(*node, 12345) == resultOver(*node, -1.5));
  }
}
