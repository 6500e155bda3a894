#include "interp/tensor/shape.h"

#include <algorithm>

#include "interp/error.h"

namespace shardlaw {

Shape::Shape(std::span<const std::int64_t> extents) {
  if (extents.size() > maxRank)
    throw Error("a shape of rank " + std::to_string(extents.size()) + "; at most " + std::to_string(maxRank) +
                " is supported");
  std::int64_t cells = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 0) throw Error("a shape with the negative extent " + std::to_string(extent));
    if (extent != 0 && __builtin_mul_overflow(cells, extent, &cells))
      throw Error("a shape with more cells than 64 bits can count");
  }
  rank_ = static_cast<int>(extents.size());
  std::copy(extents.begin(), extents.end(), extents_.begin());
}

std::int64_t Shape::cells() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents()) product *= extent;
  return product;
}

Shape Shape::batchOf(std::int64_t examples) const {
  std::array<std::int64_t, maxRank + 1> extended{examples};
  std::copy(extents().begin(), extents().end(), extended.begin() + 1);
  return Shape(std::span<const std::int64_t>(extended.data(), static_cast<std::size_t>(rank_) + 1));
}

std::string toString(const Shape& shape) {
  std::string text = "[";
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axis > 0) text += ',';
    text += std::to_string(shape[axis]);
  }
  return text + "]";
}

}  // namespace shardlaw
