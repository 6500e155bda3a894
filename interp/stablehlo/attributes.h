// Attributes of StableHLO operations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "interp/stablehlo/literal.h"

namespace shardlaw::stablehlo {

/// Integers in rows: padding [[low, high], …], replica groups, source and target pairs. Ragged rows are filled up with
/// −1 at their ends, as the specification does.
struct Matrix {
  std::int64_t columns = 0;
  std::vector<std::int64_t> cells;

  std::int64_t rows() const { return columns == 0 ? 0 : static_cast<std::int64_t>(cells.size()) / columns; }
  std::int64_t at(std::int64_t row, std::int64_t column) const {
    return cells[static_cast<std::size_t>(row * columns + column)];
  }
  friend bool operator==(const Matrix&, const Matrix&) = default;
};

enum class AttributeType {
  integer,   ///< 64-bit; a boolean is 0 or 1
  rational,  ///< a float literal, exactly
  keyword,   ///< an enumerator ("EQ", "DEFAULT") or a symbol (of a function, without the "@")
  integers,  ///< a list; of booleans as 0 and 1
  matrix,
  literal,
};

using Attribute = std::variant<std::int64_t, Rational, std::string, std::vector<std::int64_t>, Matrix, Literal>;

/// An attribute that an operation can have. Where it is left out it is absent unless it is required: the operation
/// says what that means.
struct AttributeSpec {
  std::string_view name;  ///< as in the generic form: "broadcast_dimensions"; parts of a structured attribute by their
                          ///< own names: "lhs_contracting_dimensions"
  AttributeType type;
  bool required = false;
};

/// A small ordered map.
class Attributes {
 public:
  const Attribute* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  void set(std::string_view name, Attribute value);

  /// `otherwise` where the attribute is left out. The reader has checked types, so that another type is a bug:
  /// std::logic_error.
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  std::string keyword(std::string_view name, std::string_view otherwise) const;
  std::vector<std::int64_t> integers(std::string_view name, std::vector<std::int64_t> otherwise = {}) const;
  Matrix matrix(std::string_view name, Matrix otherwise = {}) const;
  /// Of required ones: std::logic_error where it is left out.
  std::int64_t integer(std::string_view name) const;
  const Rational& rational(std::string_view name) const;
  const Literal& literal(std::string_view name) const;

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  friend bool operator==(const Attributes&, const Attributes&) = default;

 private:
  std::vector<std::pair<std::string, Attribute>> entries_;
};

}  // namespace shardlaw::stablehlo
