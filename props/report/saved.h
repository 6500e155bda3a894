// Counterexamples as files: everything that shows one again, on any machine.
#pragma once

#include <string>
#include <vector>

#include "props/runner.h"

namespace shardlaw {

/// A counterexample that an earlier run saved.
struct SavedCounterexample {
  const Law* law;
  const JudgeDomain* domain;
  const Mutant* mutant;  ///< null for none
  Case c;
  std::string text;  ///< as it was printed
};

/// The name of the file in which a report's counterexample is saved: law, domain and mutant.
std::string savedName(const LawReport& report);
/// JSON: {"shardlaw", "law", "domain", "mutant", "case", "text"}.
std::string savedText(const LawReport& report);

/// Throws Error, with the file's name, for anything that savedText does not write.
SavedCounterexample parseSaved(const std::string& path, const std::string& text);
SavedCounterexample readSaved(const std::string& path);

/// Those in a folder; none where there is no such folder. Other files are left alone.
std::vector<SavedCounterexample> readSavedIn(const std::string& folder);

}  // namespace shardlaw
