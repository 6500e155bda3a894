// A batch whose channel rows are easy to work by hand; tests of batch normalisation say what follows from it.
#pragma once

#include <vector>

#include "tests/interp/node/rows.h"

namespace shardlaw::test {

inline Attributes eps(const Number& e) { return {number("eps", e)}; }

/// Two examples, two channels, 1×2 maps. Channel 0 holds 1,3 | 3,1, channel 1 holds 1,11 | 5,7: σ² is 1 and 13.
inline const Shape batch{2, 2, 1, 2};
inline const Literal x{batch, {1, 3, 1, 11, 3, 1, 5, 7}};
inline const Literal gamma{{2}, {2, -4}};
inline const Literal beta{{2}, {5, 1}};
/// σ² + ε at ε = 3: even powers of two, so that no root rounds.
inline const std::vector<Number> radicands{4, 16};

}  // namespace shardlaw::test
