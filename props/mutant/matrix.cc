#include "props/mutant/matrix.h"

#include <algorithm>
#include <set>

#include "interp/error.h"
#include "interp/exec/parallel.h"
#include "interp/number/hash.h"

namespace shardlaw {
namespace {

void tryToKill(MatrixEntry& entry, const RunOptions& options) {
  RunOptions mutated = options;
  mutated.mutant = entry.mutant;
  mutated.deadline.reset();
  mutated.progress = nullptr;
  mutated.failed = nullptr;
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

constexpr int customaryCases = 40;

/// Judges the mutant in one case; nothing where it changes nothing, or the law does not have such a case.
std::optional<Outcome> judgeMutant(const MatrixEntry& entry, const Case& c) {
  try {
    Claim claim = entry.law->claim(c);
    if (!applyMutant(*entry.mutant, claim, c)) return std::nullopt;
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
  for (int draw = 0; draw < mostDraws && checks.cases < customaryCases; ++draw) {
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
  checks.forwardOnly = runLaw(findLaw("P1"), findJudgeDomain("f64"), forward).status != Status::refuted;
  return checks;
}

bool meantForAny(const Law& law, const std::vector<const JudgeDomain*>& domains) {
  return std::any_of(domains.begin(), domains.end(), [&](const JudgeDomain* d) { return law.isMeantIn(d->name); });
}

void findProblems(KillMatrix& matrix, const std::vector<const JudgeDomain*>& domains) {
  std::set<std::string_view> killers, killed, tried;
  for (const MatrixEntry& entry : matrix.entries) {
    tried.insert(entry.mutant->name);
    const std::string pair = std::string(entry.mutant->name) + " against " + std::string(entry.law->name) + " in " +
                             std::string(entry.domain->name);
    if (!entry.killed) {
      matrix.problems.push_back(pair + ": " + entry.note);
      continue;
    }
    killers.insert(entry.law->name);
    killed.insert(entry.mutant->name);
  }
  // What none of the domains is meant for was not tried.
  for (const Mutant& mutant : allMutants())
    if (tried.contains(mutant.name) && !killed.contains(mutant.name))
      matrix.problems.push_back("no law kills " + std::string(mutant.name));
  for (const Law* law : allLaws())
    if (meantForAny(*law, domains) && !killers.contains(law->name))
      matrix.problems.push_back(std::string(law->name) + " kills nothing");
}

}  // namespace

KillMatrix killMatrix(const std::vector<const JudgeDomain*>& domains, const RunOptions& options) {
  KillMatrix matrix;
  for (const Mutant& mutant : allMutants())
    for (const std::string_view law : mutant.laws)
      for (const JudgeDomain* domain : domains)
        if (findLaw(law).isMeantIn(domain->name))
          matrix.entries.push_back({&mutant, &findLaw(law), domain, false, 0, 0, {}, {}});
  parallelFor(static_cast<std::int64_t>(matrix.entries.size()), true, [&](std::int64_t i) {
    MatrixEntry& entry = matrix.entries[static_cast<std::size_t>(i)];
    tryToKill(entry, options);
    if (entry.domain->name == "f64") entry.customary = measureCustomary(entry, options);
  });
  findProblems(matrix, domains);
  return matrix;
}

}  // namespace shardlaw
