#include "interp/stablehlo/type.h"

#include <array>

namespace shardlaw::stablehlo {
namespace {

struct ElementInfo {
  std::string_view spelling;
  int bits;
};

/// In the order of DType.
constexpr std::array<ElementInfo, 13> elements{{{"f64", 64},
                                                {"f32", 32},
                                                {"f16", 16},
                                                {"bf16", 16},
                                                {"i64", 64},
                                                {"i32", 32},
                                                {"i16", 16},
                                                {"i8", 8},
                                                {"ui64", 64},
                                                {"ui32", 32},
                                                {"ui16", 16},
                                                {"ui8", 8},
                                                {"i1", 1}}};

}  // namespace

std::string_view spelling(DType element) { return elements[static_cast<std::size_t>(element)].spelling; }

int bitsOf(DType element) { return elements[static_cast<std::size_t>(element)].bits; }

std::optional<DType> elementOf(std::string_view spelling) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (elements[i].spelling == spelling) return static_cast<DType>(i);
  return std::nullopt;
}

std::string toString(const TensorType& type) {
  std::string text = "tensor<";
  for (const std::int64_t extent : type.shape.extents()) text += std::to_string(extent) + "x";
  text += spelling(type.element);
  return text + ">";
}

std::int64_t wrapped(std::int64_t value, DType element) {
  const int unused = 64 - bitsOf(element);
  if (unused == 0) return value;
  const auto high = static_cast<std::uint64_t>(value) << unused;
  if (isUnsigned(element) || isBoolean(element)) return static_cast<std::int64_t>(high >> unused);
  return static_cast<std::int64_t>(high) >> unused;
}

}  // namespace shardlaw::stablehlo
