// Attributes: the constants that an operation carries.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "interp/number/rational.h"

namespace shardlaw {

enum class AttributeType { integer, rational, keyword };

struct AttributeSpec {
  std::string_view name;
  AttributeType type;
};

/// An integer, an exact rational, or one of a few words ("even", "odd").
using Attribute = std::variant<std::int64_t, Rational, std::string>;

std::string toString(const Attribute& attribute);

/// A small ordered map from names to attributes.
class Attributes {
 public:
  Attributes() = default;
  Attributes(std::initializer_list<std::pair<std::string, Attribute>> entries) : entries_(entries) {}

  const Attribute* find(std::string_view name) const;
  void set(std::string_view name, Attribute value);

  /// These throw std::logic_error where the attribute is absent or of another type: the builder has
  /// checked attributes against the node's specification, so that is a bug in a node.
  std::int64_t integer(std::string_view name) const;
  const Rational& rational(std::string_view name) const;
  const std::string& keyword(std::string_view name) const;

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::vector<std::pair<std::string, Attribute>> entries_;
};

}  // namespace shardlaw
