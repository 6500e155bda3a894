// What a bound says about a value that another program computed.
#pragma once

#include <cmath>
#include <cstring>

#include "interp/number/bounded.h"

namespace shardlaw {

enum class Closeness {
  equal,    ///< to the bit
  within,   ///< explained by rounding and order of summation
  outside,  ///< certainly not rounding
  unknown,  ///< the bound is infinite: nothing can be said
};

struct Verdict {
  Closeness closeness = Closeness::equal;
  double share = 0;  ///< error over bound; 0 where equal, infinite where the bound is 0 and the error is not
};

/// Judges `foreign` against the value and bound of our own evaluation of the same formula: two evaluations
/// differ by at most twice the bound. Zeros of either sign are equal; a NaN is equal to a NaN.
template <class F>
Verdict judgeForeign(const BoundedScalar<F>& ours, F foreign) {
  if (std::memcmp(&ours.value, &foreign, sizeof(F)) == 0 || ours.value == foreign) return {Closeness::equal, 0};
  if (std::isnan(ours.value) && std::isnan(foreign)) return {Closeness::equal, 0};
  if (!std::isfinite(ours.bound)) return {Closeness::unknown, 0};
  const double error = std::abs(static_cast<double>(foreign) - static_cast<double>(ours.value));
  const double bound = BoundedScalar<F>::upward(2 * ours.bound);
  const double share = bound > 0 ? error / bound : std::numeric_limits<double>::infinity();
  return {error <= bound ? Closeness::within : Closeness::outside, share};
}

}  // namespace shardlaw
