// reduce.
#pragma once

#include <algorithm>

#include "interp/stablehlo/operation/fold.h"
#include "interp/stablehlo/operation/walk.h"

namespace shardlaw::stablehlo {

/// The operands of a reduction are its inputs and then as many initial values, of rank 0. Its body takes two scalars
/// per input and gives one per input.
void checkReducer(const TypeRule& rule, std::size_t inputs);

struct Reduce : LocalOperation {
  static constexpr std::string_view name = "reduce";
  static constexpr std::string_view formula =
      "the body's fold of an initial value and all cells along the axes, in row-major order";
  static constexpr std::string_view format = "::custom";
  static constexpr AttributeSpec specs[] = {{"dimensions", AttributeType::integers, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 2, most = -1;
  static constexpr int regions = 1;
  static constexpr Degrees degrees = Degrees::sums;
  static constexpr bool rounds = true;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    const auto axes = call.attributes().integers("dimensions");
    const Shape& from = call.type(0).shape;
    const std::vector<std::int64_t> strides = stridesOf(from);
    // Each result cell starts at a position of the operand, and folds a walk from there.
    Walk kept(call.resultType().shape);
    std::vector<std::int64_t> extents, steps;
    for (int axis = 0, to = 0; axis < from.rank(); ++axis) {
      const bool reduced = std::find(axes.begin(), axes.end(), axis) != axes.end();
      if (!reduced) {
        kept.along(static_cast<std::size_t>(to++)) = strides[static_cast<std::size_t>(axis)];
        continue;
      }
      extents.push_back(from[axis]);
      steps.push_back(strides[static_cast<std::size_t>(axis)]);
    }
    Walk folded{Shape(extents)};
    std::copy(steps.begin(), steps.end(), folded.stride[0].begin());
    const std::size_t inputs = call.operands.size() / 2;
    const Combiner combiner = inputs == 1 ? combinerOf(call.operation.regions[0]) : Combiner::general;
    if (combiner == Combiner::general) return general(call, kept, folded);
    withFold<D>(call.domain, combiner, call.type(0).element, call.in(0), call.in(1), call.out(),
                [&](const auto& cells, const auto& initials, auto& out, const auto& maker) {
                  parallelBlocks(out.cells(), call.parallel && cells.cells() >= parallelCells,
                                 [&](std::int64_t first, std::int64_t last) {
                                   kept.each(first, last, [&](std::int64_t cell, std::int64_t start) {
                                     auto fold = maker(initials[0]);
                                     folded.each(0, folded.shape.cells(), [&](std::int64_t, std::int64_t step) {
                                       fold.add(cells[start + step]);
                                     });
                                     out[cell] = fold.total();
                                   });
                                 });
                });
  }

 private:
  template <class D>
  static void general(const Call<D>& call, const Walk& kept, const Walk& folded) {
    const std::size_t inputs = call.operands.size() / 2;
    kept.each(0, kept.shape.cells(), [&](std::int64_t cell, std::int64_t start) {
      std::vector<Cells<D>> totals;
      for (std::size_t i = 0; i < inputs; ++i) totals.push_back(call.in(inputs + i));
      folded.each(0, folded.shape.cells(), [&](std::int64_t, std::int64_t step) {
        for (std::size_t i = 0; i < inputs; ++i) totals.push_back(cellAt(call.in(i), start + step));
        totals = call.regions[0](std::move(totals));
      });
      for (std::size_t i = 0; i < inputs; ++i) setCell(call.out(i), cell, totals[i]);
    });
  }
};

}  // namespace shardlaw::stablehlo
