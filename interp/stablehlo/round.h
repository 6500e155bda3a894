// Rounding to the element types of StableHLO.
#pragma once

#include <cmath>
#include <type_traits>

#include "interp/exec/parallel.h"
#include "interp/stablehlo/domains.h"
#include "interp/stablehlo/operation/truth.h"
#include "interp/stablehlo/type.h"

namespace shardlaw::stablehlo {

/// To the nearest f16, ties to even, subnormals and infinities included.
double f16FromDouble(double x);
/// The double that rounds like `q` in every format of at most 51 bits: its nearest double towards 0, with the last bit
/// set where that is not exact (Boldo and Melquiond, 2008).
double toOddDouble(const Rational& q);

/// Every value of `narrow` is one of `wide`.
constexpr bool holdsAll(DType wide, DType narrow) {
  if (wide == narrow || wide == DType::f64) return true;
  return wide == DType::f32 && (narrow == DType::bf16 || narrow == DType::f16);
}

/// To a float type as the domain sees it. `native` rounds to all of them; elsewhere f32 and f64 are the domain's own
/// scalars, bf16 is its roundToBf16, and f16 is rounded to in f64 and f32 only: Error in the others.
template <class D>
typename D::Scalar roundTo(const D& domain, DType element, const typename D::Scalar& x) {
  if constexpr (std::is_same_v<D, Native>) {
    if (element == DType::f32) return static_cast<double>(static_cast<float>(x));
  }
  if (element == DType::bf16) return domain.roundToBf16(x);
  if (element != DType::f16) return x;
  if constexpr (isIeee<D>) return static_cast<typename D::Scalar>(f16FromDouble(static_cast<double>(x)));
  else refuseIn(D::name, "rounding to f16");
}

template <class D>
void roundTo(const D& domain, DType element, Tensor<typename D::Scalar>& cells, bool parallel = true) {
  const bool kept = element == DType::f64 || (element == DType::f32 && !std::is_same_v<D, Native>);
  if (kept) return;
  auto* const data = cells.view().data();
  parallelBlocks(cells.cells(), parallel && cells.cells() >= 4096, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) data[i] = roundTo(domain, element, data[i]);
  });
}

}  // namespace shardlaw::stablehlo
