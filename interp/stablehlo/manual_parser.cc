// sdy.manual_computation: what JAX prints of shard_map and pmap. A function that is nothing but one is what each
// process runs: its arguments and results are the shards.
#include "interp/stablehlo/parser.h"
#include "interp/stablehlo/sharding.h"

namespace shardlaw::stablehlo {
namespace {

constexpr std::string_view manual = "sdy.manual_computation";

}  // namespace

/// "{ %0:2 = sdy.manual_computation", of which nothing is taken.
bool Parser::isManual() {
  const Lexer::Mark mark = lexer_.mark();
  lexer_.next();
  while (token().is(TokenKind::value) || token().is(TokenKind::integer) || token().is(":") || token().is(","))
    lexer_.next();
  const bool found = accept("=") ? token().is(manual) : token().is(manual);
  lexer_.restore(mark);
  return found;
}

/// A value inside is the one outside, or one of as many shards of it as there are processes.
void Parser::requireShard(const char* what, std::size_t i, const TensorType& inside, const TensorType& outside,
                          Position position) const {
  const std::int64_t count = std::max(module_.partitions, module_.replicas);
  if (inside.element != outside.element || !shardingIfAny(inside.shape, outside.shape, count))
    fail(position, "expected " + std::string(what) + " " + std::to_string(i) + " to be " + toString(outside) +
                       " or one of its " + std::to_string(count) + " shards along one axis, found " + toString(inside));
}

/// The rest of "{ %0:2 = sdy.manual_computation(%a) in_shardings=[…] out_shardings=[…] manual_axes={…} (%b: T) { … }
/// : (T) -> (T, T) return %0#0, %0#1 : T, T }": the region is the function's body. Its arguments keep the names that
/// they have outside. `results` become those of the region.
void Parser::manualFunction(const std::vector<NamedType>& arguments, std::vector<ParsedType>& results) {
  expect("{");
  const std::vector<ResultName> names = resultNames();
  const Position position = take().position;
  lexer_.operation = manual;
  const auto requireName = [&](std::string_view name) {
    if (!token().is(TokenKind::value) || token().text != name)
      failExpected("'%" + excerpt(name) + "': the function's own arguments and results, in their order");
    lexer_.next();
  };
  expect("(");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) expect(",");
    requireName(arguments[i].name);
  }
  expect(")");
  while (token().is(TokenKind::identifier)) {
    lexer_.next();
    expect("=");
    skipValue(false);
  }
  std::vector<NamedType> inside;
  expect("(");
  list(")", [&] {
    inside.push_back(namedType());
    optionalLocation();
  });
  expect(")");
  if (inside.size() != arguments.size())
    fail(position,
         "expected " + std::to_string(arguments.size()) + " arguments inside, found " + std::to_string(inside.size()));
  std::vector<std::string> kept;
  for (const NamedType& argument : arguments) kept.push_back(unique(argument.name));
  isInManual_ = true;
  function_->body = region(inside);
  isInManual_ = false;
  lexer_.operation = manual;
  manualTypes(arguments, results, position);
  for (std::size_t i = 0; i < kept.size(); ++i)
    function_->values[static_cast<std::size_t>(function_->body.arguments[i])].name = kept[i];
  optionalLocation();
  manualReturn(names);
}

/// ": (T) -> (T, T)", the types outside: those of the function, of which the region's are shards.
void Parser::manualTypes(const std::vector<NamedType>& arguments, std::vector<ParsedType>& results, Position position) {
  expect(":");
  std::vector<ParsedType> given, made;
  functionType(given, made);
  std::vector<TensorType> outside, stated, resultsOutside;
  for (const NamedType& argument : arguments) flatten(argument.type, outside);
  for (const ParsedType& type : given) flatten(type, stated);
  if (outside != stated || outside.size() != arguments.size() || outside.size() != function_->body.arguments.size())
    fail(position, "expected the types of the function's arguments, which are no tuples");
  for (std::size_t i = 0; i < outside.size(); ++i)
    requireShard("argument", i, function_->type(function_->body.arguments[i]), outside[i], position);
  stated.clear();
  for (const ParsedType& type : made) flatten(type, stated);
  for (const ParsedType& type : results) flatten(type, resultsOutside);
  if (stated != resultsOutside || stated.size() != function_->body.results.size() ||
      results.size() != resultsOutside.size())
    fail(position, "expected the types of the function's results, which are no tuples");
  for (std::size_t i = 0; i < stated.size(); ++i) {
    results[i].tensor = function_->type(function_->body.results[i]);
    requireShard("result", i, results[i].tensor, stated[i], position);
  }
}

void Parser::manualReturn(const std::vector<ResultName>& names) {
  if (!accept("return") && !accept("func.return"))
    failExpected("a return: a function with sdy.manual_computation holds nothing else");
  bool first = true;
  for (const ResultName& name : names)
    for (std::int64_t i = 0; i < name.count; ++i) {
      if (!first) expect(",");
      first = false;
      if (!token().is(TokenKind::value) || token().text != name.name)
        failExpected("'%" + excerpt(name.name) + "': the results in their order");
      lexer_.next();
      if (name.count == 1) continue;
      if (!token().is(TokenKind::hash) || token().text != std::to_string(i))
        failExpected("'#" + std::to_string(i) + "': the results in their order");
      lexer_.next();
    }
  if (accept(":")) typeList();
  optionalLocation();
  expect("}");
}

}  // namespace shardlaw::stablehlo
