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

  /// Each result cell starts at a position of the operand, and folds a walk from there.
  struct Plan {
    Walk kept, folded;
  };
  static Plan planOf(const Attributes& attributes, const Shape& from, const Shape& to);
  /// Of the body where there is one input; with several it is run as it is.
  static Combiner combinerOf(const Operation& operation) {
    return operation.operands.size() == 2 ? stablehlo::combinerOf(operation.regions[0]) : Combiner::general;
  }

  template <class D>
  static void denote(const Call<D>& call) {
    const Plan plan = planOf(call.attributes(), call.type(0).shape, call.resultType().shape);
    const Walk &kept = plan.kept, &folded = plan.folded;
    const Combiner combiner = combinerOf(call.operation);
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
