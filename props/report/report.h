// Reports of a run. They return strings; main prints them.
#pragma once

#include <optional>
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

/// What a run found.
struct Reports {
  std::vector<LawReport> laws;
  std::optional<KillMatrix> matrix;

  /// No law refuted or undecided, and no problem in the matrix.
  bool ok() const;
};

/// One block per law: a line per domain, what was covered, and a counterexample where there is one; then the
/// kill matrix.
std::string textReport(const Reports& reports, const ReportOptions& options);
/// {"ok", "seed", "results": […], "matrix": […], "problems": […]}, as props/report/schema.json says.
std::string jsonReport(const Reports& reports, const ReportOptions& options);
/// JUnit XML: a test case per law and domain, and per entry of the matrix.
std::string junitReport(const Reports& reports, const ReportOptions& options);
/// One self-contained page: no script, no network.
std::string htmlReport(const Reports& reports, const ReportOptions& options);

/// The part of a counterexample that does not depend on how the case was found.
std::string counterexampleBody(const LawReport& report);
/// The one command that shows the counterexample again.
std::string replayCommand(const LawReport& report);
/// Laws with their statements and the mutants each one kills, then the mutants.
std::string textList();

}  // namespace shardlaw
