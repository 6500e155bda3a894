#include "props/mutant/mutant.h"

#include <set>

#include "props/gen/cases.h"
#include "props/runner.h"
#include "tests/props/support.h"

namespace shardlaw {
namespace {

using Catch::Contains;

const Case small = test::parsed("R=2,N=2,C=2,H=2,W=2,K=2,kH=2,kW=2,data=1,seed=3");

TEST_CASE("mutants have names that differ, a summary, and laws that exist") {
  std::set<std::string_view> names;
  for (const Mutant& mutant : allMutants()) {
    INFO(mutant.name);
    CHECK(names.insert(mutant.name).second);
    CHECK_FALSE(mutant.summary.empty());
    CHECK_FALSE(mutant.laws.empty());
    CHECK((mutant.replace != nullptr || !mutant.interleaved.empty() || !mutant.edits.empty()));
    for (const std::string_view law : mutant.laws) CHECK(findLaw(law).name == law);
    CHECK(std::set<std::string_view>(mutant.laws.begin(), mutant.laws.end()).size() == mutant.laws.size());
  }
}

TEST_CASE("every law has a mutant to kill") {
  std::set<std::string_view> laws;
  for (const Mutant& mutant : allMutants()) laws.insert(mutant.laws.begin(), mutant.laws.end());
  for (const Law* law : allLaws()) {
    INFO(law->name);
    CHECK(laws.contains(law->name));
  }
}

TEST_CASE("mutants are found by name, and a wrong name is told the nearest") {
  CHECK(findMutant("local-mdy").name == "local-mdy");
  CHECK_THROWS_WITH(findMutant("local-mdyy"), Contains("'local-mdyy'") && Contains("did you mean 'local-mdy'?"));
  CHECK_THROWS_AS(findMutant(""), Error);
}

TEST_CASE("a mutant that touches nothing in a claim says so and leaves it alone") {
  Claim claim = findLaw("S6").claim(small);
  const std::string before = claim.left.program.text();
  CHECK_FALSE(applyMutant(findMutant("local-mdy"), claim, small));
  CHECK_FALSE(applyMutant(findMutant("interleaved"), claim, small));
  CHECK(claim.left.program.text() == before);
}

TEST_CASE("a mutant changes the data-parallel side and leaves the global one alone, unless it is one of both") {
  for (const Mutant& mutant : allMutants()) {
    INFO(mutant.name);
    const Law& law = findLaw(mutant.laws.front());
    const CaseSpace space = caseSpace(law, {});
    test::Words words(1);
    bool changed = false;
    for (int i = 0; i < 2000 && !changed; ++i) {
      const Case c = drawCase(space, words);
      const Claim before = law.claim(c);
      Claim after = law.claim(c);
      changed = applyMutant(mutant, after, c);
      if (!changed) continue;
      const bool left = before.left.program.text() != after.left.program.text() || !after.interleaved.empty();
      const bool right = before.right.program.text() != after.right.program.text();
      const bool text = !after.right.edits.empty();
      CHECK((left || right || text));
      if (mutant.side == MutantSide::left && before.pairings.empty()) CHECK_FALSE(right);
      CHECK(before.equations.size() == after.equations.size());
    }
    CHECK(changed);
  }
}

TEST_CASE("at one replica the wrong versions of the synchronised statistics are right, so nothing is decided") {
  RunOptions options;
  options.pins = {{Dimension::R, {1, 1}}};
  options.cases = 60;
  for (const std::string_view name : {"mean-of-variances", "per-replica-bn", "per-replica-bn-back", "local-xhat",
                                      "local-mdy", "local-mdyx", "sum-mean", "sum-variance", "sum-dy-statistics",
                                      "sum-gradient", "averaged-twice", "gradient-not-reduced", "both-divisors"}) {
    options.mutant = &findMutant(name);
    for (const std::string_view law : options.mutant->laws) {
      for (const std::string_view domain : {"exact", "f64"}) {
        INFO(name << " against " << law << " in " << domain);
        const LawReport report = runLaw(findLaw(law), findJudgeDomain(domain), options);
        CHECK(report.status == Status::undecided);
        // A whole step at one replica is plain: there is nothing to break.
        CHECK_THAT(report.reason, Contains("vacuous") || Contains("no case"));
        CHECK(report.vacuous == report.cases);
      }
    }
  }
}

TEST_CASE("equal shards hide a local reduction, which shifted ones show") {
  Case c = small;
  for (const auto& [data, fails] : {std::pair{DataClass::equalShards, false}, {DataClass::shifted, true}}) {
    c[Dimension::data] = static_cast<int>(data);
    for (const auto& [mutant, law] : {std::pair{"local-mdy", "P2"}, {"local-mdyx", "P2"}, {"per-replica-bn", "P1"}}) {
      INFO(mutant << " on " << name(data));
      const Outcome outcome = judgeF64(test::withMutant(test::claimOf(law, c), mutant, c), c);
      CHECK((outcome.kind == Outcome::Kind::fails) == fails);
    }
  }
}

TEST_CASE("a dropped batch sum and interleaving are invisible at one example") {
  Case c = small;
  c[Dimension::N] = 1;
  c[Dimension::subject] = test::subjectNamed("P4", "denseWeightGrad");
  Claim claim = test::claimOf("P4", c);
  CHECK_FALSE(applyMutant(findMutant("interleaved"), claim, c));
  // On the right the batch has R examples, but the mutant is one of the left side.
  CHECK_FALSE(applyMutant(findMutant("dropped-batch-sum"), claim, c));
  c[Dimension::N] = 2;
  for (const std::string_view mutant : {"interleaved", "dropped-batch-sum"}) {
    const Claim wrong = test::withMutant(test::claimOf("P4", c), mutant, c);
    CHECK(judgeExact(wrong, c).kind == Outcome::Kind::fails);
  }
}

}  // namespace
}  // namespace shardlaw
