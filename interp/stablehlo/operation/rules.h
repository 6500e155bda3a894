// What typing rules share: extents that cannot overflow.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interp/stablehlo/operation.h"

namespace shardlaw::stablehlo {

/// Wide enough for a sum of products of two extents or attributes.
using Wide128 = __int128;

/// A shape of these extents, or a refusal where an extent is negative, the rank too large, or the cells too many to
/// count.
Shape shapeOf(const TypeRule& rule, const std::vector<std::int64_t>& extents);
/// An extent that was computed; refused where it is negative or beyond 2^62.
std::int64_t extentOf(const TypeRule& rule, int axis, Wide128 extent);

/// Every entry of the list is at least `least`.
void requireAtLeast(const TypeRule& rule, std::string_view attribute, std::span<const std::int64_t> list,
                    std::int64_t least);
void requireAscending(const TypeRule& rule, std::string_view attribute, std::span<const std::int64_t> list);
/// The axis is one of a tensor of this rank.
void requireAxis(const TypeRule& rule, std::string_view attribute, std::int64_t axis, int rank);
/// Operand i has integers.
void requireIntegers(const TypeRule& rule, std::size_t i);

/// "[1, 2]".
std::string listed(std::span<const std::int64_t> list);
bool contains(std::span<const std::int64_t> list, std::int64_t entry);
/// 0, …, rank − 1 without the entries of the lists.
std::vector<std::int64_t> axesWithout(int rank, std::span<const std::int64_t> a, std::span<const std::int64_t> b = {});
std::vector<std::int64_t> extentsOf(const Shape& shape);
inline std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace shardlaw::stablehlo
