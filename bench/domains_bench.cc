// The arithmetic of each domain on contiguous data, and a convolution by definition; f64 is the peer.
#include "bench/node_call.h"

namespace shardlaw::bench {
namespace {

/// Two operands and a result of this many cells stay in the second-level cache.
constexpr std::int64_t length = 4096;

/// out[i] = operation(domain, 1, a[i], b[i]).
template <class D, class Operation>
class Elementwise {
 public:
  void operator()() const {
    for (std::int64_t i = 0; i < length; ++i) out_[i] = Operation{}(domain_, one_, a_[i], b_[i]);
    benchmark::DoNotOptimize(out_.view().data());
    benchmark::ClobberMemory();
  }

 private:
  D domain_ = makeDomain<D>();
  typename D::Scalar one_ = domain_.literal(1);
  Tensor<typename D::Scalar> a_ = operand<D>(Shape{length}), b_ = operand<D>(Shape{length}, length);
  mutable Tensor<typename D::Scalar> out_{Shape{length}};
};

/// Σ a[i]·b[i] through the domain's Sum.
template <class D>
class ProductSum {
 public:
  void operator()() const {
    typename D::Sum sum;
    for (std::int64_t i = 0; i < length; ++i) sum.addProduct(a_[i], b_[i]);
    auto total = sum.total();
    benchmark::DoNotOptimize(total);
    benchmark::ClobberMemory();
  }

 private:
  Tensor<typename D::Scalar> a_ = operand<D>(Shape{length}), b_ = operand<D>(Shape{length}, length);
};

struct Plus {
  template <class D, class S>
  S operator()(const D&, S, S a, S b) const {
    return a + b;
  }
};
struct Times {
  template <class D, class S>
  S operator()(const D&, S, S a, S b) const {
    return a * b;
  }
};
struct Inverse {
  template <class D, class S>
  S operator()(const D&, S one, S a, S) const {
    return one / a;
  }
};
struct Rsqrt {
  template <class D, class S>
  S operator()(const D& domain, S, S a, S) const {
    return domain.rsqrt(a);
  }
};
struct Least {
  template <class D, class S>
  S operator()(const D& domain, S, S a, S b) const {
    return domain.select(domain.less(a, b), a, b);
  }
};

template <class Own, class Peer>
void addPair(const std::string& name, bool multiplyAdds) {
  benchmark::RegisterBenchmark(name.c_str(), [multiplyAdds](benchmark::State& state) {
    if constexpr (std::is_same_v<Own, Peer>) measure(state, Own());
    else measureAgainst(state, Own(), Peer());
    countItems(state, length);
    if (multiplyAdds) countMultiplyAdds(state, length);
  });
}

template <class D>
void addConvolution() {
  const NodeShapes shapes =
      shapesOf(nodes::conv, {.N = 1, .C = 16, .H = 32, .W = 32, .K = 16, .kH = 3, .kW = 3, .odd = false, .eps = 1});
  benchmark::RegisterBenchmark((std::string("conv16x32x32/") + D::name).c_str(), [shapes](benchmark::State& state) {
    measureNode<D>(state, shapes);
    countMultiplyAdds(state, shapes.operands[0].shape.cells() * shapes.operands[2].shape.tail().tail().cells());
  });
}

template <class D>
void addDomain() {
  const std::string suffix = std::string("/") + D::name;
  addPair<ProductSum<D>, ProductSum<F64>>("productSum" + suffix, true);
  addPair<Elementwise<D, Plus>, Elementwise<F64, Plus>>("add" + suffix, false);
  addPair<Elementwise<D, Times>, Elementwise<F64, Times>>("mul" + suffix, false);
  addPair<Elementwise<D, Inverse>, Elementwise<F64, Inverse>>("inverse" + suffix, false);
  addPair<Elementwise<D, Rsqrt>, Elementwise<F64, Rsqrt>>("rsqrt" + suffix, false);
  addPair<Elementwise<D, Least>, Elementwise<F64, Least>>("min" + suffix, false);
  addConvolution<D>();
}

}  // namespace
}  // namespace shardlaw::bench

int main(int argc, char** argv) {
  using namespace shardlaw;
  bench::addDomain<Exact>();
  bench::addDomain<F64>();
  bench::addDomain<F32>();
  bench::addDomain<Bounded64>();
  return bench::runRegistered(argc, argv);
}
