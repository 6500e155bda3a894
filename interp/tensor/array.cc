#include "interp/tensor/array.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "interp/error.h"
#include "interp/number/shortest.h"

namespace shardlaw {
namespace {

struct TypeInfo {
  std::string_view name;
  std::size_t bytes;
};

/// In the order of DType.
constexpr std::array<TypeInfo, 13> types{{{"f64", 8},
                                          {"f32", 4},
                                          {"f16", 2},
                                          {"bf16", 2},
                                          {"i64", 8},
                                          {"i32", 4},
                                          {"i16", 2},
                                          {"i8", 1},
                                          {"u64", 8},
                                          {"u32", 4},
                                          {"u16", 2},
                                          {"u8", 1},
                                          {"bool", 1}}};

const TypeInfo& infoOf(DType type) { return types[static_cast<std::size_t>(type)]; }

bool isFloat(DType type) { return type <= DType::bf16; }
bool isSigned(DType type) { return type >= DType::i64 && type <= DType::i8; }

std::uint64_t bitsAt(const Array& array, std::int64_t position) {
  const std::size_t width = cellBytes(array.type), first = static_cast<std::size_t>(position) * width;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < width; ++i) bits |= std::uint64_t{array.bytes[first + i]} << (8 * i);
  return bits;
}

void setBits(Array& array, std::int64_t position, std::uint64_t bits) {
  const std::size_t width = cellBytes(array.type), first = static_cast<std::size_t>(position) * width;
  for (std::size_t i = 0; i < width; ++i) array.bytes[first + i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

/// IEEE 754 binary16, which double holds exactly.
double fromHalf(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = static_cast<double>(bits & 1023);
  double magnitude = 0;
  if (exponent == 31)
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// The binary16 of a double, where it is one.
std::optional<std::uint64_t> toHalf(double x) {
  const std::uint64_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return 0x7E00;
  if (std::isinf(x)) return sign | 0x7C00;
  const double magnitude = std::fabs(x);
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // In units of the last place: 2^-24 below 2^-14, where the exponent field is 0.
  const int place = magnitude == 0 ? -24 : std::max(exponent - 11, -24);
  const double units = std::ldexp(magnitude, -place);
  if (units != std::trunc(units) || exponent > 16) return std::nullopt;
  // The leading bit carries into the exponent field.
  const auto field = static_cast<std::uint64_t>(place + 24);
  return sign | ((field << 10) + static_cast<std::uint64_t>(units));
}

double floatAt(const Array& array, std::int64_t position) {
  const std::uint64_t bits = bitsAt(array, position);
  switch (array.type) {
    case DType::f64: return std::bit_cast<double>(bits);
    case DType::f32: return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
    case DType::bf16: return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16))};
    default: return fromHalf(bits);
  }
}

/// An integer cell: its magnitude and sign, which no one 64-bit type holds for all of them.
struct Integer {
  bool negative;
  std::uint64_t magnitude;
};

Integer integerAt(const Array& array, std::int64_t position) {
  const std::uint64_t bits = bitsAt(array, position);
  if (!isSigned(array.type)) return {false, bits};
  const unsigned unused = 64 - 8 * static_cast<unsigned>(cellBytes(array.type));
  const std::int64_t value = static_cast<std::int64_t>(bits << unused) >> unused;
  return {value < 0, value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value)};
}

/// As shortest, for either kind of number.
template <class T>
std::string textOf(T value) {
  return shortest(value);
}
std::string textOf(const Integer& value) { return (value.negative ? "-" : "") + shortest(value.magnitude); }

[[noreturn]] void refuse(std::int64_t position, const Shape& shape, const std::string& value, std::string_view from,
                         std::string_view to) {
  std::string index;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    index = textOf(position % shape[axis]) + (index.empty() ? "" : ",") + index;
    position /= shape[axis];
  }
  throw Error("cell [" + index + "] is the " + std::string(from) + " " + value + ", which is no " + std::string(to));
}

/// 2^63 as a double; the integers of int64 are [−2^63, 2^63).
constexpr double twoTo63 = 9223372036854775808.0;

template <class T>
constexpr std::string_view scalarName = std::is_same_v<T, double>  ? "f64"
                                        : std::is_same_v<T, float> ? "f32"
                                                                   : "i64";

template <class T>
std::optional<T> fromFloat(double value) {
  if constexpr (std::is_same_v<T, double>) return value;
  if constexpr (std::is_same_v<T, float>) {
    if (std::isnan(value)) return std::numeric_limits<float>::quiet_NaN();
    // Beyond the range the conversion itself would be undefined.
    if (std::isfinite(value) && std::fabs(value) > double{std::numeric_limits<float>::max()}) return std::nullopt;
    const auto narrow = static_cast<float>(value);
    if (double{narrow} == value) return narrow;
  }
  if constexpr (std::is_same_v<T, std::int64_t>)
    if (value >= -twoTo63 && value < twoTo63 && value == std::trunc(value)) return static_cast<std::int64_t>(value);
  return std::nullopt;
}

template <class T>
std::optional<T> fromInteger(const Integer& value) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    if (value.magnitude > (std::uint64_t{1} << 63) - (value.negative ? 0 : 1)) return std::nullopt;
    return static_cast<std::int64_t>(value.negative ? 0 - value.magnitude : value.magnitude);
  } else {
    const int zeros = value.magnitude == 0 ? 0 : std::countr_zero(value.magnitude);
    if (static_cast<int>(std::bit_width(value.magnitude)) - zeros > std::numeric_limits<T>::digits) return std::nullopt;
    const auto magnitude = static_cast<T>(value.magnitude);
    return value.negative ? -magnitude : magnitude;
  }
}

/// The bits of a number in a float type, where it is one of its numbers.
std::optional<std::uint64_t> floatBits(DType type, double value) {
  if (type == DType::f64) return std::bit_cast<std::uint64_t>(value);
  if (type == DType::f16) return toHalf(value);
  const std::optional<float> narrow = fromFloat<float>(value);
  if (!narrow) return std::nullopt;
  const auto bits = std::bit_cast<std::uint32_t>(*narrow);
  if (type == DType::f32) return bits;
  if ((bits & 0xFFFF) != 0) return std::nullopt;
  return bits >> 16;
}

std::optional<std::uint64_t> integerBits(DType type, const Integer& value) {
  const unsigned width = 8 * static_cast<unsigned>(cellBytes(type));
  const bool hasSign = isSigned(type);
  if (value.negative && !hasSign) return std::nullopt;
  std::uint64_t largest = type == DType::boolean ? 1 : ~std::uint64_t{0} >> (64 - width);
  if (hasSign) largest = (largest >> 1) + (value.negative ? 1 : 0);
  if (value.magnitude > largest) return std::nullopt;
  return value.negative ? 0 - value.magnitude : value.magnitude;
}

template <class T>
std::optional<std::uint64_t> bitsOf(DType type, T value) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    const Integer integer{value < 0,
                          value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value)};
    if (!isFloat(type)) return integerBits(type, integer);
    const std::optional<double> wide = fromInteger<double>(integer);
    return wide ? floatBits(type, *wide) : std::nullopt;
  } else {
    if (isFloat(type)) return floatBits(type, double{value});
    const double wide{value};
    if (!(std::fabs(wide) < 2 * twoTo63) || wide != std::trunc(wide)) return std::nullopt;
    return integerBits(type, {wide < 0, static_cast<std::uint64_t>(std::fabs(wide))});
  }
}

}  // namespace

std::string_view toString(DType type) { return infoOf(type).name; }

std::size_t cellBytes(DType type) { return infoOf(type).bytes; }

Array zeros(DType type, const Shape& shape) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(shape.cells(), static_cast<std::int64_t>(cellBytes(type)), &bytes))
    throw Error("an array " + toString(shape) + " of " + std::string(toString(type)) +
                " with more bytes than 64 bits can count");
  return {type, shape, std::vector<std::uint8_t>(static_cast<std::size_t>(bytes))};
}

template <class T>
T cellOf(const Array& array, std::int64_t position) {
  if (isFloat(array.type)) {
    const double value = floatAt(array, position);
    if (const std::optional<T> exact = fromFloat<T>(value)) return *exact;
    refuse(position, array.shape, textOf(value), toString(array.type), scalarName<T>);
  }
  const Integer value = integerAt(array, position);
  if (const std::optional<T> exact = fromInteger<T>(value)) return *exact;
  refuse(position, array.shape, textOf(value), toString(array.type), scalarName<T>);
}

template <class T>
Tensor<T> tensorOf(const Array& array) {
  Tensor<T> tensor(array.shape);
  for (std::int64_t i = 0; i < tensor.cells(); ++i) tensor[i] = cellOf<T>(array, i);
  return tensor;
}

template <class T>
Array arrayOf(const Tensor<T>& tensor, DType type) {
  Array array = zeros(type, tensor.shape());
  for (std::int64_t i = 0; i < tensor.cells(); ++i) {
    const std::optional<std::uint64_t> bits = bitsOf(type, tensor[i]);
    if (!bits) refuse(i, tensor.shape(), textOf(tensor[i]), scalarName<T>, toString(type));
    setBits(array, i, *bits);
  }
  return array;
}

Array arrayOf(const Tensor<double>& tensor) { return arrayOf(tensor, DType::f64); }
Array arrayOf(const Tensor<float>& tensor) { return arrayOf(tensor, DType::f32); }
Array arrayOf(const Tensor<std::int64_t>& tensor) { return arrayOf(tensor, DType::i64); }

template double cellOf<double>(const Array&, std::int64_t);
template float cellOf<float>(const Array&, std::int64_t);
template std::int64_t cellOf<std::int64_t>(const Array&, std::int64_t);
template Tensor<double> tensorOf<double>(const Array&);
template Tensor<float> tensorOf<float>(const Array&);
template Tensor<std::int64_t> tensorOf<std::int64_t>(const Array&);
template Array arrayOf<double>(const Tensor<double>&, DType);
template Array arrayOf<float>(const Tensor<float>&, DType);
template Array arrayOf<std::int64_t>(const Tensor<std::int64_t>&, DType);

}  // namespace shardlaw
