#include "props/memory.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "interp/error.h"
#include "props/law.h"

namespace shardlaw {
namespace {

using Catch::Contains;

Claim claimOf(const char* law, const char* c) { return findLaw(law).claim(findLaw(law).parse(c)); }
const JudgeDomain& f64() { return findJudgeDomain("f64"); }

TEST_CASE("a claim that does not fit in memory is refused before it is evaluated") {
  const double huge = memoryOf(claimOf("P2", "R=100000,N=1000,C=100,H=100,W=100"), f64());
  CHECK(huge > 1e15);
  CHECK_THROWS_AS(MemoryShare(huge), Error);
  CHECK_THROWS_WITH(MemoryShare(huge), Contains("MiB") && Contains("free"));
  CHECK_NOTHROW(MemoryShare(memoryOf(claimOf("P2", "R=12,N=6,C=7,H=7,W=7"), f64())));
}

TEST_CASE("memory grows with cells, replicas, duals and bits") {
  const double one = memoryOf(claimOf("P2", "R=2,N=4,C=8,H=16,W=16"), f64());
  // Both sides hold x and dy, g and dx, at 16 bytes each, and little else.
  CHECK(one > 8 * 2 * 4 * 8 * 16 * 16 * 16);
  CHECK(one < 2 * 8 * 2 * 4 * 8 * 16 * 16 * 16);
  CHECK(memoryOf(claimOf("P2", "R=2,N=8,C=8,H=16,W=16"), f64()) > 1.9 * one);
  const Claim claim = claimOf("P2", "R=2,N=4,C=8,H=16,W=16");
  const JudgeDomain& wide = findJudgeDomain("wide");
  CHECK(memoryOf(claim, wide, {256}) > 8 * one);
  CHECK(memoryOf(claim, wide, {8192}) > 5 * memoryOf(claim, wide, {256}));
  // A million replicas of one cell: their tensors weigh more than their cells.
  CHECK(memoryOf(claimOf("S6", "R=1000000,C=1"), f64()) > 160e6);
}

TEST_CASE("a share that fits only alone waits for the others") {
  const double most = availableMemory();
  REQUIRE(most > 0);
  std::atomic<int> holding = 0, together = 0;
  const auto hold = [&] {
    const MemoryShare share(0.5 * most);
    if (++holding > 1) ++together;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    --holding;
  };
  std::thread first(hold), second(hold), third(hold);
  first.join();
  second.join();
  third.join();
  CHECK(together == 0);
}

}  // namespace
}  // namespace shardlaw
