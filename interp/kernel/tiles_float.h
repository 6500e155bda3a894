// The micro kernels for floats, in the compiler's vector extensions. Included by one file per instruction set, which
// defines SHARDLAW_TILES (a prefix), SHARDLAW_VECTOR_BYTES and SHARDLAW_SUMS (how many vectors of sums fit the
// registers). Nothing here has external linkage but the two tables.
#include "interp/kernel/tile.h"

namespace shardlaw::kernel {
namespace {

template <class S>
struct VectorOf;
template <>
struct VectorOf<double> {
  typedef double type __attribute__((vector_size(SHARDLAW_VECTOR_BYTES)));
};
template <>
struct VectorOf<float> {
  typedef float type __attribute__((vector_size(SHARDLAW_VECTOR_BYTES)));
};

template <class S, int rows, int vectors>
void run(const Tile<S>& tile) {
  using V = typename VectorOf<S>::type;
  constexpr int lanes = sizeof(V) / sizeof(S);
  V sum[rows][vectors];
  const S* a[rows];
  for (int m = 0; m < rows; ++m) {
    a[m] = tile.a + tile.aRow[m];
    for (int v = 0; v < vectors; ++v) __builtin_memcpy(&sum[m][v], tile.out + m * tile.outRow + v * lanes, sizeof(V));
  }
  for (std::int64_t k = 0; k < tile.terms; ++k) {
    const std::int64_t step = tile.aStep[k];
    const S* const b = tile.b + tile.bStep[k];
    V term[vectors];
    for (int v = 0; v < vectors; ++v) __builtin_memcpy(&term[v], b + v * lanes, sizeof(V));
    for (int m = 0; m < rows; ++m) {
      const S factor = a[m][step];
      for (int v = 0; v < vectors; ++v) sum[m][v] = sum[m][v] + term[v] * factor;
    }
  }
  for (int m = 0; m < rows; ++m)
    for (int v = 0; v < vectors; ++v) __builtin_memcpy(tile.out + m * tile.outRow + v * lanes, &sum[m][v], sizeof(V));
}

template <class S, int rows, int vectors>
constexpr auto entry() -> void (*)(const Tile<S>&) {
  if constexpr (rows * vectors <= SHARDLAW_SUMS) return &run<S, rows, vectors>;
  else return nullptr;
}

template <class S, int rows>
constexpr void fillRow(TileSet<S>& set, int row) {
  set.run[row][0] = entry<S, rows, 1>();
  set.run[row][1] = entry<S, rows, 2>();
  set.run[row][2] = entry<S, rows, 3>();
}

template <class S>
constexpr TileSet<S> tileSet() {
  TileSet<S> set{};
  set.lanes = SHARDLAW_VECTOR_BYTES / sizeof(S);
  fillRow<S, 1>(set, 0);
  fillRow<S, 2>(set, 1);
  fillRow<S, 4>(set, 2);
  fillRow<S, 8>(set, 3);
  return set;
}

}  // namespace

#define SHARDLAW_JOIN(a, b) a##b
#define SHARDLAW_NAME(prefix, suffix) SHARDLAW_JOIN(prefix, suffix)
constinit const TileSet<double> SHARDLAW_NAME(SHARDLAW_TILES, F64) = tileSet<double>();
constinit const TileSet<float> SHARDLAW_NAME(SHARDLAW_TILES, F32) = tileSet<float>();

}  // namespace shardlaw::kernel
