#include "props/gen/cases.h"

#include "tests/props/support.h"

namespace shardlaw {
namespace {

using Catch::Contains;
using enum Dimension;

constexpr int casesPerRun = 200;
constexpr int runs = 100;

bool draws(const Law& law, Dimension d) {
  return std::any_of(law.uses.begin(), law.uses.end(), [&](const Use& use) { return use.dimension == d; });
}
/// A law that says nothing at other numbers of replicas than one cannot draw them.
bool drawsReplicas(const Law& law) {
  return std::any_of(law.uses.begin(), law.uses.end(),
                     [](const Use& use) { return use.dimension == R && use.range.high > 1; });
}

std::vector<Case> drawn(const Law& law, const Pins& pins, std::uint64_t seed, int count = casesPerRun) {
  const CaseSpace space = caseSpace(law, pins);
  test::Words words(seed);
  std::vector<Case> cases;
  for (int i = 0; i < count; ++i) cases.push_back(drawCase(space, words));
  return cases;
}

/// The cases of many runs with different seeds, in a row.
std::vector<Case> drawnInRuns(const Law& law) {
  std::vector<Case> cases;
  for (int seed = 0; seed < runs; ++seed)
    for (const Case& c : drawn(law, {}, static_cast<std::uint64_t>(seed))) cases.push_back(c);
  return cases;
}

template <class Predicate>
double share(std::span<const Case> cases, const Predicate& holds) {
  return static_cast<double>(std::count_if(cases.begin(), cases.end(), holds)) / static_cast<double>(cases.size());
}

/// Over all runs the share lies in [low, high]; a single run of 200 cases may stray by chance, five
/// standard deviations at most.
template <class Predicate>
void checkShare(const std::string& what, const std::vector<Case>& cases, double low, double high,
                const Predicate& holds) {
  INFO(what);
  const double all = share(cases, holds);
  CHECK(all >= low);
  CHECK(all <= high);
  const double stray = 5 * std::sqrt(all * (1 - all) / casesPerRun);
  for (std::size_t first = 0; first < cases.size(); first += casesPerRun) {
    const double run = share(std::span(cases).subspan(first, casesPerRun), holds);
    if (std::abs(run - all) > stray) FAIL("a run of 200 cases has a share of " << run << ", all have " << all);
  }
}

TEST_CASE("every law draws the replicas, examples and channels that bugs show at") {
  for (const Law* law : allLaws()) {
    INFO("law " << law->name);
    const std::vector<Case> cases = drawnInRuns(*law);
    if (drawsReplicas(*law)) {
      checkShare("R >= 3", cases, 0.5, 1, [](const Case& c) { return c[R] >= 3; });
      checkShare("R >= 5", cases, 0.25, 1, [](const Case& c) { return c[R] >= 5; });
      checkShare("R = 1, which hides most bugs", cases, 0.005, 0.2, [](const Case& c) { return c[R] == 1; });
    }
    if (draws(*law, N)) checkShare("N = 1", cases, 0.1, 0.2, [](const Case& c) { return c[N] == 1; });
    if (draws(*law, C)) checkShare("C >= 3", cases, 1.0 / 3, 1, [](const Case& c) { return c[C] >= 3; });
    if (draws(*law, W)) {
      checkShare("H != W", cases, 0.5, 1, [](const Case& c) { return c[H] != c[W]; });
      checkShare("C != W", cases, 0.5, 1, [](const Case& c) { return c[C] != c[W]; });
    }
    if (draws(*law, kW)) checkShare("kH != kW", cases, 0.5, 1, [](const Case& c) { return c[kH] != c[kW]; });
  }
}

TEST_CASE("every run has cases of every value that a law draws, the data classes above all") {
  for (const Law* law : allLaws()) {
    INFO("law " << law->name);
    const CaseSpace space = caseSpace(*law, {});
    const std::vector<Case> many = drawnInRuns(*law);
    for (const CaseSpace::Axis& axis : space.axes) {
      if (axis.dimension == graph) continue;
      INFO("dimension " << info(axis.dimension).name);
      for (std::int64_t value = axis.range.low; value <= axis.range.high; ++value) {
        const auto has = [&](const Case& c) { return c[axis.dimension] == value; };
        CHECK((std::any_of(many.begin(), many.end(), has) || !space.allows(axis.dimension, value)));
        if (axis.dimension != Dimension::data) continue;
        for (std::size_t run = 0; run < 20; ++run) {
          const auto cases = std::span(many).subspan(run * casesPerRun, casesPerRun);
          CHECK(std::any_of(cases.begin(), cases.end(), has));
        }
      }
    }
  }
}

TEST_CASE("cases lie in the ranges of their law, and other dimensions at their least value") {
  for (const Law* law : allLaws()) {
    INFO("law " << law->name);
    for (const Case& c : drawn(*law, {}, 7)) {
      for (std::size_t d = 0; d < dimensionCount; ++d) {
        const auto dimension = static_cast<Dimension>(d);
        const auto use =
            std::find_if(law->uses.begin(), law->uses.end(), [&](const Use& u) { return u.dimension == dimension; });
        const Range range =
            use != law->uses.end() ? use->range : Range{info(dimension).range.low, info(dimension).range.low};
        if (c[dimension] < range.low || c[dimension] > range.high)
          FAIL(info(dimension).name << " = " << c[dimension] << " is outside its range");
      }
    }
  }
}

TEST_CASE("the same words give the same cases, other words others") {
  const Law& law = findLaw("P2");
  CHECK(drawn(law, {}, 3) == drawn(law, {}, 3));
  CHECK_FALSE(drawn(law, {}, 3) == drawn(law, {}, 4));
}

TEST_CASE("pins are honoured, and every value of a pinned range is drawn") {
  const Law& p2 = findLaw("P2");
  for (const Case& c : drawn(p2, {{R, {5, 5}}, {W, {3, 3}}, {H, {3, 3}}}, 1))
    if (c[R] != 5 || c[W] != 3 || c[H] != 3) FAIL("a pin is not honoured");
  std::map<std::int64_t, int> counts;
  for (const Case& c : drawn(p2, {{R, {9, 16}}}, 2)) ++counts[c[R]];
  CHECK(counts.size() == 8);
  CHECK(counts.begin()->first == 9);
  CHECK(counts.rbegin()->first == 16);
  for (const Case& c : drawn(p2, {{C, {1000, 1'000'000}}}, 3, 20)) CHECK((c[C] >= 1000 && c[C] <= 1'000'000));
  for (const Case& c : drawn(findLaw("bf16-divisor"), {{R, {1, 64}}}, 4)) CHECK((c[R] & (c[R] - 1)) == 0);
}

TEST_CASE("a pin that no case of the law can have is refused by name") {
  const auto refused = [](std::string_view law, const Pins& pins) {
    try {
      caseSpace(findLaw(law), pins);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refused("P2", {{K, {2, 2}}}) == "law P2: it has no dimension K");
  CHECK(refused("R1", {{R, {2, 5}}}) == "law R1: no case has R = 2..5");
  CHECK(refused("bf16-divisor", {{R, {3, 3}}}) == "law bf16-divisor: no case has R = 3");
  CHECK(refused("bf16-divisor", {{R, {5, 7}}}) == "law bf16-divisor: no case has R = 5..7");
  CHECK(refused("bf16-divisor", {{R, {5, 8}}}) == "accepted");
  CHECK(refused("R1", {{R, {1, 3}}}) == "accepted");
  CHECK(caseSpace(findLaw("R1"), {{R, {1, 3}}}).axes[0].range == Range{1, 1});
  CHECK(refused("P2", {{R, {500, 500}}}) == "accepted");
}

/// A measure that every shrink must lower, so that no chain of shrinks is endless.
std::vector<std::uint64_t> simplicity(const Case& c) {
  std::vector<std::uint64_t> measure{static_cast<std::uint64_t>(c[Dimension::data])};
  std::uint64_t sum = 0;
  for (std::size_t d = 0; d < dimensionCount; ++d)
    if (static_cast<Dimension>(d) != Dimension::data) sum += static_cast<std::uint64_t>(c.values[d]);
  measure.push_back(sum);
  measure.push_back(c.seed);
  return measure;
}

bool inSpace(const CaseSpace& space, const Case& c) {
  return std::all_of(space.axes.begin(), space.axes.end(), [&](const CaseSpace::Axis& axis) {
    const std::int64_t value = c[axis.dimension];
    return value >= axis.range.low && value <= axis.range.high && space.allows(axis.dimension, value);
  });
}

TEST_CASE("what a case shrinks to is simpler, within the space, and no other law's business") {
  for (const Law* law : allLaws()) {
    INFO("law " << law->name);
    const CaseSpace space = caseSpace(*law, {});
    for (const Case& c : drawn(*law, {}, 11, 40)) {
      for (const Case& simpler : shrinks(space, c)) {
        if (!(simplicity(simpler) < simplicity(c))) FAIL("not simpler: " << toString(simpler, space.dimensions(), {}));
        if (!inSpace(space, simpler)) FAIL("outside: " << toString(simpler, space.dimensions(), {}));
        if (simpler[subject] != c[subject] || simpler[graph] != c[graph]) FAIL("another subject or graph");
      }
    }
  }
}

/// Goes down by always taking the last, the first or a random candidate.
Case shrunk(const CaseSpace& space, Case c, int which, int& steps) {
  test::Words words(5);
  for (steps = 0; steps < 10000; ++steps) {
    const std::vector<Case> simpler = shrinks(space, c);
    if (simpler.empty()) return c;
    const std::uint64_t at = which == 0 ? 0 : which == 1 ? simpler.size() - 1 : words() % simpler.size();
    c = simpler[at];
  }
  return c;
}

TEST_CASE("shrinking ends at the least case, whichever way it goes") {
  for (const Law* law : allLaws()) {
    INFO("law " << law->name);
    const CaseSpace space = caseSpace(*law, {});
    for (const Case& c : drawn(*law, {}, 13, 5)) {
      for (const int which : {0, 1, 2}) {
        int steps = 0;
        const Case least = shrunk(space, c, which, steps);
        CHECK(steps < 1000);
        for (const CaseSpace::Axis& axis : space.axes)
          if (axis.dimension != subject && axis.dimension != graph) CHECK(least[axis.dimension] == axis.range.low);
        CHECK(least.seed == 0);
      }
    }
  }
}

TEST_CASE("pinned dimensions do not shrink below their pin") {
  const CaseSpace space = caseSpace(findLaw("P2"), {{R, {5, 5}}, {N, {2, 4}}});
  int steps = 0;
  const Case least = shrunk(space, drawn(findLaw("P2"), {{R, {5, 5}}, {N, {2, 4}}}, 17, 1)[0], 0, steps);
  CHECK(least[R] == 5);
  CHECK(least[N] == 2);
  CHECK(least[C] == 1);
}

}  // namespace
}  // namespace shardlaw
