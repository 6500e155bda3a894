// Pretty forms that the format language has no words for.
#include <algorithm>
#include <array>
#include <utility>

#include "interp/stablehlo/parser.h"

namespace shardlaw::stablehlo {
namespace {

const AttributeSpec& specOf(const Parser& parser, const Draft& draft, std::string_view name) {
  const AttributeSpec* spec = findSpec(*draft.info, name);
  if (spec == nullptr) parser.fail(draft.position, "expected no attribute " + std::string(name));
  return *spec;
}

void set(Parser& parser, Draft& draft, std::string_view name, Attribute value) {
  parser.setAttribute(draft, specOf(parser, draft, name), std::move(value), draft.position);
}

/// constant dense<…> : T, with attributes in front; or the generic form's constant() {value = dense<…> : T} : () -> T.
void constant(Parser& parser, Draft& draft) {
  if (parser.accept("(")) {
    parser.expect(")");
    if (parser.accept("<")) {
      parser.optionalDictionary(draft);
      parser.expect(">");
    }
    parser.optionalDictionary(draft);
    parser.expect(":");
    return parser.trailingTypes(draft, FormatTypes::results);
  }
  parser.optionalDictionary(draft);
  Literal literal = parser.literal();
  ParsedType type;
  type.tensor = literal.type();
  draft.resultTypes.push_back(std::move(type));
  set(parser, draft, "value", std::move(literal));
}

/// call @f(%a) : (T) -> T
void call(Parser& parser, Draft& draft) {
  if (!parser.token().is(TokenKind::symbol)) parser.failExpected("the name of a function");
  set(parser, draft, "callee", unescaped(parser.take().text));
  parser.operands(draft);
  parser.optionalDictionary(draft);
  parser.expect(":");
  if (!parser.token().is("(")) parser.failExpected("the type of the function");
  parser.trailingTypes(draft, FormatTypes::function);
}

/// slice %a [0:4:2, 1:3] : (T) -> T
void slice(Parser& parser, Draft& draft) {
  draft.operands.push_back(parser.operand());
  std::vector<std::int64_t> start, limit, strides;
  parser.expect("[");
  parser.list("]", [&] {
    start.push_back(parser.integer());
    parser.expect(":");
    limit.push_back(parser.integer());
    strides.push_back(parser.accept(":") ? parser.integer() : 1);
  });
  parser.expect("]");
  set(parser, draft, "start_indices", std::move(start));
  set(parser, draft, "limit_indices", std::move(limit));
  set(parser, draft, "strides", std::move(strides));
  parser.optionalDictionary(draft);
  parser.expect(":");
  parser.trailingTypes(draft, FormatTypes::function);
}

/// reduce_precision %a, format = e8m10 : T
void reducePrecision(Parser& parser, Draft& draft) {
  draft.operands.push_back(parser.operand());
  parser.expect(",");
  parser.expect("format");
  parser.expect("=");
  const Token format = parser.token();
  std::int64_t bits[2] = {-1, -1};
  std::size_t at = 0;
  // "e8m10" is one word.
  for (const char c : format.text) {
    const bool isLetter = c == (at == 0 ? 'e' : 'm');
    if (isLetter && at < 2) bits[at++] = 0;
    else if (at > 0 && c >= '0' && c <= '9' && bits[at - 1] < 1000) bits[at - 1] = bits[at - 1] * 10 + (c - '0');
    else parser.failExpected("a format such as e8m10");
  }
  if (at != 2) parser.failExpected("a format such as e8m10");
  parser.take();
  set(parser, draft, "exponent_bits", bits[0]);
  set(parser, draft, "mantissa_bits", bits[1]);
  parser.optionalDictionary(draft);
  parser.expect(":");
  parser.trailingTypes(draft, FormatTypes::same);
}

/// while(%x = %a, %y = %b) : T, T attributes {…} cond {…} do {…}
void whileLoop(Parser& parser, Draft& draft) {
  std::vector<NamedType> arguments;
  parser.expect("(");
  parser.list(")", [&] {
    if (!parser.token().is(TokenKind::value)) parser.failExpected("the name of an argument");
    const Token name = parser.take();
    arguments.push_back({name.text, {}, name.position, false});
    parser.expect("=");
    draft.operands.push_back(parser.operand());
  });
  parser.expect(")");
  if (parser.accept(":")) parser.trailingTypes(draft, FormatTypes::results);
  if (draft.resultTypes.size() != arguments.size())
    parser.fail(draft.position, "expected types of " + std::to_string(arguments.size()) + " values, found " +
                                    std::to_string(draft.resultTypes.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i) arguments[i].type = draft.resultTypes[i];
  if (parser.accept("attributes")) parser.optionalDictionary(draft);
  // The condition's arguments have no names of their own.
  std::vector<NamedType> shared = arguments;
  for (NamedType& argument : shared) argument.isAnonymous = true;
  parser.expect("cond");
  draft.regions.push_back(parser.region(shared));
  parser.expect("do");
  draft.regions.push_back(parser.region(arguments));
}

/// The body "applies stablehlo.add" stands for: that operation of two scalars.
Region appliedBody(Parser& parser, const Draft& draft, const Token& name) {
  std::string_view word = name.text;
  word.remove_prefix(std::min(word.size(), word.find('.') + 1));
  const OperationInfo* info = name.text.starts_with("stablehlo.") ? findOperation(word) : nullptr;
  if (info == nullptr || info->least != 2 || info->most != 2 || info->regions != 0)
    parser.fail(name.position, "expected an operation of two operands, found " + shown(name));
  if (draft.operands.empty() || draft.operands[0].value < 0) parser.fail(draft.position, "expected a tensor to reduce");
  const TensorType scalar{parser.tensorOf(draft.operands[0], draft.position).element, {}};
  Region region;
  region.arguments = {parser.anonymousValue(scalar, "lhs"), parser.anonymousValue(scalar, "rhs")};
  Operation& operation = region.operations.emplace_back();
  operation.info = info;
  operation.position = name.position;
  operation.operands = region.arguments;
  operation.results = {parser.anonymousValue(scalar, "result")};
  region.results = operation.results;
  checkOperation(TypeRule(parser.module(), parser.function(), region.operations[0]));
  return region;
}

/// "reducer(%a: T, %b: T) (%c: U, %d: U) {…}": the arguments in pairs, one per input.
void reducer(Parser& parser, Draft& draft) {
  parser.expect("reducer");
  std::vector<NamedType> first, second;
  do {
    parser.expect("(");
    first.push_back(parser.namedType());
    parser.optionalLocation();
    parser.expect(",");
    second.push_back(parser.namedType());
    parser.optionalLocation();
    parser.expect(")");
  } while (parser.token().is("("));
  first.insert(first.end(), second.begin(), second.end());
  draft.regions.push_back(parser.region(first));
}

/// reduce(%a init: %b), (%c init: %d) applies stablehlo.add across dimensions = [0] : (…) -> …, or with a reducer.
void reduce(Parser& parser, Draft& draft) {
  std::vector<Slot> initials;
  do {
    parser.expect("(");
    draft.operands.push_back(parser.operand());
    parser.expect("init");
    parser.expect(":");
    initials.push_back(parser.operand());
    parser.expect(")");
  } while (parser.accept(","));
  Token applied;
  if (parser.accept("applies")) applied = parser.take();
  parser.expect("across");
  parser.expect("dimensions");
  parser.expect("=");
  parser.attribute(draft, specOf(parser, draft, "dimensions"));
  std::vector<Slot>& operands = draft.operands;
  if (applied.is(TokenKind::identifier)) {
    if (operands.size() != 1) parser.fail(draft.position, "expected one input to apply an operation to");
    draft.regions.push_back(appliedBody(parser, draft, applied));
  }
  operands.insert(operands.end(), initials.begin(), initials.end());
  parser.optionalDictionary(draft);
  parser.expect(":");
  parser.trailingTypes(draft, FormatTypes::function);
  if (!applied.is(TokenKind::identifier)) {
    parser.optionalLocation();
    reducer(parser, draft);
  }
}

/// convolution(%a, %b) dim_numbers = […]x[…]->[…], window = {stride = […], pad = [[…]], …} {…} : (T, T) -> T
void convolution(Parser& parser, Draft& draft) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> window{
      {{"stride", "window_strides"},
       {"pad", "padding"},
       {"lhs_dilate", "lhs_dilation"},
       {"rhs_dilate", "rhs_dilation"},
       {"reverse", "window_reversal"}}};
  parser.operands(draft);
  parser.expect("dim_numbers");
  parser.expect("=");
  parser.convolutionDimensions(draft);
  if (parser.accept(",")) {
    parser.expect("window");
    parser.expect("=");
    parser.expect("{");
    parser.list("}", [&] {
      const Token name = parser.token();
      const auto* found = std::find_if(window.begin(), window.end(), [&](const auto& w) { return name.is(w.first); });
      if (found == window.end()) parser.failExpected("stride, pad, lhs_dilate, rhs_dilate or reverse");
      parser.take();
      parser.expect("=");
      parser.attribute(draft, specOf(parser, draft, found->second));
    });
    parser.expect("}");
  }
  parser.optionalDictionary(draft);
  parser.expect(":");
  parser.trailingTypes(draft, FormatTypes::function);
}

}  // namespace

/// "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]": letters are the batch and features, numbers the spatial axes.
void Parser::convolutionDimensions(Draft& draft) {
  struct Side {
    std::string_view letters[2], names[2], spatial;
  };
  static constexpr Side sides[] = {
      {{"b", "f"}, {"input_batch_dimension", "input_feature_dimension"}, "input_spatial_dimensions"},
      {{"i", "o"}, {"kernel_input_feature_dimension", "kernel_output_feature_dimension"}, "kernel_spatial_dimensions"},
      {{"b", "f"}, {"output_batch_dimension", "output_feature_dimension"}, "output_spatial_dimensions"}};
  static constexpr std::string_view between[] = {"", "x", "->"};
  for (std::size_t s = 0; s < 3; ++s) {
    const Side& side = sides[s];
    if (s > 0) expect(between[s]);
    const Position position = token().position;
    std::int64_t letters[2] = {-1, -1}, axis = 0;
    std::vector<std::int64_t> spatial(Shape::maxRank, -1);
    expect("[");
    list("]", [&] {
      const Token name = token();
      if (axis >= Shape::maxRank) failExpected("8 axes at most");
      if (name.is(side.letters[0]) || name.is(side.letters[1])) {
        lexer_.next();
        std::int64_t& at = letters[name.is(side.letters[0]) ? 0 : 1];
        if (at >= 0) fail(name.position, "expected each axis once, found a second " + shown(name));
        at = axis++;
        return;
      }
      if (!name.is(TokenKind::integer))
        failExpected("'" + std::string(side.letters[0]) + "', '" + std::string(side.letters[1]) + "' or a number");
      const std::int64_t number = integer();
      if (number < 0 || number >= Shape::maxRank || spatial[static_cast<std::size_t>(number)] >= 0)
        fail(name.position, "expected each axis once, found " + shown(name));
      spatial[static_cast<std::size_t>(number)] = axis++;
    });
    expect("]");
    spatial.resize(static_cast<std::size_t>(std::max<std::int64_t>(axis - 2, 0)));
    if (letters[0] < 0 || letters[1] < 0 || std::find(spatial.begin(), spatial.end(), -1) != spatial.end())
      fail(position, "expected '" + std::string(side.letters[0]) + "', '" + std::string(side.letters[1]) +
                         "' and the spatial axes from 0");
    for (std::size_t i = 0; i < 2; ++i) set(*this, draft, side.names[i], letters[i]);
    set(*this, draft, side.spatial, std::move(spatial));
  }
}

CustomReader customReader(std::string_view operation) {
#define SHARDLAW_CUSTOM_FORM(name, function) \
  if (operation == (name)) return function;
#include "interp/stablehlo/custom_forms.def"
#undef SHARDLAW_CUSTOM_FORM
  return nullptr;
}

}  // namespace shardlaw::stablehlo
