// Operations that move cells: each cell of the result is a cell of an operand.
#pragma once

#include "interp/stablehlo/operation.h"
#include "interp/stablehlo/operation/walk.h"

namespace shardlaw::stablehlo {

struct BroadcastInDim : LocalOperation {
  static constexpr std::string_view name = "broadcast_in_dim";
  static constexpr std::string_view formula = "axis i of the operand becomes axis dims[i]; cells repeat along the others";
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
      if (from[static_cast<int>(i)] != 1) walk.stride[static_cast<std::size_t>(dims[i])] = strides[i];
    copyCells(call, 0, walk);
  }
};

struct Reshape : LocalOperation {
  static constexpr std::string_view name = "reshape";
  static constexpr std::string_view formula = "the same cells in row-major order, under another shape";
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
      parallelBlocks(from.cells(), call.parallel, [&](std::int64_t first, std::int64_t last) {
        std::copy(from.view().data() + first, from.view().data() + last, to.view().data() + first);
      });
    });
  }
};

}  // namespace shardlaw::stablehlo
