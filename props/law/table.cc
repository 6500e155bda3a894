#include <algorithm>

#include "interp/error.h"
#include "props/law.h"
#include "props/names.h"

namespace shardlaw {

namespace laws {
#define SHARDLAW_LAW(id) extern const Law id;
#include "props/law/laws.def"
#undef SHARDLAW_LAW
}  // namespace laws

namespace {

/// Cells set by hand must be cells that the claim has.
void requireCells(const Case& c, const Claim& claim, const std::string& prefix) {
  for (const auto& [name, cells] : c.cells) {
    const auto input = std::find_if(claim.inputs.begin(), claim.inputs.end(),
                                    [&, &wanted = name](const ClaimInput& i) { return i.name == wanted; });
    if (input == claim.inputs.end()) throw Error(prefix + "this case has no input '" + name + "'");
    const std::int64_t last = cells.rbegin()->first;
    // A per-replica input is drawn as one tensor per replica.
    const std::int64_t count = input->global.shape.cells() * (input->perReplica ? c[Dimension::R] : 1);
    if (last >= count)
      throw Error(prefix + "input '" + name + "' of this case has " + std::to_string(count) + " cells, so no " + name +
                  "[" + std::to_string(last) + "]");
  }
}

}  // namespace

bool Law::isTrivial(const Case& c) const {
  if (trivial == Trivial::never) return false;
  return c[Dimension::R] == 1 || (trivial == Trivial::oneReplicaOrEqualShards && c.data() == DataClass::equalShards);
}

std::vector<Dimension> Law::dimensions() const {
  std::vector<Dimension> all;
  for (const Use& use : uses) all.push_back(use.dimension);
  return all;
}

Case Law::parse(std::string_view text) const {
  const Case c = parseCase(text, subjects);
  const std::string prefix = "law " + std::string(name) + ": ";
  const Case least = parseCase("", {});
  for (std::size_t d = 0; d < dimensionCount; ++d) {
    const auto dimension = static_cast<Dimension>(d);
    const bool used = std::any_of(uses.begin(), uses.end(), [&](const Use& use) { return use.dimension == dimension; });
    if (!used && c[dimension] != least[dimension])
      throw Error(prefix + "it has no dimension " + std::string(info(dimension).name));
  }
  for (const Use& use : uses) {
    const std::int64_t value = c[use.dimension];
    const bool outside = use.hard && (value < use.range.low || value > use.range.high);
    if (outside || (admits != nullptr && !admits(use.dimension, value)))
      throw Error(prefix + "no case has " + std::string(info(use.dimension).name) + " = " +
                  valueText(use.dimension, value, subjects));
  }
  if (!c.cells.empty()) requireCells(c, claim(c), prefix);
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
  if (wanted == "p2g" || wanted == "p2gamma") wanted = lowerCase("P2γ");
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
  throw Error("no law is named '" + std::string(name) + "'; did you mean '" + std::string(nearest->name) +
              "'? verify --list shows them all");
}

}  // namespace shardlaw
