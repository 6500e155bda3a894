// Reports of a run, as text and as JSON. They return strings; main prints them.
#pragma once

#include <string>
#include <vector>

#include "props/mutant/matrix.h"
#include "props/runner.h"

namespace shardlaw {

struct ReportOptions {
  std::uint64_t seed = 0;
  bool colour = false;
  bool coverage = true;
};

/// One block per law: a line per domain, what was covered, and a counterexample where there is one.
std::string textReport(const std::vector<LawReport>& reports, const ReportOptions& options);

/// The counterexample of a refuted law, as a person reads it.
std::string textCounterexample(const LawReport& report, const ReportOptions& options);

/// Its part that does not depend on how the case was found.
std::string counterexampleBody(const LawReport& report);

/// The one command that shows the counterexample again.
std::string replayCommand(const LawReport& report);

/// {"ok", "seed", "results": […]}, two-space indented.
std::string jsonReport(const std::vector<LawReport>& reports, const ReportOptions& options);

std::string textMatrix(const KillMatrix& matrix, const ReportOptions& options);
/// {"ok", "seed", "matrix": […], "problems": […]}.
std::string jsonMatrix(const KillMatrix& matrix, const ReportOptions& options);

/// Laws with their statements and the mutants each one kills, then the mutants.
std::string textList();

}  // namespace shardlaw
