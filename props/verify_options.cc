#include "props/verify_options.h"

#include <fmt/format.h>
#include <strings.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "interp/error.h"
#include "net/program.h"
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
  verify --prop step --net cifar8-bn --R 4 --N 32
  verify --prop P2 --mutant local-mdy  a wrong version on purpose: ends in a counterexample
  verify --mutants                     every wrong version against the laws that must refute it
  verify --prop all --out found        saves counterexamples in found/, and tries those saved before
  verify --replay found/P2-exact.counterexample.json

Exit status: 0 all hold, 1 a law is refuted, 2 usage or bad input, 3 not decided.)";

std::int64_t parsePin(const std::string& option, std::string_view text, std::string_view part) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(part.data(), part.data() + part.size(), value);
  const bool number = end == part.data() + part.size() && !part.empty();
  // No shape with an extent beyond a million fits a machine that tests run on.
  constexpr std::int64_t most = 1'000'000;
  if (status == std::errc::result_out_of_range || (status == std::errc() && number && value > most))
    throw Error(fmt::format("{}: expected at most {}, found '{}'", option, most, excerpt(text)));
  if (status != std::errc() || !number)
    throw Error(fmt::format("{}: expected a whole number or a range such as 2..8, found '{}'", option, excerpt(text)));
  if (value < 1) throw Error(fmt::format("{}: expected at least 1, found '{}'", option, excerpt(text)));
  return value;
}

Range parseRange(const std::string& option, std::string_view text) {
  const auto dots = text.find("..");
  if (dots == std::string_view::npos) {
    const std::int64_t value = parsePin(option, text, text);
    return {value, value};
  }
  const Range range{parsePin(option, text, text.substr(0, dots)), parsePin(option, text, text.substr(dots + 2))};
  if (range.low > range.high) throw Error(fmt::format("{}: the range '{}' is empty", option, text));
  return range;
}

/// Texts as CLI11 collects them; checked after parsing so that each error says what was expected and what was
/// found.
struct Raw {
  std::map<std::string, std::vector<std::string>> texts;
  bool man = false;

  bool has(const std::string& option) const { return !texts.at(option).empty(); }
};

std::string pinOption(Dimension dimension) { return "--" + std::string(info(dimension).name); }

/// The value of an option that means one thing; nothing where it is not given. An empty value is an unset
/// variable of a script more often than a wish for the default.
std::optional<std::string> only(const Raw& raw, const std::string& option) {
  const auto& texts = raw.texts.at(option);
  for (const std::string& text : texts) {
    if (text.empty()) throw Error(option + ": expected a value, found ''");
    if (text != texts.front())
      throw Error(fmt::format("{} is given twice, as '{}' and '{}'", option, excerpt(texts.front()), excerpt(text)));
  }
  if (texts.empty()) return std::nullopt;
  return texts.front();
}

/// The values of an option that may be repeated, each once.
std::vector<std::string> each(const Raw& raw, const std::string& option, bool commas) {
  std::vector<std::string> values;
  for (const std::string& text : raw.texts.at(option)) {
    std::string_view rest = text;
    for (bool more = true; more;) {
      const auto comma = commas ? rest.find(',') : std::string_view::npos;
      more = comma != std::string_view::npos;
      const std::string value(rest.substr(0, comma));
      if (value.empty()) throw Error(fmt::format("{}: expected a name, found '{}'", option, excerpt(text)));
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
      if (more) rest.remove_prefix(comma + 1);
    }
  }
  return values;
}

/// The options that pin a dimension by a name of their own table.
constexpr std::pair<const char*, Dimension> namedPins[] = {{"--net", Dimension::net},
                                                           {"--optimizer", Dimension::optimizer}};
constexpr const char* stepsOption = "--steps";

Pins parsePins(const Raw& raw) {
  Pins pins;
  if (const auto text = only(raw, "--net")) {
    const std::int64_t value = &findNet(*text) - namedNets().data() + 1;
    pins[Dimension::net] = {value, value};
  }
  if (const auto text = only(raw, "--optimizer")) {
    const auto value = static_cast<std::int64_t>(findOptimizer(*text));
    pins[Dimension::optimizer] = {value, value};
  }
  if (const auto text = only(raw, stepsOption)) {
    pins[Dimension::steps] = parseRange(stepsOption, *text);
    const std::int64_t most = info(Dimension::steps).range.high;
    if (pins[Dimension::steps].high > most)
      throw Error(fmt::format("{}: expected at most {}, found '{}'", stepsOption, most, excerpt(*text)));
  }
  for (std::size_t d = 0; d <= static_cast<std::size_t>(Dimension::kW); ++d) {
    const auto dimension = static_cast<Dimension>(d);
    if (const auto text = only(raw, pinOption(dimension))) pins[dimension] = parseRange(pinOption(dimension), *text);
  }
  return pins;
}

/// A number followed by nothing else; the default where the option is not given.
template <class T>
T parseWhole(const Raw& raw, const std::string& option, T low, T high, T otherwise) {
  const auto text = only(raw, option);
  if (!text) return otherwise;
  T value{};
  const auto [end, status] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (status != std::errc() || end != text->data() + text->size() || value < low || value > high)
    throw Error(
        fmt::format("{}: expected a whole number from {} to {}, found '{}'", option, low, high, excerpt(*text)));
  return value;
}

Format parseFormat(const std::string& text) {
  constexpr std::pair<std::string_view, Format> formats[] = {
      {"text", Format::text}, {"json", Format::json}, {"junit", Format::junit}, {"html", Format::html}};
  for (const auto& [name, format] : formats)
    if (text == name) return format;
  throw Error(fmt::format("--format: expected text, json, junit or html, found '{}'", excerpt(text)));
}

void declareText(CLI::App& app, Raw& raw, const std::string& option, const std::string& meaning,
                 const std::string& type) {
  app.add_option(option, raw.texts[option], meaning)
      ->type_name(type)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

std::string netNames() {
  std::string names;
  for (const NamedNet& net : namedNets()) names += (names.empty() ? "" : ", ") + std::string(net.name);
  return names;
}

void declare(CLI::App& app, VerifyOptions& options, Raw& raw) {
  app.footer(examples);
  app.allow_extras();
  app.set_version_flag("--version", version, "Print the version and exit");
  declareText(app, raw, "--prop", "Law to check, or 'all'; may be given several times", "LAW");
  for (std::size_t d = 0; d <= static_cast<std::size_t>(Dimension::kW); ++d) {
    const DimensionInfo& row = info(static_cast<Dimension>(d));
    declareText(app, raw, pinOption(row.dimension), fmt::format("{}: a number or a range such as 2..8", row.meaning),
                "N|LOW..HIGH");
  }
  declareText(app, raw, "--net", "Network of the laws that are about one: " + netNames(), "NAME");
  declareText(app, raw, "--optimizer", "Its optimizer: sgd, mom or adam", "NAME");
  declareText(app, raw, stepsOption, "Train steps of lockstep: a number or a range", "N|LOW..HIGH");
  declareText(app, raw, "--cases", "Cases per law and domain (200; 1 for a network of full size)", "N");
  declareText(app, raw, "--seed", "Seed of the run (1); the same seed gives the same report", "N");
  declareText(app, raw, "--domain", "Number systems, of exact, f64, f32 and wide (exact,f64)", "LIST");
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

/// For the first argument that is no option and no option's value.
[[noreturn]] void refuseArgument(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto looksLikeOption = [](const std::string& text) { return text.starts_with('-'); };
  const auto option = std::find_if(arguments.begin(), arguments.end(), looksLikeOption);
  if (option == arguments.end())
    throw Error(fmt::format("unexpected argument '{}'; a law is named by --prop LAW (verify --help shows the options)",
                            excerpt(arguments.front())));
  std::string nearest;
  for (const CLI::Option* known : app.get_options()) {
    const std::string name = known->get_name(false, false);
    if (nearest.empty() || editDistance(*option, name) < editDistance(*option, nearest)) nearest = name;
  }
  throw Error(fmt::format("no option is named '{}'; did you mean {}? (verify --help shows the options)",
                          excerpt(*option), nearest));
}

/// Refuses options that another one leaves without effect, rather than ignore what the user asked for.
void requireNone(const Raw& raw, const std::string& with, const std::string& why,
                 const std::vector<std::string>& options) {
  for (const std::string& option : options)
    if (raw.has(option)) throw Error(fmt::format("{}: {}; {} has no place beside it", with, why, option));
}

void requireSense(const VerifyOptions& options, const Raw& raw) {
  std::vector<std::string> pins{stepsOption};
  for (std::size_t d = 0; d <= static_cast<std::size_t>(Dimension::kW); ++d)
    pins.push_back(pinOption(static_cast<Dimension>(d)));
  for (const auto& [option, dimension] : namedPins) pins.emplace_back(option);
  std::vector<std::string> every;
  for (const auto& [option, texts] : raw.texts) every.push_back(option);
  if (options.list) {
    requireNone(raw, "--list", "it lists what there is", every);
    if (options.mutants || options.ladder)
      throw Error("--list: it runs nothing; give --mutants or --ladder without it");
    return;
  }
  if (raw.has("--case")) {
    if (options.laws.size() != 1 || options.laws.front() == "all" || options.mutants)
      throw Error("--case: it is a case of one law; give --prop LAW, and no --mutants");
    requireNone(raw, "--case", "it fixes every dimension and the seed", pins);
    requireNone(raw, "--case", "it is the only case, and has a seed of its own", {"--cases", "--seed"});
  }
  if (raw.has("--replay")) {
    if (options.mutants) throw Error("--replay: it shows one counterexample; give no --mutants");
    requireNone(raw, "--replay", "the file says which law, domain, mutant and case",
                {"--prop", "--domain", "--mutant", "--case", "--cases", "--seed"});
    requireNone(raw, "--replay", "the file says which law, domain, mutant and case", pins);
    requireNone(raw, "--replay", "what it shows is saved already", {"--out"});
    return;
  }
  if (raw.has("--mutant") && options.mutants) throw Error("--mutants: it runs every mutant; give no --mutant");
  if (!options.laws.empty()) return;
  if (!options.mutants)
    throw Error(
        "which law? give --prop LAW, --prop all, --mutants, --replay FILE or --list (verify --help shows the options)");
  requireNone(raw, "--mutants", "without --prop there is no counterexample to save", {"--out"});
  if (options.ladder) throw Error("--ladder: it is shown for laws; give --prop LAW");
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
  if (const auto rest = app.remaining(); !rest.empty()) refuseArgument(app, rest);
  options.laws = each(raw, "--prop", false);
  for (std::string& law : options.laws)
    if (strcasecmp(law.c_str(), "all") == 0) law = "all";
  if (raw.has("--domain")) options.domains = each(raw, "--domain", true);
  options.pins = parsePins(raw);
  const auto net = options.pins.find(Dimension::net);
  const bool fullSize = net != options.pins.end() && !namedNets()[static_cast<std::size_t>(net->second.low - 1)].small;
  options.cases = parseWhole(raw, "--cases", 1, 1'000'000, fullSize ? 1 : options.cases);
  options.seed = parseWhole<std::uint64_t>(raw, "--seed", 0, UINT64_MAX, options.seed);
  options.timeLimit = parseWhole(raw, "--time-limit", 1, 1'000'000, options.timeLimit);
  options.bits = parseWhole(raw, "--bits", 64L, 8192L, options.bits);
  options.mutant = only(raw, "--mutant").value_or("");
  options.onlyCase = only(raw, "--case").value_or("");
  options.replay = only(raw, "--replay").value_or("");
  options.out = only(raw, "--out").value_or("");
  if (const auto format = only(raw, "--format")) options.format = parseFormat(*format);
  requireSense(options, raw);
  return options;
}

}  // namespace shardlaw
