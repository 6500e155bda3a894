// Operations in the generic form and in the pretty forms that format.h describes.
#include <utility>

#include "interp/stablehlo/operation/control.h"
#include "interp/stablehlo/parser.h"

namespace shardlaw::stablehlo {
namespace {

bool isReturn(std::string_view name) { return name == "return" || name == "func.return" || name == "stablehlo.return"; }

}  // namespace

bool Parser::operation(Region& region) {
  Draft draft;
  draft.names = resultNames();
  const bool generic = token().is(TokenKind::string);
  if (!generic && !token().is(TokenKind::identifier)) failExpected("an operation");
  const Token name = take();
  draft.position = name.position;
  const std::string_view outer = std::exchange(lexer_.operation, name.text);
  if (isReturn(name.text) || (isInManual_ && name.text == "sdy.return")) {
    if (!draft.names.empty()) fail(name.position, "expected no results, found names for some");
    terminator(region, generic);
    optionalLocation();
    lexer_.operation = outer;
    return false;
  }
  if (!tupleOperation(name.text, generic, draft.names)) {
    if (name.text == "chlo.square") {
      square(draft, generic);
    } else {
      draft.info = &find(name);
      generic ? genericOperation(draft) : prettyOperation(draft);
    }
    finish(region, draft);
  }
  optionalLocation();
  lexer_.operation = outer;
  return true;
}

void Parser::terminator(Region& region, bool generic) {
  Draft draft;
  draft.position = token().position;
  if (generic) operands(draft);
  else if (token().is(TokenKind::value)) list({}, [&] { draft.operands.push_back(operand()); });
  // Attributes of a return say nothing.
  if (token().is("{")) resultNameIn();
  std::vector<ParsedType> types, none;
  if (generic || token().is(":")) {
    expect(":");
    if (generic) functionType(types, none);
    else types = typeList();
  }
  requireTypes(draft.operands, types, draft.position);
  for (const Slot& slot : draft.operands) flatten(slot, region.results);
}

/// stablehlo.tuple and get_tuple_element only name what is there.
bool Parser::tupleOperation(std::string_view name, bool generic, const std::vector<ResultName>& names) {
  const bool makes = name == "stablehlo.tuple";
  if (!makes && name != "stablehlo.get_tuple_element") return false;
  Draft draft;
  draft.position = token().position;
  if (names.size() != 1 || names[0].count != 1) fail(draft.position, "expected one result");
  std::int64_t index = -1;
  if (generic) operands(draft);
  else if (token().is(TokenKind::value)) list({}, [&] { draft.operands.push_back(operand()); });
  if (!generic && !makes) {
    expect("[");
    index = integer();
    expect("]");
  }
  const bool properties = accept("<");
  if (token().is("{")) {
    lexer_.next();
    list("}", [&] {
      const Token key = take();
      if (!accept("=")) return;
      if (key.text == "index") {
        index = integer();
        if (accept(":")) elementType();
      } else {
        skipValue(false);
      }
    });
    expect("}");
  }
  if (properties) expect(">");
  if (token().is("{")) resultNameIn();
  expect(":");
  std::vector<ParsedType> types, results;
  if (token().is("(")) {
    functionType(types, results);
    requireTypes(draft.operands, types, draft.position);
  } else {
    results = typeList();
  }
  if (results.size() != 1) fail(draft.position, "expected the type of one result");
  Slot slot;
  if (makes) {
    slot.elements = std::move(draft.operands);
  } else {
    if (draft.operands.size() != 1 || draft.operands[0].value >= 0) fail(draft.position, "expected a tuple");
    auto& elements = draft.operands[0].elements;
    if (index < 0 || index >= static_cast<std::int64_t>(elements.size()))
      fail(draft.position, "expected the number of an element below " + std::to_string(elements.size()) + ", found " +
                               std::to_string(index));
    slot = elements[static_cast<std::size_t>(index)];
  }
  requireType(slot, results[0], draft.position);
  std::vector<Slot> slots;
  slots.push_back(std::move(slot));
  bind(names[0].name, std::move(slots), names[0].position);
  return true;
}

/// chlo.square, which is no operation of StableHLO but stands in what JAX prints: a product.
void Parser::square(Draft& draft, bool generic) {
  draft.info = &operations::multiply;
  if (generic) {
    genericOperation(draft);
  } else {
    draft.operands.push_back(operand());
    optionalDictionary(draft);
    expect(":");
    draft.operandTypes.push_back(type());
    draft.resultTypes.push_back(accept("->") ? type() : draft.operandTypes[0]);
    draft.operandTypesStated = true;
  }
  if (draft.operands.size() != 1 || draft.operandTypes.size() != 1)
    fail(draft.position, "expected 1 operand, found " + std::to_string(draft.operands.size()));
  draft.operands.push_back(Slot(draft.operands[0]));
  draft.operandTypes.push_back(ParsedType(draft.operandTypes[0]));
}

void Parser::operands(Draft& draft) {
  expect("(");
  list(")", [&] { draft.operands.push_back(operand()); });
  expect(")");
}

/// From behind the quoted name: (%a, %b) <{…}> ({…}, {…}) {…} : (T, T) -> T
void Parser::genericOperation(Draft& draft) {
  operands(draft);
  if (accept("<")) {
    if (!token().is("{")) failExpected("'{'");
    optionalDictionary(draft);
    expect(">");
  }
  if (accept("(")) {
    list(")", [&] { draft.regions.push_back(region({})); });
    expect(")");
  }
  optionalDictionary(draft);
  expect(":");
  functionType(draft.operandTypes, draft.resultTypes);
  draft.operandTypesStated = true;
}

void Parser::prettyOperation(Draft& draft) {
  const Format& format = formatOf(*draft.info);
  if (format.types == FormatTypes::custom) {
    const CustomReader reader = customReader(draft.info->name);
    if (reader == nullptr) failExpected("the operation in its generic form");
    return reader(*this, draft);
  }
  // An operation without a pretty form has its generic one, with its name quoted.
  if (format.types == FormatTypes::generic) {
    if (!token().is("(")) failExpected("the operation in its generic form");
    return genericOperation(draft);
  }
  // Some versions print the generic form's operands and attributes behind an unquoted name.
  if (token().is("(")) {
    const Lexer::Mark mark = lexer_.mark();
    lexer_.next();
    const bool isEmpty = token().is(")");
    lexer_.restore(mark);
    if (!isEmpty) return genericOperation(draft);
    lexer_.next();
    lexer_.next();
  }
  prettyItems(draft, format);
  trailingHints();
  optionalDictionary(draft);
  if (format.types == FormatTypes::results && draft.operands.empty() && !token().is(":")) return;
  expect(":");
  trailingTypes(draft, format.types);
}

void Parser::text(std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    expect(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

/// Whether the group that begins there is in the text: told by the comma before it and by its first word.
bool Parser::groupIsThere(const Format& format, std::size_t begin, bool first) {
  const FormatItem& item = format.items[begin + 1];
  const Lexer::Mark mark = lexer_.mark();
  bool is = first || !item.comma || accept(",");
  if (item.kind == FormatKind::text) is = is && token().is(item.text.substr(0, item.text.find(' ')));
  else is = is && !token().is("{") && !token().is(":");
  lexer_.restore(mark);
  return is;
}

void Parser::prettyItems(Draft& draft, const Format& format) {
  bool first = true;
  for (std::size_t i = 0; i < format.items.size(); ++i) {
    const FormatItem& item = format.items[i];
    if (item.kind == FormatKind::groupBegin) {
      if (!groupIsThere(format, i, first))
        while (format.items[i].kind != FormatKind::groupEnd) ++i;
      continue;
    }
    if (item.kind == FormatKind::groupEnd) continue;
    if (item.kind == FormatKind::operands) {
      // All that are left may be none.
      while (first ? token().is(TokenKind::value) : token().is(",")) {
        const Lexer::Mark mark = lexer_.mark();
        if (!first) lexer_.next();
        if (!token().is(TokenKind::value)) {
          lexer_.restore(mark);
          break;
        }
        draft.operands.push_back(operand());
        first = false;
      }
      continue;
    }
    if (item.comma && !first) expect(",");
    first = false;
    if (item.kind == FormatKind::operand) draft.operands.push_back(operand());
    else if (item.kind == FormatKind::text) text(item.text);
    else attribute(draft, *findSpec(*draft.info, item.text));
  }
}

void Parser::trailingHints() {
  while (token().is(",")) {
    lexer_.next();
    if (!token().is(TokenKind::identifier) || !isHint(token().text)) failExpected("an attribute of the operation");
    lexer_.next();
    expect("=");
    skipValue(true);
  }
}

void Parser::trailingTypes(Draft& draft, FormatTypes form) {
  if (token().is("(")) {
    functionType(draft.operandTypes, draft.resultTypes);
    draft.operandTypesStated = true;
    return;
  }
  const Position at = token().position;
  std::vector<ParsedType> types = typeList();
  const std::size_t operands = draft.operands.size();
  if (form == FormatTypes::results) {
    draft.resultTypes = std::move(types);
    return;
  }
  draft.operandTypesStated = true;
  if (form == FormatTypes::operands) {
    draft.resultTypes.assign(1, types.back());
    if (types.size() == 2 && operands > 2) types.resize(operands, draft.resultTypes[0]);
  } else {
    if (types.size() != 1) fail(at, "expected one type, found " + std::to_string(types.size()));
    draft.resultTypes.assign(1, types[0]);
    types.resize(operands, draft.resultTypes[0]);
  }
  draft.operandTypes = std::move(types);
}

void Parser::countOperands(const Draft& draft) const {
  const OperationInfo& info = *draft.info;
  std::vector<ValueId> values;
  for (const Slot& slot : draft.operands) flatten(slot, values);
  const auto count = static_cast<int>(values.size());
  if (count < info.least || (info.most >= 0 && count > info.most)) {
    const std::string range = info.most < 0 ? "at least " + std::to_string(info.least)
                              : info.least == info.most
                                  ? std::to_string(info.least)
                                  : std::to_string(info.least) + " to " + std::to_string(info.most);
    fail(draft.position, "expected " + range + " operands, found " + std::to_string(count));
  }
  if (info.regions >= 0 && static_cast<int>(draft.regions.size()) != info.regions)
    fail(draft.position,
         "expected " + std::to_string(info.regions) + " regions, found " + std::to_string(draft.regions.size()));
  for (const AttributeSpec& spec : info.attributes)
    if (spec.required && !draft.attributes.has(spec.name))
      fail(draft.position, "expected the attribute " + std::string(spec.name) + ", found none");
}

void Parser::finish(Region& region, Draft& draft) {
  countOperands(draft);
  if (draft.operandTypesStated) requireTypes(draft.operands, draft.operandTypes, draft.position);
  Operation& operation = region.operations.emplace_back();
  operation.info = draft.info;
  operation.position = draft.position;
  operation.attributes = std::move(draft.attributes);
  operation.regions = std::move(draft.regions);
  for (const Slot& slot : draft.operands) flatten(slot, operation.operands);
  define(draft, operation.results);
  // A call may be of a function that is still to come.
  if (draft.info == &operations::call) hasCalls_ = true;
  else checkOperation(TypeRule(module_, *function_, operation));
}

}  // namespace shardlaw::stablehlo
