// Types, and attributes by their specifications.
#include <algorithm>
#include <utility>

#include "interp/stablehlo/parser.h"

namespace shardlaw::stablehlo {
namespace {

constexpr std::size_t deepestBrackets = 256;

/// Reads digits from the front of `text`; nothing where there are none, −1 where they are too many.
std::optional<std::int64_t> takeDigits(std::string_view& text) {
  std::size_t length = 0;
  std::int64_t value = 0;
  while (length < text.size() && text[length] >= '0' && text[length] <= '9') {
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
        __builtin_add_overflow(value, std::int64_t{text[length] - '0'}, &value))
      return -1;
    ++length;
  }
  text.remove_prefix(length);
  return length == 0 ? std::nullopt : std::optional(value);
}

bool isHashOf(const Token& token, std::string_view mnemonic) {
  return token.is(TokenKind::hash) && token.text.starts_with("stablehlo.") && token.text.substr(10) == mnemonic;
}

}  // namespace

DType Parser::elementType() {
  const Token name = token();
  if (!name.is(TokenKind::identifier)) failExpected("an element type");
  const std::optional<DType> element = name.text == "index" ? DType::i64 : elementOf(name.text);
  if (!element) failExpected("an element type that shardlaw has (f64, f32, f16, bf16, i1, i8 to i64, ui8 to ui64)");
  lexer_.next();
  return *element;
}

/// tensor<2x3xf32>. The extents are no tokens: in 0x3xf32 a number would begin with 0x.
ParsedType Parser::type() {
  if (token().is("tuple")) {
    if (++depth_ > 128) fail(token().position, "expected a tuple of fewer tuples in one another");
    lexer_.next();
    ParsedType tuple;
    tuple.isTuple = true;
    expect("<");
    list(">", [&] { tuple.elements.push_back(type()); });
    expect(">");
    --depth_;
    return tuple;
  }
  const Position position = token().position;
  if (!token().is("tensor")) failExpected("a type 'tensor<…>'");
  lexer_.next();
  if (!token().is("<")) failExpected("'<'");
  std::vector<std::int64_t> extents;
  while (true) {
    std::string_view rest = lexer_.rest();
    const std::size_t before = rest.size();
    while (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
    if (rest.starts_with('?')) fail(lexer_.positionOfRest(), "expected a tensor of static shape, found an extent '?'");
    const std::optional<std::int64_t> extent = takeDigits(rest);
    if (!extent) break;
    if (*extent < 0) fail(lexer_.positionOfRest(), "expected an extent below 2^63");
    if (extents.size() > Shape::maxRank) fail(position, "expected a tensor of rank 8 at most");
    extents.push_back(*extent);
    while (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
    if (!rest.starts_with('x')) fail(lexer_.positionOfRest(), "expected 'x' behind an extent");
    lexer_.skipRaw(before - rest.size() + 1);
  }
  lexer_.next();
  ParsedType result;
  result.tensor.element = elementType();
  if (token().is(",")) failExpected("a tensor without an encoding");
  expect(">");
  try {
    result.tensor.shape = Shape(extents);
  } catch (const Error& error) {
    fail(position, error.what());
  }
  return result;
}

std::vector<ParsedType> Parser::typeList() {
  std::vector<ParsedType> types;
  do types.push_back(type());
  while (accept(","));
  return types;
}

void Parser::functionType(std::vector<ParsedType>& arguments, std::vector<ParsedType>& results) {
  expect("(");
  list(")", [&] { arguments.push_back(type()); });
  expect(")");
  expect("->");
  if (accept("(")) {
    list(")", [&] { results.push_back(type()); });
    expect(")");
  } else {
    results.push_back(type());
  }
}

/// Reads over a value, to the comma or bracket behind it. Brackets are matched on the heap: a hostile text nests them
/// as deep as it likes.
void Parser::skipValue(bool stopAtColon) {
  std::string open;
  while (true) {
    const Token& next = token();
    if (next.is(TokenKind::end)) failExpected("a closing bracket");
    const char c = next.is(TokenKind::punctuation) && next.text.size() == 1 ? next.text[0] : ' ';
    if (open.empty() && (c == ',' || (stopAtColon && (c == ':' || c == '{')))) return;
    if (c == '(' || c == '[' || c == '{' || c == '<') {
      if (open.size() >= deepestBrackets) failExpected("fewer brackets in one another");
      open += c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '>';
    } else if (c == ')' || c == ']' || c == '}' || c == '>') {
      if (open.empty()) return;
      if (open.back() != c) failExpected(std::string("'") + open.back() + "'");
      open.pop_back();
      if (open.empty()) {
        lexer_.next();
        // What may follow a bracket and still belong to the value: "dense<…> : type".
        if (token().is(":") && !stopAtColon) continue;
        return;
      }
    }
    lexer_.next();
  }
}

std::int64_t Parser::integer() {
  if (token().is("true") || token().is("false")) return take().text == "true" ? 1 : 0;
  const Position position = token().position;
  const bool negative = accept("-");
  if (!token().is(TokenKind::integer)) failExpected("an integer");
  std::string_view digits = take().text;
  const std::string_view whole = digits;
  const std::optional<std::int64_t> value = takeDigits(digits);
  if (!value || *value < 0 || !digits.empty())
    fail(position, "expected an integer of 64 bits, found '" + excerpt(whole) + "'");
  return negative ? -*value : *value;
}

void Parser::optionalDictionary(Draft& draft) {
  if (!accept("{")) return;
  list("}", [&] { dictionaryEntry(draft); });
  expect("}");
}

void Parser::dictionaryEntry(Draft& draft) {
  const Token name = token();
  if (!name.is(TokenKind::identifier) && !name.is(TokenKind::string)) failExpected("the name of an attribute");
  lexer_.next();
  const OperationInfo& info = *draft.info;
  const Structure* parts = structureOf(info);
  const AttributeSpec* spec = findSpec(info, name.text);
  if (spec == nullptr && name.text == "channel_handle") spec = findSpec(info, "channel_id");
  if (!accept("=")) {
    // A unit attribute is there or not.
    if (spec != nullptr) setAttribute(draft, *spec, std::int64_t{1}, name.position);
    else if (!isHint(name.text)) fail(name.position, "expected an attribute of the operation, found " + shown(name));
    return;
  }
  // An alias stands for its value.
  std::optional<Lexer::Mark> back;
  if (token().is(TokenKind::hash))
    if (const auto alias = aliases_.find(token().text); alias != aliases_.end()) {
      lexer_.next();
      back = lexer_.mark();
      lexer_.restore(alias->second);
    }
  if (name.text == "channel_handle" && spec != nullptr) channelHandle(draft);
  else if (spec != nullptr) attribute(draft, *spec);
  else if (parts != nullptr && name.text == parts->attribute) structure(draft);
  else if (isHint(name.text)) skipValue(false);
  else fail(name.position, "expected an attribute of the operation, found " + shown(name));
  if (back) lexer_.restore(*back);
}

void Parser::setAttribute(Draft& draft, const AttributeSpec& spec, Attribute value, Position position) {
  if (draft.attributes.has(spec.name))
    fail(position, "expected the attribute " + std::string(spec.name) + " once, found it twice");
  const auto* entries = std::get_if<std::vector<std::int64_t>>(&value);
  if (entries != nullptr && entries->empty() && !spec.required) return;
  draft.attributes.set(spec.name, std::move(value));
}

void Parser::attribute(Draft& draft, const AttributeSpec& spec) {
  const Position position = token().position;
  const auto set = [&](Attribute value) { setAttribute(draft, spec, std::move(value), position); };
  switch (spec.type) {
    case AttributeType::integer: {
      if (token().is("dense")) {
        const std::vector<std::int64_t> one = integers();
        if (one.size() != 1) fail(position, "expected one integer, found " + std::to_string(one.size()));
        return set(one[0]);
      }
      const std::int64_t value = integer();
      // The colon of the pretty form belongs to the operation's types.
      if (token().is(":")) {
        const Lexer::Mark mark = lexer_.mark();
        lexer_.next();
        if (token().is("tensor") || token().is("(") || token().is("tuple")) lexer_.restore(mark);
        else elementType();
      }
      return set(value);
    }
    case AttributeType::rational: return set(rational());
    case AttributeType::keyword: return set(keyword());
    case AttributeType::integers: return set(integers());
    case AttributeType::matrix: return set(matrix());
    case AttributeType::literal: return set(literal());
  }
}

/// LT, @callee, "text", #stablehlo<comparison_direction LT>.
std::string Parser::keyword() {
  if (token().is(TokenKind::string) || token().is(TokenKind::symbol)) return unescaped(take().text);
  if (token().is(TokenKind::identifier)) return std::string(take().text);
  if (!token().is(TokenKind::hash)) failExpected("an enumerator");
  lexer_.next();
  expect("<");
  if (!token().is(TokenKind::identifier)) failExpected("an enumerator");
  Token value = take();
  if (token().is(TokenKind::identifier)) value = take();
  expect(">");
  return std::string(value.text);
}

/// #stablehlo.channel_handle<handle = 1, type = 0>, of which the handle counts.
void Parser::channelHandle(Draft& draft) {
  const Position position = token().position;
  const AttributeSpec& spec = *findSpec(*draft.info, "channel_id");
  if (!isHashOf(token(), "channel_handle")) failExpected("'#stablehlo.channel_handle<…>'");
  lexer_.next();
  expect("<");
  std::optional<std::int64_t> handle;
  list(">", [&] {
    const Token name = take();
    expect("=");
    const std::int64_t value = integer();
    if (name.text == "handle") handle = value;
    else if (name.text != "type") fail(name.position, "expected 'handle' or 'type', found " + shown(name));
  });
  expect(">");
  if (!handle) fail(position, "expected a handle, found none");
  setAttribute(draft, spec, *handle, position);
}

void Parser::structure(Draft& draft) {
  const OperationInfo& info = *draft.info;
  const Structure& parts = *structureOf(info);
  const Position position = token().position;
  if (!isHashOf(token(), parts.mnemonic)) failExpected("'#stablehlo." + std::string(parts.mnemonic) + "<…>'");
  lexer_.next();
  expect("<");
  const bool raw = accept("raw");
  if (!raw && parts.mnemonic == "conv") {
    convolutionDimensions(draft);
    return expect(">");
  }
  list(">", [&] {
    // A comma at the end is nothing.
    if (token().is(">")) return;
    const Token name = take();
    const AttributeSpec* spec = findSpec(info, name.text);
    if (spec == nullptr || std::find(parts.parts.begin(), parts.parts.end(), name.text) == parts.parts.end())
      fail(name.position, "expected a part of '#stablehlo." + std::string(parts.mnemonic) + "', found " + shown(name));
    expect("=");
    attribute(draft, *spec);
  });
  expect(">");
  // Parts that are 0 or empty are left out.
  for (const std::string_view part : parts.parts) {
    const AttributeSpec* spec = findSpec(info, part);
    if (spec == nullptr || draft.attributes.has(part)) continue;
    if (spec->type == AttributeType::integer) setAttribute(draft, *spec, std::int64_t{0}, position);
    else setAttribute(draft, *spec, std::vector<std::int64_t>{}, position);
  }
}

}  // namespace shardlaw::stablehlo
