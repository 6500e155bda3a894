// Polynomials in one variable over the field: beside them the domains of degrees are held.
#pragma once

#include <algorithm>
#include <vector>

#include "interp/number/exact.h"

namespace shardlaw::test {

/// No trailing zeros, so that its length tells its degree.
using Polynomial = std::vector<Field>;

inline Polynomial trimmed(Polynomial a) {
  while (!a.empty() && a.back() == Field()) a.pop_back();
  return a;
}
inline Polynomial sum(const Polynomial& a, const Polynomial& b, Field sign = Field::fromUnsigned(1)) {
  Polynomial c(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = c[i] + a[i];
  for (std::size_t i = 0; i < b.size(); ++i) c[i] = c[i] + sign * b[i];
  return trimmed(c);
}
inline Polynomial product(const Polynomial& a, const Polynomial& b) {
  if (a.empty() || b.empty()) return {};
  Polynomial c(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) c[i + j] = c[i + j] + a[i] * b[j];
  return trimmed(c);
}

}  // namespace shardlaw::test
