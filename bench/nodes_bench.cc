// Every node of the table in exact, f64 and bounded64: result cells per second, and multiply-adds where it has any.
#include "bench/node_call.h"
#include "interp/node/families.h"

namespace shardlaw::bench {
namespace {

/// f64 that counts what its sums multiply: the number of multiply-adds is read off the definition.
struct Counting : F64 {
  static inline std::int64_t products = 0;
  struct Sum : F64::Sum {
    void addProduct(double a, double b) {
      ++products;
      F64::Sum::addProduct(a, b);
    }
  };
};

DenoteFunction<Counting> countingDenotation(const Node& node) {
#define SHARDLAW_NODE(Type, id) \
  if (&node == &nodes::id) return &Type::denote<Counting>;
#include "interp/node/table.def"
#undef SHARDLAW_NODE
  return nullptr;
}

std::int64_t multiplyAddsOf(const NodeShapes& shapes) {
  Counting::products = 0;
  NodeCall<Counting>(shapes, countingDenotation(*shapes.node))();
  return Counting::products;
}

/// Four examples of 16 channels of 16×16, 3×3 kernels: a layer in the middle of a small network.
SampleSize middling() {
  return {.N = 4, .C = 16, .H = 16, .W = 16, .K = 16, .kH = 3, .kW = 3, .odd = false, .eps = decimal("1e-5")};
}

template <class D>
void add(const NodeShapes& shapes, std::int64_t multiplyAdds) {
  const std::string name = std::string(shapes.node->name) + "/" + D::name;
  benchmark::RegisterBenchmark(name.c_str(), [shapes, multiplyAdds](benchmark::State& state) {
    measureNode<D>(state, shapes);
    if (multiplyAdds > 0) countMultiplyAdds(state, multiplyAdds);
  });
}

}  // namespace
}  // namespace shardlaw::bench

int main(int argc, char** argv) {
  using namespace shardlaw;
  for (const Node* node : allNodes()) {
    const bench::NodeShapes shapes = bench::shapesOf(*node, bench::middling());
    const std::int64_t multiplyAdds = bench::multiplyAddsOf(shapes);
    bench::add<Exact>(shapes, multiplyAdds);
    bench::add<F64>(shapes, multiplyAdds);
    bench::add<Bounded64>(shapes, multiplyAdds);
  }
  return bench::runRegistered(argc, argv);
}
