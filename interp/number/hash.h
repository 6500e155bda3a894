// Counter-based pseudo-random bits: the same on every compiler, thread count and platform.
#pragma once

#include <cstdint>
#include <string_view>

namespace shardlaw {

/// A bijection of the 64-bit integers that changes about half of the output bits for any change of the
/// input (the finaliser of SplitMix64: Steele, Lea and Flood, OOPSLA 2014).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// Pseudo-random function of two words, keyed by the first; for each key a bijection of the second.
constexpr std::uint64_t mix64(std::uint64_t key, std::uint64_t x) { return mix64(mix64(key) ^ x); }

/// A key for a named stream (FNV-1a, then mixed).
constexpr std::uint64_t streamKey(std::uint64_t seed, std::string_view name) {
  std::uint64_t h = 0xCBF29CE484222325ULL;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return mix64(seed, h);
}

}  // namespace shardlaw
