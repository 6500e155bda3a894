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

inline Vector addLow(Vector sum, Vector a, Vector b) {
  return (Vector)_mm512_madd52lo_epu64((__m512i)sum, (__m512i)a, (__m512i)b);
}
inline Vector addHigh(Vector sum, Vector a, Vector b) {
  return (Vector)_mm512_madd52hi_epu64((__m512i)sum, (__m512i)a, (__m512i)b);
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
        low[m][v] = addLow(low[m][v], term[v], factor);
        high[m][v] = addHigh(high[m][v], term[v], factor);
      }
    }
  }
  for (int m = 0; m < rows; ++m)
    for (int v = 0; v < vectors; ++v) {
      const Vector sum = reduced(low[m][v], high[m][v]);
      __builtin_memcpy(tile.out + m * tile.outRow + v * lanes, &sum, sizeof sum);
    }
}

/// The first `count` ≤ 8 residues from `from`, then zeros.
inline Vector loadFirst(const std::uint64_t* from, std::int64_t count) {
  if (count >= lanes) return load(from);
  Vector v{};
  __builtin_memcpy(&v, from, static_cast<std::uint64_t>(count) * sizeof *from);
  return v;
}

/// The sum of the lanes modulo p, and `more`.
inline std::uint64_t total(Vector residues, std::uint64_t more) {
  for (int i = 0; i < lanes; ++i) more += residues[i];
  return more % modulus;
}

std::uint64_t addSums(const std::uint64_t* x, const std::uint64_t* y, std::int64_t count, std::uint64_t* sums) {
  Vector seen{};
  for (std::int64_t first = 0; first < count; first += mostTerms * lanes) {
    const std::int64_t end = first + mostTerms * lanes < count ? first + mostTerms * lanes : count;
    Vector xs{}, ys{}, xxLow{}, xxHigh{}, xyLow{}, xyHigh{};
    for (std::int64_t i = first; i < end; i += lanes) {
      const Vector a = loadFirst(x + i, end - i), b = loadFirst(y + i, end - i);
      seen |= a | b;
      xs += a;
      ys += b;
      xxLow = addLow(xxLow, a, a);
      xxHigh = addHigh(xxHigh, a, a);
      xyLow = addLow(xyLow, a, b);
      xyHigh = addHigh(xyHigh, a, b);
    }
    sums[0] = total(reduced(xs, Vector{}), sums[0]);
    sums[1] = total(reduced(ys, Vector{}), sums[1]);
    sums[2] = total(reduced(xxLow, xxHigh), sums[2]);
    sums[3] = total(reduced(xyLow, xyHigh), sums[3]);
  }
  std::uint64_t bits = 0;
  for (int i = 0; i < lanes; ++i) bits |= seen[i];
  return bits;
}

void combine(std::uint64_t a, const std::uint64_t* x, std::uint64_t b, const std::uint64_t* y, std::uint64_t c,
             std::int64_t count, std::uint64_t* out) {
  const Vector zero{}, as = zero + a, bs = zero + b, cs = zero + c;
  for (std::int64_t i = 0; i < count; i += lanes) {
    const Vector u = loadFirst(x + i, count - i), v = loadFirst(y + i, count - i);
    const Vector sum = reduced(addLow(addLow(cs, as, u), bs, v), addHigh(addHigh(zero, as, u), bs, v));
    if (count - i >= lanes) __builtin_memcpy(out + i, &sum, sizeof sum);
    else __builtin_memcpy(out + i, &sum, static_cast<std::uint64_t>(count - i) * sizeof *out);
  }
}

}  // namespace

constinit const FieldRows ifmaRows{addSums, combine};
constinit const TileSet<std::uint64_t> ifmaExact{lanes,
                                                 {{run<1, 1>, run<1, 2>, run<1, 3>},
                                                  {run<2, 1>, run<2, 2>, run<2, 3>},
                                                  {run<4, 1>, run<4, 2>, run<4, 3>},
                                                  {run<8, 1>, nullptr, nullptr}}};

}  // namespace shardlaw::kernel
