#include "interp/tensor/shape.h"

#include <algorithm>

#include "interp/error.h"

namespace shardlaw {

Shape::Shape(std::span<const std::int64_t> extents) {
  if (extents.size() > maxRank)
    throw Error("a shape of rank " + std::to_string(extents.size()) + "; at most " + std::to_string(maxRank) +
                " is supported");
  // Whatever its order, no product of extents may overflow: those of 0 count last.
  for (const std::int64_t extent : extents) {
    if (extent < 0) throw Error("a shape with the negative extent " + std::to_string(extent));
    if (extent != 0 && __builtin_mul_overflow(cells_, extent, &cells_))
      throw Error("a shape with more cells than 64 bits can count");
  }
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) cells_ = 0;
  rank_ = static_cast<int>(extents.size());
  std::copy(extents.begin(), extents.end(), extents_.begin());
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
