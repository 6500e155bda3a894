// What pointwise operations share.
#pragma once

#include <type_traits>
#include <utility>

#include "interp/exec/parallel.h"
#include "interp/stablehlo/operation.h"

namespace shardlaw::stablehlo {

/// Two's complement, without the undefined overflow of signed arithmetic. The evaluator wraps to narrower types.
inline std::int64_t wrappingAdd(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
inline std::int64_t wrappingSubtract(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
inline std::int64_t wrappingMultiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// a < b as values of the type; only ui64 orders its bits differently.
inline bool lessThan(DType element, std::int64_t a, std::int64_t b) {
  return isUnsigned(element) ? static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b) : a < b;
}

/// From here on a loop over cells is worth starting threads for.
inline constexpr std::int64_t parallelCells = 4096;

/// out = f(a, …), cell by cell, for tensors of as many cells. `out` may be one of them.
template <class Out, class F, class... In>
void mapTensors(bool parallel, Out& out, const F& f, const In&... in) {
  auto* const to = out.view().data();
  [&](const auto*... from) {
    parallelBlocks(out.cells(), parallel && out.cells() >= parallelCells, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t cell = first; cell < last; ++cell) to[cell] = f(from[cell]...);
    });
  }(in.view().data()...);
}

/// Where the operation is on floats: out = f(a, …), cell by cell. `operands` is f's number of arguments.
template <int operands, class D, class F>
void mapFloatCells(const Call<D>& call, const F& f) {
  if (!call.in(0).isFloats()) return;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    mapTensors(call.parallel, call.out().floats(), f, call.in(i).floats()...);
  }
  (std::make_index_sequence<operands>());
}

/// The same on integers.
template <int operands, class D, class F>
void mapIntegerCells(const Call<D>& call, const F& f) {
  if (!isInteger(call.type(0).element)) return;
  const DType element = call.resultType().element;
  const auto wrap = [&](const auto&... cells) { return wrapped(f(cells...), element); };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    mapTensors(call.parallel, call.out().integers(), wrap, call.in(i).integers()...);
  }
  (std::make_index_sequence<operands>());
}

/// The same on i1, with f on truths.
template <int operands, class D, class F>
void mapBitCells(const Call<D>& call, const F& f) {
  if (!isBoolean(call.type(0).element)) return;
  const auto bit = [&](const auto&... cells) { return Bit<D>{static_cast<typename D::Truth>(f(cells.truth...))}; };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    mapTensors(call.parallel, call.out().bits(), bit, call.in(i).bits()...);
  }
  (std::make_index_sequence<operands>());
}

/// Operand and result of one type.
struct UnaryOperation : PointwiseOperation {
  static constexpr int least = 1, most = 1;
  static constexpr std::string_view format = "%0 ::same";
  static void check(const TypeRule& rule) { rule.result(0, rule.operand(0)); }

  template <class D, class F>
  static void mapFloats(const Call<D>& call, const F& f) {
    mapFloatCells<1>(call, f);
  }
  template <class D, class F>
  static void mapIntegers(const Call<D>& call, const F& f) {
    mapIntegerCells<1>(call, f);
  }
  template <class D, class F>
  static void mapBits(const Call<D>& call, const F& f) {
    mapBitCells<1>(call, f);
  }
};

/// Both operands and the result of one type.
struct BinaryOperation : PointwiseOperation {
  static constexpr int least = 2, most = 2;
  static constexpr std::string_view format = "%0 %1 ::same";
  static void check(const TypeRule& rule) {
    rule.requireSameType(0, 1);
    rule.result(0, rule.operand(0));
  }

  template <class D, class F>
  static void mapFloats(const Call<D>& call, const F& f) {
    mapFloatCells<2>(call, f);
  }
  template <class D, class F>
  static void mapIntegers(const Call<D>& call, const F& f) {
    mapIntegerCells<2>(call, f);
  }
  template <class D, class F>
  static void mapBits(const Call<D>& call, const F& f) {
    mapBitCells<2>(call, f);
  }
};

}  // namespace shardlaw::stablehlo
