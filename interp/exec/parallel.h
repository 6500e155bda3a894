// Parallel loops whose results do not depend on the number of threads.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>

namespace shardlaw {

/// Calls f(i) for i in [0, count), each index once, on the threads of OpenMP where `parallel` is true.
/// f must write only what belongs to its index. Of several exceptions the one of the least index is
/// rethrown, so that a failure, too, is the same at every thread count.
template <class F>
void parallelFor(std::int64_t count, bool parallel, const F& f) {
  if (!parallel || count < 2) {
    for (std::int64_t i = 0; i < count; ++i) f(i);
    return;
  }
  std::exception_ptr failure;
  std::int64_t failed = std::numeric_limits<std::int64_t>::max();
  std::mutex guard;
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t i = 0; i < count; ++i) {
    try {
      f(i);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (i < failed) {
        failed = i;
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// Calls f(first, last) for consecutive ranges that together are [0, count), on the threads of OpenMP where `parallel`
/// is true. How many ranges there are depends on the number of threads: f must do the same for each index whatever
/// its range. Where an index fails, the failure of the least range is rethrown.
template <class F>
void parallelBlocks(std::int64_t count, bool parallel, const F& f) {
  // A few more ranges than threads, so that a thread that is held up does not hold up the others.
  const std::int64_t blocks = parallel ? std::min<std::int64_t>(count, 4 * omp_get_max_threads()) : 1;
  if (count == 0) return;
  parallelFor(blocks, parallel, [&](std::int64_t i) { f(count * i / blocks, count * (i + 1) / blocks); });
}

}  // namespace shardlaw
