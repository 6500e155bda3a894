// What a micro kernel computes, and the sets of them among which the CPU chooses.
//
// This header is read by files that are compiled for one instruction set each, so it has no function bodies: a linker
// that keeps one of several equal inline functions must never keep one that some CPU cannot run.
#pragma once

#include <cstdint>

namespace shardlaw::kernel {

/// A block of a matrix product, added to what `out` holds:
///
///   out[m·outRow + l] += Σ_k a[aRow[m] + aStep[k]] · b[bStep[k] + l],   0 ≤ k < terms, in ascending order
///
/// for every row m and every lane l of the block. Each cell is a left fold of its own: a product is rounded, then a
/// sum; lanes are different cells. So the result is the same to the bit on every CPU. Addressing by tables of offsets
/// makes a convolution a product of this kind without copying its operand once per cell of the kernel.
///
/// S is double or float, or std::uint64_t for residues modulo 2^52 − 47: then `out` is reduced on return, and
/// terms ≤ mostTerms.
template <class S>
struct Tile {
  const S* a;
  const std::int64_t* aRow;
  const std::int64_t* aStep;
  const S* b;
  const std::int64_t* bStep;
  std::int64_t terms;
  S* out;
  std::int64_t outRow;
};

/// With a start below 2^52 that many products' 52-bit halves fit 64 bits: 4096 · 2^52 = 2^64.
inline constexpr std::int64_t mostTerms = 4095;

/// The micro kernels of one instruction set: run[r][v − 1] computes 2^r rows of v vectors of `lanes` cells; null
/// where so many sums do not fit the registers.
template <class S>
struct TileSet {
  static constexpr int rowSizes = 4, vectorSizes = 3;
  int lanes;
  void (*run[rowSizes][vectorSizes])(const Tile<S>&);
};

/// Passes over rows of residues modulo p = 2^52 − 47.
struct FieldRows {
  /// Adds Σ x, Σ y, Σ x·x and Σ x·y modulo p to sums[0..3], which are residues, and returns the bits seen in any x or
  /// y: lowest() has bits above the 52nd.
  std::uint64_t (*addSums)(const std::uint64_t* x, const std::uint64_t* y, std::int64_t count, std::uint64_t* sums);
  /// out = a·x + b·y + c modulo p, for residues.
  void (*combine)(std::uint64_t a, const std::uint64_t* x, std::uint64_t b, const std::uint64_t* y, std::uint64_t c,
                  std::int64_t count, std::uint64_t* out);
};

extern const FieldRows portableRows, ifmaRows;
extern const TileSet<double> baselineF64, avx2F64, avx512F64;
extern const TileSet<float> baselineF32, avx2F32, avx512F32;
extern const TileSet<std::uint64_t> portableExact, ifmaExact;

}  // namespace shardlaw::kernel
