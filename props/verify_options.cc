#include "props/verify_options.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <charconv>

#include "interp/command/options.h"
#include "interp/error.h"
#include "interp/names.h"
#include "net/program.h"

namespace shardlaw {
namespace {

using command::Options;

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
  verify --replica dp.mlir --global one.mlir --R 4
                                       two programs: is one the other, sharded over four replicas?

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

std::string pinOption(Dimension dimension) { return "--" + std::string(info(dimension).name); }

/// The options that pin a dimension by a name of their own table.
constexpr std::pair<const char*, Dimension> namedPins[] = {{"--net", Dimension::net},
                                                           {"--optimizer", Dimension::optimizer}};
constexpr const char* stepsOption = "--steps";

Pins parsePins(const Options& raw) {
  Pins pins;
  if (const auto text = raw.only("--net")) {
    const std::int64_t value = valueOf(findNet(*text));
    pins[Dimension::net] = {value, value};
  }
  if (const auto text = raw.only("--optimizer")) {
    const auto value = static_cast<std::int64_t>(findOptimizer(*text));
    pins[Dimension::optimizer] = {value, value};
  }
  if (const auto text = raw.only(stepsOption)) {
    pins[Dimension::steps] = parseRange(stepsOption, *text);
    const std::int64_t most = info(Dimension::steps).range.high;
    if (pins[Dimension::steps].high > most)
      throw Error(fmt::format("{}: expected at most {}, found '{}'", stepsOption, most, excerpt(*text)));
  }
  for (std::size_t d = 0; d <= static_cast<std::size_t>(Dimension::kW); ++d) {
    const auto dimension = static_cast<Dimension>(d);
    if (const auto text = raw.only(pinOption(dimension))) pins[dimension] = parseRange(pinOption(dimension), *text);
  }
  return pins;
}

Format parseFormat(const std::string& text) {
  constexpr std::pair<std::string_view, Format> formats[] = {
      {"text", Format::text}, {"json", Format::json}, {"junit", Format::junit}, {"html", Format::html}};
  for (const auto& [name, format] : formats)
    if (text == name) return format;
  throw Error(fmt::format("--format: expected text, json, junit or html, found '{}'", excerpt(text)));
}

std::string netNames() {
  std::string names;
  for (const NamedNet& net : namedNets()) names += (names.empty() ? "" : ", ") + std::string(net.name);
  return names;
}

void declare(Options& raw, VerifyOptions& options) {
  raw.text("--prop", "Law to check, or 'all'; may be given several times", "LAW");
  for (std::size_t d = 0; d <= static_cast<std::size_t>(Dimension::kW); ++d) {
    const DimensionInfo& row = info(static_cast<Dimension>(d));
    raw.text(pinOption(row.dimension), fmt::format("{}: a number or a range such as 2..8", row.meaning), "N|LOW..HIGH");
  }
  raw.text("--net", "Network of the laws that are about one: " + netNames(), "NAME");
  raw.text("--optimizer", "Its optimizer: sgd, mom or adam", "NAME");
  raw.text(stepsOption, "Train steps of lockstep: a number or a range", "N|LOW..HIGH");
  raw.text("--replica", "A data-parallel program, StableHLO text, to hold against --global at --R replicas", "FILE");
  raw.text("--global", "The single-device program at the global batch", "FILE");
  raw.text("--shard", "Arguments and results that are cut along an axis, whatever their shapes say", "NAMES");
  raw.text("--replicate", "Those that every replica has whole", "NAMES");
  raw.text("--ignore", "Results that are not compared", "NAMES");
  raw.text("--literals", "exact, or simplest: f32 literals as the simplest rationals that round to them (exact)",
           "NAME");
  raw.text("--cases", "Cases per law and domain (200; 1 for a network of full size)", "N");
  raw.text("--seed", "Seed of the run (1); the same seed gives the same report", "N");
  raw.text("--domain", "Number systems, of exact, f64, f32 and wide (exact,f64)", "LIST");
  raw.text("--bits", "Precision of wide (256)", "N");
  raw.text("--mutant", "Put a wrong version in place of the right one", "NAME");
  raw.text("--case", "Run one case, as a counterexample names it", "CASE");
  raw.text("--replay", "Show a saved counterexample again", "FILE");
  raw.text("--out", "Folder for counterexamples; those in it are tried first", "DIR");
  raw.text("--format", "text, json, junit or html (text)", "FORMAT");
  raw.text("--time-limit", "Seconds after which laws are left undecided", "S");
  raw.flag("--ladder", options.ladder, "Also show the residual in f32, f64 and wide");
  raw.flag("--list", options.list, "List the laws, the mutants and the domains");
  raw.flag("--mutants", options.mutants, "Run every mutant against its laws");
  raw.flag("--quiet", options.quiet, "No progress and no coverage");
}

/// Options that are about two programs, and those that are about them as well as about laws.
const std::vector<std::string> programOptions{"--replica",   "--global", "--shard",
                                              "--replicate", "--ignore", "--literals"};
const std::vector<std::string> sharedOptions{"--R", "--seed", "--bits", "--format"};

ProgramOptions readProgramOptions(const Options& raw, const VerifyOptions& options) {
  ProgramOptions of;
  of.replica = raw.only("--replica").value_or("");
  of.global = raw.only("--global").value_or("");
  if (of.replica.empty() && of.global.empty()) {
    raw.requireNone("--prop", "laws are not about programs in files", programOptions);
    return of;
  }
  of.replica = raw.required("--replica", "which data-parallel program");
  of.global = raw.required("--global", "which global program");
  for (const auto& [option, texts] : raw.texts()) {
    const auto isOneOf = [&](const std::vector<std::string>& all) {
      return std::find(all.begin(), all.end(), option) != all.end();
    };
    if (!isOneOf(programOptions) && !isOneOf(sharedOptions))
      raw.requireNone("--replica", "it is about two programs and not about laws", {option});
  }
  if (options.mutants || options.ladder || options.list)
    throw Error("--replica: it is about two programs; give no --mutants, --ladder or --list");
  if (options.format != Format::text && options.format != Format::json)
    throw Error("--format: expected text or json for two programs");
  const auto pin = options.pins.find(Dimension::R);
  if (pin == options.pins.end()) throw Error("how many replicas? give --R N (verify --help shows the options)");
  if (pin->second.low != pin->second.high) throw Error("--R: expected one number for two programs");
  of.replicas = pin->second.low;
  of.shard = raw.each("--shard", true);
  of.replicate = raw.each("--replicate", true);
  of.ignore = raw.each("--ignore", true);
  of.simplest = raw.oneOf<bool>("--literals", {{"exact", false}, {"simplest", true}}, false);
  return of;
}

void requireSense(const VerifyOptions& options, const Options& raw) {
  std::vector<std::string> pins{stepsOption};
  for (std::size_t d = 0; d <= static_cast<std::size_t>(Dimension::kW); ++d)
    pins.push_back(pinOption(static_cast<Dimension>(d)));
  for (const auto& [option, dimension] : namedPins) pins.emplace_back(option);
  std::vector<std::string> every;
  for (const auto& [option, texts] : raw.texts()) every.push_back(option);
  if (options.list) {
    raw.requireNone("--list", "it lists what there is", every);
    if (options.mutants || options.ladder)
      throw Error("--list: it runs nothing; give --mutants or --ladder without it");
    return;
  }
  if (raw.has("--case")) {
    if (options.laws.size() != 1 || options.laws.front() == "all" || options.mutants)
      throw Error("--case: it is a case of one law; give --prop LAW, and no --mutants");
    raw.requireNone("--case", "it fixes every dimension and the seed", pins);
    raw.requireNone("--case", "it is the only case, and has a seed of its own", {"--cases", "--seed"});
  }
  if (raw.has("--replay")) {
    if (options.mutants) throw Error("--replay: it shows one counterexample; give no --mutants");
    raw.requireNone("--replay", "the file says which law, domain, mutant and case",
                    {"--prop", "--domain", "--mutant", "--case", "--cases", "--seed"});
    raw.requireNone("--replay", "the file says which law, domain, mutant and case", pins);
    raw.requireNone("--replay", "what it shows is saved already", {"--out"});
    return;
  }
  if (raw.has("--mutant") && options.mutants) throw Error("--mutants: it runs every mutant; give no --mutant");
  if (!options.laws.empty()) return;
  if (!options.mutants)
    throw Error(
        "which law? give --prop LAW, --prop all, --mutants, --replay FILE or --list (verify --help shows the options)");
  raw.requireNone("--mutants", "without --prop there is no counterexample to save", {"--out"});
  if (options.ladder) throw Error("--ladder: it is shown for laws; give --prop LAW");
}

}  // namespace

std::optional<VerifyOptions> parseVerifyOptions(int argc, const char* const* argv, std::string& text) {
  Options raw({"verify", summary, "check laws of data-parallel training", "[OPTIONS]", examples});
  VerifyOptions options;
  declare(raw, options);
  if (auto instead = raw.parse(argc, argv, "a law is named by --prop LAW")) {
    text = *instead;
    return std::nullopt;
  }
  options.laws = raw.each("--prop", false);
  for (std::string& law : options.laws)
    if (strcasecmp(law.c_str(), "all") == 0) law = "all";
  if (raw.has("--domain")) options.domains = raw.each("--domain", true);
  options.pins = parsePins(raw);
  const auto net = options.pins.find(Dimension::net);
  const bool fullSize = net != options.pins.end() && !netOf(net->second.low).small;
  options.cases = raw.whole("--cases", 1, 1'000'000, fullSize ? 1 : options.cases);
  options.seed = raw.whole<std::uint64_t>("--seed", 0, UINT64_MAX, options.seed);
  options.timeLimit = raw.whole("--time-limit", 1, 1'000'000, options.timeLimit);
  options.bits = raw.whole("--bits", 64L, 8192L, options.bits);
  options.mutant = raw.only("--mutant").value_or("");
  options.onlyCase = raw.only("--case").value_or("");
  options.replay = raw.only("--replay").value_or("");
  options.out = raw.only("--out").value_or("");
  if (const auto format = raw.only("--format")) options.format = parseFormat(*format);
  options.programs = readProgramOptions(raw, options);
  if (options.programs.replica.empty()) requireSense(options, raw);
  return options;
}

}  // namespace shardlaw
