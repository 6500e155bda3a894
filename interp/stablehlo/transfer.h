// Arrays of files as values of a domain, and back.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "interp/error.h"
#include "interp/number/shortest.h"
#include "interp/stablehlo/value.h"

namespace shardlaw::stablehlo {

/// A double as an F, exactly. Throws Error where it is none.
template <class F>
F floatOf(double x) {
  const auto cell = static_cast<F>(x);
  if (!(static_cast<double>(cell) == x) && !std::isnan(x))
    throw Error("expected f32 numbers for this domain, found " + shortest(x));
  return cell;
}

/// A double as a scalar of the domain, exactly. In `exact` −∞ is lowest(), and NaN and +∞ are no elements: Error, as
/// for a number that f32 does not hold in the domains of f32.
template <class D>
typename D::Scalar scalarOf(const D& domain, double x) {
  using Scalar = typename D::Scalar;
  if constexpr (std::is_same_v<D, Wide>) {
    return domain.fromDouble(x);
  } else if constexpr (std::is_floating_point_v<Scalar>) {
    return floatOf<Scalar>(x);
  } else if constexpr (std::is_same_v<D, Bounded64> || std::is_same_v<D, Bounded32>) {
    using F = decltype(Scalar{}.value);
    return {floatOf<F>(x), 0};
  } else {
    if (x == -HUGE_VAL) return domain.lowest();
    if (!std::isfinite(x)) throw Error(std::string("a NaN and +infinity have no meaning in ") + D::name);
    return domain.literal(Rational(x));
  }
}

/// What is written of a scalar: of `exact` the residue, and 2^64 − 1 for −∞; of `wide` the nearest double; of `bounded`
/// the value that is bounded.
template <class D>
auto written(const typename D::Scalar& x) {
  if constexpr (std::is_same_v<D, Exact>) return x.residue();
  else if constexpr (std::is_same_v<D, Wide>) return x.toDouble();
  else if constexpr (std::is_floating_point_v<typename D::Scalar>) return x;
  else return x.value;
}

/// An integer or boolean cell, a ui64 as the i64 of the same bits.
inline std::int64_t integerOf(const Array& array, std::int64_t position) {
  const std::size_t width = cellBytes(array.type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, array.bytes.data() + static_cast<std::size_t>(position) * width, width);
  return wrapped(static_cast<std::int64_t>(bits), array.type);
}

/// A comparison's outcome; where rounding can turn it, the one that was seen.
inline bool isTrue(bool truth) { return truth; }
inline bool isTrue(BoundedTruth truth) { return truth.value; }

/// The bytes of cells that are the file's own, little-endian as this machine is.
template <class T>
Array rawArray(const Tensor<T>& cells, DType type) {
  static_assert(std::endian::native == std::endian::little);
  Array array = zeros(type, cells.shape());
  std::memcpy(array.bytes.data(), cells.view().data(), array.bytes.size());
  return array;
}

/// The cells of an array of that element type. Throws Error where a float is no value of the domain's.
template <class D>
Cells<D> cellsOf(const D& domain, const Array& array) {
  if (isFloat(array.type)) {
    auto floats = Tensor<typename D::Scalar>::unwritten(array.shape);
    for (std::int64_t i = 0; i < array.cells(); ++i) floats[i] = scalarOf(domain, cellOf<double>(array, i));
    return floats;
  }
  if (isBoolean(array.type)) {
    auto bits = Tensor<Bit<D>>::unwritten(array.shape);
    for (std::int64_t i = 0; i < array.cells(); ++i) bits[i].truth = typename D::Truth{integerOf(array, i) != 0};
    return bits;
  }
  auto integers = Tensor<std::int64_t>::unwritten(array.shape);
  for (std::int64_t i = 0; i < array.cells(); ++i) integers[i] = integerOf(array, i);
  return integers;
}

/// The array that is written of a value of that element type: in `native` of the type itself, in other domains floats
/// as `written` gives them. Integers and booleans are of their type.
template <class D>
Array arrayOf(const Cells<D>& cells, DType element) {
  if (cells.isFloats()) {
    using W = decltype(written<D>(typename D::Scalar{}));
    Tensor<W> all = Tensor<W>::unwritten(cells.shape());
    for (std::int64_t i = 0; i < all.cells(); ++i) all[i] = written<D>(cells.floats()[i]);
    if constexpr (std::is_same_v<D, Native>) return shardlaw::arrayOf(all, element);
    else if constexpr (std::is_same_v<W, std::uint64_t>) return rawArray(all, DType::u64);
    else return shardlaw::arrayOf(all);
  }
  if (isBoolean(element)) {
    Tensor<std::uint8_t> all(cells.shape());
    for (std::int64_t i = 0; i < all.cells(); ++i) all[i] = isTrue(cells.bits()[i].truth) ? 1 : 0;
    return rawArray(all, element);
  }
  Array array = zeros(element, cells.shape());
  const std::size_t width = cellBytes(element);
  for (std::int64_t i = 0; i < cells.cells(); ++i)
    std::memcpy(array.bytes.data() + static_cast<std::size_t>(i) * width, &cells.integers()[i], width);
  return array;
}

/// The bounds of floats of `bounded`, as f64.
template <class D>
Array boundsOf(const Cells<D>& cells) {
  Tensor<double> bounds(cells.shape());
  for (std::int64_t i = 0; i < bounds.cells(); ++i) bounds[i] = cells.floats()[i].bound;
  return shardlaw::arrayOf(bounds);
}

}  // namespace shardlaw::stablehlo
