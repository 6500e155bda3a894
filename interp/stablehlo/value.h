// What a StableHLO value is in a domain: floats are the domain's scalars, integers stay integers.
#pragma once

#include <utility>
#include <variant>

#include "interp/stablehlo/domains.h"
#include "interp/stablehlo/type.h"

namespace shardlaw::stablehlo {

/// A cell of an i1 tensor; in `bounded` a comparison can be uncertain.
template <class D>
struct Bit {
  typename D::Truth truth{};
};

/// The cells of a tensor: scalars of the domain for every float type, 64-bit integers wrapped to their type (a ui64
/// as the i64 of the same bits), bits for i1.
template <class D>
class Cells {
 public:
  using Scalar = typename D::Scalar;
  using Floats = Tensor<Scalar>;
  using Integers = Tensor<std::int64_t>;
  using Bits = Tensor<Bit<D>>;

  Cells() = default;
  Cells(Floats cells) : cells_(std::move(cells)) {}    // NOLINT(google-explicit-constructor): it is one of three
  Cells(Integers cells) : cells_(std::move(cells)) {}  // NOLINT(google-explicit-constructor)
  Cells(Bits cells) : cells_(std::move(cells)) {}      // NOLINT(google-explicit-constructor)

  /// Cells of no particular value.
  static Cells unwritten(const TensorType& type) {
    if (isFloat(type.element)) return Floats::unwritten(type.shape);
    if (isBoolean(type.element)) return Bits::unwritten(type.shape);
    return Integers::unwritten(type.shape);
  }

  Floats& floats() { return std::get<Floats>(cells_); }
  Integers& integers() { return std::get<Integers>(cells_); }
  Bits& bits() { return std::get<Bits>(cells_); }
  const Floats& floats() const { return std::get<Floats>(cells_); }
  const Integers& integers() const { return std::get<Integers>(cells_); }
  const Bits& bits() const { return std::get<Bits>(cells_); }
  bool isFloats() const { return std::holds_alternative<Floats>(cells_); }

  /// f(tensor) with the tensor of whichever kind it is.
  template <class F>
  decltype(auto) visit(F&& f) {
    return std::visit(std::forward<F>(f), cells_);
  }
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), cells_);
  }

  /// Which of the three it is, for code that handles two alike.
  std::variant<Floats, Integers, Bits>& variant() { return cells_; }
  const std::variant<Floats, Integers, Bits>& variant() const { return cells_; }

  /// These cells under another shape of as many.
  Cells reshaped(const Shape& shape) && {
    visit([&](auto& tensor) { tensor = std::move(tensor).reshaped(shape); });
    return std::move(*this);
  }
  const Shape& shape() const {
    return visit([](const auto& tensor) -> const Shape& { return tensor.shape(); });
  }
  std::int64_t cells() const {
    return visit([](const auto& tensor) { return tensor.cells(); });
  }
  std::int64_t bytes() const {
    return visit(
        [](const auto& tensor) { return tensor.cells() * static_cast<std::int64_t>(sizeof(*tensor.view().data())); });
  }

 private:
  std::variant<Floats, Integers, Bits> cells_;
};

}  // namespace shardlaw::stablehlo
