// Regions, the operations in them, and the names of values.
#include <utility>

#include "interp/stablehlo/parser.h"

namespace shardlaw::stablehlo {
namespace {

/// No program nests deeper, and a hostile one must not exhaust the stack.
constexpr int mostRegions = 128;

std::size_t leaves(const Slot& slot) {
  std::size_t count = 1;
  for (const Slot& element : slot.elements) count += leaves(element);
  return count;
}

}  // namespace

void flatten(const ParsedType& type, std::vector<TensorType>& into) {
  if (!type.isTuple) into.push_back(type.tensor);
  for (const ParsedType& element : type.elements) flatten(element, into);
}

void flatten(const Slot& slot, std::vector<ValueId>& into) {
  if (slot.value >= 0) into.push_back(slot.value);
  for (const Slot& element : slot.elements) flatten(element, into);
}

std::string Parser::unique(std::string_view name) {
  const auto [found, isNew] = used_.try_emplace(std::string(name), 0);
  if (isNew) return found->first;
  // References into the map outlive its growth.
  std::int64_t& copies = found->second;
  // A name that begins with a digit is a number: a suffix would not belong to it.
  const std::string stem = (name[0] >= '0' && name[0] <= '9' ? "v" : "") + std::string(name) + "_";
  while (true) {
    const auto [other, fresh] = used_.try_emplace(stem + std::to_string(++copies), 0);
    if (fresh) return other->first;
  }
}

ValueId Parser::anonymousValue(const TensorType& type, std::string_view role) {
  const auto id = static_cast<ValueId>(function_->values.size());
  function_->values.push_back({std::to_string(id) + "." + std::string(role), type});
  return id;
}

Slot Parser::newValues(const ParsedType& type, const std::string& base, int& number) {
  Slot slot;
  if (!type.isTuple) {
    slot.value = static_cast<ValueId>(function_->values.size());
    function_->values.push_back({number < 0 ? base : base + "#" + std::to_string(number++), type.tensor});
  }
  for (const ParsedType& element : type.elements) slot.elements.push_back(newValues(element, base, number));
  return slot;
}

void Parser::bind(std::string_view name, std::vector<Slot> slots, Position position) {
  if (!bindings_.try_emplace(name, std::move(slots)).second)
    fail(position, "expected a new name, found a second '%" + excerpt(name) + "'");
  scope_.push_back(name);
}

/// The values of the results, and their names.
void Parser::define(Draft& draft, std::vector<ValueId>& results) {
  // A result that the text leaves unnamed still has a name when it is printed.
  if (draft.names.empty() && !draft.resultTypes.empty())
    draft.names.push_back({"unnamed", static_cast<std::int64_t>(draft.resultTypes.size()), {}});
  std::int64_t named = 0;
  for (const ResultName& name : draft.names) named += name.count;
  if (named != static_cast<std::int64_t>(draft.resultTypes.size()))
    fail(draft.position,
         "expected names for " + std::to_string(draft.resultTypes.size()) + " results, found " + std::to_string(named));
  auto type = draft.resultTypes.begin();
  for (const ResultName& name : draft.names) {
    const std::string base = unique(name.name);
    std::vector<Slot> slots;
    int number = name.count > 1 || (name.count == 1 && type->isTuple) ? 0 : -1;
    for (std::int64_t i = 0; i < name.count; ++i) slots.push_back(newValues(*type++, base, number));
    for (const Slot& slot : slots) flatten(slot, results);
    if (name.position.line > 0) bind(name.name, std::move(slots), name.position);
  }
}

Slot Parser::operand() {
  if (!token().is(TokenKind::value)) failExpected("a value");
  const Token name = take();
  const auto found = bindings_.find(name.text);
  if (found == bindings_.end()) fail(name.position, "expected a value that is defined before, found " + shown(name));
  const std::vector<Slot>& slots = found->second;
  std::size_t index = 0;
  if (token().is(TokenKind::hash)) {
    const Token number = take();
    const bool isShort = !number.text.empty() && number.text.size() < 10;
    for (const char c : number.text) {
      if (!isShort || c < '0' || c > '9')
        fail(number.position, "expected the number of a result, found " + shown(number));
      index = index * 10 + static_cast<std::size_t>(c - '0');
    }
  }
  if (index >= slots.size())
    fail(name.position, "expected one of the " + std::to_string(slots.size()) + " results of " + shown(name) +
                            ", found #" + std::to_string(index));
  // Types in the text spell a tuple out wherever it is used; one that is used more often than that grows without end.
  const std::size_t elements = leaves(slots[index]);
  if (elements > 1 && (tupleElements_ += elements) > textBytes_)
    fail(name.position, "expected tuples of fewer elements in all than the text has bytes");
  return slots[index];
}

const TensorType& Parser::tensorOf(const Slot& slot, Position position) const {
  if (slot.value < 0) fail(position, "expected a tensor, found a tuple");
  return function_->type(slot.value);
}

void Parser::requireType(const Slot& slot, const ParsedType& type, Position position) const {
  if (type.isTuple != (slot.value < 0) || type.elements.size() != slot.elements.size())
    fail(position, "expected an operand of the type that is stated, found another tuple");
  if (!type.isTuple && function_->type(slot.value) != type.tensor)
    fail(position, "expected '%" + excerpt(function_->value(slot.value).name) + "' of type " + toString(type.tensor) +
                       ", found " + toString(function_->type(slot.value)));
  for (std::size_t i = 0; i < type.elements.size(); ++i) requireType(slot.elements[i], type.elements[i], position);
}

void Parser::requireTypes(const std::vector<Slot>& slots, const std::vector<ParsedType>& types,
                          Position position) const {
  if (slots.size() != types.size())
    fail(position,
         "expected types of " + std::to_string(slots.size()) + " operands, found " + std::to_string(types.size()));
  for (std::size_t i = 0; i < slots.size(); ++i) requireType(slots[i], types[i], position);
}

NamedType Parser::namedType() {
  if (!token().is(TokenKind::value)) failExpected("the name of an argument");
  const Token name = take();
  expect(":");
  return {name.text, type(), name.position, false};
}

Region Parser::region(const std::vector<NamedType>& arguments) {
  if (++depth_ > mostRegions)
    fail(token().position, "expected at most " + std::to_string(mostRegions) + " regions in one another");
  expect("{");
  const std::size_t outer = scope_.size();
  Region region;
  if (!token().is(TokenKind::block)) {
    blockBody(region, arguments);
  } else {
    lexer_.next();
    std::vector<NamedType> own = arguments;
    if (accept("(")) {
      list(")", [&] {
        own.push_back(namedType());
        optionalLocation();
      });
      expect(")");
    }
    expect(":");
    blockBody(region, own);
  }
  if (token().is(TokenKind::block)) failExpected("a region of one block");
  expect("}");
  for (std::size_t i = outer; i < scope_.size(); ++i) bindings_.erase(scope_[i]);
  scope_.resize(outer);
  --depth_;
  return region;
}

void Parser::defineArgument(Region& region, const NamedType& argument) {
  int number = argument.type.isTuple ? 0 : -1;
  std::string base = argument.isAnonymous ? std::to_string(function_->values.size()) + "." + std::string(argument.name)
                                          : unique(argument.name);
  Slot slot = newValues(argument.type, base, number);
  std::vector<ValueId> values;
  flatten(slot, values);
  // "%t#0" would be no name of an argument, and neither would "%0.0".
  if (argument.type.isTuple && base[0] >= '0' && base[0] <= '9') base.insert(0, "v");
  if (argument.type.isTuple)
    for (std::size_t i = 0; i < values.size(); ++i)
      function_->values[static_cast<std::size_t>(values[i])].name = unique(base + "." + std::to_string(i));
  region.arguments.insert(region.arguments.end(), values.begin(), values.end());
  std::vector<Slot> slots;
  slots.push_back(std::move(slot));
  bind(argument.name, std::move(slots), argument.position);
}

void Parser::blockBody(Region& region, const std::vector<NamedType>& arguments) {
  for (const NamedType& argument : arguments) defineArgument(region, argument);
  while (operation(region)) {
  }
}

std::vector<ResultName> Parser::resultNames() {
  std::vector<ResultName> names;
  if (!token().is(TokenKind::value)) return names;
  do {
    if (!token().is(TokenKind::value)) failExpected("the name of a result");
    const Token name = take();
    std::int64_t count = 1;
    if (accept(":")) {
      const Position at = token().position;
      count = integer();
      if (count < 1 || count > 1'000'000)
        fail(at, "expected a number of results from 1 to 1000000, found " + std::to_string(count));
    }
    names.push_back({name.text, count, name.position});
  } while (accept(","));
  expect("=");
  return names;
}

const OperationInfo& Parser::find(const Token& name) const {
  static const std::unordered_map<std::string_view, const OperationInfo*> table = [] {
    std::unordered_map<std::string_view, const OperationInfo*> all;
    for (const OperationInfo* info : allOperations()) all.emplace(info->name, info);
    return all;
  }();
  constexpr std::string_view dialect = "stablehlo.", callDialect = "func.";
  std::string_view rest = name.text;
  const bool isCall = rest == "call" || rest == "func.call";
  if (rest.starts_with(dialect)) rest.remove_prefix(dialect.size());
  else if (rest.starts_with(callDialect)) rest.remove_prefix(callDialect.size());
  const auto found = table.find(rest);
  const bool isKnown = found != table.end() && (isCall || (name.text.starts_with(dialect) && rest != "call"));
  if (!isKnown) {
    // A custom call says in a symbol what it is.
    const std::string target = token().is(TokenKind::symbol) ? " @" + excerpt(token().text) : "";
    fail(name.position, "expected an operation that shardlaw knows, found '" + excerpt(name.text) + target + "'");
  }
  return *found->second;
}

}  // namespace shardlaw::stablehlo
