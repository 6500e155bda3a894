// Matrix products of any size, cut into the tiles of the instruction set in use.
#pragma once

#include <span>

#include "interp/kernel/tile.h"

namespace shardlaw::kernel {

/// The instruction sets for which there are micro kernels, each containing those before it.
enum class Isa { baseline, avx2, avx512, avx512ifma };
inline constexpr Isa allIsas[] = {Isa::baseline, Isa::avx2, Isa::avx512, Isa::avx512ifma};

/// The most that this CPU and its operating system have.
Isa bestIsa();
/// What kernels use: bestIsa() unless limited.
Isa isa();
/// Kernels use at most `limit` from now on, on every thread. For tests: results do not depend on it.
void limitIsa(Isa limit);

/// The passes over field elements of the instruction set in use.
const FieldRows& fieldRows();

/// The product that Tile describes, for any number of rows, terms and lanes. The arrays behind `b` and `out` are
/// read and written up to the next multiple of laneMultiple<S>() lanes; `out` holds the start of each sum.
template <class S>
struct Contraction {
  const S* a;
  std::span<const std::int64_t> aRow;
  std::span<const std::int64_t> aStep;
  const S* b;
  std::span<const std::int64_t> bStep;
  std::int64_t lanes;
  S* out;
  std::int64_t outRow;
};

/// O(rows · terms · lanes), on this thread.
template <class S>
void contract(const Contraction<S>& product);

/// The number of cells of a vector: rows of `b` and `out` need room for a multiple of it.
template <class S>
std::int64_t laneMultiple();
template <class S>
std::int64_t roundedUp(std::int64_t lanes) {
  const std::int64_t multiple = laneMultiple<S>();
  return (lanes + multiple - 1) / multiple * multiple;
}

}  // namespace shardlaw::kernel
