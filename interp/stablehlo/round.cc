#include "interp/stablehlo/round.h"

#include <bit>
#include <limits>

namespace shardlaw::stablehlo {

double f16FromDouble(double x) {
  if (!std::isfinite(x) || x == 0) return x;
  const double magnitude = std::abs(x);
  // Half of a step above the largest f16, 65504, rounds away from it.
  if (magnitude >= 65520) return std::copysign(std::numeric_limits<double>::infinity(), x);
  const int exponent = std::max(std::ilogb(magnitude), -14);
  const double steps = std::nearbyint(std::scalbn(magnitude, 10 - exponent));
  return std::copysign(std::scalbn(steps, exponent - 10), x);
}

double toOddDouble(const Rational& q) {
  const double nearest = toDouble(q);
  if (!std::isfinite(nearest)) return nearest;
  const Rational back(nearest);
  if (back == q || (std::bit_cast<std::uint64_t>(nearest) & 1U) != 0) return nearest;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return std::nextafter(nearest, q > back ? infinity : -infinity);
}

}  // namespace shardlaw::stablehlo
