#include "interp/kernel/bf16.h"
#include "interp/kernel/convolution.h"
#include "interp/kernel/dense.h"
#include "interp/kernel/kernel.h"
#include "interp/node/nodes.h"

namespace shardlaw {
namespace {

/// One row per node: ROW(node, kernel), the kernel being a template over the domains that have kernels.
#define SHARDLAW_KERNELS(ROW)                               \
  ROW(conv, kernel::conv)                                   \
  ROW(convBack, kernel::convBack)                           \
  ROW(convWeightGrad, kernel::convWeightGrad)               \
  ROW(convStrided, kernel::convStrided)                     \
  ROW(convStridedBack, kernel::convStridedBack)             \
  ROW(convStridedWeightGrad, kernel::convStridedWeightGrad) \
  ROW(convBf16, kernel::convBf16)                           \
  ROW(convBackBf16, kernel::convBackBf16)                   \
  ROW(convWeightGradBf16, kernel::convWeightGradBf16)       \
  ROW(dense, kernel::dense)                                 \
  ROW(denseBack, kernel::denseBack)                         \
  ROW(denseWeightGrad, kernel::denseWeightGrad)

template <class D>
KernelFunction<D> find(const Node& node) {
#define SHARDLAW_KERNEL(name, function) \
  if (&node == &nodes::name) return &function<D>;
  SHARDLAW_KERNELS(SHARDLAW_KERNEL)
#undef SHARDLAW_KERNEL
  return nullptr;
}

}  // namespace

template <>
KernelFunction<Exact> kernelOf(const Node& node) {
  return find<Exact>(node);
}
template <>
KernelFunction<F64> kernelOf(const Node& node) {
  return find<F64>(node);
}
template <>
KernelFunction<F32> kernelOf(const Node& node) {
  return find<F32>(node);
}

}  // namespace shardlaw
