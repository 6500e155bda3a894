#include "interp/stablehlo/format.h"

#include <array>
#include <stdexcept>
#include <string>

#include "interp/stablehlo/operations.h"

namespace shardlaw::stablehlo {
namespace {

FormatTypes typesOf(std::string_view word) {
  struct Named {
    std::string_view word;
    FormatTypes types;
  };
  static constexpr std::array<Named, 5> all{{{"::same", FormatTypes::same},
                                             {"::function", FormatTypes::function},
                                             {"::results", FormatTypes::results},
                                             {"::operands", FormatTypes::operands},
                                             {"::custom", FormatTypes::custom}}};
  for (const Named& n : all)
    if (n.word == word) return n.types;
  throw std::logic_error("no such types in a format: " + std::string(word));
}

/// The next word of the format: 'quoted text' without its quotes, or what is between blanks and brackets.
std::string_view takeWord(std::string_view& rest) {
  const bool quoted = rest[0] == '\'';
  std::size_t end = quoted ? rest.find('\'', 1) : rest.find_first_of(" []", 1);
  if (rest[0] == '[') end = 1;
  if (rest.substr(0, 2) == "]?") end = 2;
  if (quoted && end == std::string_view::npos) throw std::logic_error("an open quote in a format");
  end = std::min(end, rest.size());
  const std::string_view word = quoted ? rest.substr(1, end - 1) : rest.substr(0, end);
  rest.remove_prefix(quoted ? end + 1 : end);
  return word;
}

/// The forms that the table marks as custom but that the language has words for.
std::string_view formatString(const OperationInfo& info) {
  if (info.name == "dot_general" && info.format == "::custom")
    return "%0 %1 ['batching_dims =' $lhs_batching_dimensions 'x' $rhs_batching_dimensions]? 'contracting_dims =' "
           "$lhs_contracting_dimensions 'x' $rhs_contracting_dimensions ::function";
  return info.format;
}

}  // namespace

Format compileFormat(std::string_view format) {
  Format compiled;
  bool joined = false;  // what comes next follows a text
  while (!format.empty()) {
    if (format[0] == ' ') {
      format.remove_prefix(1);
      continue;
    }
    const bool quoted = format[0] == '\'';
    const std::string_view word = takeWord(format);
    const auto add = [&](FormatKind kind, std::string_view text, bool comma) {
      compiled.items.push_back({kind, text, comma});
    };
    if (quoted) {
      add(FormatKind::text, word, !joined && word.back() == '=');
      joined = true;
    } else if (word == "[") {
      add(FormatKind::groupBegin, {}, false);
    } else if (word == "]?") {
      add(FormatKind::groupEnd, {}, false);
    } else if (word.starts_with("::")) {
      compiled.types = typesOf(word);
    } else {
      if (word[0] != '%' && word[0] != '$') throw std::logic_error("no such word in a format: " + std::string(word));
      const FormatKind kind = word == "%*"     ? FormatKind::operands
                              : word[0] == '%' ? FormatKind::operand
                                               : FormatKind::attribute;
      add(kind, word.substr(1), !joined);
      joined = false;
    }
  }
  return compiled;
}

const Format& formatOf(const OperationInfo& info) {
  static const std::vector<Format> all = [] {
    std::vector<Format> formats;
    for (const OperationInfo* i : allOperations()) formats.push_back(compileFormat(formatString(*i)));
    return formats;
  }();
  return all[info.row];
}

const AttributeSpec* findSpec(const OperationInfo& info, std::string_view name) {
  for (const AttributeSpec& spec : info.attributes)
    if (spec.name == name) return &spec;
  return nullptr;
}

}  // namespace shardlaw::stablehlo
