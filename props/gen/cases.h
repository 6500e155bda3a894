// Drawing and shrinking cases.
#pragma once

#include <map>
#include <vector>

#include "props/law.h"

namespace shardlaw {

/// Ranges that the user fixed, by dimension.
using Pins = std::map<Dimension, Range>;

/// The dimensions of a law with the ranges that its cases are drawn from.
struct CaseSpace {
  struct Axis {
    Dimension dimension;
    Range range;
    bool pinned;
  };
  std::vector<Axis> axes;
  bool (*admits)(Dimension, std::int64_t) = nullptr;

  std::vector<Dimension> dimensions() const;
  bool allows(Dimension d, std::int64_t value) const { return admits == nullptr || admits(d, value); }
};

/// Throws Error where a pin names a dimension that the law does not have, or values that no case of it can
/// take.
CaseSpace caseSpace(const Law& law, const Pins& pins);

/// A case drawn with `random`, a source of 64-bit words. Unpinned extents prefer the values where bugs
/// live: R ≥ 3, one example per replica now and then, H ≠ W, C not a power of two.
template <class Random>
Case drawCase(const CaseSpace& space, Random&& random);

/// Simpler cases to try in place of a failing one, best first: fewer replicas, smaller shapes and graphs,
/// plainer data.
std::vector<Case> shrinks(const CaseSpace& space, const Case& c);

/// Out of line, over a function that yields words.
Case drawCaseFrom(const CaseSpace& space, std::uint64_t (*next)(void*), void* state);

template <class Random>
Case drawCase(const CaseSpace& space, Random&& random) {
  return drawCaseFrom(
      space,
      [](void* state) { return static_cast<std::uint64_t>((*static_cast<std::remove_reference_t<Random>*>(state))()); },
      &random);
}

}  // namespace shardlaw
