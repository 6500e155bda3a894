#include "props/programs/report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "interp/error.h"

namespace shardlaw::programs {
namespace {

std::string painted(const std::string& text, std::string_view code, bool colour) {
  return colour ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

std::string headline(const Judgement& judgement, const ReportNames& names, bool colour) {
  const std::string at = fmt::format(" {} at the global batch", oneLine(names.global));
  const std::string replica = fmt::format("{} at R = {} ", oneLine(names.replica), names.replicas);
  switch (judgement.outcome) {
    case Outcome::holds: return replica + painted("IS", "32", colour) + at;
    case Outcome::refuted: return replica + painted("IS NOT", "1;31", colour) + at;
    case Outcome::undecided: return replica + painted("was not decided to be", "33", colour) + at;
  }
  return {};
}

std::string cellText(const std::vector<std::int64_t>& index) {
  std::string text;
  for (const std::int64_t i : index) text += (text.empty() ? "" : ",") + std::to_string(i);
  return "[" + text + "]";
}

std::string ratioText(const Rational& ratio, std::int64_t replicas) {
  const std::string number = toString(ratio);
  if (ratio == replicas && replicas > 1) return fmt::format("R = {}", number);
  if (ratio * replicas == 1 && replicas > 1) return fmt::format("1/R = {}", number);
  return number;
}

std::string differenceText(const Difference& difference, const Judgement& judgement, std::int64_t replicas) {
  std::string text =
      fmt::format("  {:<10} {} of {} cells differ", oneLine(difference.name), difference.differing, difference.cells);
  if (difference.ratio)
    text += fmt::format("; every cell is {} times the global program's", ratioText(*difference.ratio, replicas));
  text += fmt::format("\n             first at replica {}, {}: {} instead of {}", difference.replica,
                      cellText(difference.index), difference.found, difference.expected);
  if (difference.relative)
    text += fmt::format("; off by {:.2g} of the largest in {}", *difference.relative, judgement.numbers);
  return text + "\n";
}

}  // namespace

std::string textReport(const Judgement& judgement, const ReportNames& names, bool colour) {
  std::string text = headline(judgement, names, colour) + "\n";
  const std::size_t results = judgement.pairing.results.size();
  if (judgement.differences.empty() && judgement.points > 0)
    text += fmt::format("  {} results, {} cells, equal at {} random points of the field; false pass below 2^{:.0f}\n",
                        results, judgement.comparedCells, judgement.points, std::ceil(judgement.falsePassLog2));
  else if (!judgement.differences.empty())
    text += fmt::format("  {} of {} results differ at a random point of the field, seed {}\n",
                        judgement.differences.size(), results, names.seed);
  for (const Difference& difference : judgement.differences)
    text += differenceText(difference, judgement, names.replicas);
  if (!judgement.reason.empty()) text += "  " + judgement.reason + "\n";
  std::size_t sharded = 0;
  for (const Pair& pair : judgement.pairing.arguments) sharded += pair.sharding.isReplicated() ? 0 : 1;
  text += fmt::format("  {} arguments, {} of them sharded", judgement.pairing.arguments.size(), sharded);
  for (const Pair& pair : judgement.pairing.arguments)
    if (!pair.sharding.isReplicated())
      text += fmt::format("; {} along axis {}", oneLine(pair.name), pair.sharding.axis);
  for (const std::string& name : judgement.pairing.ignored) text += fmt::format("; {} ignored", oneLine(name));
  return text + "\n";
}

std::string jsonReport(const Judgement& judgement, const ReportNames& names) {
  constexpr const char* outcomes[] = {"holds", "refuted", "undecided"};
  nlohmann::ordered_json report;
  report["ok"] = judgement.outcome == Outcome::holds;
  report["seed"] = names.seed;
  auto& programs = report["programs"];
  programs["replica"] = names.replica;
  programs["global"] = names.global;
  programs["R"] = names.replicas;
  programs["status"] = outcomes[static_cast<std::size_t>(judgement.outcome)];
  programs["points"] = judgement.points;
  programs["false_pass_log2"] = judgement.falsePassLog2;
  programs["compared_results"] = judgement.pairing.results.size();
  programs["compared_cells"] = judgement.comparedCells;
  programs["ignored"] = judgement.pairing.ignored;
  programs["reason"] = judgement.reason;
  programs["seconds"] = judgement.seconds;
  programs["arguments"] = nlohmann::ordered_json::array();
  for (const Pair& pair : judgement.pairing.arguments)
    programs["arguments"].push_back({{"name", pair.name}, {"sharding", toString(pair.sharding)}});
  programs["differences"] = nlohmann::ordered_json::array();
  for (const Difference& difference : judgement.differences) {
    nlohmann::ordered_json one{{"name", difference.name},       {"sharding", toString(difference.sharding)},
                               {"cells", difference.cells},     {"differing", difference.differing},
                               {"replica", difference.replica}, {"index", difference.index},
                               {"found", difference.found},     {"expected", difference.expected}};
    one["ratio"] = difference.ratio ? nlohmann::ordered_json(toString(*difference.ratio)) : nlohmann::ordered_json();
    one["relative"] = difference.relative ? nlohmann::ordered_json(*difference.relative) : nlohmann::ordered_json();
    one["numbers"] = judgement.numbers;
    programs["differences"].push_back(std::move(one));
  }
  return report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace shardlaw::programs
