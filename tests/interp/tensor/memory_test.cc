// Memory of cells: small and large blocks are usable to the last byte, and sizes that no memory has are refused.
#include "interp/tensor/memory.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

namespace shardlaw::test {
namespace {

TEST_CASE("blocks below, at and above the large size") {
  const std::size_t cells = largeBlock / sizeof(double);
  for (const std::size_t count : {std::size_t{1}, cells - 1, cells, cells + 1, 3 * cells + 5}) {
    std::vector<double, CellAllocator<double>> block(count, 1.0);
    block.back() = 2;
    block.push_back(3);
    CHECK(block[count] == 3);
    CHECK(block[count - 1] == 2);
    if (count >= cells) CHECK(reinterpret_cast<std::uintptr_t>(block.data()) % 64 == 0);
  }
}

TEST_CASE("more bytes than a size can say") {
  CHECK_THROWS_AS(CellAllocator<double>().allocate(std::numeric_limits<std::size_t>::max() / 4),
                  std::bad_array_new_length);
}

}  // namespace
}  // namespace shardlaw::test
