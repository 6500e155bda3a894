#include "props/verify_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "interp/error.h"
#include "props/names.h"

namespace shardlaw {
namespace {

constexpr const char* version = "0.1.0";
constexpr const char* summary =
    "Checks laws of data-parallel training: exactly in a prime field, and in floats within derived bounds.";
constexpr const char* examples = R"(Examples:
  verify --prop P2 --R 5               P2 at five replicas, every other dimension random
  verify --prop all                    every law, exactly and in f64
  verify --prop graph --R 2..4 --N 1   random networks at two to four replicas of one example
  verify --prop P2 --mutant local-mdy  a wrong version on purpose: ends in a counterexample
  verify --mutants                     every wrong version against the laws that must refute it
  verify --prop all --out found        saves counterexamples in found/, and tries those saved before
  verify --replay found/P2-exact.counterexample.json

Exit status: 0 all hold, 1 a law is refuted, 2 usage or bad input, 3 not decided.)";

std::int64_t parsePin(std::string_view name, std::string_view text, std::string_view part) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(part.data(), part.data() + part.size(), value);
  const bool number = end == part.data() + part.size() && !part.empty();
  // No shape with an extent beyond a million fits a machine that tests run on.
  constexpr std::int64_t most = 1'000'000;
  if (status == std::errc::result_out_of_range || (status == std::errc() && number && value > most))
    throw Error(fmt::format("--{}: expected at most {}, found '{}'", name, most, text));
  if (status != std::errc() || !number)
    throw Error(fmt::format("--{}: expected a whole number or a range such as 2..8, found '{}'", name, text));
  if (value < 1) throw Error(fmt::format("--{}: expected at least 1, found '{}'", name, text));
  return value;
}

Range parseRange(std::string_view name, std::string_view text) {
  const auto dots = text.find("..");
  if (dots == std::string_view::npos) {
    const std::int64_t value = parsePin(name, text, text);
    return {value, value};
  }
  const Range range{parsePin(name, text, text.substr(0, dots)), parsePin(name, text, text.substr(dots + 2))};
  if (range.low > range.high) throw Error(fmt::format("--{}: the range '{}' is empty", name, text));
  return range;
}

/// Texts as CLI11 collects them, checked after parsing so that each error says what was expected and what was
/// found.
struct Raw {
  std::map<Dimension, std::vector<std::string>> pins;
  std::map<std::string, std::vector<std::string>> texts;
  bool man = false;
};

[[noreturn]] void refuseTwice(std::string_view option, const std::string& first, const std::string& second) {
  throw Error(fmt::format("{} is given twice, as '{}' and '{}'", option, first, second));
}

/// What the option is given as; nothing where it is not given. Throws Error for two different texts.
std::optional<std::string> givenAs(const Raw& raw, const std::string& option) {
  const std::vector<std::string>& texts = raw.texts.at(option);
  if (texts.empty()) return std::nullopt;
  for (const std::string& text : texts)
    if (text != texts.front()) refuseTwice(option, texts.front(), text);
  return texts.front();
}

/// Likewise, for a text that must not be empty. An empty --mutant must not pass for none.
std::string parseText(const Raw& raw, const std::string& option, std::string_view what) {
  const auto text = givenAs(raw, option);
  if (text && text->empty()) throw Error(fmt::format("{}: expected {}, found ''", option, what));
  return text.value_or("");
}

Pins parsePins(const Raw& raw) {
  Pins pins;
  for (const auto& [dimension, texts] : raw.pins) {
    for (const std::string& text : texts) {
      const Range range = parseRange(info(dimension).name, text);
      const auto [entry, isNew] = pins.try_emplace(dimension, range);
      if (!isNew && !(entry->second == range))
        refuseTwice("--" + std::string(info(dimension).name), texts.front(), text);
    }
  }
  return pins;
}

/// A number followed by nothing else; the default where the option is not given.
template <class T>
T parseWhole(const Raw& raw, const std::string& option, T low, T high, T otherwise) {
  const auto text = givenAs(raw, option);
  if (!text) return otherwise;
  T value{};
  const auto [end, status] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (status != std::errc() || end != text->data() + text->size() || value < low || value > high)
    throw Error(fmt::format("{}: expected a whole number from {} to {}, found '{}'", option, low, high, *text));
  return value;
}

Format parseFormat(const Raw& raw) {
  const auto text = givenAs(raw, "--format");
  if (!text) return Format::text;
  constexpr std::pair<std::string_view, Format> formats[] = {
      {"text", Format::text}, {"json", Format::json}, {"junit", Format::junit}, {"html", Format::html}};
  for (const auto& [name, format] : formats)
    if (lowerCase(*text) == name) return format;
  throw Error(fmt::format("--format: expected text, json, junit or html, found '{}'", *text));
}

void declareText(CLI::App& app, Raw& raw, const std::string& option, const std::string& meaning,
                 const std::string& type) {
  app.add_option(option, raw.texts[option], meaning)->type_name(type)->allow_extra_args(false);
}

void declare(CLI::App& app, VerifyOptions& options, Raw& raw) {
  app.footer(examples);
  app.set_version_flag("--version", version, "Print the version and exit");
  app.add_option("--prop", options.laws, "Law to check, or 'all'; may be given several times")->type_name("LAW");
  for (std::size_t d = 0; d <= static_cast<std::size_t>(Dimension::kW); ++d) {
    const DimensionInfo& row = info(static_cast<Dimension>(d));
    app.add_option("--" + std::string(row.name), raw.pins[row.dimension],
                   fmt::format("{}: a number or a range such as 2..8", row.meaning))
        ->type_name("N|LOW..HIGH")
        ->allow_extra_args(false);
  }
  declareText(app, raw, "--cases", "Cases per law and domain (200)", "N");
  declareText(app, raw, "--seed", "Seed of the run (1); the same seed gives the same report", "N");
  app.add_option("--domain", options.domains, "Number systems, of exact, f64, f32 and wide (exact,f64)")
      ->delimiter(',')
      ->type_name("LIST");
  declareText(app, raw, "--bits", "Precision of wide (256)", "N");
  declareText(app, raw, "--mutant", "Put a wrong version in place of the right one", "NAME");
  declareText(app, raw, "--case", "Run one case, as a counterexample names it", "CASE");
  declareText(app, raw, "--replay", "Show a saved counterexample again", "FILE");
  declareText(app, raw, "--out", "Folder for counterexamples; those in it are tried first", "DIR");
  declareText(app, raw, "--format", "text, json, junit or html (text)", "FORMAT");
  declareText(app, raw, "--time-limit", "Seconds after which laws are left undecided", "S");
  app.add_flag("--ladder", options.ladder, "Also show the residual in f32, f64 and wide");
  app.add_flag("--list", options.list, "List the laws, the mutants and the domains");
  app.add_flag("--mutants", options.mutants, "Run every mutant against its laws");
  app.add_flag("--quiet", options.quiet, "No progress and no coverage");
  app.add_flag("--man", raw.man, "Print the manual page and exit");
}

/// In roff a hyphen may be broken at and a leading dot is a command.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '-') escaped += "\\-";
    else if (c == '\\') escaped += "\\e";
    else escaped += c;
  }
  return escaped;
}

/// The manual page, from the same declarations as --help.
std::string manualPage(const CLI::App& app) {
  std::string page = fmt::format(".TH VERIFY 1 \"\" \"shardlaw {}\" \"User Commands\"\n.SH NAME\nverify \\- {}\n",
                                 version, "check laws of data\\-parallel training");
  page += ".SH SYNOPSIS\n.B verify\n[OPTIONS]\n.SH DESCRIPTION\n" + roff(summary) + "\n.SH OPTIONS\n";
  for (const CLI::Option* option : app.get_options()) {
    page += ".TP\n.B " + roff(option->get_name(false, true));
    if (option->get_items_expected() > 0) page += " " + roff(option->get_type_name());
    page += "\n" + roff(option->get_description()) + "\n";
  }
  return page + ".SH EXAMPLES\n.nf\n" + roff(examples) + "\n.fi\n";
}

void requireSomethingToDo(const VerifyOptions& options) {
  const bool one = options.laws.size() == 1 && options.laws.front() != "all";
  if (!options.onlyCase.empty() && !one) throw Error("--case: needs one law, --prop LAW");
  if (!options.onlyCase.empty() && !options.pins.empty())
    throw Error(fmt::format("--case: says every dimension; --{} cannot be given as well",
                            info(options.pins.begin()->first).name));
  if (options.mutants && !options.mutant.empty()) throw Error("--mutants: runs every mutant; --mutant names one");
  if (!options.replay.empty() && (!options.laws.empty() || options.mutants || !options.mutant.empty()))
    throw Error("--replay: the file says which law, domain and mutant; give none of them");
  if (options.laws.empty() && options.replay.empty() && !options.list && !options.mutants)
    throw Error(
        "which law? give --prop LAW, --prop all, --mutants, --replay FILE or --list (verify --help shows the options)");
}

}  // namespace

std::optional<VerifyOptions> parseVerifyOptions(int argc, const char* const* argv, std::string& text) {
  CLI::App app{summary, "verify"};
  VerifyOptions options;
  Raw raw;
  declare(app, options, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion&) {
    text = fmt::format("verify (shardlaw) {}\n", version);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    text = app.help();
    return std::nullopt;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string message = error.what();
    throw Error(message.substr(0, message.find(':')) + ": expected a value (verify --help shows the options)");
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{} (verify --help shows the options)", error.what()));
  }
  if (raw.man) {
    text = manualPage(app);
    return std::nullopt;
  }
  options.pins = parsePins(raw);
  options.cases = parseWhole(raw, "--cases", 1, 1'000'000, options.cases);
  options.seed = parseWhole<std::uint64_t>(raw, "--seed", 0, UINT64_MAX, options.seed);
  options.timeLimit = parseWhole(raw, "--time-limit", 1, 1'000'000, options.timeLimit);
  options.bits = parseWhole(raw, "--bits", 64L, 8192L, options.bits);
  for (std::string& law : options.laws)
    if (lowerCase(law) == "all") law = "all";
  options.format = parseFormat(raw);
  options.mutant = parseText(raw, "--mutant", "a name");
  options.onlyCase = parseText(raw, "--case", "a case such as R=2,N=1");
  options.replay = parseText(raw, "--replay", "a file");
  options.out = parseText(raw, "--out", "a folder");
  requireSomethingToDo(options);
  return options;
}

}  // namespace shardlaw
