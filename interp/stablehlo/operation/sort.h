// sort, and map.
#pragma once

#include <numeric>

#include "interp/stablehlo/operation/comparison.h"
#include "interp/stablehlo/operation/fold.h"
#include "interp/stablehlo/operation/rules.h"
#include "interp/stablehlo/operation/walk.h"

namespace shardlaw::stablehlo {

/// Sorts positions by merging: as many comparisons as n·log₂ n, in an order that depends on n and on their outcomes
/// alone, stable, and safe whatever `before` answers.
template <class F>
void mergeSort(std::vector<std::int64_t>& order, const F& before) {
  const std::size_t n = order.size();
  std::vector<std::int64_t> merged(n);
  for (std::size_t width = 1; width < n; width *= 2) {
    for (std::size_t first = 0; first < n; first += 2 * width) {
      const std::size_t middle = std::min(first + width, n), end = std::min(first + 2 * width, n);
      std::size_t a = first, b = middle;
      for (std::size_t to = first; to < end; ++to) {
        const bool takesB = a == middle || (b < end && before(order[b], order[a]));
        merged[to] = takesB ? order[b++] : order[a++];
      }
    }
    std::swap(order, merged);
  }
}

struct Sort : LocalOperation {
  static constexpr std::string_view name = "sort";
  static constexpr std::string_view formula =
      "the cells along an axis, of all operands alike, in an order in which the body holds for none and one before it; "
      "always stable";
  static constexpr AttributeSpec specs[] = {{"dimension", AttributeType::integer},
                                            {"is_stable", AttributeType::integer}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr RefusedIn refused{.bounded = true, .degree = true, .what = "uncertain comparisons"};
  static constexpr int least = 1, most = -1;
  static constexpr int regions = 1;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    const Shape& shape = call.type(0).shape;
    if (isDegree<D> && call.in(0).isFloats()) refuseIn(D::name, "sorting floats");
    if (shape.cells() == 0) return;
    if (shape.rank() == 0) return keep(call);
    const std::int64_t given = call.attributes().integer("dimension", -1);
    const std::int64_t axis = given < 0 ? given + shape.rank() : given;
    const std::int64_t extent = shape[static_cast<int>(axis)], stride = stridesOf(shape)[index(axis)];
    const auto direction = comparisonOf(call.operation.regions[0]);
    parallelFor(shape.cells() / extent, call.parallel && direction && shape.cells() >= parallelCells,
                [&](std::int64_t line) {
                  const std::int64_t start = line / stride * stride * extent + line % stride;
                  std::vector<std::int64_t> order(index(extent));
                  for (std::int64_t i = 0; i < extent; ++i) order[index(i)] = start + i * stride;
                  if (direction) sortByCells(call, *direction, order);
                  else mergeSort(order, [&](std::int64_t a, std::int64_t b) { return precedes(call, a, b); });
                  for (std::size_t k = 0; k < call.operands.size(); ++k) place(call, k, order, start, stride);
                });
  }

 private:
  template <class D>
  static void keep(const Call<D>& call) {
    for (std::size_t k = 0; k < call.operands.size(); ++k) call.out(k) = call.in(k);
  }

  template <class D>
  static void sortByCells(const Call<D>& call, Direction direction, std::vector<std::int64_t>& order) {
    const char* what = "the order of cells";
    withDirection(direction, [&](auto constant) {
      call.in(0).visit([&](const auto& cells) {
        using T = std::decay_t<decltype(cells[0])>;
        const bool unsignedOrder = isUnsigned(call.type(0).element);
        mergeSort(order, [&](std::int64_t a, std::int64_t b) {
          if constexpr (std::is_same_v<T, Bit<D>>) {
            return certainly<D>(compareBits<constant()>(cells[a].truth, cells[b].truth), what);
          } else if constexpr (std::is_same_v<T, std::int64_t>) {
            if (unsignedOrder)
              return holds<constant()>(static_cast<std::uint64_t>(cells[a]), static_cast<std::uint64_t>(cells[b]));
            return holds<constant()>(cells[a], cells[b]);
          } else {
            return certainly<D>(compareFloats<constant()>(call.domain, cells[a], cells[b]), what);
          }
        });
      });
    });
  }

  template <class D>
  static bool precedes(const Call<D>& call, std::int64_t a, std::int64_t b) {
    std::vector<Cells<D>> arguments;
    for (std::size_t k = 0; k < call.operands.size(); ++k) {
      if (isDegree<D> && call.in(k).isFloats()) refuseIn(D::name, "sorting floats");
      arguments.push_back(cellAt(call.in(k), a));
      arguments.push_back(cellAt(call.in(k), b));
    }
    const auto holds = call.regions[0](std::move(arguments));
    return certainly<D>(holds[0].bits()[0].truth, "the order of cells");
  }

  template <class D>
  static void place(const Call<D>& call, std::size_t k, const std::vector<std::int64_t>& order, std::int64_t start,
                    std::int64_t stride) {
    call.in(k).visit([&](const auto& from) {
      auto& to = std::get<std::decay_t<decltype(from)>>(call.out(k).variant());
      for (std::size_t i = 0; i < order.size(); ++i) to[start + static_cast<std::int64_t>(i) * stride] = from[order[i]];
    });
  }
};

struct Map : LocalOperation {
  static constexpr std::string_view name = "map";
  static constexpr std::string_view formula = "the body's results for the cells at each index";
  static constexpr AttributeSpec specs[] = {{"dimensions", AttributeType::integers, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = -1;
  static constexpr int regions = 1;
  static constexpr Degrees degrees = Degrees::unknown;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t cell = 0; cell < call.out().cells(); ++cell) {
      std::vector<Cells<D>> arguments;
      for (std::size_t i = 0; i < call.operands.size(); ++i) arguments.push_back(cellAt(call.in(i), cell));
      setCell(call.out(), cell, call.regions[0](std::move(arguments))[0]);
    }
  }
};

}  // namespace shardlaw::stablehlo
