// Where cells lie, for reports.
#pragma once

#include <cstdint>
#include <vector>

#include "interp/tensor/shape.h"

namespace shardlaw {

/// Where a linear position lies, as one index per axis.
inline std::vector<std::int64_t> indexOf(const Shape& shape, std::int64_t position) {
  std::vector<std::int64_t> index(static_cast<std::size_t>(shape.rank()));
  for (int axis = shape.rank(); axis-- > 0;) {
    index[static_cast<std::size_t>(axis)] = position % shape[axis];
    position /= shape[axis];
  }
  return index;
}

}  // namespace shardlaw
