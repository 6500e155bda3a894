#include "interp/kernel/batchnorm.h"
#include "interp/kernel/batchnorm_exact.h"
#include "interp/kernel/bf16.h"
#include "interp/kernel/convolution.h"
#include "interp/kernel/dense.h"
#include "interp/kernel/kernel.h"
#include "interp/kernel/pool.h"
#include "interp/kernel/sync_batchnorm.h"
#include "interp/kernel/weight_gradient.h"
#include "interp/node/nodes.h"

namespace shardlaw {
namespace {

/// One row per node: ROW(node, kernel), the kernel being a template over the domains that have kernels.
#define SHARDLAW_KERNELS(ROW)                               \
  ROW(conv, kernel::conv)                                   \
  ROW(convBack, kernel::convBack)                           \
  ROW(convWeightGrad, kernel::convWeightGrad)               \
  ROW(convBiasGrad, kernel::channelSums)                    \
  ROW(convStrided, kernel::convStrided)                     \
  ROW(convStridedBack, kernel::convStridedBack)             \
  ROW(convStridedWeightGrad, kernel::convStridedWeightGrad) \
  ROW(convBf16, kernel::convBf16)                           \
  ROW(convBackBf16, kernel::convBackBf16)                   \
  ROW(convWeightGradBf16, kernel::convWeightGradBf16)       \
  ROW(dense, kernel::dense)                                 \
  ROW(denseBack, kernel::denseBack)                         \
  ROW(denseWeightGrad, kernel::denseWeightGrad)             \
  ROW(bnBatch, kernel::bnBatch)                             \
  ROW(bnBatchBack, kernel::bnBatchBack)                     \
  ROW(bnGammaGrad, kernel::bnGammaGrad)                     \
  ROW(bnBetaGrad, kernel::channelSums)                      \
  ROW(bnBatchMean, kernel::bnBatchMean)                     \
  ROW(bnBatchVar, kernel::bnBatchVar)                       \
  ROW(bnBatchVarAt, kernel::bnBatchVarAt)                   \
  ROW(bnSyncDyStats, kernel::bnSyncDyStats)                 \
  ROW(bnSyncGammaGrad, kernel::bnSyncGammaGrad)             \
  ROW(maxPool2Back, kernel::maxPool2Back)

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
