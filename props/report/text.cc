#include <fmt/format.h>

#include <algorithm>

#include "props/mutant/mutant.h"
#include "props/report/report.h"

namespace shardlaw {
namespace {

std::string painted(const std::string& text, std::string_view code, const ReportOptions& options) {
  return options.colour ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

std::string statusText(Status status, const ReportOptions& options) {
  const std::string text = fmt::format("{:<9}", name(status));
  switch (status) {
    case Status::holds: return painted(text, "32", options);
    case Status::refuted: return painted(text, "1;31", options);
    default: return painted(text, "33", options);
  }
}

std::string coverageText(const LawReport& report) {
  std::string text;
  for (const auto& [dimension, counts] : report.coverage.values) {
    std::string line = fmt::format("    {:<8}", info(dimension).name);
    if (dimension == Dimension::graph) {
      line += fmt::format(" {} different", counts.size());
    } else {
      for (const auto& [value, count] : counts)
        line += fmt::format(" {}:{}", valueText(dimension, value, report.law->subjects), count);
    }
    text += line + "\n";
  }
  return text;
}

std::string figures(const LawReport& report) {
  std::string text = fmt::format("{} cases, {} discarded, {} vacuous", report.cases, report.discarded, report.vacuous);
  if (report.coverage.compared > 0) text += fmt::format(", {} cells", report.coverage.compared);
  if (report.cases == 0 || report.status == Status::refuted) return text;
  if (report.domain->exact) return text + fmt::format("; false pass below 2^{:.0f}", std::ceil(report.falsePassLog2));
  text += fmt::format("; worst error {:.2g}, error/bound at most {:.2g}, median {:.2g}", report.worstError,
                      report.worstOverBound, std::min(report.overBound.median(), report.worstOverBound));
  if (report.coverage.kinks > 0) text += fmt::format(", {} kinks", report.coverage.kinks);
  if (report.coverage.unbounded > 0) text += fmt::format(", {} cells without a bound", report.coverage.unbounded);
  return text;
}

/// "[2,1] = 0 | 1": a bar between shards, an ellipsis where cells are left out.
std::string cellsText(const ShownTensor& tensor) {
  std::string text = toString(tensor.shape) + " =";
  const std::int64_t perShard = std::max<std::int64_t>(1, tensor.shape.cells() / tensor.shards);
  // Of a tensor that is too large to be looked at as a whole a few cells will do.
  constexpr std::size_t few = 4;
  const std::size_t cells = tensor.complete() ? tensor.cells.size() : std::min(few, tensor.cells.size());
  for (std::size_t k = 0; k < cells; ++k)
    text +=
        (k > 0 && tensor.shards > 1 && static_cast<std::int64_t>(k) % perShard == 0 ? " | " : " ") + tensor.cells[k];
  return text + (tensor.complete() ? "" : " …");
}

std::string ladderText(const Ladder& ladder) {
  return fmt::format("residual {:.2g} in f32, {:.2g} in f64, {:.2g} in wide: {}", ladder.f32, ladder.f64, ladder.wide,
                     ladder.falls() ? "it falls with the unit roundoff" : "it stays, so it is not rounding");
}

/// "example 1 (global 3), channel 0, row 2, column 1" for a batched map; plain indices otherwise.
std::string place(const Mismatch& mismatch, const Case& c) {
  std::string text = fmt::format("replica {}", mismatch.replica);
  const auto& at = mismatch.index;
  if (mismatch.batched && at.size() == 4) {
    return text + fmt::format(", example {} (global example {}), channel {}, row {}, column {}", at[0],
                              mismatch.replica * c[Dimension::N] + at[0], at[1], at[2], at[3]);
  }
  for (const std::int64_t index : at) text += fmt::format(", {}", index);
  return text;
}

}  // namespace

std::string replayCommand(const LawReport& report) {
  std::string command = fmt::format("verify --prop {} --domain {}", report.law->name, report.domain->name);
  if (report.mutant != nullptr) command += fmt::format(" --mutant {}", report.mutant->name);
  return command + fmt::format(" --case '{}'", report.law->describe(report.counterexample->c));
}

std::string counterexampleBody(const LawReport& report) {
  const Mismatch& m = report.counterexample->mismatch;
  std::string text;
  for (const ShownTensor& input : m.inputs) text += fmt::format("    input     {} {}\n", input.name, cellsText(input));
  if (m.value.empty()) text += fmt::format("    law       {}\n", m.what);
  else text += fmt::format("    value     {}, made by {} {}\n", m.what, m.value, toString(m.shape));
  text += fmt::format("    first at  {}; {} of {} cells differ\n", place(m, report.counterexample->c), m.differing,
                      m.compared);
  text += fmt::format("    {} {}\n    {} {}\n", m.value.empty() ? "forward  " : "replicas ", m.left,
                      m.value.empty() ? "backward " : "global   ", m.right);
  if (!report.domain->exact) text += fmt::format("    error     {:.3g}, bound {:.3g}\n", m.error, m.bound);
  for (const ShownTensor& operand : m.operands)
    text += fmt::format("    operand   {} {}\n", operand.name, cellsText(operand));
  if (report.ladder) text += fmt::format("    ladder    {}\n", ladderText(*report.ladder));
  if (report.domain->exact && report.confirmed) text += "    confirmed in wide\n";
  return text + fmt::format("    replay    {}\n", replayCommand(report));
}

std::string textCounterexample(const LawReport& report, const ReportOptions& options) {
  const Counterexample& found = *report.counterexample;
  std::string text =
      painted(fmt::format("  counterexample to {} in {}", report.law->name, report.domain->name), "1", options);
  text += report.mutant != nullptr ? fmt::format(", with {}: {}\n", report.mutant->name, report.mutant->summary) : "\n";
  std::string shape;
  for (const Use& use : report.law->uses)
    shape += fmt::format("{}{} {}", shape.empty() ? "" : ", ", info(use.dimension).name,
                         valueText(use.dimension, found.c[use.dimension], report.law->subjects));
  return text + fmt::format("    case      {}\n", shape) + counterexampleBody(report);
}

namespace {

std::string lawsText(const std::vector<LawReport>& reports, const ReportOptions& options) {
  std::string text;
  const Law* last = nullptr;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const LawReport& report = reports[i];
    if (report.law != last)
      text += painted(std::string(report.law->name), "1", options) + fmt::format(": {}\n", report.law->statement);
    last = report.law;
    text += fmt::format("  {:<6} {} ", report.domain->name, statusText(report.status, options));
    text += report.reason.empty() ? figures(report) + "\n" : fmt::format("({}) {}\n", report.reason, figures(report));
    if (report.counterexample) text += textCounterexample(report, options);
    else if (report.ladder) text += fmt::format("    ladder   {}\n", ladderText(*report.ladder));
    const bool lastOfLaw = i + 1 == reports.size() || reports[i + 1].law != report.law;
    if (options.coverage && lastOfLaw && report.cases > 0) text += coverageText(report);
  }
  const auto count = [&](Status status) {
    return std::count_if(reports.begin(), reports.end(), [&](const LawReport& r) { return r.status == status; });
  };
  text += fmt::format("seed {}: {} hold, {} refuted, {} undecided", options.seed, count(Status::holds),
                      count(Status::refuted), count(Status::undecided));
  if (count(Status::skipped) > 0) text += fmt::format(", {} skipped", count(Status::skipped));
  return text + "\n";
}

/// How other checks would have done: "lives 12/40" where a wrong version passes.
std::string customaryText(const KillMatrix& matrix) {
  std::string text = "\nOther checks on the same cases, in f64: cases in which the wrong version passes.\n" +
                     fmt::format("{:<28}{:<11}{:>8}{:>15}{:>14}{:>12}{:>8}{:>14}{:>14}\n", "mutant", "law", "the law",
                                 "rel.err<=1e-2", "cosine>=.99", "AdamW step", "R = 1", "equal shards", "forward only");
  for (const MatrixEntry& entry : matrix.entries) {
    if (!entry.customary || entry.customary->cases == 0) continue;
    const CustomaryChecks& c = *entry.customary;
    const auto of = [](int passed, int cases) {
      return cases == 0 ? std::string("-") : fmt::format("{}/{}", passed, cases);
    };
    // The width of γ is one column but two bytes.
    const std::string law(entry.law->name);
    text += fmt::format("{:<28}{:<{}}{:>8}{:>15}{:>14}{:>12}{:>8}{:>14}{:>14}\n", entry.mutant->name, law,
                        law.find("γ") == std::string::npos ? 11 : 12, of(c.law, c.cases), of(c.relativeError, c.cases),
                        of(c.cosine, c.cases), of(c.afterAdamW, c.cases), of(c.oneReplica, c.oneReplicaOf),
                        of(c.equalShards, c.equalShardsOf), c.forwardOnly ? "passes" : "fails");
  }
  return text;
}

std::string matrixText(const KillMatrix& matrix, const ReportOptions& options) {
  std::string text;
  const Mutant* last = nullptr;
  for (const MatrixEntry& entry : matrix.entries) {
    if (entry.mutant != last)
      text += painted(std::string(entry.mutant->name), "1", options) + fmt::format(": {}\n", entry.mutant->summary);
    last = entry.mutant;
    text += fmt::format("  {:<10} {:<6} ", entry.law->name, entry.domain->name);
    text += entry.killed ? painted("killed", "32", options) +
                               fmt::format(" by case {} of {} drawn\n", entry.casesToKill, entry.casesDrawn)
            : entry.undecided ? painted("undecided", "33", options) + fmt::format(" ({})\n", entry.note)
                              : painted("SURVIVED", "1;31", options) + fmt::format(" ({})\n", entry.note);
  }
  if (options.coverage) text += customaryText(matrix);
  for (const std::string& problem : matrix.problems) text += painted("problem: ", "1;31", options) + problem + "\n";
  const auto killed =
      std::count_if(matrix.entries.begin(), matrix.entries.end(), [](const auto& e) { return e.killed; });
  return text + fmt::format("seed {}: {} of {} killed, {} mutants\n", options.seed, killed, matrix.entries.size(),
                            allMutants().size());
}

}  // namespace

bool Reports::ok() const {
  const auto fine = [](const LawReport& r) { return r.status == Status::holds || r.status == Status::skipped; };
  return std::all_of(laws.begin(), laws.end(), fine) && (!matrix || matrix->ok());
}

std::string textReport(const Reports& reports, const ReportOptions& options) {
  std::string text;
  if (!reports.laws.empty()) text += lawsText(reports.laws, options);
  if (reports.matrix) text += matrixText(*reports.matrix, options);
  return text;
}

std::string textList() {
  std::string text = "Laws:\n";
  for (const Law* law : allLaws()) {
    text += fmt::format("  {:<12} {}\n", law->name, law->statement);
    std::string killed;
    for (const Mutant& mutant : allMutants())
      if (std::find(mutant.laws.begin(), mutant.laws.end(), law->name) != mutant.laws.end())
        killed += fmt::format(" {}", mutant.name);
    if (!killed.empty()) text += fmt::format("  {:<12}   kills:{}\n", "", killed);
  }
  text += "Mutants:\n";
  for (const Mutant& mutant : allMutants()) text += fmt::format("  {:<24} {}\n", mutant.name, mutant.summary);
  text += "Domains:\n";
  for (const JudgeDomain& domain : judgeDomains()) text += fmt::format("  {:<12} {}\n", domain.name, domain.meaning);
  return text;
}

}  // namespace shardlaw
