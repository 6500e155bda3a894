#include "props/mutant/matrix.h"

#include <set>

#include "interp/error.h"
#include "tests/props/support.h"

namespace shardlaw {
namespace {

std::vector<const JudgeDomain*> domains(std::initializer_list<std::string_view> names) {
  std::vector<const JudgeDomain*> chosen;
  for (const std::string_view name : names) chosen.push_back(&findJudgeDomain(name));
  return chosen;
}

std::size_t pairsIn(const std::vector<const JudgeDomain*>& chosen) {
  std::size_t pairs = 0;
  for (const Mutant& mutant : allMutants())
    for (const std::string_view law : mutant.laws)
      for (const JudgeDomain* domain : chosen) {
        const auto& meant = findLaw(law).domains;
        pairs += meant.empty() || std::find(meant.begin(), meant.end(), domain->name) != meant.end() ? 1 : 0;
      }
  return pairs;
}

/// As the matrix has it: the wrong version fails, and the right one passes the very case.
void checkKilled(const Mutant& mutant, const Law& law, const JudgeDomain& domain, std::uint64_t seed) {
  INFO(mutant.name << " against " << law.name << " in " << domain.name << ", seed " << seed);
  RunOptions options;
  options.cases = 100;
  options.seed = seed;
  options.mutant = &mutant;
  const LawReport wrong = runLaw(law, domain, options);
  CHECK(wrong.status == Status::refuted);
  REQUIRE(wrong.counterexample);
  CHECK(wrong.cases <= 100);
  CHECK((wrong.confirmed || !domain.exact));
  options.mutant = nullptr;
  options.only = wrong.counterexample->c;
  const LawReport right = runLaw(law, domain, options);
  CHECK(right.status != Status::refuted);
  CHECK_FALSE(right.counterexample);
  CHECK(right.cases == 1);
}

TEST_CASE("over ten seeds every mutant is killed within 100 cases by every law that it names, in exact and in f64") {
  for (const Mutant& mutant : allMutants())
    for (const std::string_view name : mutant.laws)
      for (const JudgeDomain* domain : domains({"exact", "f64"})) {
        const Law& law = findLaw(name);
        const auto& meant = law.domains;
        if (!meant.empty() && std::find(meant.begin(), meant.end(), domain->name) == meant.end()) continue;
        for (std::uint64_t seed = 1; seed <= 10; ++seed) checkKilled(mutant, law, *domain, seed);
      }
}

TEST_CASE("the matrix has an entry for every mutant, law and domain, and no problem") {
  const auto chosen = domains({"exact", "f64", "f32"});
  RunOptions options;
  options.cases = 100;
  options.seed = 1;
  const KillMatrix matrix = killMatrix(chosen, options);
  // Bounds of f32 grow through a whole step, past what the milder slips change in it: no kill is asked for there. A
  // survivor in exact or f64 is a problem too many.
  const auto isBeyondF32 = [](const MatrixEntry& entry) {
    return entry.domain->name == "f32" && entry.law->name.ends_with("step") && !entry.killed;
  };
  std::vector<std::string> beyond;
  for (const MatrixEntry& entry : matrix.entries)
    if (isBeyondF32(entry))
      beyond.push_back(std::string(entry.mutant->name) + " against " + std::string(entry.law->name) +
                       " in f32: " + entry.note);
  CHECK(matrix.problems == beyond);
  CHECK(matrix.entries.size() == pairsIn(chosen));
  for (const MatrixEntry& entry : matrix.entries) {
    INFO(entry.mutant->name << " against " << entry.law->name << " in " << entry.domain->name);
    if (isBeyondF32(entry)) continue;
    CHECK(entry.killed);
    CHECK(entry.note.empty());
    CHECK(entry.casesToKill >= 1);
    CHECK(entry.casesToKill <= 100);
    CHECK(entry.casesDrawn >= entry.casesToKill);
    REQUIRE(entry.customary.has_value() == (entry.domain->name == "f64"));
    if (!entry.customary) continue;
    const CustomaryChecks& checks = *entry.customary;
    for (const int passed : {checks.law, checks.relativeError, checks.cosine, checks.afterAdamW})
      CHECK((passed >= 0 && passed <= checks.cases));
    CHECK(checks.law < checks.cases);
    CHECK(checks.oneReplica <= checks.oneReplicaOf);
    CHECK(checks.equalShards <= checks.equalShardsOf);
  }
}

TEST_CASE("laws that the pins exclude are left out of the matrix, and their killing nothing is no problem") {
  const KillMatrix matrix = undecidedMatrix(domains({"exact"}), {{Dimension::K, {2, 2}}});
  const auto has = [&](std::string_view law) {
    return std::any_of(matrix.entries.begin(), matrix.entries.end(),
                       [&](const MatrixEntry& entry) { return entry.law->name == law; });
  };
  CHECK(has("P4"));
  CHECK_FALSE(has("P2"));
  CHECK_FALSE(has("step"));
  KillMatrix decided = matrix;
  for (MatrixEntry& entry : decided.entries) entry.killed = true, entry.undecided = false;
  findProblems(decided);
  CHECK(decided.problems == std::vector<std::string>{});
  CHECK_THROWS_AS(undecidedMatrix(domains({"exact"}), {{Dimension::K, {2, 2}}, {Dimension::steps, {2, 2}}}), Error);
}

TEST_CASE("the matrix names survivors, laws that kill nothing and mutants that nothing kills") {
  // One case each is not enough for the rarer ones.
  RunOptions options;
  options.cases = 1;
  options.seed = 3;
  const KillMatrix matrix = killMatrix(domains({"exact"}), options);
  const auto isProblem = [&](const std::string& text) {
    return std::find(matrix.problems.begin(), matrix.problems.end(), text) != matrix.problems.end();
  };
  std::set<std::string_view> killed, killers;
  std::size_t survived = 0;
  for (const MatrixEntry& entry : matrix.entries) {
    const std::string pair =
        std::string(entry.mutant->name) + " against " + std::string(entry.law->name) + " in exact: ";
    CHECK(isProblem(pair + entry.note) == !entry.killed);
    if (!entry.killed) CHECK_FALSE(entry.note.empty());
    survived += entry.killed ? 0 : 1;
    if (entry.killed) killed.insert(entry.mutant->name);
    if (entry.killed) killers.insert(entry.law->name);
  }
  CHECK(survived > 0);
  CHECK(killed.size() < allMutants().size());
  // bf16-divisor is not meant in exact, and divisor-of-three is one for it alone.
  for (const Mutant& mutant : allMutants())
    CHECK(isProblem("no law kills " + std::string(mutant.name)) ==
          (!killed.contains(mutant.name) && mutant.name != "divisor-of-three"));
  for (const Law* law : allLaws())
    CHECK(isProblem(std::string(law->name) + " kills nothing") ==
          (!killers.contains(law->name) && law->name != "bf16-divisor"));
  CHECK_FALSE(matrix.ok());
}

TEST_CASE("the matrix is the same whatever the order that its runs end in") {
  RunOptions options;
  options.cases = 20;
  options.seed = 4;
  const KillMatrix a = killMatrix(domains({"exact"}), options), b = killMatrix(domains({"exact"}), options);
  REQUIRE(a.entries.size() == b.entries.size());
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    CHECK(a.entries[i].mutant == b.entries[i].mutant);
    CHECK(a.entries[i].law == b.entries[i].law);
    CHECK(a.entries[i].casesToKill == b.entries[i].casesToKill);
    CHECK(a.entries[i].casesDrawn == b.entries[i].casesDrawn);
  }
}

}  // namespace
}  // namespace shardlaw
