// The domains in which StableHLO programs have a meaning.
#pragma once

#include "interp/number/domains.h"

namespace shardlaw::stablehlo {

/// The domain `native`: what the program's own element types say. Scalars are doubles, and every operation that
/// computes rounds its result once to its element type. For + − × ÷ √ of f32, bf16 and f16 that is the type's own
/// arithmetic (Figueroa, 1995: 53 ≥ 2·24 + 2 bits); sums, products of matrices and convolutions are accumulated in
/// double and rounded once at their end.
struct Native : F64 {
  static constexpr const char* name = "native";
};

}  // namespace shardlaw::stablehlo

/// ROW(Domain, …) for each. The build makes one translation unit of instantiations per row.
// clang-format off
#define SHARDLAW_STABLEHLO_DOMAINS(ROW, ...) \
  ROW(Exact, __VA_ARGS__)                    \
  ROW(Native, __VA_ARGS__)                   \
  ROW(F64, __VA_ARGS__)                      \
  ROW(F32, __VA_ARGS__)                      \
  ROW(Wide, __VA_ARGS__)                     \
  ROW(Bounded64, __VA_ARGS__)                \
  ROW(Bounded32, __VA_ARGS__)                \
  ROW(Degree, __VA_ARGS__)                   \
  ROW(SharedDegree, __VA_ARGS__)
// clang-format on
