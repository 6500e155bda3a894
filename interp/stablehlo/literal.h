// Constants of a program, as exactly as they were written.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "interp/number/rational.h"
#include "interp/stablehlo/type.h"

namespace shardlaw::stablehlo {

/// An integer or i1 (a ui64 as the i64 of the same bits); a decimal, exactly; or a float that was given by its bits, or
/// that no rational is: −0, an infinity, a NaN.
using Number = std::variant<std::int64_t, Rational, double>;

/// A dense constant: one number for all cells, one per cell, or the bytes of a blob.
class Literal {
 public:
  Literal() = default;
  /// All cells equal.
  Literal(const TensorType& type, Number splat);
  /// One number per cell in row-major order, or one for all. Throws Error for another count.
  Literal(const TensorType& type, std::vector<Number> numbers);
  /// `blob` has the type's element and shape.
  explicit Literal(Array blob);

  const TensorType& type() const { return type_; }
  bool isSplat() const { return numbers_.size() == 1; }
  bool isBlob() const { return numbers_.empty() && type_.shape.cells() > 0; }
  const Array& blob() const { return blob_; }
  const std::vector<Number>& numbers() const { return numbers_; }
  /// The number at a row-major position.
  Number at(std::int64_t position) const;

 private:
  TensorType type_;
  std::vector<Number> numbers_;
  Array blob_;
};

bool operator==(const Literal& a, const Literal& b);

/// What an f32 literal was meant to be: the decimal of at most six digits that rounds to the f32 nearest to `q`, where
/// there is one, as six digits survive f32; else the rational of least denominator that does: a compiler's 0.333333343
/// is 1/3. O(bits) steps.
Rational simplestRational(const Rational& q);

}  // namespace shardlaw::stablehlo
