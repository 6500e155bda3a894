#include "props/mutant/matrix.h"

#include <algorithm>
#include <set>

#include "interp/error.h"
#include "interp/exec/parallel.h"
#include "interp/number/hash.h"
#include "props/memory.h"

namespace shardlaw {
namespace {

bool expired(const RunOptions& options) {
  return options.deadline && std::chrono::steady_clock::now() > *options.deadline;
}

void tryToKill(MatrixEntry& entry, const RunOptions& options) {
  RunOptions mutated = options;
  mutated.mutant = entry.mutant;
  mutated.progress = nullptr;
  mutated.failed = nullptr;
  mutated.published = nullptr;
  const LawReport wrong = runLaw(*entry.law, *entry.domain, mutated);
  entry.casesToKill = wrong.cases;
  entry.casesDrawn = wrong.cases + wrong.discarded;
  if (wrong.status != Status::refuted) {
    entry.undecided = expired(options);
    entry.note = wrong.reason.empty() ? "survived " + std::to_string(wrong.cases) + " cases" : wrong.reason;
    return;
  }
  RunOptions unbroken = mutated;
  unbroken.mutant = nullptr;
  unbroken.deadline.reset();
  unbroken.only = wrong.counterexample->c;
  entry.killed = runLaw(*entry.law, *entry.domain, unbroken).status != Status::refuted;
  entry.undecided = false;
  entry.note = entry.killed ? "" : "the right version fails the same case";
}

constexpr int customaryCases = 40;

/// Judges the mutant in one case; nothing where it changes nothing, or the law does not have such a case.
std::optional<Outcome> judgeMutant(const MatrixEntry& entry, const Case& c) {
  try {
    Claim claim = entry.law->claim(c);
    if (!applyMutant(*entry.mutant, claim, c)) return std::nullopt;
    const MemoryShare share(memoryOf(claim, findJudgeDomain("f64")));
    Outcome outcome = judgeF64(claim, c);
    if (outcome.kind == Outcome::Kind::undefined) return std::nullopt;
    return outcome;
  } catch (const Undefined&) {
    return std::nullopt;
  }
}

/// The same case with another value of one dimension, judged by the law; counts it if it passes.
void judgeVariant(const MatrixEntry& entry, Case c, Dimension d, std::int64_t value, int& passed, int& of) {
  const auto dimensions = entry.law->dimensions();
  if (std::find(dimensions.begin(), dimensions.end(), d) == dimensions.end()) return;
  c[d] = value;
  const auto outcome = judgeMutant(entry, c);
  if (!outcome) return;
  ++of;
  if (outcome->kind == Outcome::Kind::holds) ++passed;
}

CustomaryChecks measureCustomary(const MatrixEntry& entry, const RunOptions& options) {
  CustomaryChecks checks;
  const CaseSpace space = caseSpace(*entry.law, options.pins);
  std::uint64_t words = 0;
  constexpr int mostDraws = 100 * customaryCases;
  for (int draw = 0; draw < mostDraws && checks.cases < customaryCases && !expired(options); ++draw) {
    const Case c = drawCase(space, [&] { return mix64(options.seed, words++); });
    const auto outcome = judgeMutant(entry, c);
    if (!outcome) continue;
    ++checks.cases;
    if (outcome->kind == Outcome::Kind::holds) ++checks.law;
    if (outcome->customary.relativeError <= 1e-2) ++checks.relativeError;
    if (outcome->customary.cosine >= 0.99) ++checks.cosine;
    if (outcome->customary.afterAdamW <= 1e-3) ++checks.afterAdamW;
    judgeVariant(entry, c, Dimension::R, 1, checks.oneReplica, checks.oneReplicaOf);
    judgeVariant(entry, c, Dimension::data, static_cast<int>(DataClass::equalShards), checks.equalShards,
                 checks.equalShardsOf);
  }
  RunOptions forward;
  forward.seed = options.seed;
  forward.cases = customaryCases;
  forward.mutant = entry.mutant;
  forward.deadline = options.deadline;
  checks.forwardOnly = runLaw(findLaw("P1"), findJudgeDomain("f64"), forward).status != Status::refuted;
  return checks;
}

/// A mutant that no law kills, a law that kills nothing: known only once every entry is decided. What none of
/// the chosen domains is meant for was not tried, and is no problem.
void findUnmatched(KillMatrix& matrix) {
  std::set<std::string_view> killers, killed, tried, domains;
  for (const MatrixEntry& entry : matrix.entries) {
    tried.insert(entry.mutant->name);
    domains.insert(entry.domain->name);
    if (!entry.killed) continue;
    killers.insert(entry.law->name);
    killed.insert(entry.mutant->name);
  }
  for (const Mutant& mutant : allMutants())
    if (tried.contains(mutant.name) && !killed.contains(mutant.name))
      matrix.problems.push_back("no law kills " + std::string(mutant.name));
  for (const Law* law : allLaws()) {
    const bool excluded = std::find(matrix.excluded.begin(), matrix.excluded.end(), law) != matrix.excluded.end();
    const bool meant =
        !excluded && std::any_of(domains.begin(), domains.end(), [&](auto d) { return law->isMeantIn(d); });
    if (meant && !killers.contains(law->name)) matrix.problems.push_back(std::string(law->name) + " kills nothing");
  }
}

}  // namespace

bool KillMatrix::decided() const {
  return std::none_of(entries.begin(), entries.end(), [](const MatrixEntry& entry) { return entry.undecided; });
}

void findProblems(KillMatrix& matrix) {
  for (const MatrixEntry& entry : matrix.entries)
    if (!entry.killed && !entry.undecided)
      matrix.problems.push_back(std::string(entry.mutant->name) + " against " + std::string(entry.law->name) + " in " +
                                std::string(entry.domain->name) + ": " + entry.note);
  if (matrix.decided()) return findUnmatched(matrix);
  const auto undecided = std::count_if(matrix.entries.begin(), matrix.entries.end(),
                                       [](const MatrixEntry& entry) { return entry.undecided; });
  matrix.problems.push_back(std::to_string(undecided) + " of " + std::to_string(matrix.entries.size()) +
                            " undecided: time limit");
}

KillMatrix undecidedMatrix(const std::vector<const JudgeDomain*>& domains, const Pins& pins) {
  KillMatrix matrix;
  std::optional<Error> why;
  for (const Law* law : allLaws()) {
    try {
      caseSpace(*law, pins);
    } catch (const Error& error) {
      matrix.excluded.push_back(law);
      why = error;
    }
  }
  if (matrix.excluded.size() == allLaws().size()) throw *why;
  const auto isExcluded = [&](std::string_view law) {
    return std::find(matrix.excluded.begin(), matrix.excluded.end(), &findLaw(law)) != matrix.excluded.end();
  };
  for (const Mutant& mutant : allMutants())
    for (const std::string_view law : mutant.laws)
      for (const JudgeDomain* domain : domains)
        if (findLaw(law).isMeantIn(domain->name) && !isExcluded(law))
          matrix.entries.push_back({&mutant, &findLaw(law), domain, false, 0, 0, "time limit", {}, true});
  return matrix;
}

KillMatrix killMatrix(const std::vector<const JudgeDomain*>& domains, const RunOptions& options,
                      const EntryDone& done) {
  KillMatrix matrix = undecidedMatrix(domains, options.pins);
  parallelFor(static_cast<std::int64_t>(matrix.entries.size()), true, [&](std::int64_t i) {
    MatrixEntry& entry = matrix.entries[static_cast<std::size_t>(i)];
    tryToKill(entry, options);
    if (entry.domain->name == "f64") entry.customary = measureCustomary(entry, options);
    if (expired(options)) entry.customary.reset();
    if (done) done(static_cast<std::size_t>(i), entry);
  });
  findProblems(matrix);
  return matrix;
}

}  // namespace shardlaw
