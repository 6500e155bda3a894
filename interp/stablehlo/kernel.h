// Kernels: operations computed fast, equal to their denotations to the bit.
#pragma once

#include "interp/stablehlo/operation.h"

namespace shardlaw::stablehlo {

/// The kernel of an operation, or null where it has none. Only these domains have kernels.
template <class D>
DenoteFunction<D> kernelOf(const OperationInfo&) {
  return nullptr;
}
template <>
DenoteFunction<Exact> kernelOf(const OperationInfo& info);
template <>
DenoteFunction<Native> kernelOf(const OperationInfo& info);
template <>
DenoteFunction<F64> kernelOf(const OperationInfo& info);
template <>
DenoteFunction<F32> kernelOf(const OperationInfo& info);

}  // namespace shardlaw::stablehlo
