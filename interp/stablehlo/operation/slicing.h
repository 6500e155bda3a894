// Parts of tensors, and tensors put together from parts.
#pragma once

#include <algorithm>

#include "interp/stablehlo/operation/rules.h"
#include "interp/stablehlo/operation/walk.h"

namespace shardlaw::stablehlo {

struct Slice : LocalOperation {
  static constexpr std::string_view name = "slice";
  static constexpr std::string_view formula = "the cells from start up to limit along every axis, a stride apart";
  static constexpr std::string_view format = "::custom";
  static constexpr AttributeSpec specs[] = {{"start_indices", AttributeType::integers, true},
                                            {"limit_indices", AttributeType::integers, true},
                                            {"strides", AttributeType::integers, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = 1;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    const auto starts = call.attributes().integers("start_indices"), steps = call.attributes().integers("strides");
    const std::vector<std::int64_t> strides = stridesOf(call.type(0).shape);
    Walk walk(call.resultType().shape);
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
      walk.origin() += starts[axis] * strides[axis];
      // A step beyond the operand is never taken, and its product with a stride could overflow.
      const bool taken = walk.shape[static_cast<int>(axis)] > 1;
      walk.along(axis) = taken ? steps[axis] * strides[axis] : 0;
    }
    copyCells(call, 0, walk);
  }
};

struct Pad : LocalOperation {
  static constexpr std::string_view name = "pad";
  static constexpr std::string_view formula =
      "the operand with the value before, behind and between its cells; negative counts cut cells off";
  static constexpr std::string_view format =
      "%0 %1 'low =' $edge_padding_low 'high =' $edge_padding_high 'interior =' $interior_padding ::function";
  static constexpr AttributeSpec specs[] = {{"edge_padding_low", AttributeType::integers, true},
                                            {"edge_padding_high", AttributeType::integers, true},
                                            {"interior_padding", AttributeType::integers, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 2, most = 2;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    call.in(1).visit([&](const auto& value) {
      auto& out = std::get<std::decay_t<decltype(value)>>(call.out().variant());
      std::fill(out.view().data(), out.view().data() + out.cells(), value[0]);
    });
    copyBox(call.in(0), call.out(), kept(call.type(0).shape, call.resultType().shape, call.attributes()),
            call.parallel);
  }

 private:
  /// The cells of the operand that lie inside the result, and where.
  static Walks<2> kept(const Shape& from, const Shape& to, const Attributes& attributes);
};

struct Concatenate : LocalOperation {
  static constexpr std::string_view name = "concatenate";
  static constexpr std::string_view formula = "the operands one behind the other along an axis";
  static constexpr std::string_view format = "%* 'dim =' $dimension ::function";
  static constexpr AttributeSpec specs[] = {{"dimension", AttributeType::integer, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = -1;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < call.operands.size(); ++i)
      offset += placeAlong(call.in(i), call.out(), static_cast<int>(call.attributes().integer("dimension")), offset,
                           call.parallel);
  }

  /// Copies a tensor into a larger one at an offset along an axis; its extent along it.
  template <class D>
  static std::int64_t placeAlong(const Cells<D>& part, Cells<D>& whole, int axis, std::int64_t offset, bool parallel) {
    Walks<2> box(part.shape());
    const std::vector<std::int64_t> from = stridesOf(part.shape()), to = stridesOf(whole.shape());
    std::copy(from.begin(), from.end(), box.stride[0].begin());
    std::copy(to.begin(), to.end(), box.stride[1].begin());
    box.start[1] = offset * to[index(axis)];
    copyBox(part, whole, box, parallel);
    return part.shape()[axis];
  }
};

/// Where a slice of these sizes begins: the operands from `first` on, moved so that it lies inside.
template <class D>
std::vector<std::int64_t> clampedStarts(const Call<D>& call, std::size_t first, const Shape& whole,
                                        const Shape& slice) {
  std::vector<std::int64_t> starts;
  for (int axis = 0; axis < whole.rank(); ++axis) {
    const std::size_t i = first + index(axis);
    const std::int64_t start = call.in(i).integers()[0], most = whole[axis] - slice[axis];
    // A ui64 beyond the i64s is negative here, and large.
    const bool large = call.type(i).element == DType::u64 && start < 0;
    starts.push_back(large ? most : std::clamp<std::int64_t>(start, 0, most));
  }
  return starts;
}

/// Operands from `first` on are as many integers of rank 0, of one type, as there are axes.
void requireStarts(const TypeRule& rule, std::size_t first, int rank);

struct DynamicSlice : LocalOperation {
  static constexpr std::string_view name = "dynamic_slice";
  static constexpr std::string_view formula =
      "cells of the sizes from the start on, which is moved so that all lie inside";
  static constexpr std::string_view format = "%* 'sizes =' $slice_sizes ::function";
  static constexpr AttributeSpec specs[] = {{"slice_sizes", AttributeType::integers, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = -1;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    const Shape& whole = call.type(0).shape;
    const auto starts = clampedStarts(call, 1, whole, call.resultType().shape);
    const std::vector<std::int64_t> strides = stridesOf(whole);
    Walk walk(call.resultType().shape);
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
      walk.origin() += starts[axis] * strides[axis];
      walk.along(axis) = strides[axis];
    }
    copyCells(call, 0, walk);
  }
};

struct DynamicUpdateSlice : LocalOperation {
  static constexpr std::string_view name = "dynamic_update_slice";
  static constexpr std::string_view formula =
      "the operand with the update from the start on, which is moved so that it lies inside";
  static constexpr std::string_view format = "%* ::function";
  static constexpr int least = 2, most = -1;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    call.out() = call.in(0);
    const Shape &whole = call.type(0).shape, &part = call.type(1).shape;
    const auto starts = clampedStarts(call, 2, whole, part);
    const std::vector<std::int64_t> from = stridesOf(part), to = stridesOf(whole);
    Walks<2> box(part);
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
      box.start[1] += starts[axis] * to[axis];
      box.stride[0][axis] = from[axis];
      box.stride[1][axis] = to[axis];
    }
    copyBox(call.in(1), call.out(), box, call.parallel);
  }
};

}  // namespace shardlaw::stablehlo
