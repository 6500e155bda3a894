// Whether many field elements are pairwise distinct.
#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "interp/exec/parallel.h"
#include "interp/number/exact.h"

namespace shardlaw {

/// Residues in buckets, so that millions of them are sorted in parallel and in the cache.
class Residues {
 public:
  void add(Field cell) { buckets_[cell.residue() >> shift].push_back(cell.residue()); }
  bool areDistinct() {
    std::atomic<bool> distinct = true;
    parallelFor(count, true, [&](std::int64_t i) {
      auto& bucket = buckets_[static_cast<std::size_t>(i)];
      std::sort(bucket.begin(), bucket.end());
      if (std::adjacent_find(bucket.begin(), bucket.end()) != bucket.end()) distinct = false;
    });
    return distinct;
  }

 private:
  static constexpr std::size_t count = 256;
  static constexpr int shift = 52 - 8;
  std::vector<std::vector<std::uint64_t>> buckets_{count};
};

}  // namespace shardlaw
