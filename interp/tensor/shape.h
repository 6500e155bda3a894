// Shapes: the extents of a row-major array.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace shardlaw {

/// Extents of a row-major array, rank 0 (a scalar) to 8. Every extent is ≥ 0 and the number of cells fits
/// a signed 64-bit integer: the constructors throw Error otherwise.
class Shape {
 public:
  static constexpr int maxRank = 8;

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> extents)
      : Shape(std::span<const std::int64_t>(extents.begin(), extents.size())) {}
  explicit Shape(std::span<const std::int64_t> extents);

  int rank() const { return rank_; }
  std::int64_t operator[](int axis) const { return extents_[static_cast<std::size_t>(axis)]; }
  /// Product of the extents; 1 at rank 0.
  std::int64_t cells() const { return cells_; }
  std::span<const std::int64_t> extents() const { return {extents_.data(), static_cast<std::size_t>(rank_)}; }

  /// Without the leading axis; the rank must not be 0.
  Shape tail() const { return Shape(extents().subspan(1)); }
  /// With a new leading axis.
  Shape batchOf(std::int64_t examples) const;

  friend bool operator==(const Shape& a, const Shape& b) { return a.rank_ == b.rank_ && a.extents_ == b.extents_; }

 private:
  std::array<std::int64_t, maxRank> extents_{};
  int rank_ = 0;
  std::int64_t cells_ = 1;  ///< kept, as loops over cells ask for it again and again
};

/// "[2,3,4]", "[]" at rank 0.
std::string toString(const Shape& shape);

}  // namespace shardlaw
