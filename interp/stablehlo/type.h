// Types of StableHLO values: ranked tensors of static shape.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interp/tensor/array.h"

namespace shardlaw::stablehlo {

/// The element types are those of files; StableHLO spells them f32, bf16, i8, ui8, i1.
struct TensorType {
  DType element = DType::f32;
  Shape shape{};

  friend bool operator==(const TensorType&, const TensorType&) = default;
};

/// "f32", "ui8", "i1".
std::string_view spelling(DType element);
/// The element type of that spelling; nothing where shardlaw has none ("complex<f32>", "f8E4M3FN", "i4").
std::optional<DType> elementOf(std::string_view spelling);
/// "tensor<2x3xf32>", "tensor<f32>".
std::string toString(const TensorType& type);

constexpr bool isFloat(DType e) { return e == DType::f64 || e == DType::f32 || e == DType::f16 || e == DType::bf16; }
constexpr bool isBoolean(DType e) { return e == DType::boolean; }
constexpr bool isInteger(DType e) { return !isFloat(e) && !isBoolean(e); }
constexpr bool isUnsigned(DType e) { return e == DType::u64 || e == DType::u32 || e == DType::u16 || e == DType::u8; }
/// Bits of a value; 1 for i1.
int bitsOf(DType element);

/// `value` modulo 2^bits, read as the type reads it: an i8 of 200 is −56. A ui64 is kept as the i64 of the same bits.
std::int64_t wrapped(std::int64_t value, DType element);

}  // namespace shardlaw::stablehlo
