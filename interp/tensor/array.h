// Arrays whose element type is known only at run time: what files hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interp/tensor/shape.h"
#include "interp/tensor/tensor.h"

namespace shardlaw {

/// The element types of files. `bf16` is the upper half of an f32; `boolean` is a byte, 0 or 1.
enum class DType { f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, boolean };

/// "f64", "bf16", "u8", "bool".
std::string_view toString(DType type);

/// Bytes of a cell: 1, 2, 4 or 8.
std::size_t cellBytes(DType type);

/// A row-major array; `bytes` holds shape.cells() · cellBytes(type) bytes, every cell little-endian.
struct Array {
  DType type = DType::f64;
  Shape shape;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(8);

  std::int64_t cells() const { return shape.cells(); }
};

/// An array of zeros. Throws Error where its bytes cannot be counted in 64 bits.
Array zeros(DType type, const Shape& shape);

/// The cell at a linear, row-major position, exactly; a bool is 0 or 1. T is double, float or std::int64_t. Throws
/// Error, which says the cell and why, where T does not hold its value; NaN and the infinities are values of double
/// and float.
template <class T>
T cellOf(const Array& array, std::int64_t position);

/// Every cell as `cellOf` gives it.
template <class T>
Tensor<T> tensorOf(const Array& array);

/// The cells as an array of that type. Throws Error where a cell is no value of the type: nothing is rounded. The
/// sign of zero is kept in the types that have one; a NaN stays one, perhaps of other bits.
template <class T>
Array arrayOf(const Tensor<T>& tensor, DType type);

/// The same in the type of its cells: f64, f32, i64.
Array arrayOf(const Tensor<double>& tensor);
Array arrayOf(const Tensor<float>& tensor);
Array arrayOf(const Tensor<std::int64_t>& tensor);

}  // namespace shardlaw
