// The check that an evaluation lies within a bound, and a tally of how the bounds were used.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "interp/number/wide.h"

namespace shardlaw::test {

/// What was seen over a run, so that a test can tell that it has met what it is about.
struct Seen {
  std::int64_t cells = 0, unknown = 0, exact = 0;
  double worst = 0;
  std::string worstAt;
  std::vector<double> ratios;

  void add(double ratio, std::string_view at) {
    ratios.push_back(ratio);
    if (ratio > worst) worst = ratio, worstAt = at;
  }
  double median() {
    if (ratios.empty()) return 0;
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    return *middle;
  }
  std::string text() {
    return std::to_string(cells) + " cells, unknown " + std::to_string(unknown) + ", exact " + std::to_string(exact) +
           ", error/bound median " + std::to_string(median()) + ", worst " + std::to_string(worst) + " at " + worstAt;
  }
};

/// Requires |value − x| ≤ bound, in 256 bits; `at` says what the value is.
template <class F>
void checkWithin(F value, double bound, const WideScalar& x, std::string_view at, Seen& seen) {
  static const Wide wide(256);
  ++seen.cells;
  if (!(bound >= 0)) FAIL(at << ": bound " << bound);
  if (std::isinf(bound)) {
    ++seen.unknown;
    return;
  }
  const auto given = static_cast<double>(value);
  // Infinities that all evaluations share leave no error.
  if (std::isinf(given) && x.toDouble() == given) return;
  WideScalar error = wide.fromDouble(given) - x;
  error = wide.max(error, -error);
  if (error.isNaN() || wide.less(wide.fromDouble(bound), error))
    FAIL(at << ": " << given << " for " << x.toString(25) << ", bound " << bound);
  if (bound == 0) ++seen.exact;
  else seen.add((error / wide.fromDouble(bound)).toDouble(), at);
}

}  // namespace shardlaw::test
