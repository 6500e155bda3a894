// parallelFor: every index once, and the failure of the least index whatever the threads.
#include "interp/exec/parallel.h"

#include <omp.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "interp/error.h"

namespace shardlaw::test {
namespace {

/// Runs f with n OpenMP threads.
template <class F>
void withThreads(int n, const F& f) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(n);
  f();
  omp_set_num_threads(before);
}

TEST_CASE("every index runs once") {
  for (const int threads : {1, 2, 4})
    for (const bool parallel : {false, true})
      withThreads(threads, [&] {
        std::vector<int> runs(1000);
        parallelFor(1000, parallel, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
        CHECK(runs == std::vector<int>(1000, 1));
        parallelFor(0, parallel, [&](std::int64_t) { FAIL("no index to run"); });
      });
}

TEST_CASE("ranges cover every index once, in order within each") {
  for (const int threads : {1, 2, 4})
    for (const bool parallel : {false, true})
      for (const std::int64_t count : {0, 1, 5, 1000})
        withThreads(threads, [&] {
          std::vector<int> runs(static_cast<std::size_t>(count));
          parallelBlocks(count, parallel, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t i = first; i < last; ++i) ++runs[static_cast<std::size_t>(i)];
          });
          CHECK(runs == std::vector<int>(static_cast<std::size_t>(count), 1));
        });
}

TEST_CASE("of several failures the one of the least index is rethrown, with its type") {
  for (const int threads : {1, 2, 4})
    for (const bool parallel : {false, true})
      withThreads(threads, [&] {
        std::string message;
        try {
          parallelFor(1000, parallel, [](std::int64_t i) {
            if (i >= 7 && i % 2 == 1) throw Undefined("index " + std::to_string(i));
            if (i > 8) throw Error("index " + std::to_string(i));
          });
        } catch (const Undefined& failure) {
          message = failure.what();
        }
        CHECK(message == "index 7");
      });
}

}  // namespace
}  // namespace shardlaw::test
