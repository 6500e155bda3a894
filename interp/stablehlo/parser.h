// The parser behind reader.h: recursive descent over MLIR's text, driven by OperationInfo.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interp/stablehlo/format.h"
#include "interp/stablehlo/lexer.h"
#include "interp/stablehlo/operations.h"
#include "interp/stablehlo/reader.h"
#include "interp/stablehlo/structure.h"

namespace shardlaw::stablehlo {

/// A type in the text: a tensor, or a tuple of such.
struct ParsedType {
  TensorType tensor;
  bool isTuple = false;
  std::vector<ParsedType> elements{};
};

/// What a name in the text stands for: a value, or a tuple of such.
struct Slot {
  ValueId value = -1;
  std::vector<Slot> elements{};  ///< where value is −1
};

struct NamedType {
  std::string_view name;
  ParsedType type;
  Position position;
  /// Its value takes a name that no text has: in the pretty while both regions share one list of names.
  bool isAnonymous = false;
};

/// "%name:count" on the left of an operation.
struct ResultName {
  std::string_view name;
  std::int64_t count;
  Position position;
};

/// Numbers as they are written, before their type is known.
struct Elements {
  struct Item {
    Token token;
    bool negative;
  };
  bool isSplat = false;
  std::optional<Token> blob{};
  std::vector<std::int64_t> extents{};
  std::vector<Item> items{};
};

/// An operation while it is read.
struct Draft {
  const OperationInfo* info = nullptr;
  Position position;
  std::vector<ResultName> names{};
  std::vector<Slot> operands{};
  std::vector<ParsedType> operandTypes{}, resultTypes{};
  bool operandTypesStated = false;
  Attributes attributes{};
  std::vector<Region> regions{};
};

/// The tensors of a type.
void flatten(const ParsedType& type, std::vector<TensorType>& into);
/// The values of a slot.
void flatten(const Slot& slot, std::vector<ValueId>& into);

class Parser {
 public:
  Parser(std::string_view text, const std::string& file, const ReadOptions& options)
      : lexer_(text, file), textBytes_(text.size()), options_(options) {
    module_.file = file;
  }

  Module parse();

  // What the custom forms are written in.

  const Token& token() const { return lexer_.token(); }
  Token take() { return lexer_.take(); }
  bool accept(std::string_view word);
  void expect(std::string_view word);
  [[noreturn]] void fail(Position position, const std::string& message) const { lexer_.fail(position, message); }
  [[noreturn]] void failExpected(std::string_view what) const { lexer_.failExpected(what); }
  /// item ("," item)*, or nothing where the next token is `closing`.
  template <class F>
  void list(std::string_view closing, const F& item) {
    if (token().is(closing)) return;
    do item();
    while (accept(","));
  }

  std::int64_t integer();
  Slot operand();
  void operands(Draft& draft);  ///< "(%a, %b)"
  ParsedType type();
  std::vector<ParsedType> typeList();  ///< "T, T", at least one
  /// "(T, T) -> T" or "(T, T) -> (T, T)".
  void functionType(std::vector<ParsedType>& arguments, std::vector<ParsedType>& results);
  /// ": " and what the format says.
  void trailingTypes(Draft& draft, FormatTypes form);
  /// "{…}" where there is one: attributes of the operation by name.
  void optionalDictionary(Draft& draft);
  void attribute(Draft& draft, const AttributeSpec& spec);
  /// Takes note of an attribute's value; an empty list that may be left out is.
  void setAttribute(Draft& draft, const AttributeSpec& spec, Attribute value, Position position);
  /// "#stablehlo.dot<…>" and the like, from behind the name.
  void structure(Draft& draft);
  void convolutionDimensions(Draft& draft);  ///< "[b, 0, f]x[0, i, o]->[b, 0, f]"
  /// ", precision = …" and other hints of the pretty form.
  void trailingHints();
  void skipValue(bool stopAtColon);
  Literal literal();  ///< "dense<…> : tensor<…>"
  std::vector<std::int64_t> integers();
  Matrix matrix();
  void optionalLocation();  ///< "loc(…)"

  /// "{ operations }", with these arguments or those of its "^bb0(…):".
  Region region(const std::vector<NamedType>& arguments);
  NamedType namedType();  ///< "%name: T loc(…)"
  const TensorType& tensorOf(const Slot& slot, Position position) const;
  /// A value that no text names, in the region that is read; its name is none of MLIR's.
  ValueId anonymousValue(const TensorType& type, std::string_view role);
  Function& function() { return *function_; }
  const Module& module() const { return module_; }

 private:
  // parser.cc: modules and functions
  void moduleBody(std::string_view closing);
  void prettyModule();
  void genericModule();
  void moduleAttributes();
  void alias();
  void prettyFunction();
  void genericFunction();
  void functionAttribute(std::string_view name, std::vector<ParsedType>& arguments, std::vector<ParsedType>& results);
  void visibility(std::string_view word);
  void beginFunction(Position position);
  void endFunction(const std::vector<ParsedType>& results, Position position);
  void requireValues(const char* what, const std::vector<ValueId>& values, const std::vector<TensorType>& types,
                     Position position) const;
  std::string resultNameIn();  ///< "{…}": the string jax.result_info, if it is there
  void optionalResultName(std::vector<std::string>& names);

  // manual_parser.cc
  bool isManual();
  void manualFunction(const std::vector<NamedType>& arguments, std::vector<ParsedType>& results);
  void manualTypes(const std::vector<NamedType>& arguments, std::vector<ParsedType>& results, Position position);
  void manualReturn(const std::vector<ResultName>& names);
  void requireShard(const char* what, std::size_t i, const TensorType& inside, const TensorType& outside,
                    Position position) const;

  // call_check.cc
  struct Callee {
    std::size_t function;
    Position position;  ///< of the call
  };
  void checkCalls();
  void checkCallsIn(const Function& f, const Region& region, std::vector<Callee>& callees);
  void refuseRecursion(const std::vector<std::vector<Callee>>& callees);

  // region_parser.cc: regions and names; operation_parser.cc: operations
  void blockBody(Region& region, const std::vector<NamedType>& arguments);
  bool operation(Region& region);  ///< false for a terminator, after which the region has its results
  void genericOperation(Draft& draft);
  void prettyOperation(Draft& draft);
  void terminator(Region& region, bool generic);
  bool tupleOperation(std::string_view name, bool generic, const std::vector<ResultName>& names);
  void square(Draft& draft, bool generic);
  void finish(Region& region, Draft& draft);
  void countOperands(const Draft& draft) const;
  const OperationInfo& find(const Token& name) const;
  std::vector<ResultName> resultNames();
  void bind(std::string_view name, std::vector<Slot> slots, Position position);
  void define(Draft& draft, std::vector<ValueId>& results);
  void defineArgument(Region& region, const NamedType& argument);
  Slot newValues(const ParsedType& type, const std::string& base, int& number);
  std::string unique(std::string_view name);
  void requireType(const Slot& slot, const ParsedType& type, Position position) const;
  void requireTypes(const std::vector<Slot>& slots, const std::vector<ParsedType>& types, Position position) const;
  void prettyItems(Draft& draft, const Format& format);
  bool groupIsThere(const Format& format, std::size_t begin, bool first);
  void text(std::string_view words);

  // attribute_parser.cc
  void dictionaryEntry(Draft& draft);
  Rational rational();
  std::string keyword();
  void channelHandle(Draft& draft);

  // literal_parser.cc
  Elements elements();  ///< "dense<…>"
  Elements bareList();  ///< "[…]"
  void elementList(Elements& into, std::size_t depth);
  Elements::Item element();
  Literal literalOf(const Elements& elements, const ParsedType& type, Position position);
  Number number(const Elements::Item& item, DType element);
  Number floatNumber(const Elements::Item& item, DType element);
  Number simplified(Number number, DType element) const;
  Literal blobLiteral(const Token& blob, const TensorType& type);
  std::vector<std::int64_t> integersOf(const Literal& literal, Position position) const;
  DType elementType();

  Lexer lexer_;
  std::size_t textBytes_, tupleElements_ = 0;
  ReadOptions options_;
  Module module_;
  std::unordered_map<std::string, std::size_t> functionsByName_;
  std::unordered_map<std::string_view, Lexer::Mark> aliases_;
  bool hasCalls_ = false;
  bool isInManual_ = false;

  // Of the function that is read.
  Function* function_ = nullptr;
  std::unordered_map<std::string_view, std::vector<Slot>> bindings_;
  std::vector<std::string_view> scope_;                 ///< names in the order of their definition
  std::unordered_map<std::string, std::int64_t> used_;  ///< names of values, and how many were made from each
  int depth_ = 0;
};

/// The form of that operation in the text, from behind its name.
using CustomReader = void (*)(Parser&, Draft&);
CustomReader customReader(std::string_view operation);

}  // namespace shardlaw::stablehlo
