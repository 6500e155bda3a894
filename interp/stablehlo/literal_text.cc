// Numbers, constants and names as text.
#include <charconv>
#include <cmath>

#include "interp/stablehlo/print_context.h"

namespace shardlaw::stablehlo {
namespace {

constexpr std::string_view digits = "0123456789ABCDEF";

/// Digits and a power of ten as MLIR reads a float: with a point, and with an exponent where plain zeros would be many.
std::string pointed(std::string significand, long exponent) {
  const auto size = static_cast<long>(significand.size());
  // The place of the first digit: 12.5 has 1.
  const long place = size - 1 + exponent;
  if (place >= -5 && place < 17) {
    if (place < 0) return "0." + std::string(static_cast<std::size_t>(-place - 1), '0') + significand;
    if (exponent >= 0) return significand + std::string(static_cast<std::size_t>(exponent), '0') + ".0";
    return significand.insert(static_cast<std::size_t>(place + 1), ".");
  }
  significand.insert(1, size > 1 ? "." : ".0");
  const std::string power = std::to_string(std::labs(place));
  return significand + (place < 0 ? "e-" : "e+") + (power.size() < 2 ? "0" : "") + power;
}

/// The exact decimal, where there is one: where the denominator has no factors but 2 and 5.
std::string exactDecimal(const Rational& q) {
  mpz_class rest = q.get_den();
  const auto remove = [&](unsigned long prime) {
    return static_cast<long>(mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), mpz_class(prime).get_mpz_t()));
  };
  const long twos = remove(2), fives = remove(5);
  if (rest != 1) return {};
  const long places = std::max(twos, fives);
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, static_cast<unsigned long>(places));
  mpz_class significand = abs(q.get_num()) * (scale / q.get_den());
  long exponent = -places;
  std::string text = significand.get_str();
  while (text.size() > 1 && text.back() == '0') {
    text.pop_back();
    ++exponent;
  }
  return pointed(text, exponent);
}

template <class F>
std::string shortest(F value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  std::string text(buffer, end);
  const std::size_t e = text.find('e');
  long exponent = std::stol(text.substr(e + 1));
  std::string significand = text.substr(0, e);
  if (significand.size() > 1) {
    exponent -= static_cast<long>(significand.size()) - 2;
    significand.erase(1, 1);
  }
  return pointed(significand, exponent);
}

std::string bitsText(double value, DType type) {
  if (value == 0 && std::signbit(value)) return "-0.0";
  Tensor<double> one{Shape{}};
  one[0] = value;
  const std::vector<std::uint8_t> bytes = arrayOf(one, type).bytes;
  std::string text = "0x";
  for (std::size_t i = bytes.size(); i-- > 0;) (text += digits[bytes[i] / 16]) += digits[bytes[i] % 16];
  return text;
}

std::string numberText(const Number& number, DType type) {
  if (const auto* rational = std::get_if<Rational>(&number)) return decimalText(*rational, type);
  if (const auto* value = std::get_if<double>(&number)) return bitsText(*value, type);
  const std::int64_t integer = std::get<std::int64_t>(number);
  if (isBoolean(type)) return integer != 0 ? "true" : "false";
  return type == DType::u64 ? std::to_string(static_cast<std::uint64_t>(integer)) : std::to_string(integer);
}

void nested(std::string& out, const Literal& literal, int axis, std::int64_t& cell) {
  const TensorType& type = literal.type();
  if (axis == type.shape.rank()) {
    out += numberText(literal.numbers()[static_cast<std::size_t>(cell++)], type.element);
    return;
  }
  out += '[';
  for (std::int64_t i = 0; i < type.shape[axis]; ++i) {
    if (i > 0) out += ", ";
    nested(out, literal, axis + 1, cell);
  }
  out += ']';
}

}  // namespace

std::string decimalText(const Rational& q, DType type) {
  std::string text = exactDecimal(q);
  if (text.empty()) {
    const float single = std::fabs(toFloat(q));
    const double wide = std::fabs(toDouble(q));
    // Beyond every float: its integer part is as good as it.
    if (std::isinf(wide)) text = exactDecimal(Rational(mpz_class(q.get_num() / q.get_den())));
    else text = type == DType::f64 || std::isinf(single) ? shortest(wide) : shortest(single);
  }
  return (q < 0 ? "-" : "") + text;
}

std::string toString(const Literal& literal) {
  const TensorType& type = literal.type();
  std::string text = "dense<";
  if (literal.isSplat()) {
    text += numberText(literal.numbers()[0], type.element);
  } else if (literal.isBlob()) {
    text += "\"0x";
    for (const std::uint8_t byte : literal.blob().bytes) (text += digits[byte / 16]) += digits[byte % 16];
    text += '"';
  } else if (type.shape.cells() > 0) {
    std::int64_t cell = 0;
    nested(text, literal, 0, cell);
  }
  return text + "> : " + toString(type);
}

std::string listText(const std::vector<std::int64_t>& integers, bool booleans) {
  std::string text;
  for (const std::int64_t i : integers) {
    if (!text.empty()) text += ", ";
    text += booleans ? (i != 0 ? "true" : "false") : std::to_string(i);
  }
  return text;
}

std::string matrixText(const Matrix& matrix) {
  std::string text = "[";
  for (std::int64_t row = 0; row < matrix.rows(); ++row) {
    const auto first = matrix.cells.begin() + row * matrix.columns;
    text += (row > 0 ? ", [" : "[") + listText({first, first + matrix.columns}, false) + "]";
  }
  return text + "]";
}

std::string quotedText(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || byte < 0x20 || byte >= 0x7F)
      ((text += '\\') += digits[byte / 16]) += digits[byte % 16];
    else text += c;
  }
  return text + "\"";
}

std::string symbolText(std::string_view name) {
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  bool isBare = !name.empty() && isLetter(name[0]);
  for (const char c : name) isBare = isBare && (isLetter(c) || (c >= '0' && c <= '9') || c == '$' || c == '.');
  return "@" + (isBare ? std::string(name) : quotedText(name));
}

}  // namespace shardlaw::stablehlo
