#include "interp/number/degree.h"

namespace shardlaw {

static_assert(Domain<Degree>);

double falsePassLog2(double difference, const Degree& opaque, double p) {
  // 0 is one argument more: rounding and roots are fixed there by rule.
  const double k = opaque.applications() + 1;
  const double collisions = k * (k - 1) / 2 * std::max(opaque.argument(), 1.0);
  // An opaque value is 64 random bits modulo p, so that no element is likelier than (1 + p·2^-64)/p.
  const double likeliest = (1 + p * 0x1p-64) / p;
  return std::min(0.0, std::log2((std::max(difference, 1.0) + collisions) * likeliest));
}

}  // namespace shardlaw
