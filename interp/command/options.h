// Command lines as texts: each option is checked after parsing, so that an error says what was expected and found.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interp/error.h"

namespace shardlaw::command {

inline constexpr const char* version = "0.1.0";

/// What a program says about itself, in --help and on its manual page.
struct About {
  std::string name;      ///< "golden train"
  std::string summary;   ///< one sentence
  std::string title;     ///< of the manual page: "train a network in any number system"
  std::string synopsis;  ///< after the name: "[OPTIONS]"
  std::string examples;  ///< with the exit status
};

/// Options with one value each, as texts.
class Options {
 public:
  explicit Options(const About& about);

  void text(const std::string& option, const std::string& meaning, const std::string& type);
  /// A value that comes without an option's name: "PROGRAM". The methods below know it by that.
  void argument(const std::string& name, const std::string& meaning);
  void flag(const std::string& option, bool& value, const std::string& meaning);

  /// Parses. Returns a text to print instead of doing anything else: help, version, manual page. Throws Error for an
  /// unknown option or argument (with the nearest option), or a missing value; `hint` is added for an argument that is
  /// no option.
  std::optional<std::string> parse(int argc, const char* const* argv, const std::string& hint);

  bool has(const std::string& option) const { return !texts_.at(option).empty(); }
  const std::map<std::string, std::vector<std::string>>& texts() const { return texts_; }

  /// The value of an option that means one thing; nothing where it is not given. Throws Error where it is empty (an
  /// unset variable of a script more often than a wish for the default), or given twice with different values.
  std::optional<std::string> only(const std::string& option) const;
  /// The same of an option without which there is nothing to do; `what` asks for it: "which images".
  std::string required(const std::string& option, const std::string& what) const;
  /// The values of an option that may be repeated, each once; with `commas`, lists as well.
  std::vector<std::string> each(const std::string& option, bool commas) const;
  /// The parts of an option's one value between commas, as many as there are; empty where it is not given.
  std::vector<std::string> list(const std::string& option) const;
  /// As wholeOf; `otherwise` where the option is not given.
  template <class T>
  T whole(const std::string& option, T low, T high, T otherwise) const;
  /// A finite decimal from `low` to `high`.
  double decimal(const std::string& option, double low, double high, double otherwise) const;
  /// One of a few words, each of which means a value.
  template <class T, std::size_t n>
  T oneOf(const std::string& option, const std::pair<const char*, T> (&words)[n], T otherwise) const;
  /// Throws Error where one of the options is given, rather than ignore what the user asked for.
  void requireNone(const std::string& with, const std::string& why, const std::vector<std::string>& options) const;

 private:
  [[noreturn]] void refuseArgument(const std::string& hint) const;
  std::string manualPage() const;

  About about_;
  CLI::App app_;
  std::map<std::string, std::vector<std::string>> texts_;
  bool man_ = false;
};

/// A number followed by nothing else, from `low` to `high`; the error names the option.
template <class T>
T wholeOf(const std::string& option, std::string_view text, T low, T high) {
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || value < low || value > high)
    throw Error(option + ": expected a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
                ", found '" + excerpt(text) + "'");
  return value;
}

template <class T>
T Options::whole(const std::string& option, T low, T high, T otherwise) const {
  const auto found = only(option);
  return found ? wholeOf(option, *found, low, high) : otherwise;
}

template <class T, std::size_t n>
T Options::oneOf(const std::string& option, const std::pair<const char*, T> (&words)[n], T otherwise) const {
  const auto found = only(option);
  if (!found) return otherwise;
  std::string all;
  for (const auto& [word, value] : words) {
    if (*found == word) return value;
    all += (all.empty() ? "" : " or ") + std::string(word);
  }
  throw Error(option + ": expected " + all + ", found '" + excerpt(*found) + "'");
}

}  // namespace shardlaw::command
