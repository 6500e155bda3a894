// Running laws: draws cases, judges them, shrinks what fails.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "props/gen/cases.h"
#include "props/judge.h"
#include "props/law.h"

namespace shardlaw {

struct Mutant;

enum class Status { holds, refuted, undecided, skipped };
std::string_view name(Status status);

struct Counterexample {
  Case c;
  Mismatch mismatch;
  int casesBefore = 0;  ///< cases that passed before this one was found
};

struct Coverage {
  /// How many cases had each value of each dimension.
  std::map<Dimension, std::map<std::int64_t, int>> values;
  std::int64_t kinks = 0;      ///< comparisons that a bound could not decide
  std::int64_t unbounded = 0;  ///< cells without a bound, which cannot disagree
  std::int64_t compared = 0;   ///< cells
};

/// What became of one law in one domain.
struct LawReport {
  const Law* law = nullptr;
  const JudgeDomain* domain = nullptr;
  const Mutant* mutant = nullptr;
  Status status = Status::undecided;
  std::string reason;  ///< why undecided or skipped
  int cases = 0, discarded = 0, vacuous = 0;
  double falsePassLog2 = 0;  ///< of the worst case; exact domains only
  double worstError = 0, worstOverBound = 0;
  double seconds = 0;
  Coverage coverage;
  RatioHistogram overBound;  ///< floats: of all cells
  double residual = 0;       ///< floats: the largest of all cases
  std::optional<Counterexample> counterexample;
  /// Of the counterexample, or of the first case where the options ask for it.
  std::optional<Ladder> ladder;
  /// Whether a refutation in `exact` was seen in `wide` as well.
  bool confirmed = false;
};

struct RunOptions {
  Pins pins;
  int cases = 200;
  std::uint64_t seed = 0;
  /// A wrong version to put in place of the right one; null for none.
  const Mutant* mutant = nullptr;
  JudgeOptions judge;
  bool ladder = false;  ///< measure the residuals of the first case that says something
  bool confirm = true;  ///< look at a refutation in `exact` again in `wide`
  /// Run exactly this case, and do not shrink.
  std::optional<Case> only;
  /// Cases to try before drawing any: those that failed in an earlier run.
  std::vector<Case> saved;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  /// Called now and then, from any thread, one call at a time.
  std::function<void(const LawReport& soFar)> progress;
  /// Called at the first failing case of a law, before it is shrunk.
  std::function<void(const LawReport& soFar)> failed;
  /// Called after every case and at the end, from any thread, several calls at a time: what there is to report
  /// should the run not end in time.
  std::function<void(const LawReport& soFar)> published;
};

/// What is to be said of a law whose run is cut off by the time limit.
LawReport cutOff(LawReport soFar);

/// Throws Error where the pins leave the law no case, or a case would not fit in memory.
LawReport runLaw(const Law& law, const JudgeDomain& domain, const RunOptions& options);

struct Job {
  const Law* law;
  const JudgeDomain* domain;
  std::vector<Case> saved{};  ///< cases to try before drawing any: those that failed in an earlier run
};

/// Runs the jobs, several at a time; reports come in the order of the jobs, whatever the thread count.
std::vector<LawReport> runLaws(const std::vector<Job>& jobs, const RunOptions& options);

}  // namespace shardlaw
