#include "interp/stablehlo/printer.h"

#include <algorithm>

#include "interp/stablehlo/print_context.h"
#include "interp/stablehlo/structure.h"

namespace shardlaw::stablehlo {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Whether MLIR reads "%name" as one name: a number, or a word.
bool isLegal(std::string_view name) {
  name = name.substr(0, name.find('#'));
  return !name.empty() && (!isDigit(name[0]) || std::all_of(name.begin(), name.end(), isDigit));
}

}  // namespace

std::string print(const Module& module) { return Printer(module).print(); }

std::string Printer::name(ValueId value) const {
  const auto alias = aliases_.find(value);
  const ValueId id = alias == aliases_.end() ? value : alias->second;
  const std::string& found = function_->value(id).name;
  return isLegal(found) ? "%" + found : "%v." + std::to_string(id);
}

std::string Printer::print() {
  out = "module";
  if (!module_.name.empty()) out += " " + symbolText(module_.name);
  std::string attributes;
  const auto count = [&](const char* key, std::int64_t value) {
    if (value == 1) return;
    attributes += (attributes.empty() ? "" : ", ") + std::string(key) + " = " + std::to_string(value) + " : i32";
  };
  count("mhlo.num_partitions", module_.partitions);
  count("mhlo.num_replicas", module_.replicas);
  if (!attributes.empty()) out += " attributes {" + attributes + "}";
  out += " {";
  indent_ = 2;
  for (const Function& f : module_.functions) function(f);
  out += "\n}\n";
  return std::move(out);
}

void Printer::function(const Function& function) {
  function_ = &function;
  aliases_.clear();
  newline();
  out += std::string("func.func ") + (function.isPublic ? "public " : "private ") + symbolText(function.name) + "(";
  const Region& body = function.body;
  for (std::size_t i = 0; i < body.arguments.size(); ++i)
    out += (i > 0 ? ", " : "") + name(body.arguments[i]) + ": " + toString(type(body.arguments[i]));
  out += ")";
  const auto named = [&](std::size_t i) { return i < function.resultNames.size() && !function.resultNames[i].empty(); };
  if (body.results.size() == 1 && !named(0)) {
    out += " -> " + toString(type(body.results[0]));
  } else if (!body.results.empty()) {
    out += " -> (";
    for (std::size_t i = 0; i < body.results.size(); ++i) {
      out += (i > 0 ? ", " : "") + toString(type(body.results[i]));
      if (named(i)) out += " {jax.result_info = " + quotedText(function.resultNames[i]) + "}";
    }
    out += ")";
  }
  out += " {";
  regionOperations(body, "return");
  out += "}";
}

void Printer::regionOperations(const Region& region, std::string_view terminator) {
  indent_ += 2;
  for (const Operation& o : region.operations) operation(o);
  newline();
  out += terminator;
  if (!region.results.empty()) {
    out += ' ';
    for (std::size_t i = 0; i < region.results.size(); ++i) out += (i > 0 ? ", " : "") + name(region.results[i]);
    out += " : ";
    types(region.results);
  }
  indent_ -= 2;
  newline();
}

void Printer::region(const Region& region) {
  out += "{";
  if (!region.arguments.empty()) {
    newline();
    out += "^bb0(";
    for (std::size_t i = 0; i < region.arguments.size(); ++i)
      out += (i > 0 ? ", " : "") + name(region.arguments[i]) + ": " + toString(type(region.arguments[i]));
    out += "):";
  }
  regionOperations(region, "stablehlo.return");
  out += "}";
}

/// "%0:2, %a = ": results named base#0, base#1, … are one group.
void Printer::results(const Operation& operation) {
  const std::vector<ValueId>& values = operation.results;
  for (std::size_t i = 0; i < values.size();) {
    if (i > 0) out += ", ";
    const std::string first = name(values[i]);
    std::size_t count = 1;
    if (first.ends_with("#0")) {
      const std::string base = first.substr(0, first.size() - 1);
      while (i + count < values.size() && name(values[i + count]) == base + std::to_string(count)) ++count;
      out += base.substr(0, base.size() - 1) + (count > 1 ? ":" + std::to_string(count) : "");
    } else {
      out += first;
    }
    i += count;
  }
  if (!values.empty()) out += " = ";
}

void Printer::operation(const Operation& operation) {
  newline();
  results(operation);
  const Format& format = formatOf(*operation.info);
  if (format.types == FormatTypes::generic) return generic(operation);
  out += fullName(*operation.info);
  if (format.types == FormatTypes::custom) customWriter(operation.info->name)(*this, operation);
  else pretty(operation, format);
}

void Printer::operands(const Operation& operation, std::size_t first) {
  for (std::size_t i = first; i < operation.operands.size(); ++i)
    out += (i > first ? ", " : "") + name(operation.operands[i]);
}

void Printer::types(const std::vector<ValueId>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) out += (i > 0 ? ", " : "") + toString(type(values[i]));
}

void Printer::functionType(const Operation& operation) {
  out += " : (";
  types(operation.operands);
  out += ") -> ";
  const bool isOne = operation.results.size() == 1;
  if (!isOne) out += "(";
  types(operation.results);
  if (!isOne) out += ")";
}

void Printer::generic(const Operation& operation) {
  out += '"' + fullName(*operation.info) + "\"(";
  operands(operation);
  out += ")";
  const std::size_t before = out.size();
  out += " <{";
  if (entries(operation, {})) out += "}>";
  else out.resize(before);
  if (!operation.regions.empty()) {
    out += " (";
    for (std::size_t k = 0; k < operation.regions.size(); ++k) {
      if (k > 0) out += ", ";
      region(operation.regions[k]);
    }
    out += ")";
  }
  functionType(operation);
}

void Printer::dictionary(const Operation& operation, std::vector<std::string_view> but) {
  const std::size_t before = out.size();
  out += " {";
  if (entries(operation, but)) out += "}";
  else out.resize(before);
}

/// Attributes in the order of their names; the parts of a structure stand together where the first of them is.
bool Printer::entries(const Operation& operation, const std::vector<std::string_view>& but) {
  const Structure* structure = structureOf(*operation.info);
  const auto isPart = [&](std::string_view part) {
    return structure != nullptr &&
           std::find(structure->parts.begin(), structure->parts.end(), part) != structure->parts.end();
  };
  bool any = false, structured = false;
  for (const auto& [key, value] : operation.attributes) {
    if (std::find(but.begin(), but.end(), key) != but.end() || (structured && isPart(key))) continue;
    if (any) out += ", ";
    any = true;
    if (!isPart(key)) {
      entry(*findSpec(*operation.info, key), value);
      continue;
    }
    structured = true;
    out += std::string(structure->attribute) + " = #stablehlo." + std::string(structure->mnemonic) +
           (structure->mnemonic == "conv" ? "<raw " : "<");
    bool first = true;
    for (const std::string_view part : structure->parts)
      if (const Attribute* found = operation.attributes.find(part)) {
        out += (first ? "" : ", ") + std::string(part) + " = ";
        prettyAttribute(*findSpec(*operation.info, part), *found);
        first = false;
      }
    out += ">";
  }
  return any;
}

void Printer::entry(const AttributeSpec& spec, const Attribute& value) {
  const Spelling spelling = spellingOf(spec.name);
  const auto keyword = [&](const char* kind) {
    return std::string(spec.name) + " = #stablehlo<" + kind + " " + std::get<std::string>(value) + ">";
  };
  switch (spelling) {
    case Spelling::unit: out += spec.name; return;
    case Spelling::channelHandle:
      out += "channel_handle = #stablehlo.channel_handle<handle = " + std::to_string(std::get<std::int64_t>(value)) +
             ", type = 1>";
      return;
    case Spelling::direction: out += keyword("comparison_direction"); return;
    case Spelling::comparison: out += keyword("comparison_type"); return;
    case Spelling::algorithm: out += keyword("rng_algorithm"); return;
    default: break;
  }
  out += std::string(spec.name) + " = ";
  switch (spec.type) {
    case AttributeType::integer:
      prettyAttribute(spec, value);
      if (spelling != Spelling::boolean) out += spelling == Spelling::i32 ? " : i32" : " : i64";
      return;
    case AttributeType::rational: out += decimalText(std::get<Rational>(value), DType::f32) + " : f32"; return;
    case AttributeType::keyword: out += symbolText(std::get<std::string>(value)); return;
    case AttributeType::integers: {
      const auto& list = std::get<std::vector<std::int64_t>>(value);
      const bool booleans = spelling == Spelling::booleans;
      out += std::string("array<") + (booleans ? "i1" : "i64") + (list.empty() ? "" : ": ") + listText(list, booleans) +
             ">";
      return;
    }
    case AttributeType::matrix: {
      const auto& matrix = std::get<Matrix>(value);
      out += "dense<" + (matrix.rows() == 0 ? "" : matrixText(matrix)) + "> : tensor<" + std::to_string(matrix.rows()) +
             "x" + std::to_string(matrix.columns) + "xi64>";
      return;
    }
    case AttributeType::literal: out += toString(std::get<Literal>(value)); return;
  }
}

void Printer::prettyAttribute(const AttributeSpec& spec, const Attribute& value) {
  const Spelling spelling = spellingOf(spec.name);
  switch (spec.type) {
    case AttributeType::integer: {
      const std::int64_t integer = std::get<std::int64_t>(value);
      out += spelling == Spelling::boolean ? (integer != 0 ? "true" : "false") : std::to_string(integer);
      return;
    }
    case AttributeType::rational: out += decimalText(std::get<Rational>(value), DType::f32); return;
    case AttributeType::keyword: out += std::get<std::string>(value); return;
    case AttributeType::integers:
      out += "[" + listText(std::get<std::vector<std::int64_t>>(value), spelling == Spelling::booleans) + "]";
      return;
    case AttributeType::matrix: out += matrixText(std::get<Matrix>(value)); return;
    case AttributeType::literal: out += toString(std::get<Literal>(value)); return;
  }
}

void Printer::items(const Operation& operation, const Format& format) {
  std::size_t operand = 0;
  bool first = true;
  for (std::size_t i = 0; i < format.items.size(); ++i) {
    const FormatItem& item = format.items[i];
    if (item.kind == FormatKind::groupEnd) continue;
    if (item.kind == FormatKind::groupBegin) {
      std::size_t attribute = i;
      while (format.items[attribute].kind != FormatKind::attribute) ++attribute;
      if (!operation.attributes.has(format.items[attribute].text))
        while (format.items[i].kind != FormatKind::groupEnd) ++i;
      continue;
    }
    if (item.kind == FormatKind::operands && operand == operation.operands.size()) continue;
    out += item.comma && !first ? ", " : " ";
    first = false;
    if (item.kind == FormatKind::text) out += item.text;
    else if (item.kind == FormatKind::operand) out += name(operation.operands[operand++]);
    else if (item.kind == FormatKind::operands) operands(operation, std::exchange(operand, operation.operands.size()));
    else if (const Attribute* value = operation.attributes.find(item.text))
      prettyAttribute(*findSpec(*operation.info, item.text), *value);
    else out += "[]";
  }
}

void Printer::pretty(const Operation& operation, const Format& format) {
  items(operation, format);
  std::vector<std::string_view> shown;
  for (const FormatItem& item : format.items)
    if (item.kind == FormatKind::attribute) shown.push_back(item.text);
  dictionary(operation, shown);
  std::vector<ValueId> all = operation.operands;
  all.insert(all.end(), operation.results.begin(), operation.results.end());
  const bool isUniform = operation.results.size() == 1 &&
                         std::all_of(all.begin(), all.end(), [&](ValueId v) { return type(v) == type(all[0]); });
  const std::vector<ValueId>& operands = operation.operands;
  switch (format.types) {
    case FormatTypes::same:
      if (!isUniform) return functionType(operation);
      out += " : " + toString(type(all[0]));
      return;
    case FormatTypes::results:
      if (operation.results.empty()) {
        out += "()";
        return;
      }
      out += " : ";
      types(operation.results);
      return;
    case FormatTypes::operands: {
      const bool isShort =
          operands.size() > 2 && type(operands[1]) == type(operation.results[0]) &&
          std::all_of(operands.begin() + 1, operands.end(), [&](ValueId v) { return type(v) == type(operands[1]); });
      if (!isShort) return functionType(operation);
      out += " : " + toString(type(operands[0])) + ", " + toString(type(operands[1]));
      return;
    }
    default: return functionType(operation);
  }
}

}  // namespace shardlaw::stablehlo
