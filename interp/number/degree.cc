#include "interp/number/degree.h"

namespace shardlaw {

static_assert(Domain<Degree>);

double falsePassLog2(double difference, const Degree& opaque, double p) {
  const double k = opaque.applications();
  const double collisions = k * (k - 1) / 2 * std::max(opaque.argument(), 1.0);
  return std::min(0.0, std::log2((std::max(difference, 1.0) + collisions) / p));
}

}  // namespace shardlaw
