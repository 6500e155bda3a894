#include <algorithm>
#include <cctype>

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

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
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
  for (const Use& use : uses) {
    const std::int64_t value = c[use.dimension];
    const bool outside = use.hard && (value < use.range.low || value > use.range.high);
    if (outside || (admits != nullptr && !admits(use.dimension, value)))
      throw Error("law " + std::string(name) + ": no case has " + std::string(info(use.dimension).name) + " = " +
                  valueText(use.dimension, value, subjects));
  }
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
  std::string wanted = lower(name);
  if (wanted == "p2g" || wanted == "p2gamma") wanted = lower("P2γ");
  const Law* nearest = nullptr;
  std::size_t least = 0;
  for (const Law* law : allLaws()) {
    const std::size_t distance = editDistance(wanted, lower(law->name));
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
