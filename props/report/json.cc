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
  const auto tensors = [](const std::vector<ShownTensor>& shown) {
    Json list = Json::array();
    for (const ShownTensor& tensor : shown)
      list.push_back({{"name", tensor.name}, {"shape", tensor.shape.extents()}, {"cells", tensor.cells}});
    return list;
  };
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
          {"inputs", tensors(found.mismatch.inputs)},
          {"operands", tensors(found.mismatch.operands)},
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
  // The histogram knows the median to a power of two.
  const double median = std::min(report.overBound.median(), report.worstOverBound);
  Json result{{"law", report.law->name},
              {"domain", report.domain->name},
              {"status", name(report.status)},
              {"cases", report.cases},
              {"discarded", report.discarded},
              {"vacuous", report.vacuous},
              {"false_pass_log2", exact ? number(report.falsePassLog2) : Json(nullptr)},
              {"worst_error", exact ? Json(nullptr) : number(report.worstError)},
              {"worst_over_bound", exact ? Json(nullptr) : number(report.worstOverBound)},
              {"median_over_bound", exact ? Json(nullptr) : number(median)},
              {"kinks", report.coverage.kinks},
              {"unbounded", report.coverage.unbounded},
              {"cells", report.coverage.compared},
              {"seconds", number(report.seconds)},
              {"coverage", coverageJson(report)}};
  if (report.mutant != nullptr) result["mutant"] = report.mutant->name;
  if (!report.reason.empty()) result["reason"] = report.reason;
  if (report.ladder)
    result["ladder"] = {{"f32", number(report.ladder->f32)},
                        {"f64", number(report.ladder->f64)},
                        {"wide", number(report.ladder->wide)}};
  if (exact && report.counterexample) result["confirmed_in_wide"] = report.confirmed;
  if (report.counterexample) result["counterexample"] = counterexampleJson(report);
  return result;
}

Json customaryJson(const CustomaryChecks& checks) {
  return {{"cases", checks.cases},
          {"law", checks.law},
          {"relative_error", checks.relativeError},
          {"cosine", checks.cosine},
          {"after_adamw", checks.afterAdamW},
          {"one_replica", {{"passed", checks.oneReplica}, {"of", checks.oneReplicaOf}}},
          {"equal_shards", {{"passed", checks.equalShards}, {"of", checks.equalShardsOf}}},
          {"forward_only", checks.forwardOnly}};
}

Json matrixJson(const KillMatrix& matrix) {
  Json entries = Json::array();
  for (const MatrixEntry& entry : matrix.entries) {
    Json json{{"mutant", entry.mutant->name},
              {"law", entry.law->name},
              {"domain", entry.domain->name},
              {"killed", entry.killed},
              {"cases_to_kill", entry.killed ? Json(entry.casesToKill) : Json(nullptr)},
              {"cases_drawn", entry.casesDrawn}};
    if (entry.customary) json["passes_other_checks"] = customaryJson(*entry.customary);
    entries.push_back(std::move(json));
  }
  return entries;
}

}  // namespace

std::string jsonReport(const Reports& reports, const ReportOptions& options) {
  Json results = Json::array();
  for (const LawReport& report : reports.laws) results.push_back(resultJson(report));
  Json json{{"ok", reports.ok()}, {"seed", options.seed}};
  if (!reports.laws.empty()) json["results"] = results;
  if (reports.matrix) {
    json["matrix"] = matrixJson(*reports.matrix);
    json["problems"] = reports.matrix->problems;
  }
  return json.dump(2) + "\n";
}

}  // namespace shardlaw
