#include "interp/number/hash.h"

#include <bit>
#include <catch2/catch.hpp>
#include <set>

#include "tests/interp/number/draw.h"

using namespace shardlaw;

namespace {

/// x ^ (x >> shift), undone.
std::uint64_t unshift(std::uint64_t y, int shift) {
  std::uint64_t x = y;
  for (int known = shift; known < 64; known += shift) x = y ^ (x >> shift);
  return x;
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int i = 0; i < 6; ++i) x *= 2 - odd * x;
  return x;
}

std::uint64_t unmix(std::uint64_t y) {
  std::uint64_t x = unshift(y, 31) * inverse(0x94D049BB133111EBULL);
  x = unshift(x, 27) * inverse(0xBF58476D1CE4E5B9ULL);
  return unshift(x, 30) - 0x9E3779B97F4A7C15ULL;
}

}  // namespace

TEST_CASE("mix64 is SplitMix64: the published first outputs from seed 0") {
  constexpr std::uint64_t step = 0x9E3779B97F4A7C15ULL;
  CHECK(mix64(0) == 0xE220A8397B1DCDAFULL);
  CHECK(mix64(step) == 0x6E789E6AA1B965F4ULL);
  CHECK(mix64(2 * step) == 0x06C45D188009454FULL);
}

TEST_CASE("mix64 is a bijection: it can be undone") {
  test::Draw draw(1);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t x = i < 1000 ? static_cast<std::uint64_t>(i) : draw.bits();
    REQUIRE(unmix(mix64(x)) == x);
  }
}

TEST_CASE("under one key, mix64 never repeats") {
  for (const std::uint64_t key : {0ULL, 1ULL, ~0ULL}) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t x = 0; x < 20000; ++x) seen.insert(mix64(key, x));
    CHECK(seen.size() == 20000);
  }
}

TEST_CASE("a flipped bit of the key or of the argument flips half of the output") {
  int flipped = 0;
  for (std::uint64_t x = 0; x < 2000; ++x) {
    flipped += std::popcount(mix64(5, x) ^ mix64(5, x ^ (1ULL << (x % 52))));
    flipped += std::popcount(mix64(5, x) ^ mix64(5 ^ (1ULL << (x % 64)), x));
  }
  // 256000 fair bits: a standard deviation of 253.
  CHECK(std::abs(flipped - 128000) < 2000);
}

TEST_CASE("a stream's key mixes the seed with FNV-1a of its name") {
  // Published FNV-1a values.
  CHECK(streamKey(7, "") == mix64(7, 0xCBF29CE484222325ULL));
  CHECK(streamKey(7, "a") == mix64(7, 0xAF63DC4C8601EC8CULL));
  CHECK(streamKey(7, "foobar") == mix64(7, 0x85944171F73967E8ULL));
  CHECK(streamKey(7, "exp") != streamKey(8, "exp"));
  CHECK(streamKey(7, "exp") != streamKey(7, "log"));
}
