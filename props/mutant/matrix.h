// The kill matrix: every mutant against the laws that must refute it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "props/mutant/mutant.h"
#include "props/runner.h"

namespace shardlaw {

/// In how many of the same cases a wrong version would have passed other checks than the law's own, in f64.
struct CustomaryChecks {
  int cases = 0;                           ///< cases in which the mutant changes something
  int law = 0;                             ///< passed the law itself
  int relativeError = 0;                   ///< ‖left − right‖ ≤ 1e-2·‖right‖
  int cosine = 0;                          ///< cosine ≥ 0.99
  int afterAdamW = 0;                      ///< first AdamW updates within 1e-3
  int oneReplica = 0, oneReplicaOf = 0;    ///< passed the law with R = 1
  int equalShards = 0, equalShardsOf = 0;  ///< passed the law with every shard holding the same values
  bool forwardOnly = false;                ///< P1, the law of the forward pass, does not see it
};

struct MatrixEntry {
  const Mutant* mutant;
  const Law* law;
  const JudgeDomain* domain;
  bool killed = false;
  int casesToKill = 0;  ///< cases in which the mutant changed something, up to and including the fatal one
  int casesDrawn = 0;   ///< all cases drawn until then, those that it leaves alone included
  std::string note;     ///< why not killed
  std::optional<CustomaryChecks> customary{};  ///< f64 only
  bool undecided = false;                      ///< the time limit came first
};

struct KillMatrix {
  std::vector<MatrixEntry> entries;
  /// Survivors, laws that kill nothing, mutants that no law kills, a time limit; empty when all is well.
  std::vector<std::string> problems;
  /// Laws that the pins exclude.
  std::vector<const Law*> excluded{};
  bool ok() const { return problems.empty(); }
  /// No entry was cut off by the time limit.
  bool decided() const;
};

/// Every mutant with each of its laws in the domains that the law is meant in; nothing decided yet. Laws that the pins
/// exclude are left out, as under 'all'. Throws Error where they exclude every law.
KillMatrix undecidedMatrix(const std::vector<const JudgeDomain*>& domains, const Pins& pins = {});

/// Called with each entry that is done and its position, from any thread, several calls at a time.
using EntryDone = std::function<void(std::size_t, const MatrixEntry&)>;

/// A mutant counts as killed by a case only if the right version passes that very case.
KillMatrix killMatrix(const std::vector<const JudgeDomain*>& domains, const RunOptions& options,
                      const EntryDone& done = nullptr);

/// Fills in the problems from the entries.
void findProblems(KillMatrix& matrix);

}  // namespace shardlaw
