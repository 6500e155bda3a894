#include "interp/kernel/contraction.h"

#include <algorithm>
#include <atomic>

namespace shardlaw::kernel {
namespace {

/// A block of `b` of so many terms and one tile's lanes stays in the first-level cache while all rows go over it.
constexpr std::int64_t termBlock = 256;
static_assert(termBlock <= mostTerms);

std::atomic<Isa>& chosenIsa() {
  static std::atomic<Isa> chosen = bestIsa();
  return chosen;
}

template <class S>
const TileSet<S>& tiles();

#ifdef SHARDLAW_KERNEL_X86
template <>
const TileSet<double>& tiles() {
  return isa() >= Isa::avx512 ? avx512F64 : isa() == Isa::avx2 ? avx2F64 : baselineF64;
}
template <>
const TileSet<float>& tiles() {
  return isa() >= Isa::avx512 ? avx512F32 : isa() == Isa::avx2 ? avx2F32 : baselineF32;
}
template <>
const TileSet<std::uint64_t>& tiles() {
  return isa() == Isa::avx512ifma ? ifmaExact : portableExact;
}
#else
template <>
const TileSet<double>& tiles() {
  return baselineF64;
}
template <>
const TileSet<float>& tiles() {
  return baselineF32;
}
template <>
const TileSet<std::uint64_t>& tiles() {
  return portableExact;
}
#endif

/// The largest r such that 2^r rows are left and a tile of 2^r rows and so many vectors exists.
template <class S>
int rowSize(const TileSet<S>& set, std::int64_t rows, int vectors) {
  int r = TileSet<S>::rowSizes - 1;
  while (r > 0 && ((std::int64_t{1} << r) > rows || set.run[r][vectors - 1] == nullptr)) --r;
  return r;
}

}  // namespace

Isa bestIsa() {
#ifdef SHARDLAW_KERNEL_X86
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return Isa::baseline;
  if (!__builtin_cpu_supports("avx512f")) return Isa::avx2;
  return __builtin_cpu_supports("avx512ifma") ? Isa::avx512ifma : Isa::avx512;
#else
  return Isa::baseline;
#endif
}

Isa isa() { return chosenIsa().load(std::memory_order_relaxed); }

void limitIsa(Isa limit) { chosenIsa().store(std::min(limit, bestIsa()), std::memory_order_relaxed); }

const FieldRows& fieldRows() {
#ifdef SHARDLAW_KERNEL_X86
  if (isa() == Isa::avx512ifma) return ifmaRows;
#endif
  return portableRows;
}

template <class S>
std::int64_t laneMultiple() {
  return tiles<S>().lanes;
}

template <class S>
void contract(const Contraction<S>& product) {
  const TileSet<S>& set = tiles<S>();
  const auto rows = static_cast<std::int64_t>(product.aRow.size());
  const auto terms = static_cast<std::int64_t>(product.aStep.size());
  const std::int64_t vectors = (product.lanes + set.lanes - 1) / set.lanes;
  for (std::int64_t k = 0; k < terms; k += termBlock)
    for (std::int64_t v = 0; v < vectors; v += TileSet<S>::vectorSizes) {
      const int width = static_cast<int>(std::min<std::int64_t>(TileSet<S>::vectorSizes, vectors - v));
      for (std::int64_t m = 0; m < rows;) {
        const int r = rowSize(set, rows - m, width);
        set.run[r][width - 1](Tile<S>{product.a, product.aRow.data() + m, product.aStep.data() + k,
                                      product.b + v * set.lanes, product.bStep.data() + k,
                                      std::min(termBlock, terms - k), product.out + m * product.outRow + v * set.lanes,
                                      product.outRow});
        m += std::int64_t{1} << r;
      }
    }
}

template void contract(const Contraction<double>&);
template void contract(const Contraction<float>&);
template void contract(const Contraction<std::uint64_t>&);
template std::int64_t laneMultiple<double>();
template std::int64_t laneMultiple<float>();
template std::int64_t laneMultiple<std::uint64_t>();

}  // namespace shardlaw::kernel
