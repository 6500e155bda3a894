// 512-bit floats: the real value that a double evaluation is judged against.
#pragma once

#include <gmpxx.h>

#include <cmath>

#include "interp/number/rational.h"

namespace shardlaw::test {

using Wide = mpf_class;

/// GMP gives a default-constructed float the default precision.
inline const bool widePrecision = (mpf_set_default_prec(512), true);

inline Wide wide(double x) { return Wide(x, 512); }
inline Wide wide(const Rational& q) {
  const Wide above(q.get_num(), 512), below(q.get_den(), 512);
  return above / below;
}
/// Far above the error of a wide evaluation, far below an ulp of a double.
inline const Wide wideError = [] {
  Wide error(1, 512);
  mpf_div_2exp(error.get_mpf_t(), error.get_mpf_t(), 400);
  return error;
}();

/// eˣ: Taylor's series at x/2^16, squared 16 times.
inline Wide wideExp(const Wide& x) {
  Wide reduced = x, term(1, 512), sum(1, 512);
  mpf_div_2exp(reduced.get_mpf_t(), reduced.get_mpf_t(), 16);
  for (int n = 1; n < 80; ++n) {
    term = term * reduced / n;
    sum = sum + term;
  }
  for (int i = 0; i < 16; ++i) sum = sum * sum;
  return sum;
}
/// log x by Halley's iteration on eˣ, which triples the correct digits.
inline Wide wideLog(const Wide& x) {
  Wide root = wide(std::log(x.get_d()));
  for (int i = 0; i < 4; ++i) {
    const Wide power = wideExp(root);
    root = root + 2 * (x - power) / (x + power);
  }
  return root;
}

}  // namespace shardlaw::test
