// Operations that move cells: each cell of the result is a cell of an operand.
#pragma once

#include "interp/stablehlo/operation.h"
#include "interp/stablehlo/operation/rules.h"
#include "interp/stablehlo/operation/walk.h"

namespace shardlaw::stablehlo {

struct BroadcastInDim : LocalOperation {
  static constexpr std::string_view name = "broadcast_in_dim";
  static constexpr std::string_view formula =
      "axis i of the operand becomes axis dims[i]; cells repeat along the others";
  static constexpr std::string_view format = "%0 'dims =' $broadcast_dimensions ::function";
  static constexpr AttributeSpec specs[] = {{"broadcast_dimensions", AttributeType::integers, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = 1;

  static void check(const TypeRule& rule) {
    const TensorType &from = rule.operand(0), &to = rule.stated(0);
    const auto dims = rule.attributes().integers("broadcast_dimensions");
    rule.requireCount("broadcast_dimensions", dims.size(), static_cast<std::size_t>(from.shape.rank()));
    rule.requireAxes("broadcast_dimensions", dims, to.shape.rank());
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const std::int64_t extent = from.shape[static_cast<int>(i)];
      rule.require(extent == 1 || extent == to.shape[static_cast<int>(dims[i])],
                   "axis " + std::to_string(i) + " of " + toString(from) + " cannot become axis " +
                       std::to_string(dims[i]) + " of " + toString(to));
    }
    rule.result(0, {from.element, to.shape});
  }

  template <class D>
  static void denote(const Call<D>& call) {
    const Shape &from = call.type(0).shape, &to = call.resultType().shape;
    const auto dims = call.attributes().integers("broadcast_dimensions");
    const std::vector<std::int64_t> strides = stridesOf(from);
    Walk walk(to);
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (from[static_cast<int>(i)] != 1) walk.along(static_cast<std::size_t>(dims[i])) = strides[i];
    copyCells(call, 0, walk);
  }
};

struct Reshape : LocalOperation {
  static constexpr std::string_view name = "reshape";
  static constexpr std::string_view formula = "the same cells in row-major order, under another shape";
  static constexpr bool cellwise = true;
  static constexpr std::string_view format = "%0 ::function";
  static constexpr int least = 1, most = 1;

  static void check(const TypeRule& rule) {
    const TensorType &from = rule.operand(0), &to = rule.stated(0);
    rule.require(from.shape.cells() == to.shape.cells(),
                 "expected as many cells as " + toString(from) + " has, found " + toString(to));
    rule.result(0, {from.element, to.shape});
  }

  template <class D>
  static void denote(const Call<D>& call) {
    call.in(0).visit([&](const auto& from) {
      auto& to = std::get<std::decay_t<decltype(from)>>(call.out().variant());
      if (to.view().data() == from.view().data()) return;
      parallelBlocks(from.cells(), call.parallel && from.cells() >= parallelCells,
                     [&](std::int64_t first, std::int64_t last) {
                       std::copy(from.view().data() + first, from.view().data() + last, to.view().data() + first);
                     });
    });
  }
};

struct Transpose : LocalOperation {
  static constexpr std::string_view name = "transpose";
  static constexpr std::string_view formula = "axis i of the result is axis permutation[i] of the operand";
  static constexpr std::string_view format = "%0 'dims =' $permutation ::function";
  static constexpr AttributeSpec specs[] = {{"permutation", AttributeType::integers, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = 1;

  static void check(const TypeRule& rule) {
    const TensorType& from = rule.operand(0);
    const auto permutation = rule.attributes().integers("permutation");
    rule.requireCount("permutation", permutation.size(), index(from.shape.rank()));
    rule.requireAxes("permutation", permutation, from.shape.rank());
    std::vector<std::int64_t> extents;
    for (const std::int64_t axis : permutation) extents.push_back(from.shape[static_cast<int>(axis)]);
    rule.result(0, {from.element, shapeOf(rule, extents)});
  }

  template <class D>
  static void denote(const Call<D>& call) {
    const auto permutation = call.attributes().integers("permutation");
    const std::vector<std::int64_t> strides = stridesOf(call.type(0).shape);
    Walk walk(call.resultType().shape);
    for (std::size_t i = 0; i < permutation.size(); ++i) walk.along(i) = strides[index(permutation[i])];
    copyCells(call, 0, walk);
  }
};

struct Reverse : LocalOperation {
  static constexpr std::string_view name = "reverse";
  static constexpr std::string_view formula = "the cells in the opposite order along the axes";
  static constexpr std::string_view format = "%0 'dims =' $dimensions ::same";
  static constexpr AttributeSpec specs[] = {{"dimensions", AttributeType::integers, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = 1;

  static void check(const TypeRule& rule) {
    rule.requireAxes("dimensions", rule.attributes().integers("dimensions"), rule.operand(0).shape.rank());
    rule.result(0, rule.operand(0));
  }

  template <class D>
  static void denote(const Call<D>& call) {
    const auto axes = call.attributes().integers("dimensions");
    const Shape& shape = call.type(0).shape;
    const std::vector<std::int64_t> strides = stridesOf(shape);
    Walk walk(shape);
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const bool reversed = contains(axes, axis);
      walk.along(index(axis)) = reversed ? -strides[index(axis)] : strides[index(axis)];
      if (reversed) walk.origin() += (shape[axis] - 1) * strides[index(axis)];
    }
    copyCells(call, 0, walk);
  }
};

/// An identity that compilers do not move operations across.
struct OptimizationBarrier : LocalOperation {
  static constexpr std::string_view name = "optimization_barrier";
  static constexpr std::string_view formula = "the operands";
  static constexpr std::string_view format = "%* ::results";
  static constexpr int least = 0, most = -1;

  static void check(const TypeRule& rule) {
    rule.require(rule.results() == rule.operands(), "expected as many results as operands, " +
                                                        std::to_string(rule.operands()) + ", found " +
                                                        std::to_string(rule.results()));
    for (std::size_t i = 0; i < rule.operands(); ++i) rule.result(i, rule.operand(i));
  }

  template <class D>
  static void denote(const Call<D>& call) {
    for (std::size_t i = 0; i < call.operands.size(); ++i) call.out(i) = call.in(i);
  }
};

}  // namespace shardlaw::stablehlo
