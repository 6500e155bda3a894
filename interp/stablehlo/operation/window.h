// reduce_window and select_and_scatter: pooling and its derivative.
#pragma once

#include "interp/stablehlo/operation/comparison.h"
#include "interp/stablehlo/operation/fold.h"
#include "interp/stablehlo/operation/reduction.h"
#include "interp/stablehlo/operation/targets.h"
#include "interp/stablehlo/operation/window_axis.h"

namespace shardlaw::stablehlo {

struct ReduceWindow : LocalOperation {
  static constexpr std::string_view name = "reduce_window";
  static constexpr std::string_view formula =
      "the body's fold of an initial value and the cells of each window, in row-major order; padding is the initial "
      "value";
  static constexpr AttributeSpec specs[] = {{"window_dimensions", AttributeType::integers, true},
                                            {"window_strides", AttributeType::integers},
                                            {"base_dilations", AttributeType::integers},
                                            {"window_dilations", AttributeType::integers},
                                            {"padding", AttributeType::matrix}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 2, most = -1;
  static constexpr int regions = 1;
  static constexpr Degrees degrees = Degrees::sums;
  static constexpr bool rounds = true;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    const Windows windows = windowsOf(call.attributes(), call.type(0).shape, call.resultType().shape);
    const Combiner combiner = call.operands.size() == 2 ? combinerOf(call.operation.regions[0]) : Combiner::general;
    if (combiner == Combiner::general) return general(call, windows);
    withFold<D>(call.domain, combiner, call.type(0).element, call.in(0), call.in(1), call.out(),
                [&](const auto& cells, const auto& initials, auto& out, const auto& maker) {
                  const auto initial = initials[0];
                  const bool skips = !windows.isDilated() && isNeutral<D>(combiner, initial);
                  parallelBlocks(out.cells(), call.parallel && cells.cells() >= parallelCells,
                                 [&](std::int64_t first, std::int64_t last) {
                                   for (std::int64_t cell = first; cell < last; ++cell) {
                                     auto fold = maker(initial);
                                     const Strides at = windows.indexOf(cell);
                                     if (skips) windows.eachInside(at, [&](std::int64_t i) { fold.add(cells[i]); });
                                     else
                                       windows.eachCell(at,
                                                        [&](std::int64_t i) { fold.add(i < 0 ? initial : cells[i]); });
                                     out[cell] = fold.total();
                                   }
                                 });
                });
  }

  static Windows windowsOf(const Attributes& attributes, const Shape& tensor, const Shape& counts);

 private:
  /// Folding it in once more changes nothing, so that padding can be left out.
  template <class D, class T>
  static bool isNeutral(Combiner combiner, const T& initial) {
    if (combiner != Combiner::add && combiner != Combiner::multiply) return true;
    if constexpr (std::is_same_v<T, Bit<D>>) return true;
    else if constexpr (std::is_same_v<T, std::int64_t>) return initial == (combiner == Combiner::add ? 0 : 1);
    else if constexpr (isBounded<D>) return combiner == Combiner::add && initial.isZero();
    else if constexpr (isDegree<D>) return combiner == Combiner::add && initial.isConstant();
    else return combiner == Combiner::add && initial == T{};
  }

  template <class D>
  static void general(const Call<D>& call, const Windows& windows) {
    const std::size_t inputs = call.operands.size() / 2;
    for (std::int64_t cell = 0; cell < windows.counts.cells(); ++cell) {
      std::vector<Cells<D>> totals;
      for (std::size_t i = 0; i < inputs; ++i) totals.push_back(call.in(inputs + i));
      windows.eachCell(windows.indexOf(cell), [&](std::int64_t at) {
        for (std::size_t i = 0; i < inputs; ++i)
          totals.push_back(at < 0 ? call.in(inputs + i) : cellAt(call.in(i), at));
        totals = call.regions[0](std::move(totals));
      });
      for (std::size_t i = 0; i < inputs; ++i) setCell(call.out(i), cell, totals[i]);
    }
  }
};

struct SelectAndScatter : LocalOperation {
  static constexpr std::string_view name = "select_and_scatter";
  static constexpr std::string_view formula =
      "folds each cell of the source into the cell that its window of the operand selects: a running cell stays as "
      "long "
      "as the first body holds for it and the next";
  static constexpr AttributeSpec specs[] = {{"window_dimensions", AttributeType::integers},
                                            {"window_strides", AttributeType::integers},
                                            {"padding", AttributeType::matrix}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr RefusedIn refused{.bounded = true,
                                     .what = "uncertain selections but those by GE or GT that add floats"};
  static constexpr int least = 3, most = 3;
  static constexpr int regions = 2;
  static constexpr Degrees degrees = Degrees::sums;
  static constexpr bool rounds = true;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    const Windows windows = ReduceWindow::windowsOf(call.attributes(), call.type(0).shape, call.type(1).shape);
    const auto direction = comparisonOf(call.operation.regions[0]);
    const Combiner combiner = combinerOf(call.operation.regions[1]);
    const bool spreads = combiner == Combiner::add && isFloat(call.type(0).element) &&
                         (direction == Direction::ge || direction == Direction::gt);
    Tensor<std::int64_t> picks = Tensor<std::int64_t>::unwritten(windows.counts);
    const auto pick = [&](std::int64_t cell) {
      picks[cell] =
          direction ? withDirection(*direction,
                                    [&](auto constant) { return selected<constant()>(call, windows, cell, spreads); })
                    : selectedByBody(call, windows, cell);
    };
    const bool parallel = call.parallel && direction && call.in(0).cells() >= parallelCells;
    parallelBlocks(picks.cells(), parallel, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t cell = first; cell < last; ++cell) pick(cell);
    });
    const Targets<Entry<D>> targets(call.out().cells(), [&](const auto& to) {
      for (std::int64_t cell = 0; cell < picks.cells(); ++cell) {
        if (picks[cell] >= 0) to(picks[cell], Entry<D>{cell});
        else if (picks[cell] == spread) spreadOver(call, windows, cell, *direction, to);
      }
    });
    scatter(call, combiner, targets);
  }

 private:
  static constexpr std::int64_t nothing = -1, spread = -2;

  /// A cell of the source; `picked` says whether it goes there where that is uncertain.
  template <class D>
  struct Entry {
    std::int64_t source = 0;
    bool isSpread = false;
    typename D::Truth picked{};
  };

  template <Direction direction, class D>
  static typename D::Truth keeps(const Call<D>& call, std::int64_t a, std::int64_t b) {
    return call.in(0).visit([&](const auto& cells) -> typename D::Truth {
      using T = std::decay_t<decltype(cells[0])>;
      if constexpr (std::is_same_v<T, Bit<D>>) return compareBits<direction>(cells[a].truth, cells[b].truth);
      else if constexpr (std::is_same_v<T, std::int64_t>) {
        if (isUnsigned(call.type(0).element))
          return truthOf<D>(
              holds<direction>(static_cast<std::uint64_t>(cells[a]), static_cast<std::uint64_t>(cells[b])));
        return truthOf<D>(holds<direction>(cells[a], cells[b]));
      } else {
        return compareFloats<direction>(call.domain, cells[a], cells[b]);
      }
    });
  }

  /// The cell that a window selects, or `spread` where that is uncertain and can be shared out.
  template <Direction direction, class D>
  static std::int64_t selected(const Call<D>& call, const Windows& windows, std::int64_t cell, bool spreads) {
    std::int64_t best = nothing;
    bool uncertain = isDegree<D> && spreads;
    windows.eachInside(windows.indexOf(cell), [&](std::int64_t at) {
      if (best == nothing) {
        best = at;
        return;
      }
      const typename D::Truth kept = keeps<direction>(call, best, at);
      if constexpr (isBounded<D>) {
        if (!kept.certain && spreads) uncertain = true;
      }
      if (uncertain) return;
      if (!certainly<D>(kept, "the cell that a window selects")) best = at;
    });
    return uncertain && best != nothing ? spread : best;
  }

  template <class D>
  static std::int64_t selectedByBody(const Call<D>& call, const Windows& windows, std::int64_t cell) {
    if constexpr (isDegree<D>) refuseIn(D::name, "select_and_scatter with another body than GE or GT");
    std::int64_t best = nothing;
    windows.eachInside(windows.indexOf(cell), [&](std::int64_t at) {
      if (best == nothing) {
        best = at;
        return;
      }
      std::vector<Cells<D>> pair;
      pair.push_back(cellAt(call.in(0), best));
      pair.push_back(cellAt(call.in(0), at));
      const auto kept = call.regions[0](std::move(pair));
      if (!certainly<D>(kept[0].bits()[0].truth, "the cell that a window selects")) best = at;
    });
    return best;
  }

  /// A cell is selected if none before it is kept over it, and it is kept over all behind it.
  template <class D, class To>
  static void spreadOver(const Call<D>& call, const Windows& windows, std::int64_t cell, Direction direction,
                         const To& to) {
    const Strides window = windows.indexOf(cell);
    withDirection(direction, [&](auto constant) {
      windows.eachInside(window, [&](std::int64_t at) {
        typename D::Truth picked = truthOf<D>(true);
        windows.eachInside(window, [&](std::int64_t other) {
          if (other < at) picked = picked & (!keeps<constant()>(call, other, at));
          else if (other > at) picked = picked & keeps<constant()>(call, at, other);
        });
        to(at, Entry<D>{cell, true, picked});
      });
    });
  }

  template <class D>
  static void scatter(const Call<D>& call, Combiner combiner, const Targets<Entry<D>>& targets) {
    if (combiner == Combiner::general) {
      for (std::int64_t cell = 0; cell < call.out().cells(); ++cell) {
        std::vector<Cells<D>> total{call.in(2)};
        targets.each(cell, [&](const Entry<D>& entry) {
          total.push_back(cellAt(call.in(1), entry.source));
          total = call.regions[1](std::move(total));
        });
        setCell(call.out(), cell, total[0]);
      }
      return;
    }
    withFold<D>(call.domain, combiner, call.type(0).element, call.in(1), call.in(2), call.out(),
                [&](const auto& sources, const auto& initials, auto& out, const auto& maker) {
                  parallelBlocks(out.cells(), call.parallel && out.cells() >= parallelCells,
                                 [&](std::int64_t first, std::int64_t last) {
                                   for (std::int64_t cell = first; cell < last; ++cell) {
                                     auto fold = maker(initials[0]);
                                     targets.each(cell,
                                                  [&](const Entry<D>& entry) { addEntry(call, fold, sources, entry); });
                                     out[cell] = fold.total();
                                   }
                                 });
                });
  }

  template <class D, class Fold, class T>
  static void addEntry(const Call<D>& call, Fold& fold, const T& sources, const Entry<D>& entry) {
    if constexpr (std::is_same_v<T, Tensor<typename D::Scalar>>) {
      if (entry.isSpread)
        return fold.add(call.domain.select(entry.picked, sources[entry.source], typename D::Scalar{}));
    }
    fold.add(sources[entry.source]);
  }
};

}  // namespace shardlaw::stablehlo
