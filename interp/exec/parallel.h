// Parallel loops whose results do not depend on the number of threads.
#pragma once

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

}  // namespace shardlaw
