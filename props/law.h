// Laws: what must hold for every case.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "props/case.h"
#include "props/claim.h"

namespace shardlaw {

/// A dimension that a law draws, with the range it draws from where that is narrower than usual. A hard
/// range is one outside which the law says nothing: a pin beyond it is refused.
struct Use {
  Dimension dimension;
  Range range;
  bool hard = false;

  Use(Dimension d) : dimension(d), range(info(d).range) {}
  Use(Dimension d, Range r, bool isHard = false) : dimension(d), range(r), hard(isHard) {}
};

/// Cases in which no mutant of a law could fail, besides those whose values are all zero.
enum class Trivial {
  never,
  oneReplica,              ///< at R = 1 both sides are one program
  oneReplicaOrEqualShards  ///< nor do shards that hold the same values tell one from another
};

struct Law {
  std::string_view name;
  std::string_view statement;
  std::vector<Use> uses;
  /// What the law says about the case. Throws Undefined where it says nothing (the case is discarded).
  Claim (*claim)(const Case&);
  /// Names of the values of Dimension::subject, for reports; empty where the law has one subject.
  std::vector<std::string> subjects;
  /// Domains in which the law is meant; empty for all. (A numeric law is refuted in `exact`.)
  std::vector<std::string_view> domains;
  /// Whether the law says anything at this value of a dimension, beyond its range; null for always.
  bool (*admits)(Dimension, std::int64_t) = nullptr;
  Trivial trivial = Trivial::oneReplicaOrEqualShards;

  bool isTrivial(const Case& c) const;
  bool isMeantIn(std::string_view domain) const;
  std::vector<Dimension> dimensions() const;
  /// The case as text, and back; both know the names of the law's subjects.
  std::string describe(const Case& c) const { return toString(c, dimensions(), subjects); }
  /// What is left out takes the least value that the law draws. Stricter than parseCase: throws Error also where the
  /// law says nothing about such a case, a field is given twice or of a dimension that the law does not have, or a cell
  /// lies outside the inputs.
  Case parse(std::string_view text) const;
};

/// Every law, in the order of the table.
std::span<const Law* const> allLaws();

/// The law of that name, ignoring case; "P2g" and "P2gamma" are P2γ. Throws Error, with the nearest name,
/// where there is none.
const Law& findLaw(std::string_view name);

}  // namespace shardlaw
