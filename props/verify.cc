// The command `verify`: runs what the command line asks for and prints the report.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "interp/error.h"
#include "interp/file.h"
#include "props/mutant/matrix.h"
#include "props/report/report.h"
#include "props/report/saved.h"
#include "props/runner.h"
#include "props/verify_options.h"

namespace shardlaw {
namespace {

enum ExitStatus { allHold = 0, refuted = 1, badInput = 2, notDecided = 3 };

std::vector<const JudgeDomain*> chosenDomains(const VerifyOptions& options) {
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
Plan plan(const VerifyOptions& options, const Pins& pins) {
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

/// On stderr at once: whoever stops the run while it shrinks still has the seed and the case.
void announceFailure(const LawReport& report, std::uint64_t seed) {
  fmt::print(stderr, "verify: {} fails in {} at seed {}; shrinking {}\n", report.law->name, report.domain->name, seed,
             replayCommand(report));
  std::fflush(stderr);
}

RunOptions runOptions(const VerifyOptions& options) {
  RunOptions run;
  run.pins = options.pins;
  run.cases = options.cases;
  run.seed = options.seed;
  run.judge.bits = options.bits;
  run.ladder = options.ladder;
  if (!options.mutant.empty()) run.mutant = &findMutant(options.mutant);
  if (options.timeLimit > 0) run.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(options.timeLimit);
  if (!options.quiet && isatty(STDERR_FILENO) != 0) run.progress = showProgress;
  run.failed = [seed = options.seed](const LawReport& report) { announceFailure(report, seed); };
  return run;
}

/// The saved cases of a folder that concern this run.
std::vector<SavedCounterexample> savedFor(const VerifyOptions& options, const Mutant* mutant) {
  std::vector<SavedCounterexample> saved;
  if (options.out.empty()) return saved;
  for (SavedCounterexample& one : readSavedIn(options.out))
    if (one.mutant == mutant) saved.push_back(std::move(one));
  return saved;
}

void saveCounterexamples(const VerifyOptions& options, const std::vector<LawReport>& reports) {
  if (options.out.empty()) return;
  for (const LawReport& report : reports) {
    if (!report.counterexample) continue;
    std::error_code status;
    std::filesystem::create_directories(options.out, status);
    if (status) throw Error(Location{options.out, 0, 0, {}}, "cannot be made a folder: " + status.message());
    writeFile((std::filesystem::path(options.out) / savedName(report)).string(), savedText(report));
  }
}

std::string render(const Reports& reports, const VerifyOptions& options) {
  const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  const ReportOptions how{options.seed, colour, !options.quiet};
  switch (options.format) {
    case Format::text: return textReport(reports, how);
    case Format::json: return jsonReport(reports, how);
    case Format::junit: return junitReport(reports, how);
    case Format::html: return htmlReport(reports, how);
  }
  return {};
}

ExitStatus replay(const VerifyOptions& options) {
  const SavedCounterexample saved = readSaved(options.replay);
  RunOptions run = runOptions(options);
  run.mutant = saved.mutant;
  run.only = saved.c;
  run.failed = nullptr;
  Reports reports;
  reports.laws.push_back(runLaw(*saved.law, *saved.domain, run));
  fmt::print("{}", render(reports, options));
  const LawReport& report = reports.laws.front();
  if (!report.counterexample) fmt::print(stderr, "verify: {}: the saved case no longer fails\n", options.replay);
  else if (counterexampleBody(report) != saved.text)
    fmt::print(stderr, "verify: {}: the case fails, but not as it was saved\n", options.replay);
  return statusOf(reports.laws);
}

ExitStatus run(const VerifyOptions& options) {
  if (options.list) {
    fmt::print("{}", textList());
    return allHold;
  }
  if (!options.replay.empty()) return replay(options);
  RunOptions runWith = runOptions(options);
  Reports reports;
  ExitStatus status = allHold;
  if (!options.laws.empty()) {
    Plan made = plan(options, options.pins);
    if (!options.onlyCase.empty()) runWith.only = findLaw(options.laws.front()).parse(options.onlyCase);
    for (const SavedCounterexample& saved : savedFor(options, runWith.mutant))
      for (Job& job : made.jobs)
        if (job.law == saved.law && job.domain == saved.domain) job.saved.push_back(saved.c);
    reports.laws = runLaws(made.jobs, runWith);
    if (runWith.progress) clearProgress();
    saveCounterexamples(options, reports.laws);
    std::move(made.skipped.begin(), made.skipped.end(), std::back_inserter(reports.laws));
    status = statusOf(reports.laws);
  }
  if (options.mutants) {
    reports.matrix = killMatrix(chosenDomains(options), runWith);
    if (!reports.matrix->ok()) status = refuted;
  }
  fmt::print("{}", render(reports, options));
  return status;
}

int runMain(int argc, char** argv) {
  std::string text;
  const std::optional<VerifyOptions> options = parseVerifyOptions(argc, argv, text);
  if (options) return run(*options);
  fmt::print("{}", text);
  return allHold;
}

}  // namespace
}  // namespace shardlaw

int main(int argc, char** argv) {
  try {
    const int status = shardlaw::runMain(argc, argv);
    // A report that could not be written whole must not look like one.
    if (std::fflush(stdout) != 0) throw shardlaw::Error("the report could not be written to standard output");
    return status;
  } catch (const std::bad_alloc&) {
    std::fputs("verify: out of memory\n", stderr);
  } catch (const std::exception& error) {
    fmt::print(stderr, "verify: {}\n", error.what());
  }
  return shardlaw::badInput;
}
