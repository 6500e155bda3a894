#include "props/mutant/matrix.h"

#include <algorithm>
#include <set>

#include "interp/error.h"
#include "interp/exec/parallel.h"

namespace shardlaw {
namespace {

bool meantFor(const Law& law, const JudgeDomain& domain) {
  return law.domains.empty() || std::find(law.domains.begin(), law.domains.end(), domain.name) != law.domains.end();
}

void tryToKill(MatrixEntry& entry, const RunOptions& options) {
  RunOptions mutated = options;
  mutated.mutant = entry.mutant;
  mutated.deadline.reset();
  const LawReport wrong = runLaw(*entry.law, *entry.domain, mutated);
  entry.casesToKill = wrong.cases;
  entry.casesDrawn = wrong.cases + wrong.discarded;
  if (wrong.status != Status::refuted) {
    entry.note = wrong.reason.empty() ? "survived " + std::to_string(wrong.cases) + " cases" : wrong.reason;
    return;
  }
  RunOptions unbroken = options;
  unbroken.mutant = nullptr;
  unbroken.only = wrong.counterexample->c;
  entry.killed = runLaw(*entry.law, *entry.domain, unbroken).status != Status::refuted;
  if (!entry.killed) entry.note = "the right version fails the same case";
}

void findProblems(KillMatrix& matrix) {
  std::set<std::string_view> killers, killed;
  for (const MatrixEntry& entry : matrix.entries) {
    const std::string pair = std::string(entry.mutant->name) + " against " + std::string(entry.law->name) + " in " +
                             std::string(entry.domain->name);
    if (!entry.killed) {
      matrix.problems.push_back(pair + ": " + entry.note);
      continue;
    }
    killers.insert(entry.law->name);
    killed.insert(entry.mutant->name);
  }
  for (const Mutant& mutant : allMutants())
    if (!killed.contains(mutant.name)) matrix.problems.push_back("no law kills " + std::string(mutant.name));
  for (const Law* law : allLaws())
    if (!killers.contains(law->name)) matrix.problems.push_back(std::string(law->name) + " kills nothing");
}

}  // namespace

KillMatrix killMatrix(const std::vector<const JudgeDomain*>& domains, const RunOptions& options) {
  KillMatrix matrix;
  for (const Mutant& mutant : allMutants())
    for (const std::string_view law : mutant.laws)
      for (const JudgeDomain* domain : domains)
        if (meantFor(findLaw(law), *domain))
          matrix.entries.push_back({&mutant, &findLaw(law), domain, false, 0, 0, {}});
  parallelFor(static_cast<std::int64_t>(matrix.entries.size()), true,
              [&](std::int64_t i) { tryToKill(matrix.entries[static_cast<std::size_t>(i)], options); });
  findProblems(matrix);
  return matrix;
}

}  // namespace shardlaw
