// What the printer and the custom forms share.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interp/stablehlo/format.h"

namespace shardlaw::stablehlo {

class Printer {
 public:
  explicit Printer(const Module& module) : module_(module) {}
  std::string print();

  // What the custom forms are written in.

  std::string out;

  void operands(const Operation& operation, std::size_t first = 0);  ///< "%a, %b"
  std::string name(ValueId value) const;
  const TensorType& type(ValueId value) const { return function_->type(value); }
  void types(const std::vector<ValueId>& values);  ///< "T, T"
  void functionType(const Operation& operation);   ///< " : (T, T) -> T"
  /// " {a = 1 : i64}" of all attributes but these; nothing where there are none.
  void dictionary(const Operation& operation, std::vector<std::string_view> but);
  void prettyAttribute(const AttributeSpec& spec, const Attribute& value);
  /// "{", the operations and the terminator on lines of their own, "}".
  void region(const Region& region);
  void regionOperations(const Region& region, std::string_view terminator);
  void newline() { out += "\n" + std::string(indent_, ' '); }
  /// Prints this value by another's name.
  void alias(ValueId value, ValueId as) { aliases_[value] = as; }

 private:
  void function(const Function& function);
  void operation(const Operation& operation);
  void results(const Operation& operation);
  void generic(const Operation& operation);
  void pretty(const Operation& operation, const Format& format);
  void items(const Operation& operation, const Format& format);
  bool entries(const Operation& operation, const std::vector<std::string_view>& but);
  void entry(const AttributeSpec& spec, const Attribute& value);

  const Module& module_;
  const Function* function_ = nullptr;
  std::size_t indent_ = 0;
  std::unordered_map<ValueId, ValueId> aliases_;
};

/// Text of numbers and constants.
std::string toString(const Literal& literal);            ///< "dense<…> : tensor<…>"
std::string decimalText(const Rational& q, DType type);  ///< always with a point: "1.0", "1.0e-05"
std::string listText(const std::vector<std::int64_t>& integers, bool booleans);
std::string matrixText(const Matrix& matrix);
std::string quotedText(std::string_view bytes);
std::string symbolText(std::string_view name);

/// The form of that operation from behind its name; its dictionary and types are part of it.
using CustomWriter = void (*)(Printer&, const Operation&);
CustomWriter customWriter(std::string_view operation);

}  // namespace shardlaw::stablehlo
