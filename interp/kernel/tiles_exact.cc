// The micro kernels for residues modulo p = 2^52 − 47, for every CPU: 128-bit sums in general registers.
#include "interp/kernel/tile.h"

namespace shardlaw::kernel {
namespace {

using Wide = unsigned __int128;
constexpr std::uint64_t mask = (std::uint64_t{1} << 52) - 1;
constexpr std::uint64_t modulus = mask - 46;

/// Of at most mostTerms + 1 products: n < 2^116. Since 2^52 = 47 modulo p, a fold leaves less than 2^70, a second
/// 2^53, and one subtraction the residue.
std::uint64_t reduced(Wide n) {
  const Wide once = (n >> 52) * 47 + static_cast<std::uint64_t>(n & mask);
  const std::uint64_t twice = static_cast<std::uint64_t>(once >> 52) * 47 + static_cast<std::uint64_t>(once & mask);
  return twice >= modulus ? twice - modulus : twice;
}

template <int rows, int vectors>
void run(const Tile<std::uint64_t>& tile) {
  Wide sum[rows][vectors];
  for (int m = 0; m < rows; ++m)
    for (int v = 0; v < vectors; ++v) sum[m][v] = tile.out[m * tile.outRow + v];
  for (std::int64_t k = 0; k < tile.terms; ++k)
    for (int m = 0; m < rows; ++m) {
      const std::uint64_t factor = tile.a[tile.aRow[m] + tile.aStep[k]];
      for (int v = 0; v < vectors; ++v) sum[m][v] += static_cast<Wide>(factor) * tile.b[tile.bStep[k] + v];
    }
  for (int m = 0; m < rows; ++m)
    for (int v = 0; v < vectors; ++v) tile.out[m * tile.outRow + v] = reduced(sum[m][v]);
}

std::uint64_t addSums(const std::uint64_t* x, const std::uint64_t* y, std::int64_t count, std::uint64_t* sums) {
  std::uint64_t seen = 0;
  for (std::int64_t first = 0; first < count; first += mostTerms) {
    const std::int64_t end = first + mostTerms < count ? first + mostTerms : count;
    Wide xs = sums[0], ys = sums[1], xx = sums[2], xy = sums[3];
    for (std::int64_t i = first; i < end; ++i) {
      seen |= x[i] | y[i];
      xs += x[i];
      ys += y[i];
      xx += static_cast<Wide>(x[i]) * x[i];
      xy += static_cast<Wide>(x[i]) * y[i];
    }
    sums[0] = reduced(xs);
    sums[1] = reduced(ys);
    sums[2] = reduced(xx);
    sums[3] = reduced(xy);
  }
  return seen;
}

void combine(std::uint64_t a, const std::uint64_t* x, std::uint64_t b, const std::uint64_t* y, std::uint64_t c,
             std::int64_t count, std::uint64_t* out) {
  for (std::int64_t i = 0; i < count; ++i)
    out[i] = reduced(static_cast<Wide>(a) * x[i] + static_cast<Wide>(b) * y[i] + c);
}

}  // namespace

constinit const FieldRows portableRows{addSums, combine};
constinit const TileSet<std::uint64_t> portableExact{1,
                                                     {{run<1, 1>, run<1, 2>, run<1, 3>},
                                                      {run<2, 1>, run<2, 2>, nullptr},
                                                      {run<4, 1>, nullptr, nullptr},
                                                      {nullptr, nullptr, nullptr}}};

}  // namespace shardlaw::kernel
