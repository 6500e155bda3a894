#include "props/mutant/matrix.h"

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

TEST_CASE("over ten seeds every mutant is killed within 100 cases by every law that it names, in exact and in f64") {
  const auto chosen = domains({"exact", "f64"});
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RunOptions options;
    options.cases = 100;
    options.seed = seed;
    const KillMatrix matrix = killMatrix(chosen, options);
    INFO("seed " << seed);
    CHECK(matrix.problems == std::vector<std::string>{});
    CHECK(matrix.ok());
    CHECK(matrix.entries.size() == pairsIn(chosen));
    for (const MatrixEntry& entry : matrix.entries) {
      INFO(entry.mutant->name << " against " << entry.law->name << " in " << entry.domain->name);
      // killed means that the right version passes the very case.
      CHECK(entry.killed);
      CHECK(entry.casesToKill >= 1);
      CHECK(entry.casesToKill <= 100);
      CHECK(entry.casesDrawn >= entry.casesToKill);
    }
  }
}

TEST_CASE("f32 kills them as well") {
  RunOptions options;
  options.cases = 100;
  options.seed = 1;
  CHECK(killMatrix(domains({"f32"}), options).problems == std::vector<std::string>{});
}

TEST_CASE("the matrix names survivors, laws that kill nothing and mutants that nothing kills") {
  // At one replica the wrong versions of the synchronised statistics are right.
  RunOptions options;
  options.cases = 20;
  options.only = parseCase("R=1,N=2,C=1,H=2,W=2,K=2,data=1,seed=1");
  const KillMatrix matrix = killMatrix(domains({"f64"}), options);
  CHECK_FALSE(matrix.ok());
  const auto names = [&](const std::string& text) {
    return std::any_of(matrix.problems.begin(), matrix.problems.end(),
                       [&](const std::string& problem) { return problem.starts_with(text); });
  };
  CHECK(names("local-mdy against P2 in f64: survived 1 cases"));
  CHECK(names("no law kills local-mdy"));
  CHECK(names("S1 kills nothing"));
  CHECK_FALSE(names("no law kills gamma-missing"));
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
