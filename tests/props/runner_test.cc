#include "props/runner.h"

#include <omp.h>

#include <atomic>
#include <regex>

#include "interp/error.h"
#include "props/report/report.h"
#include "tests/props/support.h"

namespace shardlaw {
namespace {

using Catch::Contains;
using enum Dimension;

const JudgeDomain& exact() { return findJudgeDomain("exact"); }
const JudgeDomain& f64() { return findJudgeDomain("f64"); }

RunOptions running(int cases, std::uint64_t seed = 1) {
  RunOptions options;
  options.cases = cases;
  options.seed = seed;
  return options;
}
RunOptions breaking(std::string_view mutant, std::uint64_t seed = 1) {
  RunOptions options = running(200, seed);
  options.mutant = &findMutant(mutant);
  return options;
}

std::vector<Job> everyLaw() {
  std::vector<Job> jobs;
  for (const Law* law : allLaws())
    for (const JudgeDomain* domain : {&exact(), &f64()})
      if (law->domains.empty()) jobs.push_back({law, domain});
  return jobs;
}

/// The JSON of a run, without the one field that differs between runs.
std::string jsonOf(const std::vector<Job>& jobs, const RunOptions& options) {
  Reports reports;
  reports.laws = runLaws(jobs, options);
  static const std::regex seconds("\"seconds\": [^,\n]*");
  return std::regex_replace(jsonReport(reports, {options.seed, false, true}), seconds, "\"seconds\": 0");
}

// Laws that are true, false, vacuous or silent on purpose.

Claim claimSame(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  claim.shard("x", claim.batched("x", Role::activation, Shape{c[C]}));
  return std::move(claim).finish();
}
Claim claimZero(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Pair x = claim.batched("x", Role::activation, Shape{c[C]});
  claim.shard("0", claim.apply(nodes::sub, {x, x}));
  return std::move(claim).finish();
}
Claim claimNothing(const Case&) { throw Undefined("says nothing"); }
Claim claimOneInFifty(const Case& c) {
  if (c.seed % 50 != 0) throw Undefined("says nothing");
  return claimSame(c);
}
/// False from three replicas and two channels on, wherever x has a negative cell.
Claim claimFalseFromThree(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Pair x = claim.batched("x", Role::activation, Shape{c[C]});
  const bool wrong = c[R] >= 3 && c[C] >= 2;
  claim.shard("relu", {wrong ? claim.left.apply(nodes::relu, {x.left}) : x.left, x.right});
  return std::move(claim).finish();
}
Claim claimBroken(const Case&) { throw Error("a mistake of the user's"); }
/// (x + 1)^(2^51): a polynomial of so high a degree that many points prove little.
Claim claimOfHighDegree(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Pair x = claim.batched("x", Role::activation, Shape{c[C]});
  Pair power = claim.apply(nodes::shift, {x}, {{"by", Attribute{Rational(1)}}});
  for (int i = 0; i < 51; ++i) power = claim.apply(nodes::mul, {power, power});
  claim.shard("power", power);
  return std::move(claim).finish();
}
/// An identity of the order of the reals that an arbitrary order does not have: max(x, x + 1) = x + 1.
Claim claimOfOrder(const Case& c) {
  ClaimBuilder claim(c[R], c[N]);
  const Pair x = claim.batched("x", Role::activation, Shape{c[C]});
  const Attributes one{{"by", Attribute{Rational(1)}}};
  const Pair next = claim.apply(nodes::shift, {x}, one);
  const ValueId step = claim.left.apply(nodes::sub, {next.left, x.left});
  claim.shard("relu 1", {claim.left.apply(nodes::relu, {step}), claim.right.apply(nodes::sub, {next.right, x.right})});
  return std::move(claim).finish();
}

Law lawOf(std::string_view name, Claim (*claim)(const Case&)) {
  return {name, "a law of this test", {R, N, C, Dimension::data}, claim, {}, {}, nullptr, Trivial::never};
}

TEST_CASE("the same seed gives the same report, another seed another one") {
  const std::string once = jsonOf(everyLaw(), running(20));
  CHECK(once == jsonOf(everyLaw(), running(20)));
  CHECK(once != jsonOf(everyLaw(), running(20, 2)));
  const std::vector<Job> p2{{&findLaw("P2"), &exact()}, {&findLaw("P2"), &f64()}};
  CHECK(jsonOf(p2, breaking("local-mdy")) == jsonOf(p2, breaking("local-mdy")));
}

TEST_CASE("the number of threads changes nothing in a report but its seconds") {
  const int before = omp_get_max_threads();
  std::vector<std::string> holding, refuted;
  for (const int threads : {1, 2, 4}) {
    omp_set_num_threads(threads);
    holding.push_back(jsonOf(everyLaw(), running(20)));
    refuted.push_back(jsonOf({{&findLaw("graph"), &exact()}, {&findLaw("P2"), &f64()}}, breaking("sum-dy-statistics")));
  }
  omp_set_num_threads(before);
  CHECK(holding[0] == holding[1]);
  CHECK(holding[0] == holding[2]);
  CHECK(refuted[0] == refuted[1]);
  CHECK(refuted[0] == refuted[2]);
}

TEST_CASE("reports come in the order of the jobs") {
  const std::vector<Job> jobs{{&findLaw("graph"), &exact()}, {&findLaw("S6"), &f64()}, {&findLaw("P1"), &exact()}};
  const std::vector<LawReport> reports = runLaws(jobs, running(10));
  REQUIRE(reports.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(reports[i].law == jobs[i].law);
    CHECK(reports[i].domain == jobs[i].domain);
    CHECK(reports[i].cases == 10);
  }
}

TEST_CASE("a run that holds counts its cases, and each of their dimensions") {
  RunOptions options = running(50);
  options.pins = {{R, {5, 5}}};
  const LawReport report = runLaw(findLaw("P2"), exact(), options);
  CHECK(report.status == Status::holds);
  CHECK(report.cases == 50);
  CHECK(report.discarded == 0);
  CHECK(report.falsePassLog2 < falsePassTarget);
  CHECK(report.coverage.values.at(R) == std::map<std::int64_t, int>{{5, 50}});
  int cases = 0;
  for (const auto& [value, count] : report.coverage.values.at(W)) cases += count;
  CHECK(cases == 50);
  CHECK(report.coverage.values.size() == findLaw("P2").uses.size());
  CHECK_FALSE(report.counterexample);
  CHECK(report.reason.empty());
}

TEST_CASE("what is not decided says why: no case, too many discards, nothing to compare, time") {
  const LawReport silent = runLaw(lawOf("silent", claimNothing), exact(), running(20));
  CHECK(silent.status == Status::undecided);
  CHECK(silent.reason == "no case");
  CHECK(silent.cases == 0);
  CHECK(silent.discarded > 20);
  const LawReport rare = runLaw(lawOf("rare", claimOneInFifty), exact(), running(100));
  CHECK(rare.status == Status::undecided);
  CHECK_THAT(rare.reason, Contains("gave up"));
  CHECK(rare.cases > 0);
  CHECK(rare.cases < 100);
  CHECK(rare.discarded == 1001);
  for (const JudgeDomain* domain : {&exact(), &f64()}) {
    const LawReport zero = runLaw(lawOf("zero", claimZero), *domain, running(20));
    CHECK(zero.status == Status::undecided);
    CHECK_THAT(zero.reason, Contains("vacuous"));
    CHECK(zero.vacuous == 20);
  }
  RunOptions late = running(200);
  late.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  const LawReport timedOut = runLaw(findLaw("graph"), exact(), late);
  CHECK(timedOut.status == Status::undecided);
  CHECK(timedOut.reason == "time limit");
  RunOptions soon = running(1'000'000);
  soon.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  const LawReport cut = runLaw(findLaw("P2"), exact(), soon);
  CHECK(cut.status == Status::undecided);
  CHECK(cut.cases > 0);
  CHECK(cut.seconds < 10);
}

TEST_CASE("a law does not hold exactly where its false-pass bound misses the target") {
  const LawReport report = runLaw(lawOf("of high degree", claimOfHighDegree), exact(), running(5));
  CHECK(report.status == Status::undecided);
  CHECK(report.reason == "the false-pass bound of a case is only 2^-31");
  CHECK(report.falsePassLog2 == Approx(32 * (51 - 52)).margin(0.05));
}

TEST_CASE("a refutation stands even if the time runs out while it shrinks") {
  RunOptions options = breaking("local-mdy");
  options.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  options.failed = [&](const LawReport&) { options.deadline = std::chrono::steady_clock::now(); };
  const LawReport report = runLaw(findLaw("P2"), exact(), options);
  CHECK(report.status == Status::refuted);
  REQUIRE(report.counterexample);
}

TEST_CASE("a user's error ends the run as an error, not as a discard") {
  CHECK_THROWS_WITH(runLaw(lawOf("broken", claimBroken), exact(), running(20)), Contains("a mistake of the user's"));
  RunOptions huge = running(5);
  huge.pins = {{R, {1'000'000, 1'000'000}}, {N, {1'000'000, 1'000'000}}};
  CHECK_THROWS_WITH(runLaw(findLaw("P2"), exact(), huge), Contains("MiB"));
}

TEST_CASE("a counterexample is the least that fails, from whatever seed it was found") {
  const Law law = lawOf("false from three", claimFalseFromThree);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const JudgeDomain* domain : {&exact(), &f64()}) {
      const LawReport report = runLaw(law, *domain, running(200, seed));
      INFO("seed " << seed << " in " << domain->name);
      REQUIRE(report.counterexample);
      const Case& c = report.counterexample->c;
      CHECK(c[R] == 3);
      CHECK(c[N] == 1);
      CHECK(c[C] == 2);
      CHECK(c.data() == DataClass::integers);
      CHECK(c.seed < 8);
      CHECK(report.status == Status::refuted);
    }
  }
}

TEST_CASE("planted bugs of synchronised normalisation shrink to two replicas of one cell") {
  for (const auto& [law, mutant] : {std::pair{"P2", "local-mdy"},
                                    {"P2", "sum-dy-statistics"},
                                    {"P1", "per-replica-bn"},
                                    {"S3", "mean-of-variances"},
                                    {"P1", "mean-of-variances"},
                                    {"S1", "sum-mean"}}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const LawReport report = runLaw(findLaw(law), exact(), breaking(mutant, seed));
      INFO(law << " with " << mutant << ", seed " << seed);
      REQUIRE(report.counterexample);
      const Case& c = report.counterexample->c;
      for (const Dimension d : {N, C, H, W}) CHECK(c[d] == 1);
      CHECK(c[R] == 2);
      CHECK(c.data() == DataClass::integers);
      CHECK(report.counterexample->mismatch.replica == 0);
      for (const auto& [input, cells] : c.cells)
        for (const auto& [position, number] : cells) CHECK((number >= 0 && number <= 2));
      CHECK(report.confirmed);
    }
  }
}

TEST_CASE("pins hold while a counterexample shrinks") {
  RunOptions options = breaking("local-mdy");
  options.pins = {{R, {5, 5}}, {H, {3, 4}}};
  const LawReport report = runLaw(findLaw("P2"), f64(), options);
  REQUIRE(report.counterexample);
  CHECK(report.counterexample->c[R] == 5);
  CHECK(report.counterexample->c[H] == 3);
  CHECK(report.counterexample->c[W] == 1);
}

TEST_CASE("one case alone is run as it is, and shows the same cell again") {
  const LawReport found = runLaw(findLaw("P2"), f64(), breaking("local-mdyx"));
  REQUIRE(found.counterexample);
  RunOptions options = breaking("local-mdyx", 99);
  options.only = findLaw("P2").parse(findLaw("P2").describe(found.counterexample->c));
  const LawReport again = runLaw(findLaw("P2"), f64(), options);
  REQUIRE(again.counterexample);
  CHECK(again.counterexample->c == found.counterexample->c);
  CHECK(counterexampleBody(again) == counterexampleBody(found));
  CHECK(again.cases == 1);
  options.mutant = nullptr;
  CHECK(runLaw(findLaw("P2"), f64(), options).status == Status::holds);
}

TEST_CASE("what failed before is tried first") {
  const Law law = lawOf("false from three", claimFalseFromThree);
  RunOptions options = running(200);
  options.saved = {test::parsed("R=2,N=1,C=2"), test::parsed("R=3,N=2,C=2,data=1,seed=1")};
  const LawReport report = runLaw(law, f64(), options);
  CHECK(report.status == Status::refuted);
  REQUIRE(report.counterexample);
  CHECK(report.counterexample->casesBefore == 1);
  options.saved = {test::parsed("R=2,N=1,C=2")};
  const LawReport holding = runLaw(lawOf("same", claimSame), f64(), options);
  CHECK(holding.status == Status::holds);
}

TEST_CASE("the first failing case is announced once, before it is shrunk") {
  std::atomic<int> announced = 0;
  RunOptions options = breaking("local-mdy");
  std::int64_t cells = 0;
  options.failed = [&](const LawReport& report) {
    ++announced;
    REQUIRE(report.counterexample);
    cells = report.counterexample->c.globalBatch();
  };
  const LawReport report = runLaw(findLaw("P2"), exact(), options);
  CHECK(announced == 1);
  CHECK(cells >= report.counterexample->c.globalBatch());
}

TEST_CASE("what an arbitrary order refutes and the reals do not is not called refuted") {
  const Law law = lawOf("order", claimOfOrder);
  CHECK(runLaw(law, f64(), running(50)).status == Status::holds);
  const LawReport report = runLaw(law, exact(), running(200));
  INFO(report.reason);
  REQUIRE(report.counterexample);
  CHECK(report.status == Status::undecided);
  CHECK_THAT(report.reason, Contains("holds numerically"));
  CHECK_FALSE(report.confirmed);
}

}  // namespace
}  // namespace shardlaw
