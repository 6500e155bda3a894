#include <algorithm>
#include <set>

#include "interp/error.h"
#include "interp/names.h"
#include "props/law.h"

namespace shardlaw {

namespace laws {
#define SHARDLAW_LAW(id) extern const Law id;
#include "props/law/laws.def"
#undef SHARDLAW_LAW
}  // namespace laws

namespace {

std::string about(const Law& law) { return "law " + std::string(law.name) + ": "; }

/// The values of eps and scale are numbers themselves: their positions in a list, which a program may use, are
/// not what a person means.
void requireNamed(Dimension dimension, std::string_view value) {
  if (dimension != Dimension::eps && dimension != Dimension::scale) return;
  std::string names;
  for (std::int64_t v = info(dimension).range.low; v <= info(dimension).range.high; ++v) {
    const std::string text = valueText(dimension, v, {});
    if (text == value) return;
    names += (names.empty() ? "" : ", ") + text;
  }
  throw Error("case: expected " + std::string(info(dimension).name) + " to be one of " + names + ", found '" +
              excerpt(value) + "'");
}

/// Every field once, and of a dimension that the law has: what would have no effect is refused. Returns the
/// dimensions that are given.
std::set<Dimension> requireFields(const Law& law, std::string_view text) {
  std::set<Dimension> given;
  if (text.empty() || text.ends_with(',')) throw Error("case '" + excerpt(text) + "': expected name=value after ','");
  std::set<std::string_view> seen;
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), field.size() + 1));
    const std::string_view key = field.substr(0, field.find('='));
    const auto dimension = findDimension(key);
    if (!seen.insert(dimension ? info(*dimension).name : key).second)
      throw Error("case: " + excerpt(key) + " is given twice");
    if (!dimension) continue;
    const auto all = law.dimensions();
    if (std::find(all.begin(), all.end(), *dimension) == all.end())
      throw Error(about(law) + "it has no dimension " + std::string(info(*dimension).name));
    requireNamed(*dimension, field.substr(std::min(field.size(), key.size() + 1)));
    given.insert(*dimension);
  }
  return given;
}

/// Cells set by hand lie in inputs of the law.
void requireCells(const Law& law, const Case& c) {
  const Claim claim = law.claim(c);
  for (const auto& [name, cells] : c.cells) {
    const auto input = std::find_if(claim.inputs.begin(), claim.inputs.end(),
                                    [&name = name](const ClaimInput& one) { return one.name == name; });
    if (input == claim.inputs.end()) {
      std::string names;
      for (const ClaimInput& one : claim.inputs) names += (names.empty() ? "" : ", ") + one.name;
      throw Error(about(law) + "no input is named '" + excerpt(name) + "'; there are " + names);
    }
    const Shape& global = input->global.shape;
    const std::int64_t of = input->perReplica ? global.batchOf(claim.left.replicas).cells() : global.cells();
    const std::int64_t last = cells.rbegin()->first;
    if (last >= of)
      throw Error(about(law) + "expected a position in " + name + " below " + std::to_string(of) + ", found " +
                  std::to_string(last));
  }
}

}  // namespace

bool Law::isTrivial(const Case& c) const {
  if (trivial == Trivial::never) return false;
  return c[Dimension::R] == 1 || (trivial == Trivial::oneReplicaOrEqualShards && c.data() == DataClass::equalShards);
}

bool Law::isMeantIn(std::string_view domain) const {
  return domains.empty() || std::find(domains.begin(), domains.end(), domain) != domains.end();
}

std::vector<Dimension> Law::dimensions() const {
  std::vector<Dimension> all;
  for (const Use& use : uses) all.push_back(use.dimension);
  return all;
}

Case Law::parse(std::string_view text) const {
  const std::set<Dimension> given = requireFields(*this, text);
  Case c = parseCase(text, subjects);
  for (const Use& use : uses) {
    if (!given.contains(use.dimension)) c[use.dimension] = use.range.low;
    const std::int64_t value = c[use.dimension];
    const bool outside = use.hard && (value < use.range.low || value > use.range.high);
    if (outside || (admits != nullptr && !admits(use.dimension, value)))
      throw Error("law " + std::string(name) + ": no case has " + std::string(info(use.dimension).name) + " = " +
                  valueText(use.dimension, value, subjects));
  }
  if (!c.cells.empty()) requireCells(*this, c);
  return c;
}

std::span<const Law* const> allLaws() {
  static const Law* const table[] = {
#define SHARDLAW_LAW(id) &laws::id,
#include "props/law/laws.def"
#undef SHARDLAW_LAW
  };
  return table;
}

const Law& findLaw(std::string_view name) {
  std::string wanted = lowerCase(name);
  if (wanted == "p2g" || wanted == "p2gamma" || wanted == "p2Γ") wanted = lowerCase("P2γ");
  const Law* nearest = nullptr;
  std::size_t least = 0;
  for (const Law* law : allLaws()) {
    const std::size_t distance = editDistance(wanted, lowerCase(law->name));
    if (distance == 0) return *law;
    if (nearest == nullptr || distance < least) {
      nearest = law;
      least = distance;
    }
  }
  throw Error("no law is named '" + excerpt(name) + "'; did you mean '" + std::string(nearest->name) +
              "'? verify --list shows them all");
}

}  // namespace shardlaw
