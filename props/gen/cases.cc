#include "props/gen/cases.h"

#include <algorithm>

#include "interp/error.h"
#include "interp/number/hash.h"

namespace shardlaw {
namespace {

/// Relative frequencies of the values from a dimension's least one on; empty for uniform.
std::span<const int> frequencies(Dimension d) {
  static constexpr int replicas[] = {5, 14, 19, 13, 15, 9, 9, 15, 2, 2, 1, 1};
  static constexpr int examples[] = {15, 25, 24, 16, 12, 8};
  static constexpr int channels[] = {14, 22, 22, 9, 14, 9, 10};
  static constexpr int kernels[] = {22, 18, 34, 10, 16};
  static constexpr int classes[] = {22, 18, 22, 12, 10, 7, 5, 4};
  static constexpr int scales[] = {40, 8, 8, 8, 8, 7, 7, 7, 7};
  switch (d) {
    case Dimension::R: return replicas;
    case Dimension::N: return examples;
    case Dimension::C: return channels;
    case Dimension::kH:
    case Dimension::kW: return kernels;
    case Dimension::data: return classes;
    case Dimension::scale: return scales;
    default: return {};
  }
}

std::int64_t frequency(Dimension d, std::int64_t value) {
  const auto table = frequencies(d);
  const std::int64_t at = value - info(d).range.low;
  if (table.empty()) return 1;
  return at >= 0 && at < static_cast<std::int64_t>(table.size()) ? table[static_cast<std::size_t>(at)] : 0;
}

/// As likely each of the values that the law admits.
std::int64_t drawFromWide(const CaseSpace& space, const CaseSpace::Axis& axis, std::uint64_t word) {
  const auto width = static_cast<std::uint64_t>(axis.range.high - axis.range.low + 1);
  const auto drawn = axis.range.low + static_cast<std::int64_t>(word % width);
  if (space.allows(axis.dimension, drawn)) return drawn;
  std::vector<std::int64_t> allowed;
  for (std::int64_t value = axis.range.low; value <= axis.range.high; ++value)
    if (space.allows(axis.dimension, value)) allowed.push_back(value);
  return allowed[mix64(word, 0xA110) % allowed.size()];
}

std::int64_t drawValue(const CaseSpace& space, const CaseSpace::Axis& axis, std::uint64_t word) {
  const std::int64_t width = axis.range.high - axis.range.low + 1;
  constexpr std::int64_t widest = 256;
  if (width > widest) return drawFromWide(space, axis, word);
  std::vector<std::int64_t> weights(static_cast<std::size_t>(width));
  std::int64_t total = 0;
  // Outside the usual values every one that the user asked for is as likely.
  for (int pass = 0; pass < 2 && total == 0; ++pass)
    for (std::int64_t i = 0; i < width; ++i) {
      const std::int64_t value = axis.range.low + i;
      const std::int64_t weight = pass == 0 && !axis.pinned ? frequency(axis.dimension, value) : 1;
      weights[static_cast<std::size_t>(i)] = space.allows(axis.dimension, value) ? weight : 0;
      total += weights[static_cast<std::size_t>(i)];
    }
  auto at = static_cast<std::int64_t>(word % static_cast<std::uint64_t>(total));
  for (std::int64_t i = 0; i < width; ++i) {
    at -= weights[static_cast<std::size_t>(i)];
    if (at < 0) return axis.range.low + i;
  }
  return axis.range.high;
}

void shrinkAxis(const CaseSpace& space, const CaseSpace::Axis& axis, const Case& c, std::vector<Case>& simpler) {
  const std::int64_t value = c[axis.dimension], low = axis.range.low;
  std::vector<std::int64_t> candidates{low, low + (value - low) / 2, value - 1};
  // Replicas and examples: one is rarely enough to fail, two often are.
  if (axis.dimension == Dimension::R || axis.dimension == Dimension::N)
    candidates.insert(candidates.begin() + 1, low + 1);
  std::int64_t last = value;
  for (const std::int64_t candidate : candidates) {
    if (candidate >= value || candidate < low || candidate == last || !space.allows(axis.dimension, candidate))
      continue;
    last = candidate;
    simpler.push_back(c);
    simpler.back()[axis.dimension] = candidate;
  }
}

/// The same case with small seeds: the law may fail for other data as well, and small integers from a small
/// seed are easiest to read.
std::vector<Case> withSmallSeeds(const CaseSpace& space, const Case& c) {
  constexpr std::uint64_t smallSeeds = 8;
  const auto data = std::find_if(space.axes.begin(), space.axes.end(),
                                 [](const CaseSpace::Axis& axis) { return axis.dimension == Dimension::data; });
  const bool canBeIntegers = data != space.axes.end() && data->range.low == static_cast<int>(DataClass::integers);
  std::vector<Case> others(smallSeeds, c);
  for (std::uint64_t seed = 0; seed < smallSeeds; ++seed) {
    others[seed].seed = seed;
    if (canBeIntegers) others[seed][Dimension::data] = static_cast<int>(DataClass::integers);
  }
  return others;
}

}  // namespace

std::vector<Dimension> CaseSpace::dimensions() const {
  std::vector<Dimension> all;
  for (const Axis& axis : axes) all.push_back(axis.dimension);
  return all;
}

CaseSpace caseSpace(const Law& law, const Pins& pins) {
  CaseSpace space;
  space.admits = law.admits;
  for (const Use& use : law.uses) space.axes.push_back({use.dimension, use.range, false});
  const std::string prefix = "law " + std::string(law.name) + ": ";
  for (const auto& [dimension, range] : pins) {
    const std::string name(info(dimension).name);
    const auto text = [&, d = dimension](std::int64_t value) { return valueText(d, value, law.subjects); };
    const std::string wanted =
        name + " = " + text(range.low) + (range.low == range.high ? "" : ".." + text(range.high));
    const auto axis = std::find_if(space.axes.begin(), space.axes.end(),
                                   [d = dimension](const CaseSpace::Axis& a) { return a.dimension == d; });
    if (axis == space.axes.end()) throw Error(prefix + "it has no dimension " + name);
    const auto use =
        std::find_if(law.uses.begin(), law.uses.end(), [d = dimension](const Use& u) { return u.dimension == d; });
    Range allowed = range;
    if (use->hard) allowed = {std::max(range.low, use->range.low), std::min(range.high, use->range.high)};
    bool any = false;
    for (std::int64_t v = allowed.low; v <= allowed.high && !any; ++v) any = space.allows(dimension, v);
    if (!any) throw Error(prefix + "no case has " + wanted);
    *axis = {dimension, allowed, true};
  }
  return space;
}

Case drawCaseFrom(const CaseSpace& space, std::uint64_t (*next)(void*), void* state) {
  Case c;
  for (std::size_t d = 0; d < dimensionCount; ++d) {
    const auto dimension = static_cast<Dimension>(d);
    c[dimension] = info(dimension).range.low;
  }
  for (const CaseSpace::Axis& axis : space.axes) {
    c[axis.dimension] = drawValue(space, axis, next(state));
    // Square maps, and channels as many as columns, hide mixed-up axes: draw once more most of the time.
    const std::uint64_t coin = next(state), again = next(state);
    const bool alike = (axis.dimension == Dimension::W &&
                        (c[Dimension::W] == c[Dimension::H] || c[Dimension::W] == c[Dimension::C])) ||
                       (axis.dimension == Dimension::kW && c[Dimension::kW] == c[Dimension::kH]);
    if (alike && coin % 8 != 0) c[axis.dimension] = drawValue(space, axis, again);
  }
  c.seed = next(state);
  return c;
}

std::vector<Case> shrinks(const CaseSpace& space, const Case& c) {
  std::vector<Case> simpler;
  for (const CaseSpace::Axis& axis : space.axes)
    if (axis.dimension != Dimension::subject && axis.dimension != Dimension::graph) shrinkAxis(space, axis, c, simpler);
  const std::vector<Case> smaller = simpler;
  for (const Case& other : withSmallSeeds(space, c))
    if (other.data() < c.data() || other.seed < c.seed) simpler.push_back(other);
  // At the data of this case a smaller one may hold by chance.
  for (const Case& one : smaller)
    for (const Case& other : withSmallSeeds(space, one)) simpler.push_back(other);
  return simpler;
}

}  // namespace shardlaw
