// The command `verify`: parses the command line, runs the laws, prints the report.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "interp/error.h"
#include "props/mutant/matrix.h"
#include "props/report/report.h"
#include "props/runner.h"

namespace shardlaw {
namespace {

enum ExitStatus { allHold = 0, refuted = 1, badInput = 2, notDecided = 3 };

struct Options {
  std::vector<std::string> laws;
  std::vector<std::string> domains{"exact", "f64"};
  std::map<Dimension, std::vector<std::string>> pins;
  int cases = 200;
  std::uint64_t seed = 1;
  std::string mutant, onlyCase;
  std::string format = "text";
  double timeLimit = 0;
  bool list = false, mutants = false, quiet = false;
};

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

Pins parsePins(const Options& options) {
  Pins pins;
  for (const auto& [dimension, texts] : options.pins) {
    for (const std::string& text : texts) {
      const Range range = parseRange(info(dimension).name, text);
      const auto [entry, isNew] = pins.try_emplace(dimension, range);
      if (!isNew && !(entry->second == range))
        throw Error(fmt::format("--{} is given twice, as '{}' and '{}'", info(dimension).name, texts.front(), text));
    }
  }
  return pins;
}

/// A number followed by nothing else.
template <class T>
T parseWhole(std::string_view option, const std::string& text, T low, T high) {
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || value < low || value > high)
    throw Error(fmt::format("{}: expected a whole number from {} to {}, found '{}'", option, low, high, text));
  return value;
}

constexpr const char* examples = R"(Examples:
  verify --prop P2 --R 5              P2 at five replicas, every other dimension random
  verify --prop all                   every law, exactly and in f64
  verify --prop graph --R 2..4 --N 1  random networks at two to four replicas of one example
  verify --prop P2 --mutant local-mdy a wrong version on purpose: ends in a counterexample
  verify --mutants                    every wrong version against the laws that must refute it

Exit status: 0 all hold, 1 a law is refuted, 2 usage or bad input, 3 not decided.)";

void declare(CLI::App& app, Options& options, std::map<std::string, std::string>& raw) {
  app.footer(examples);
  app.add_option("--prop", options.laws, "Law to check, or 'all'; may be given several times")->type_name("LAW");
  for (std::size_t d = 0; d < dimensionCount; ++d) {
    const DimensionInfo& row = info(static_cast<Dimension>(d));
    if (row.dimension > Dimension::kW) continue;
    app.add_option("--" + std::string(row.name), options.pins[row.dimension],
                   fmt::format("{}: a number or a range such as 2..8", row.meaning))
        ->type_name("N|LOW..HIGH");
  }
  app.add_option("--cases", raw["--cases"], "Cases per law and domain (200)")->type_name("N");
  app.add_option("--seed", raw["--seed"], "Seed of the run (1); the same seed gives the same report")->type_name("N");
  app.add_option("--domain", options.domains, "Number systems (exact,f64)")->delimiter(',')->type_name("LIST");
  app.add_option("--mutant", options.mutant, "Put a wrong version in place of the right one")->type_name("NAME");
  app.add_option("--case", options.onlyCase, "Run one case, as a counterexample names it")->type_name("CASE");
  app.add_option("--format", options.format, "text or json (text)")->type_name("FORMAT");
  app.add_option("--time-limit", raw["--time-limit"], "Seconds after which laws are left undecided")->type_name("S");
  app.add_flag("--list", options.list, "List the laws, the mutants and the domains");
  app.add_flag("--mutants", options.mutants, "Run every mutant against its laws");
  app.add_flag("--quiet", options.quiet, "No progress and no coverage");
}

Options parse(int argc, char** argv) {
  CLI::App app{"Checks laws of data-parallel training: exactly in a prime field, and in floats within derived bounds.",
               "verify"};
  Options options;
  std::map<std::string, std::string> raw;
  declare(app, options, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);
    std::exit(allHold);
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{} (verify --help shows the options)", error.what()));
  }
  if (!raw["--cases"].empty()) options.cases = parseWhole("--cases", raw["--cases"], 1, 1'000'000);
  if (!raw["--seed"].empty()) options.seed = parseWhole<std::uint64_t>("--seed", raw["--seed"], 0, UINT64_MAX);
  if (!raw["--time-limit"].empty()) options.timeLimit = parseWhole("--time-limit", raw["--time-limit"], 1, 1'000'000);
  if (options.format != "text" && options.format != "json")
    throw Error(fmt::format("--format: expected text or json, found '{}'", options.format));
  if (options.laws.empty() && !options.list && !options.mutants)
    throw Error("which law? give --prop LAW, --prop all, --mutants or --list (verify --help shows the options)");
  return options;
}

std::vector<const JudgeDomain*> chosenDomains(const Options& options) {
  std::vector<const JudgeDomain*> domains;
  for (const std::string& domain : options.domains) domains.push_back(&findJudgeDomain(domain));
  return domains;
}

/// Whether the law can be run in the domain under the pins; the reason where not.
std::optional<std::string> obstacle(const Law& law, const JudgeDomain& domain, const Pins& pins) {
  if (!law.domains.empty() && std::find(law.domains.begin(), law.domains.end(), domain.name) == law.domains.end())
    return fmt::format("law {}: it is a statement about rounding, not meant in {}", law.name, domain.name);
  try {
    caseSpace(law, pins);
  } catch (const Error& error) {
    return error.what();
  }
  return std::nullopt;
}

struct Plan {
  std::vector<Job> jobs;
  std::vector<LawReport> skipped;
};

/// Under 'all' a law that the pins or the domain exclude is skipped and counted; asked for by name it is an
/// error, unless another domain of the list can take it.
Plan plan(const Options& options, const Pins& pins) {
  Plan made;
  for (const std::string& wanted : options.laws) {
    const bool all = wanted == "all";
    std::vector<const Law*> laws;
    if (all) laws.assign(allLaws().begin(), allLaws().end());
    else laws.push_back(&findLaw(wanted));
    for (const Law* law : laws) {
      std::optional<std::string> why;
      std::size_t before = made.jobs.size();
      for (const JudgeDomain* domain : chosenDomains(options)) {
        const auto found = obstacle(*law, *domain, pins);
        if (!found) made.jobs.push_back({law, domain});
        else why = found;
      }
      if (made.jobs.size() > before) continue;
      if (!all) throw Error(*why);
      LawReport report;
      report.law = law;
      report.domain = chosenDomains(options).front();
      report.status = Status::skipped;
      report.reason = *why;
      made.skipped.push_back(std::move(report));
    }
  }
  return made;
}

void showProgress(const LawReport& report) {
  std::fprintf(stderr, "\r\033[K%s %s: %d cases", std::string(report.law->name).c_str(),
               std::string(report.domain->name).c_str(), report.cases);
  std::fflush(stderr);
}

void clearProgress() {
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

ExitStatus statusOf(const std::vector<LawReport>& reports) {
  const auto any = [&](Status status) {
    return std::any_of(reports.begin(), reports.end(), [&](const LawReport& r) { return r.status == status; });
  };
  if (any(Status::refuted)) return refuted;
  if (any(Status::undecided) || !any(Status::holds)) return notDecided;
  return allHold;
}

RunOptions runOptions(const Options& options, const Pins& pins) {
  RunOptions run;
  run.pins = pins;
  run.cases = options.cases;
  run.seed = options.seed;
  if (!options.mutant.empty()) run.mutant = &findMutant(options.mutant);
  if (options.timeLimit > 0)
    run.deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                          std::chrono::duration<double>(options.timeLimit));
  if (!options.quiet && isatty(STDERR_FILENO) != 0) run.progress = showProgress;
  return run;
}

ExitStatus run(const Options& options) {
  if (options.list) {
    fmt::print("{}", textList());
    return allHold;
  }
  const Pins pins = parsePins(options);
  RunOptions runWith = runOptions(options, pins);
  const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  const ReportOptions report{options.seed, colour, !options.quiet};
  const bool json = options.format == "json";
  if (options.mutants) {
    const KillMatrix matrix = killMatrix(chosenDomains(options), runWith);
    fmt::print("{}", json ? jsonMatrix(matrix, report) : textMatrix(matrix, report));
    return matrix.ok() ? allHold : refuted;
  }
  Plan made = plan(options, pins);
  if (!options.onlyCase.empty()) {
    if (options.laws.size() != 1 || options.laws.front() == "all") throw Error("--case: needs one law, --prop LAW");
    runWith.only = findLaw(options.laws.front()).parse(options.onlyCase);
  }
  std::vector<LawReport> reports = runLaws(made.jobs, runWith);
  if (runWith.progress) clearProgress();
  std::move(made.skipped.begin(), made.skipped.end(), std::back_inserter(reports));
  fmt::print("{}", json ? jsonReport(reports, report) : textReport(reports, report));
  return statusOf(reports);
}

}  // namespace
}  // namespace shardlaw

int main(int argc, char** argv) {
  try {
    return shardlaw::run(shardlaw::parse(argc, argv));
  } catch (const std::bad_alloc&) {
    std::fputs("verify: out of memory\n", stderr);
  } catch (const std::exception& error) {
    fmt::print(stderr, "verify: {}\n", error.what());
  }
  return shardlaw::badInput;
}
