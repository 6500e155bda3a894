#include <fmt/format.h>

#include <algorithm>

#include "props/report/report.h"

namespace shardlaw {
namespace {

/// A test case of the report, whatever it stands for.
struct TestCase {
  std::string suite, name;
  double seconds = 0;
  std::string outcome;  ///< "", "failure", "error" or "skipped"
  std::string message, text;
};

std::string escaped(std::string_view text) {
  std::string xml;
  for (const char c : text) {
    switch (c) {
      case '&': xml += "&amp;"; break;
      case '<': xml += "&lt;"; break;
      case '>': xml += "&gt;"; break;
      case '"': xml += "&quot;"; break;
      // XML 1.0 has no other control characters.
      default: xml += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return xml;
}

TestCase caseOf(const LawReport& report) {
  TestCase test{
      fmt::format("shardlaw.{}", report.law->name), std::string(report.domain->name), report.seconds, {}, {}, {}};
  switch (report.status) {
    case Status::holds: break;
    case Status::refuted:
      test.outcome = "failure";
      test.message = fmt::format("{} is refuted in {}", report.law->name, report.domain->name);
      test.text = counterexampleBody(report);
      break;
    case Status::undecided:
      test.outcome = "error";
      test.message = report.reason;
      break;
    case Status::skipped:
      test.outcome = "skipped";
      test.message = report.reason;
      break;
  }
  return test;
}

TestCase caseOf(const MatrixEntry& entry) {
  TestCase test{fmt::format("shardlaw.mutants.{}", entry.mutant->name),
                fmt::format("{} {}", entry.law->name, entry.domain->name),
                0,
                {},
                {},
                {}};
  if (entry.killed) return test;
  test.outcome = entry.undecided ? "error" : "failure";
  test.message = entry.note;
  return test;
}

std::string elementOf(const TestCase& test) {
  std::string xml = fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped(test.suite),
                                escaped(test.name), test.seconds);
  if (test.outcome.empty()) return xml + "/>\n";
  return xml + fmt::format(">\n    <{0} message=\"{1}\">{2}</{0}>\n  </testcase>\n", test.outcome,
                           escaped(test.message), escaped(test.text));
}

}  // namespace

std::string junitReport(const Reports& reports, const ReportOptions& options) {
  std::vector<TestCase> tests;
  for (const LawReport& report : reports.laws) tests.push_back(caseOf(report));
  if (reports.matrix) {
    for (const MatrixEntry& entry : reports.matrix->entries) tests.push_back(caseOf(entry));
    for (const std::string& problem : reports.matrix->problems)
      tests.push_back({"shardlaw.mutants", problem, 0, reports.matrix->decided() ? "failure" : "error", problem, {}});
  }
  const auto count = [&](std::string_view outcome) {
    return std::count_if(tests.begin(), tests.end(), [&](const TestCase& test) { return test.outcome == outcome; });
  };
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml += fmt::format("<testsuite name=\"verify\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
                     tests.size(), count("failure"), count("error"), count("skipped"));
  xml += fmt::format("  <properties><property name=\"seed\" value=\"{}\"/></properties>\n", options.seed);
  for (const TestCase& test : tests) xml += elementOf(test);
  return xml + "</testsuite>\n";
}

}  // namespace shardlaw
