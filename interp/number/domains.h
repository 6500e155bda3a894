// Every domain, in one list: adding one is a file beside this and a row here.
#pragma once

#include "interp/number/bounded.h"
#include "interp/number/degree.h"
#include "interp/number/domain.h"
#include "interp/number/dual.h"
#include "interp/number/exact.h"
#include "interp/number/ieee.h"
#include "interp/number/rational_domain.h"
#include "interp/number/shared_degree.h"
#include "interp/number/wide.h"

namespace shardlaw {

using DualExact = Dual<Exact>;
using DualDegree = Dual<Degree>;
using DualBounded64 = Dual<Bounded64>;
using DualBounded32 = Dual<Bounded32>;
using DualWide = Dual<Wide>;

}  // namespace shardlaw

/// ROW(Domain, …) for each domain. The build makes one translation unit of instantiations per row.
// clang-format off
#define SHARDLAW_DOMAINS(ROW, ...) \
  ROW(Exact, __VA_ARGS__)          \
  ROW(F64, __VA_ARGS__)            \
  ROW(F32, __VA_ARGS__)            \
  ROW(Wide, __VA_ARGS__)           \
  ROW(Bounded64, __VA_ARGS__)      \
  ROW(Bounded32, __VA_ARGS__)      \
  ROW(RationalDomain, __VA_ARGS__) \
  ROW(Degree, __VA_ARGS__)         \
  ROW(SharedDegree, __VA_ARGS__)   \
  ROW(DualExact, __VA_ARGS__)      \
  ROW(DualWide, __VA_ARGS__)       \
  ROW(DualDegree, __VA_ARGS__)     \
  ROW(DualBounded64, __VA_ARGS__)  \
  ROW(DualBounded32, __VA_ARGS__)
// clang-format on
