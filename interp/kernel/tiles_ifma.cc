// The micro kernels for residues modulo p = 2^52 − 47, for CPUs with the 52-bit multiply-add of AVX-512 IFMA. Compiled
// with -mavx512f -mavx512ifma.
#include <immintrin.h>

#include "interp/kernel/tile.h"

namespace shardlaw::kernel {
namespace {

typedef std::uint64_t Vector __attribute__((vector_size(64)));

constexpr int lanes = 8;
constexpr std::uint64_t mask = (std::uint64_t{1} << 52) - 1;
constexpr std::uint64_t modulus = mask - 46;

/// There is no fast 64-bit product.
inline Vector times47(Vector x) { return (x << 5) + (x << 4) - x; }

/// low + 2^52·high modulo p, for any 64-bit low and high. 2^52 = 47 modulo p: the first sum is below 2^58, so that a
/// fold leaves less than 2^52 + 2^12, and one subtraction the residue.
inline Vector reduced(Vector low, Vector high) {
  const Vector once = (low & mask) + times47((low >> 52) + (high & mask) + times47(high >> 52));
  const Vector twice = (once & mask) + times47(once >> 52);
  return twice - ((Vector)(twice >= modulus) & modulus);
}

inline Vector load(const std::uint64_t* from) {
  Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

template <int rows, int vectors>
void run(const Tile<std::uint64_t>& tile) {
  Vector low[rows][vectors], high[rows][vectors];
  const std::uint64_t* a[rows];
  for (int m = 0; m < rows; ++m) {
    a[m] = tile.a + tile.aRow[m];
    for (int v = 0; v < vectors; ++v) {
      low[m][v] = load(tile.out + m * tile.outRow + v * lanes);
      high[m][v] = Vector{};
    }
  }
  for (std::int64_t k = 0; k < tile.terms; ++k) {
    const std::int64_t step = tile.aStep[k];
    const std::uint64_t* const b = tile.b + tile.bStep[k];
    Vector term[vectors];
    for (int v = 0; v < vectors; ++v) term[v] = load(b + v * lanes);
    for (int m = 0; m < rows; ++m) {
      const Vector factor = Vector{} + a[m][step];
      for (int v = 0; v < vectors; ++v) {
        low[m][v] = (Vector)_mm512_madd52lo_epu64((__m512i)low[m][v], (__m512i)term[v], (__m512i)factor);
        high[m][v] = (Vector)_mm512_madd52hi_epu64((__m512i)high[m][v], (__m512i)term[v], (__m512i)factor);
      }
    }
  }
  for (int m = 0; m < rows; ++m)
    for (int v = 0; v < vectors; ++v) {
      const Vector sum = reduced(low[m][v], high[m][v]);
      __builtin_memcpy(tile.out + m * tile.outRow + v * lanes, &sum, sizeof sum);
    }
}

}  // namespace

constinit const TileSet<std::uint64_t> ifmaExact{lanes,
                                                 {{run<1, 1>, run<1, 2>, run<1, 3>},
                                                  {run<2, 1>, run<2, 2>, run<2, 3>},
                                                  {run<4, 1>, run<4, 2>, run<4, 3>},
                                                  {run<8, 1>, nullptr, nullptr}}};

}  // namespace shardlaw::kernel
