#include "props/report/saved.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "interp/error.h"
#include "interp/file.h"
#include "props/mutant/mutant.h"
#include "props/report/report.h"

namespace shardlaw {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view extension = ".counterexample.json";
constexpr int formatVersion = 1;
constexpr std::size_t mostBytes = 1 << 20;

[[noreturn]] void refuse(const std::string& path, const std::string& message) {
  throw Error(Location{path, 0, 0, {}}, message);
}

std::string field(const std::string& path, const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end())
    refuse(path, std::string("expected a counterexample with a field '") + name + "', found none");
  if (!found->is_string()) refuse(path, std::string("field '") + name + "': expected a string");
  return found->get<std::string>();
}

/// A JSON object, each name in it once: of two, one would win in silence.
Json parseObject(const std::string& path, const std::string& text) {
  std::set<std::string> names;
  std::string twice;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::key && depth == 1 && !names.insert(parsed.get<std::string>()).second)
      twice = parsed.get<std::string>();
    return true;
  };
  Json json = Json::parse(text, watch, false);
  if (!json.is_object()) refuse(path, "expected a saved counterexample (a JSON object)");
  if (!twice.empty()) refuse(path, "field '" + excerpt(twice) + "' is given twice");
  return json;
}

}  // namespace

std::string savedName(const LawReport& report) {
  std::string law(report.law->name == "P2γ" ? "P2gamma" : report.law->name);
  std::string name = law + "-" + std::string(report.domain->name);
  if (report.mutant != nullptr) name += "-" + std::string(report.mutant->name);
  return name + std::string(extension);
}

std::string savedText(const LawReport& report) {
  Json json{{"shardlaw", formatVersion}, {"law", report.law->name}, {"domain", report.domain->name}};
  if (report.mutant != nullptr) json["mutant"] = report.mutant->name;
  json["case"] = report.law->describe(report.counterexample->c);
  json["text"] = counterexampleBody(report);
  return json.dump(2) + "\n";
}

SavedCounterexample parseSaved(const std::string& path, const std::string& text) {
  const Json json = parseObject(path, text);
  const auto version = json.find("shardlaw");
  if (version == json.end() || !version->is_number_integer() || *version != formatVersion)
    refuse(path, "expected a counterexample of format " + std::to_string(formatVersion));
  try {
    const Law& law = findLaw(field(path, json, "law"));
    const JudgeDomain& domain = findJudgeDomain(field(path, json, "domain"));
    if (!law.isMeantIn(domain.name))
      refuse(path, "law " + std::string(law.name) + " is not meant in " + std::string(domain.name));
    const Mutant* mutant = json.contains("mutant") ? &findMutant(field(path, json, "mutant")) : nullptr;
    return {&law, &domain, mutant, law.parse(field(path, json, "case")), field(path, json, "text")};
  } catch (const Error& error) {
    if (!error.where().file.empty()) throw;
    refuse(path, error.what());
  }
}

SavedCounterexample readSaved(const std::string& path) { return parseSaved(path, readFile(path, mostBytes)); }

std::vector<SavedCounterexample> readSavedIn(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code status;
  const std::filesystem::directory_iterator entries(folder, status);
  if (status == std::errc::no_such_file_or_directory) return {};
  if (status) refuse(folder, "cannot be read: " + status.message());
  for (const auto& entry : entries)
    if (entry.path().string().ends_with(extension)) paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  std::vector<SavedCounterexample> saved;
  for (const std::string& path : paths) saved.push_back(readSaved(path));
  return saved;
}

}  // namespace shardlaw
