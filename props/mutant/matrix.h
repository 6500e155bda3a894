// The kill matrix: every mutant against the laws that must refute it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "props/mutant/mutant.h"
#include "props/runner.h"

namespace shardlaw {

struct MatrixEntry {
  const Mutant* mutant;
  const Law* law;
  const JudgeDomain* domain;
  bool killed = false;
  int casesToKill = 0;  ///< cases in which the mutant changed something, up to and including the fatal one
  int casesDrawn = 0;   ///< all cases drawn until then, those that it leaves alone included
  std::string note;     ///< why not killed
};

struct KillMatrix {
  std::vector<MatrixEntry> entries;
  /// Survivors, laws that kill nothing, mutants that no law kills; empty when all is well.
  std::vector<std::string> problems;
  bool ok() const { return problems.empty(); }
};

/// A mutant counts as killed by a case only if the right version passes that very case.
KillMatrix killMatrix(const std::vector<const JudgeDomain*>& domains, const RunOptions& options);

}  // namespace shardlaw
