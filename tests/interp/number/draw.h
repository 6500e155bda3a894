// Reproducible draws for property tests: a case is its seed.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "interp/number/hash.h"

namespace shardlaw::test {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : key_(mix64(seed)) {}

  std::uint64_t bits() { return mix64(key_, counter_++); }
  /// Uniform in [0, n).
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(n)); }
  /// Uniform in [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool oneIn(std::int64_t n) { return below(n) == 0; }
  /// Uniform in [−1, 1), with every bit of the significand drawn.
  double unit() { return static_cast<double>(static_cast<std::int64_t>(bits())) * 0x1p-63; }
  template <class T>
  T of(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<std::int64_t>(choices.size()))];
  }

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace shardlaw::test
