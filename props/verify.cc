// The command `verify`: runs what the command line asks for and prints the report.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "interp/command/terminal.h"
#include "interp/error.h"
#include "interp/file.h"
#include "props/mutant/matrix.h"
#include "props/report/report.h"
#include "props/report/saved.h"
#include "props/runner.h"
#include "props/verify_options.h"
#include "props/verify_programs.h"
#include "props/watch.h"

namespace shardlaw {
namespace {

using command::clearProgress;
using command::environment;
using command::isTerminal;
using command::print;

enum ExitStatus { allHold = 0, refuted = 1, badInput = 2, notDecided = 3 };

std::vector<const JudgeDomain*> chosenDomains(const VerifyOptions& options) {
  std::vector<const JudgeDomain*> domains;
  for (const std::string& domain : options.domains) domains.push_back(&findJudgeDomain(domain));
  return domains;
}

/// Whether the law can be run in the domain under the pins; the reason where not.
std::optional<std::string> obstacle(const Law& law, const JudgeDomain& domain, const Pins& pins) {
  if (!law.isMeantIn(domain.name))
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
/// error, unless another domain of the list can take it. Each law is run once, however often it is named.
Plan plan(const VerifyOptions& options, const Pins& pins) {
  Plan made;
  std::set<const Law*> planned;
  for (const std::string& wanted : options.laws) {
    const bool all = wanted == "all";
    std::vector<const Law*> laws;
    if (all) laws.assign(allLaws().begin(), allLaws().end());
    else laws.push_back(&findLaw(wanted));
    for (const Law* law : laws) {
      if (!planned.insert(law).second) continue;
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
  command::showProgress(fmt::format("{} {}: {} cases", report.law->name, report.domain->name, report.cases));
}

void say(const std::string& message) { command::say("verify", message); }

ExitStatus statusOf(const Reports& reports) {
  const auto any = [&](Status status) {
    return std::any_of(reports.laws.begin(), reports.laws.end(),
                       [&](const LawReport& r) { return r.status == status; });
  };
  const auto survives = [](const MatrixEntry& entry) { return !entry.killed && !entry.undecided; };
  const auto& matrix = reports.matrix;
  if (any(Status::refuted)) return refuted;
  if (matrix && std::any_of(matrix->entries.begin(), matrix->entries.end(), survives)) return refuted;
  if (matrix && !matrix->ok()) return matrix->decided() ? refuted : notDecided;
  if (any(Status::undecided) || (!reports.laws.empty() && !any(Status::holds))) return notDecided;
  return allHold;
}

/// On stderr at once: whoever stops the run while it shrinks still has the seed and the case.
void announceFailure(const LawReport& report, std::uint64_t seed) {
  say(fmt::format("{} fails in {} at seed {}; shrinking {}", report.law->name, report.domain->name, seed,
                  replayCommand(report)));
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
  if (!options.quiet && isTerminal(STDERR_FILENO)) run.progress = showProgress;
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
    writeFile((std::filesystem::path(options.out) / savedName(report)).string(), savedText(report));
  }
}

std::string render(const Reports& reports, const VerifyOptions& options) {
  const bool colour = isTerminal(STDOUT_FILENO) && environment("NO_COLOR").empty();
  const ReportOptions how{options.seed, colour, !options.quiet};
  switch (options.format) {
    case Format::text: return textReport(reports, how);
    case Format::json: return jsonReport(reports, how);
    case Format::junit: return junitReport(reports, how);
    case Format::html: return htmlReport(reports, how);
  }
  return {};
}

/// Set where threads are still at work, so that the process must end without waiting for them.
bool othersAtWork = false;

/// Runs the jobs, and the matrix where the options ask for it.
Reports runInTime(const std::vector<Job>& jobs, const VerifyOptions& options, const RunOptions& runWith) {
  // Shared with a thread that may outlive this call.
  struct Work {
    std::vector<Job> jobs;
    std::vector<const JudgeDomain*> matrixDomains;
    RunOptions runWith;
    Board board;
    Reports reports;
  };
  std::vector<const JudgeDomain*> matrixDomains;
  if (options.mutants) matrixDomains = chosenDomains(options);
  std::optional<KillMatrix> matrix;
  if (options.mutants) matrix = undecidedMatrix(matrixDomains, runWith.pins);
  const std::shared_ptr<Work> work(
      new Work{jobs, matrixDomains, runWith, Board(jobs, runWith.mutant, std::move(matrix)), Reports{}});
  if (runWith.deadline)
    work->runWith.published = [board = &work->board](const LawReport& soFar) { board->publish(soFar); };
  // Between cases a run looks at the clock itself.
  constexpr auto grace = std::chrono::seconds(1);
  const auto last = runWith.deadline ? std::optional(*runWith.deadline + grace) : std::nullopt;
  const bool ended = endsBefore(last, [work] {
    work->reports.laws = runLaws(work->jobs, work->runWith);
    if (!work->matrixDomains.empty())
      work->reports.matrix =
          killMatrix(work->matrixDomains, work->runWith,
                     [&](std::size_t i, const MatrixEntry& entry) { work->board.publish(i, entry); });
  });
  othersAtWork = !ended;
  clearProgress();
  return ended ? std::move(work->reports) : work->board.cutOff();
}

ExitStatus replay(const VerifyOptions& options) {
  const SavedCounterexample saved = readSaved(options.replay);
  RunOptions run = runOptions(options);
  run.mutant = saved.mutant;
  run.only = saved.c;
  run.failed = nullptr;
  const Reports reports = runInTime({{saved.law, saved.domain}}, options, run);
  print(render(reports, options));
  const LawReport& report = reports.laws.front();
  if (othersAtWork) return statusOf(reports);
  if (!report.counterexample) say(options.replay + ": the saved case no longer fails");
  else if (counterexampleBody(report) != saved.text) say(options.replay + ": the case fails, but not as it was saved");
  return statusOf(reports);
}

ExitStatus comparePrograms(const VerifyOptions& options) {
  std::function<void(const std::string&)> progress;
  if (!options.quiet && isTerminal(STDERR_FILENO)) progress = command::showProgress;
  const programs::Judgement judgement = judgePrograms(options, progress);
  clearProgress();
  print(programsReport(judgement, options, isTerminal(STDOUT_FILENO) && environment("NO_COLOR").empty()));
  constexpr ExitStatus statuses[] = {allHold, refuted, notDecided};
  return statuses[static_cast<std::size_t>(judgement.outcome)];
}

ExitStatus run(const VerifyOptions& options) {
  if (!options.programs.replica.empty()) return comparePrograms(options);
  if (options.list) {
    print(textList());
    return allHold;
  }
  if (!options.replay.empty()) return replay(options);
  RunOptions runWith = runOptions(options);
  Plan made = plan(options, options.pins);
  if (!options.onlyCase.empty()) runWith.only = findLaw(options.laws.front()).parse(options.onlyCase);
  if (!options.out.empty()) requireWritableFolder(options.out);
  for (const SavedCounterexample& saved : savedFor(options, runWith.mutant))
    for (Job& job : made.jobs)
      if (job.law == saved.law && job.domain == saved.domain) job.saved.push_back(saved.c);
  Reports reports = runInTime(made.jobs, options, runWith);
  std::move(made.skipped.begin(), made.skipped.end(), std::back_inserter(reports.laws));
  // Saved first, lest a reader that closes the pipe end the process before; but a full disk must not cost the
  // report of a long run.
  std::optional<Error> failure;
  try {
    saveCounterexamples(options, reports.laws);
  } catch (const Error& error) {
    failure = error;
  }
  print(render(reports, options));
  if (failure) throw *failure;
  return statusOf(reports);
}

int runMain(int argc, char** argv) {
  std::string text;
  const std::optional<VerifyOptions> options = parseVerifyOptions(argc, argv, text);
  if (options) return run(*options);
  print(text);
  return allHold;
}

}  // namespace
}  // namespace shardlaw

int main(int argc, char** argv) {
  using shardlaw::say;
  int status = shardlaw::badInput;
  try {
    shardlaw::command::openStandardStreams();
    shardlaw::command::handleSignals();
    status = shardlaw::runMain(argc, argv);
  } catch (const std::bad_alloc&) {
    say("out of memory");
  } catch (const std::exception& error) {
    say(error.what());
  }
  if (shardlaw::othersAtWork) std::_Exit(status);
  return status;
}
