#include "interp/stablehlo/parser.h"

#include <utility>

#include "interp/file.h"

namespace shardlaw::stablehlo {

Module parseModule(std::string_view text, const std::string& file, const ReadOptions& options) {
  if (text.starts_with("ML\xEFR"))
    throw Error(Location{file, 0, 0, {}}, "expected StableHLO as text, found MLIR's bytecode");
  return Parser(text, file, options).parse();
}

Module readModule(const std::string& path, const ReadOptions& options) {
  return parseModule(readFile(path), path, options);
}

bool Parser::accept(std::string_view word) {
  if (!token().is(word)) return false;
  lexer_.next();
  return true;
}

void Parser::expect(std::string_view word) {
  if (!accept(word)) failExpected("'" + std::string(word) + "'");
}

Module Parser::parse() {
  while (token().is(TokenKind::hash)) alias();
  if (token().is("module") || token().is("builtin.module")) prettyModule();
  else if (token().is(TokenKind::string) && token().text == "builtin.module") genericModule();
  else moduleBody({});
  while (token().is(TokenKind::hash)) alias();
  if (!token().is(TokenKind::end)) failExpected("the end of the text");
  if (module_.functions.empty()) fail(token().position, "expected a function, found none");
  if (hasCalls_) checkCalls();
  return std::move(module_);
}

/// "#name = value", to the end of its line or of its brackets. A location's name is never looked up.
void Parser::alias() {
  const Token name = take();
  expect("=");
  aliases_[name.text] = lexer_.mark();
  const int line = name.position.line;
  while (!token().is(TokenKind::end) && token().position.line == line) {
    if (token().is("(") || token().is("{") || token().is("[") || token().is("<")) skipValue(false);
    else lexer_.next();
  }
}

void Parser::moduleBody(std::string_view closing) {
  while (!token().is(TokenKind::end) && (closing.empty() || !token().is(closing))) {
    if (token().is("func.func") || token().is("func")) {
      prettyFunction();
    } else if (token().is(TokenKind::string) && token().text == "func.func") {
      genericFunction();
    } else if (token().is("sdy.mesh")) {
      // The mesh that shardings name; both are hints.
      lexer_.next();
      lexer_.next();
      expect("=");
      skipValue(false);
      if (token().is("{")) skipValue(false);
      optionalLocation();
    } else if (token().is(TokenKind::hash)) {
      if (!closing.empty()) failExpected("a function");
      alias();
    } else {
      failExpected("a function");
    }
  }
}

void Parser::moduleAttributes() {
  expect("{");
  list("}", [&] {
    const Token name = take();
    if (!name.is(TokenKind::identifier) && !name.is(TokenKind::string))
      fail(name.position, "expected the name of an attribute, found " + shown(name));
    if (!accept("=")) return;
    const auto count = [&](std::int64_t& into) {
      const Position at = token().position;
      into = integer();
      if (accept(":")) elementType();
      if (into < 1 || into > 1'000'000)
        fail(at, std::string(name.text) + ": expected 1 to 1000000, found " + std::to_string(into));
    };
    if (name.text == "mhlo.num_replicas") count(module_.replicas);
    else if (name.text == "mhlo.num_partitions") count(module_.partitions);
    else if (name.text == "sym_name" && token().is(TokenKind::string)) module_.name = unescaped(take().text);
    else skipValue(false);
  });
  expect("}");
}

void Parser::prettyModule() {
  lexer_.next();
  if (token().is(TokenKind::symbol)) module_.name = unescaped(take().text);
  if (accept("attributes")) moduleAttributes();
  expect("{");
  moduleBody("}");
  expect("}");
  optionalLocation();
}

/// "builtin.module"() <{…}> ({ … }) {…} : () -> ()
void Parser::genericModule() {
  lexer_.next();
  expect("(");
  expect(")");
  if (accept("<")) {
    moduleAttributes();
    expect(">");
  }
  expect("(");
  expect("{");
  if (token().is(TokenKind::block)) {
    lexer_.next();
    expect(":");
  }
  moduleBody("}");
  expect("}");
  expect(")");
  if (token().is("{")) moduleAttributes();
  expect(":");
  std::vector<ParsedType> none;
  functionType(none, none);
  optionalLocation();
}

void Parser::visibility(std::string_view word) { function_->isPublic = word != "private"; }

void Parser::beginFunction(Position position) {
  lexer_.operation = "func.func";
  if (module_.functions.size() >= 1'000'000) fail(position, "more than 1000000 functions");
  function_ = &module_.functions.emplace_back();
  bindings_.clear();
  scope_.clear();
  used_.clear();
}

void Parser::requireValues(const char* what, const std::vector<ValueId>& values, const std::vector<TensorType>& types,
                           Position position) const {
  if (values.size() != types.size())
    fail(position,
         "expected " + std::to_string(types.size()) + " " + what + "s, found " + std::to_string(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (function_->type(values[i]) != types[i])
      fail(position, "expected " + std::string(what) + " " + std::to_string(i) + " of type " + toString(types[i]) +
                         ", found " + toString(function_->type(values[i])));
}

void Parser::endFunction(const std::vector<ParsedType>& results, Position position) {
  lexer_.operation = "func.func";
  const std::vector<std::string> names = std::exchange(function_->resultNames, {});
  std::vector<TensorType> all;
  for (std::size_t i = 0; i < results.size(); ++i) {
    flatten(results[i], all);
    function_->resultNames.resize(all.size(), i < names.size() ? names[i] : std::string());
  }
  requireValues("result", function_->body.results, all, position);
  if (!functionsByName_.emplace(function_->name, module_.functions.size() - 1).second)
    fail(position, "expected a new name, found a second function '@" + excerpt(function_->name) + "'");
  function_ = nullptr;
  lexer_.operation = {};
}

std::string Parser::resultNameIn() {
  std::string found;
  expect("{");
  list("}", [&] {
    const Token name = take();
    if (!name.is(TokenKind::identifier) && !name.is(TokenKind::string))
      fail(name.position, "expected the name of an attribute, found " + shown(name));
    if (!accept("=")) return;
    if (name.text == "jax.result_info" && token().is(TokenKind::string)) found = unescaped(take().text);
    else skipValue(false);
  });
  expect("}");
  return found;
}

void Parser::optionalResultName(std::vector<std::string>& names) {
  names.push_back(token().is("{") ? resultNameIn() : std::string());
}

void Parser::optionalLocation() {
  if (!accept("loc")) return;
  if (!token().is("(")) failExpected("'('");
  skipValue(false);
}

void Parser::prettyFunction() {
  const Position position = take().position;
  beginFunction(position);
  if (token().is("public") || token().is("private") || token().is("nested")) visibility(take().text);
  if (!token().is(TokenKind::symbol)) failExpected("the name of a function");
  const Token name = take();
  function_->name = unescaped(name.text);
  std::vector<NamedType> arguments;
  std::vector<ParsedType> results;
  expect("(");
  list(")", [&] {
    arguments.push_back(namedType());
    if (token().is("{")) resultNameIn();
    optionalLocation();
  });
  expect(")");
  if (accept("->")) {
    if (accept("(")) {
      list(")", [&] {
        results.push_back(type());
        optionalResultName(function_->resultNames);
      });
      expect(")");
    } else {
      results.push_back(type());
    }
  }
  if (accept("attributes")) resultNameIn();
  if (!token().is("{")) failExpected("the body of the function");
  if (isManual()) manualFunction(arguments, results);
  else function_->body = region(arguments);
  optionalLocation();
  endFunction(results, name.position);
}

void Parser::functionAttribute(std::string_view name, std::vector<ParsedType>& arguments,
                               std::vector<ParsedType>& results) {
  if (name == "function_type") {
    functionType(arguments, results);
  } else if (name == "sym_name" && token().is(TokenKind::string)) {
    function_->name = unescaped(take().text);
  } else if (name == "sym_visibility" && token().is(TokenKind::string)) {
    visibility(take().text);
  } else if (name == "res_attrs" && accept("[")) {
    list("]", [&] { optionalResultName(function_->resultNames); });
    expect("]");
  } else {
    skipValue(false);
  }
}

/// "func.func"() <{function_type = …, sym_name = "…", …}> ({ ^bb0(…): … }) {…} : () -> ()
void Parser::genericFunction() {
  const Position position = take().position;
  beginFunction(position);
  std::vector<ParsedType> arguments, results, none;
  const auto dictionary = [&] {
    expect("{");
    list("}", [&] {
      const Token name = take();
      if (accept("=")) functionAttribute(name.text, arguments, results);
    });
    expect("}");
  };
  expect("(");
  expect(")");
  if (accept("<")) {
    dictionary();
    expect(">");
  }
  expect("(");
  if (token().is(")")) failExpected("the body of the function");
  function_->body = region({});
  expect(")");
  if (token().is("{")) dictionary();
  expect(":");
  functionType(none, none);
  optionalLocation();
  if (function_->name.empty()) fail(position, "expected the attribute sym_name, found none");
  std::vector<TensorType> stated;
  for (const ParsedType& argument : arguments) flatten(argument, stated);
  requireValues("argument", function_->body.arguments, stated, position);
  endFunction(results, position);
}

}  // namespace shardlaw::stablehlo
