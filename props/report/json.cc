#include <cmath>
#include <nlohmann/json.hpp>

#include "props/report/report.h"

namespace shardlaw {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinities: null says "nothing known".
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json counterexampleJson(const LawReport& report) {
  const Counterexample& found = *report.counterexample;
  Json dimensions;
  for (const Use& use : report.law->uses) dimensions[std::string(info(use.dimension).name)] = found.c[use.dimension];
  dimensions["seed"] = found.c.seed;
  Json operands = Json::array();
  for (const auto& [name, cells] : found.mismatch.operands) operands.push_back({{"name", name}, {"cells", cells}});
  return {{"case", dimensions},
          {"what", found.mismatch.what},
          {"value", found.mismatch.value},
          {"replica", found.mismatch.replica},
          {"index", found.mismatch.index},
          {"left", found.mismatch.left},
          {"right", found.mismatch.right},
          {"error", number(found.mismatch.error)},
          {"bound", number(found.mismatch.bound)},
          {"differing", found.mismatch.differing},
          {"compared", found.mismatch.compared},
          {"operands", operands},
          {"replay", replayCommand(report)}};
}

Json coverageJson(const LawReport& report) {
  Json coverage = Json::object();
  for (const auto& [dimension, counts] : report.coverage.values) {
    Json histogram = Json::object();
    for (const auto& [value, count] : counts) histogram[std::to_string(value)] = count;
    coverage[std::string(info(dimension).name)] = histogram;
  }
  return coverage;
}

Json resultJson(const LawReport& report) {
  const bool exact = report.domain->exact;
  Json result{{"law", report.law->name},
              {"domain", report.domain->name},
              {"status", name(report.status)},
              {"cases", report.cases},
              {"discarded", report.discarded},
              {"vacuous", report.vacuous},
              {"false_pass_log2", exact ? number(report.falsePassLog2) : Json(nullptr)},
              {"worst_error", exact ? Json(nullptr) : number(report.worstError)},
              {"worst_over_bound", exact ? Json(nullptr) : number(report.worstOverBound)},
              {"kinks", report.coverage.kinks},
              {"cells", report.coverage.compared},
              {"seconds", number(report.seconds)},
              {"coverage", coverageJson(report)}};
  if (report.mutant != nullptr) result["mutant"] = report.mutant->name;
  if (!report.reason.empty()) result["reason"] = report.reason;
  if (report.counterexample) result["counterexample"] = counterexampleJson(report);
  return result;
}

}  // namespace

std::string jsonReport(const std::vector<LawReport>& reports, const ReportOptions& options) {
  bool ok = true;
  Json results = Json::array();
  for (const LawReport& report : reports) {
    ok = ok && (report.status == Status::holds || report.status == Status::skipped);
    results.push_back(resultJson(report));
  }
  return Json{{"ok", ok}, {"seed", options.seed}, {"results", results}}.dump(2) + "\n";
}

std::string jsonMatrix(const KillMatrix& matrix, const ReportOptions& options) {
  Json entries = Json::array();
  for (const MatrixEntry& entry : matrix.entries)
    entries.push_back({{"mutant", entry.mutant->name},
                       {"law", entry.law->name},
                       {"domain", entry.domain->name},
                       {"killed", entry.killed},
                       {"cases_to_kill", entry.killed ? Json(entry.casesToKill) : Json(nullptr)},
                       {"cases_drawn", entry.casesDrawn}});
  return Json{{"ok", matrix.ok()}, {"seed", options.seed}, {"matrix", entries}, {"problems", matrix.problems}}.dump(2) +
         "\n";
}

}  // namespace shardlaw
