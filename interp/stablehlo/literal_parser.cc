// Numbers and dense constants.
#include <bit>
#include <cmath>
#include <limits>

#include "interp/stablehlo/parser.h"

namespace shardlaw::stablehlo {
namespace {

/// A list attribute is no data: nothing has so many axes, pairs or replicas.
constexpr std::int64_t mostIntegers = std::int64_t{1} << 20;

bool isHexNumber(const Token& token) { return token.is(TokenKind::integer) && token.text.substr(0, 2) == "0x"; }

int hexDigit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

std::uint64_t hexBits(std::string_view digits) {
  std::uint64_t bits = 0;
  for (const char c : digits) bits = bits << 4 | static_cast<std::uint64_t>(hexDigit(c));
  return bits;
}

/// The float of these bits.
double floatOfBits(std::uint64_t bits, DType element) {
  Array one{element, {}, std::vector<std::uint8_t>(cellBytes(element))};
  for (std::size_t i = 0; i < one.bytes.size(); ++i) one.bytes[i] = static_cast<std::uint8_t>(bits >> (8 * i));
  return cellOf<double>(one, 0);
}

/// A decimal of few digits without big numbers on the way; others as number/rational.h reads them.
Rational decimalOf(std::string_view text) {
  std::int64_t digits = 0;
  int places = 0, zeros = 0;
  bool point = false;
  if (text.size() <= 18 && text.find_first_of("eE") == std::string_view::npos) {
    for (const char c : text) {
      if (c == '.') {
        point = true;
        continue;
      }
      // Zeros at the end count only where a digit follows.
      zeros = c == '0' && point ? zeros + 1 : 0;
      digits = digits * 10 + (c - '0');
      if (point) ++places;
    }
    for (; zeros > 0; --zeros, --places) digits /= 10;
    if (places == 0) return Rational(digits);
    long scale = 1;
    for (int i = 0; i < places; ++i) scale *= 10;
    return ratio(digits, scale);
  }
  // JAX writes 1.000000e+00.
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    const std::string_view power = text.substr(exponent + 1);
    if (power == "+00" || power == "0" || power == "00") return decimalOf(text.substr(0, exponent));
  }
  return decimal(text);
}

}  // namespace

Elements::Item Parser::element() {
  if (token().is("(")) failExpected("a number that is not complex");
  const bool negative = accept("-");
  const bool isNumber = token().is(TokenKind::integer) || token().is(TokenKind::decimal);
  if (!isNumber && (negative || (!token().is("true") && !token().is("false")))) failExpected("a number");
  return {take(), negative};
}

void Parser::elementList(Elements& into, std::size_t depth) {
  const Position position = token().position;
  if (depth >= Shape::maxRank) fail(position, "expected a list of rank 8 at most");
  expect("[");
  const bool isNew = into.extents.size() == depth;
  if (isNew) into.extents.push_back(-1);
  std::int64_t count = 0;
  list("]", [&] {
    ++count;
    if (token().is("[")) return elementList(into, depth + 1);
    if (into.extents.size() != depth + 1) failExpected("a list as deep as the one before");
    into.items.push_back(element());
    // Lists outside of dense<…> may say the type of each entry.
    if (token().is(":")) {
      lexer_.next();
      elementType();
    }
  });
  expect("]");
  std::int64_t& extent = into.extents[depth];
  if (extent >= 0 && extent != count)
    fail(position,
         "expected " + std::to_string(extent) + " entries as in the list before, found " + std::to_string(count));
  extent = count;
}

Elements Parser::elements() {
  expect("dense");
  expect("<");
  Elements elements;
  if (token().is(TokenKind::string)) elements.blob = take();
  else if (token().is("[")) elementList(elements, 0);
  else if (!token().is(">")) {
    elements.isSplat = true;
    elements.items.push_back(element());
  }
  expect(">");
  return elements;
}

Elements Parser::bareList() {
  Elements elements;
  elementList(elements, 0);
  return elements;
}

Literal Parser::literal() {
  const Position position = token().position;
  const Elements all = elements();
  expect(":");
  return literalOf(all, type(), position);
}

Literal Parser::literalOf(const Elements& elements, const ParsedType& type, Position position) {
  if (type.isTuple) fail(position, "expected a constant of a tensor's type, found a tuple");
  const TensorType& tensor = type.tensor;
  if (elements.blob) return blobLiteral(*elements.blob, tensor);
  if (elements.isSplat) return {tensor, number(elements.items[0], tensor.element)};
  const auto extents = tensor.shape.extents();
  // Nothing at all is a constant of no cells, whatever its extents.
  const bool isEmpty = elements.items.empty() && tensor.shape.cells() == 0;
  if (!isEmpty && !std::equal(extents.begin(), extents.end(), elements.extents.begin(), elements.extents.end())) {
    std::string found;
    for (const std::int64_t extent : elements.extents) found += (found.empty() ? "" : "x") + std::to_string(extent);
    fail(position, "expected a list of the shape of " + toString(tensor) + ", found one of shape " + found);
  }
  std::vector<Number> numbers;
  numbers.reserve(elements.items.size());
  for (const Elements::Item& item : elements.items) numbers.push_back(number(item, tensor.element));
  return {tensor, std::move(numbers)};
}

Number Parser::number(const Elements::Item& item, DType element) {
  const Token& token = item.token;
  if (isFloat(element)) return floatNumber(item, element);
  const auto refuse = [&](const std::string& expected) {
    fail(token.position, "expected " + expected + ", found '" + (item.negative ? "-" : "") + excerpt(token.text) + "'");
  };
  if (token.is(TokenKind::identifier)) {
    if (!isBoolean(element)) refuse("an integer");
    return std::int64_t{token.text == "true"};
  }
  if (!token.is(TokenKind::integer)) refuse(isBoolean(element) ? "true or false" : "an integer");
  const int bits = bitsOf(element);
  const std::string range = isBoolean(element) ? "true or false" : "a value of " + std::string(spelling(element));
  if (isHexNumber(token)) {
    const std::string_view digits = token.text.substr(2);
    if (item.negative || digits.size() > 16 || (bits < 64 && hexBits(digits) >> bits != 0)) refuse(range);
    return wrapped(static_cast<std::int64_t>(hexBits(digits)), element);
  }
  std::uint64_t magnitude = 0;
  for (const char c : token.text)
    if (__builtin_mul_overflow(magnitude, std::uint64_t{10}, &magnitude) ||
        __builtin_add_overflow(magnitude, static_cast<std::uint64_t>(c - '0'), &magnitude))
      refuse(range);
  const bool isSigned = !isUnsigned(element) && !isBoolean(element);
  const std::uint64_t half = std::uint64_t{1} << (bits - 1);
  const std::uint64_t most = item.negative ? (isSigned ? half : 0) : isSigned ? half - 1 : half - 1 + half;
  if (magnitude > most) refuse(range);
  return static_cast<std::int64_t>(item.negative ? 0 - magnitude : magnitude);
}

Number Parser::simplified(Number number, DType element) const {
  if (!options_.simplest || element != DType::f32) return number;
  if (auto* rational = std::get_if<Rational>(&number)) return simplestRational(*rational);
  const double value = std::get<double>(number);
  if (!std::isfinite(value) || (value == 0 && std::signbit(value))) return number;
  return simplestRational(Rational(value));
}

Number Parser::floatNumber(const Elements::Item& item, DType element) {
  const Token& token = item.token;
  if (token.is(TokenKind::identifier)) fail(token.position, "expected a float, found " + shown(token));
  if (isHexNumber(token)) {
    const std::string_view digits = token.text.substr(2);
    if (item.negative || static_cast<int>(digits.size()) * 4 != bitsOf(element))
      fail(token.position, "expected the " + std::to_string(bitsOf(element) / 4) + " hexadecimal digits of a " +
                               std::string(spelling(element)) + ", found " + shown(token));
    return simplified(floatOfBits(hexBits(digits), element), element);
  }
  Rational value;
  try {
    value = decimalOf(token.text);
  } catch (const Error& error) {
    fail(token.position, error.what());
  }
  if (!item.negative) return simplified(std::move(value), element);
  if (value == 0) return -0.0;
  return simplified(Rational(-value), element);
}

/// "0x…": the bytes of all cells, or of one for all. An i1 takes a byte, or, in older texts, a bit.
Literal Parser::blobLiteral(const Token& blob, const TensorType& type) {
  const std::string_view digits = blob.text.substr(0, 2) == "0x" ? blob.text.substr(2) : std::string_view();
  if (digits.empty() && type.shape.cells() > 0) fail(blob.position, "expected bytes as \"0x…\", found " + shown(blob));
  if (digits.size() % 2 != 0) fail(blob.position, "expected two hexadecimal digits for each byte, found an odd number");
  std::vector<std::uint8_t> bytes(digits.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hexDigit(digits[2 * i]), low = hexDigit(digits[2 * i + 1]);
    if (high < 0 || low < 0)
      fail({blob.position.line, blob.position.column + static_cast<int>(2 * i) + 3},
           "expected two hexadecimal digits, found '" + excerpt(digits.substr(2 * i, 2)) + "'");
    bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  const std::size_t width = cellBytes(type.element), found = bytes.size();
  const auto cells = static_cast<std::size_t>(type.shape.cells());
  if (isBoolean(type.element)) {
    if (found == 1) return {type, std::int64_t{bytes[0] != 0}};
    if (found != cells && found == (cells + 7) / 8) {
      std::vector<std::uint8_t> unpacked(cells);
      for (std::size_t i = 0; i < cells; ++i) unpacked[i] = bytes[i / 8] >> (i % 8) & 1;
      bytes = std::move(unpacked);
    }
    for (std::uint8_t& byte : bytes) byte = byte != 0 ? 1 : 0;
  }
  const bool isOne = bytes.size() == width;
  // Not multiplied: hostile extents would overflow.
  if (!isOne && (bytes.size() % width != 0 || bytes.size() / width != cells))
    fail(blob.position, "expected the bytes of " + toString(type) + " or of one cell, found " + std::to_string(found));
  if (isOne) {
    const Literal one(Array{type.element, {}, std::move(bytes)});
    Number number = one.at(0);
    return {type, isFloat(type.element) ? simplified(std::move(number), type.element) : std::move(number)};
  }
  Literal all(Array{type.element, type.shape, std::move(bytes)});
  if (!options_.simplest || type.element != DType::f32) return all;
  std::vector<Number> numbers;
  numbers.reserve(cells);
  for (std::size_t i = 0; i < cells; ++i)
    numbers.push_back(simplified(all.at(static_cast<std::int64_t>(i)), type.element));
  return {type, std::move(numbers)};
}

std::vector<std::int64_t> Parser::integersOf(const Literal& literal, Position position) const {
  const std::int64_t cells = literal.type().shape.cells();
  if (isFloat(literal.type().element)) fail(position, "expected integers, found " + toString(literal.type()));
  if (cells > mostIntegers)
    fail(position, "expected at most " + std::to_string(mostIntegers) + " integers, found " + std::to_string(cells));
  std::vector<std::int64_t> integers;
  for (std::int64_t i = 0; i < cells; ++i) integers.push_back(std::get<std::int64_t>(literal.at(i)));
  return integers;
}

/// [1, 2], array<i64: 1, 2>, dense<[1, 2]> : tensor<2xi64>.
std::vector<std::int64_t> Parser::integers() {
  const Position position = token().position;
  if (accept("array")) {
    expect("<");
    const DType element = elementType();
    if (isFloat(element)) fail(position, "expected integers, found floats");
    std::vector<std::int64_t> entries;
    if (accept(":")) list(">", [&] { entries.push_back(std::get<std::int64_t>(number(this->element(), element))); });
    expect(">");
    return entries;
  }
  const bool isDense = token().is("dense");
  if (!isDense && !token().is("[")) failExpected("a list of integers");
  if (isDense) {
    const Literal all = literal();
    if (all.type().shape.rank() != 1) fail(position, "expected one list, found " + toString(all.type()));
    return integersOf(all, position);
  }
  const Elements all = bareList();
  if (all.extents.size() != 1) fail(position, "expected a list of integers, found lists in it");
  std::vector<std::int64_t> entries;
  for (const Elements::Item& item : all.items)
    entries.push_back(
        std::get<std::int64_t>(number(item, item.token.is(TokenKind::identifier) ? DType::boolean : DType::i64)));
  return entries;
}

/// [[1, 2], [3, 4]] or dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>.
Matrix Parser::matrix() {
  const Position position = token().position;
  ParsedType type;
  type.tensor.element = DType::i64;
  Elements all;
  if (token().is("dense")) {
    all = elements();
    expect(":");
    type = this->type();
  } else {
    if (!token().is("[")) failExpected("a list of lists of integers");
    all = bareList();
    if (all.items.empty()) return {};
    type.tensor.shape = Shape(all.extents);
  }
  if (type.isTuple || type.tensor.shape.rank() != 2) fail(position, "expected a list of lists of integers");
  return {type.tensor.shape[1], integersOf(literalOf(all, type, position), position)};
}

Rational Parser::rational() {
  const Elements::Item item = element();
  DType element = DType::f64;
  if (token().is(":")) {
    const Lexer::Mark mark = lexer_.mark();
    lexer_.next();
    if (token().is("tensor") || token().is("(") || token().is("tuple")) lexer_.restore(mark);
    else element = elementType();
  }
  if (!isFloat(element)) fail(item.token.position, "expected a float, found an integer");
  const Number value = floatNumber(item, element);
  if (const auto* exact = std::get_if<Rational>(&value)) return *exact;
  const double bits = std::get<double>(value);
  if (!std::isfinite(bits)) fail(item.token.position, "expected a finite float, found " + shown(item.token));
  return Rational(bits);
}

}  // namespace shardlaw::stablehlo
