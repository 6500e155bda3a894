// The kernels on the largest layer of the cifar8 network, 16 → 16 channels at 32×32, batch 128, on one core:
// multiply-adds per second, how many times as long the definition takes, and how long next to Eigen's matrix product of
// that size.
#include "bench/eigen_product.h"
#include "bench/node_call.h"
#include "interp/kernel/contraction.h"
#include "interp/kernel/kernel.h"

namespace shardlaw::bench {
namespace {

constexpr std::int64_t examples = 128, channels = 16, extent = 32, tapExtent = 3;
constexpr std::int64_t taps = channels * tapExtent * tapExtent, positions = extent * extent;

SampleSize layer() {
  return {.N = examples,
          .C = channels,
          .H = extent,
          .W = extent,
          .K = channels,
          .kH = tapExtent,
          .kW = tapExtent,
          .odd = false,
          .eps = 1};
}

/// The node by its kernel, with nothing around it.
template <class D>
class KernelCall {
  using Scalar = typename D::Scalar;

 public:
  explicit KernelCall(const NodeShapes& shapes)
      : kernel_(kernelOf<D>(*shapes.node)), attributes_(shapes.attributes), out_(shapes.result.shape) {
    for (const Type& type : shapes.operands)
      operands_.push_back(operand<D>(type.shape, (static_cast<std::uint64_t>(operands_.size()) + 1) << 32));
    for (const auto& tensor : operands_) views_.push_back(tensor.view());
  }
  KernelCall(const KernelCall&) = delete;
  KernelCall& operator=(const KernelCall&) = delete;

  void operator()() const { kernel_(Call<D>{domain_, views_, out_.view(), attributes_}, false); }

 private:
  D domain_ = makeDomain<D>();
  KernelFunction<D> kernel_;
  Attributes attributes_;
  std::vector<Tensor<Scalar>> operands_;
  std::vector<View<const Scalar>> views_;
  mutable Tensor<Scalar> out_;
};

const EigenProducts& eigen() {
#ifdef SHARDLAW_BENCH_X86
  if (kernel::bestIsa() >= kernel::Isa::avx512 && __builtin_cpu_supports("avx512dq")) return eigenAvx512;
  if (kernel::bestIsa() >= kernel::Isa::avx2 && __builtin_cpu_supports("fma")) return eigenAvx2;
#endif
  return eigenBaseline;
}

/// Eigen's products with the rows, terms and columns of the convolution, one example after the other. All examples have
/// the same operand, ready in a cache: what a convolution must do to make it is left out.
template <class S>
class EigenCall {
 public:
  EigenCall(ProductFunction<S> product, bool weightGradient)
      : product_(product),
        rows_(channels),
        terms_(weightGradient ? positions : taps),
        columns_(weightGradient ? taps : positions),
        a_(operand<Ieee<S>>(Shape{rows_, terms_})),
        b_(operand<Ieee<S>>(Shape{terms_, columns_}, 1U << 30)),
        c_(Shape{rows_, columns_}) {}

  void operator()() const {
    for (std::int64_t n = 0; n < examples; ++n)
      product_(a_.view().data(), b_.view().data(), c_.view().data(), rows_, terms_, columns_);
  }

 private:
  ProductFunction<S> product_;
  std::int64_t rows_, terms_, columns_;
  Tensor<S> a_, b_;
  mutable Tensor<S> c_;
};

template <class F>
double secondsOf(const F& f) {
  const double start = cpuSeconds();
  f();
  return cpuSeconds() - start;
}

template <class D>
void measureKernel(benchmark::State& state, const NodeShapes& shapes) {
  const KernelCall<D> call(shapes);
  const bool weightGradient = shapes.node->kind == NodeKind::wholeBatch;
  if constexpr (std::is_same_v<D, Exact>) measureAgainst(state, call, KernelCall<F64>(shapes));
  else if constexpr (std::is_same_v<D, F64>)
    measureAgainst(state, call, EigenCall<double>(eigen().f64, weightGradient));
  else measureAgainst(state, call, EigenCall<float>(eigen().f32, weightGradient));
  const NodeCall<D> definition(shapes);
  // The definition takes seconds, and the kernel milliseconds: once is enough.
  const double slow = secondsOf(definition);
  state.counters["definition_takes"] = slow / secondsOf(call);
  countMultiplyAdds(state, examples * channels * taps * positions);
  countItems(state, shapes.result.shape.cells());
}

template <class D>
void add(const Node& node) {
  const std::string name = std::string(node.name) + "/" + D::name;
  benchmark::RegisterBenchmark(name.c_str(), [&node](benchmark::State& state) {
    measureKernel<D>(state, shapesOf(node, layer()));
  })->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace shardlaw::bench

int main(int argc, char** argv) {
  using namespace shardlaw;
  for (const Node* node : {&nodes::conv, &nodes::convBack, &nodes::convWeightGrad}) {
    bench::add<Exact>(*node);
    bench::add<F64>(*node);
    bench::add<F32>(*node);
  }
  return bench::runRegistered(argc, argv);
}
