// Kernels: nodes computed fast on a whole batch, equal to their definitions to the bit.
//
// A kernel stands beside a definition and never replaces it: tests hold the two equal on random shapes, special values
// and every instruction set. A NaN is a NaN: which of two NaN operands an addition returns is up to the compiler.
#pragma once

#include "interp/ir/node.h"

namespace shardlaw {

/// Computes a node for one replica. Unlike a denotation it gets whole operands and the whole result, also where the
/// node is per-example; they have the shapes that the node's shape rule accepts. `parallel` allows it to use OpenMP's
/// threads; the result does not depend on how many there are.
///
/// Throws Undefined where the definition does: on arithmetic with lowest().
template <class D>
using KernelFunction = void (*)(const Call<D>& call, bool parallel);

/// The kernel of a node, or null where it has none. Only these domains have kernels.
template <class D>
KernelFunction<D> kernelOf(const Node&) {
  return nullptr;
}
template <>
KernelFunction<Exact> kernelOf(const Node& node);
template <>
KernelFunction<F64> kernelOf(const Node& node);
template <>
KernelFunction<F32> kernelOf(const Node& node);

}  // namespace shardlaw
