#include "props/gen/data.h"

#include <set>

#include "tests/props/support.h"

namespace shardlaw {
namespace {

constexpr double smallest64 = smallestScale<double>;

Case caseOf(DataClass data, std::uint64_t seed, const std::string& dimensions = "R=4,N=3,C=2,H=5,W=4") {
  Case c = test::parsed(dimensions);
  c[Dimension::data] = static_cast<int>(data);
  c.seed = seed;
  return c;
}

ClaimInput mapsOf(const Case& c, const std::string& name, Role role) {
  return {name, role, {Shape{c.globalBatch(), c[Dimension::C], c[Dimension::H], c[Dimension::W]}, true}};
}

std::vector<PlannedCell> planned(const ClaimInput& input, const Case& c, double smallest = smallest64) {
  std::vector<PlannedCell> cells;
  for (std::int64_t i = 0; i < input.global.shape.cells(); ++i) cells.push_back(planCell(input, c, i, smallest));
  return cells;
}
std::vector<double> numbers(const std::vector<PlannedCell>& cells) {
  std::vector<double> values;
  for (const PlannedCell& cell : cells) values.push_back(cell.number);
  return values;
}

struct Moments {
  double mean = 0, deviation = 0;
};
Moments momentsOf(std::span<const double> values) {
  Moments m;
  for (const double v : values) m.mean += v / static_cast<double>(values.size());
  for (const double v : values) m.deviation += (v - m.mean) * (v - m.mean) / static_cast<double>(values.size());
  m.deviation = std::sqrt(m.deviation);
  return m;
}
/// The cells of one shard of a batched input.
std::span<const double> shardOf(const std::vector<double>& values, std::int64_t r, std::int64_t replicas) {
  const std::size_t cells = values.size() / static_cast<std::size_t>(replicas);
  return std::span(values).subspan(static_cast<std::size_t>(r) * cells, cells);
}

TEST_CASE("equal variables are equal cells, and different variables different ones") {
  for (int data = 0; data < dataClassCount; ++data) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Case c = caseOf(static_cast<DataClass>(data), seed);
      for (const Role role : {Role::activation, Role::cotangent}) {
        std::map<std::uint64_t, double> numberOf;
        std::map<double, std::uint64_t> variableOf;
        for (const PlannedCell& cell : planned(mapsOf(c, "x", role), c)) {
          if (!cell.isVariable) continue;
          if (numberOf.try_emplace(cell.variable, cell.number).first->second != cell.number)
            FAIL(name(c.data()) << ": one variable, two numbers");
          if (variableOf.try_emplace(cell.number, cell.variable).first->second != cell.variable)
            FAIL(name(c.data()) << ": one number, two variables");
        }
      }
    }
  }
}

TEST_CASE("small integers tie, and hold the kinks of relu and relu6 as themselves in every domain") {
  std::set<double> seen;
  int tied = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Case c = caseOf(DataClass::integers, seed);
    const auto cells = planned(mapsOf(c, "x", Role::activation), c);
    std::set<double> ofCase;
    for (const PlannedCell& cell : cells) {
      CHECK(cell.number == std::round(cell.number));
      CHECK(cell.isVariable == (cell.number != 0 && cell.number != 6));
      const Field read = Reader<Exact>{seed}(cell);
      if (cell.number == 0 || cell.number == 6) CHECK(read == Field::fromSigned(std::llround(cell.number)));
      CHECK(Reader<Exact>{seed, true}(cell) == Field::fromSigned(std::llround(cell.number)));
      ofCase.insert(cell.number);
    }
    if (ofCase.size() < cells.size()) ++tied;
    seen.insert(ofCase.begin(), ofCase.end());
  }
  CHECK(tied == 50);
  CHECK(seen.contains(0));
  CHECK(seen.contains(6));
  CHECK(*seen.begin() < 0);
}

TEST_CASE("generic cells do not tie, and their scale is the case's") {
  for (const int scale : {0, 1, 2, 7, 8}) {
    Case c = caseOf(DataClass::generic, 5);
    c[Dimension::scale] = scale;
    const double unit = std::pow(10.0, scale % 2 == 1 ? (scale + 1) / 2 : -scale / 2);
    const auto values = numbers(planned(mapsOf(c, "x", Role::activation), c));
    CHECK(std::set<double>(values.begin(), values.end()).size() == values.size());
    double most = 0;
    for (const double v : values) most = std::max(most, std::abs(v));
    CHECK(most <= unit);
    CHECK(most > unit / 4);
  }
}

TEST_CASE("shifted shards have means of their own, further apart than their deviations") {
  int apart = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Case c = caseOf(DataClass::shifted, seed);
    const auto values = numbers(planned(mapsOf(c, "x", Role::activation), c));
    std::vector<double> means;
    double deviation = 0;
    for (std::int64_t r = 0; r < 4; ++r) {
      const Moments shard = momentsOf(shardOf(values, r, 4));
      means.push_back(shard.mean);
      deviation = std::max(deviation, shard.deviation);
    }
    CHECK(deviation < 1);
    if (momentsOf(means).deviation > 2 * deviation) ++apart;
  }
  CHECK(apart >= 45);
}

TEST_CASE("a large offset puts the mean thousands of deviations from zero") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Case c = caseOf(DataClass::largeOffset, seed);
    const Moments m = momentsOf(numbers(planned(mapsOf(c, "x", Role::activation), c)));
    CHECK(std::abs(m.mean) > 1e3 * m.deviation);
    CHECK(m.deviation > 0);
  }
}

TEST_CASE("channel 0 of the activations is constant, and nothing else is") {
  const Case c = caseOf(DataClass::constantChannel, 3);
  const auto constant = [&](const std::string& name, Role role, std::int64_t channel) {
    const auto cells = planned(mapsOf(c, name, role), c);
    std::set<std::uint64_t> variables;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (static_cast<std::int64_t>(i) / 20 % 2 == channel) variables.insert(cells[i].variable);
    return variables.size() == 1;
  };
  CHECK(constant("x", Role::activation, 0));
  CHECK_FALSE(constant("x", Role::activation, 1));
  CHECK_FALSE(constant("dy", Role::cotangent, 0));
  const ClaimInput features{"x", Role::activation, {Shape{12, 2}, true}};
  const auto cells = planned(features, c);
  for (std::size_t n = 0; n < 12; ++n) CHECK(cells[2 * n].number == cells[0].number);
  CHECK_FALSE(cells[1].number == cells[3].number);
}

TEST_CASE("subnormal cells lie around the smallest normal number of their format") {
  const Case c = caseOf(DataClass::subnormal, 4);
  int below = 0;
  for (const PlannedCell& cell : planned(mapsOf(c, "x", Role::activation), c)) {
    CHECK(std::abs(cell.number) <= 8 * smallest64);
    if (std::abs(cell.number) < smallest64) ++below;
  }
  CHECK(below > 0);
  const Reader<Bounded32> reader;
  bool subnormal = false;
  for (const PlannedCell& cell : planned(mapsOf(c, "x", Role::activation), c, reader.smallest()))
    subnormal = subnormal || std::fpclassify(reader(cell).value) == FP_SUBNORMAL;
  CHECK(subnormal);
}

TEST_CASE("equal shards hold the same values, generic ones do not") {
  for (const auto& [data, equal] : {std::pair{DataClass::equalShards, true}, {DataClass::generic, false}}) {
    const Case c = caseOf(data, 6);
    const auto cells = numbers(planned(mapsOf(c, "x", Role::activation), c));
    for (std::int64_t r = 1; r < 4; ++r) CHECK(std::ranges::equal(shardOf(cells, r, 4), shardOf(cells, 0, 4)) == equal);
  }
}

TEST_CASE("cotangents can be zero, and activations are then as ever") {
  const Case c = caseOf(DataClass::zeroCotangent, 7);
  for (const PlannedCell& cell : planned(mapsOf(c, "dy", Role::cotangent), c)) {
    CHECK_FALSE(cell.isVariable);
    CHECK(cell.number == 0);
  }
  for (const PlannedCell& cell : planned(mapsOf(c, "x", Role::activation), c)) CHECK(cell.isVariable);
}

TEST_CASE("labels are one-hot, and take every class") {
  for (int data = 0; data < dataClassCount; ++data) {
    const Case c = caseOf(static_cast<DataClass>(data), 8);
    const ClaimInput labels{"t", Role::label, {Shape{40, 3}, true}};
    const auto cells = planned(labels, c);
    double perClass[3] = {};
    for (std::size_t n = 0; n < 40; ++n) {
      double ones = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const PlannedCell& cell = cells[3 * n + k];
        CHECK_FALSE(cell.isVariable);
        CHECK((cell.number == 0 || cell.number == 1));
        ones += cell.number;
        perClass[k] += cell.number;
      }
      CHECK(ones == 1);
    }
    for (const double count : perClass) CHECK(count > 0);
  }
}

TEST_CASE("variances are positive, packed or not; the square of a subnormal number may underflow") {
  for (int data = 0; data < dataClassCount; ++data) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Case c = caseOf(static_cast<DataClass>(data), seed);
      const bool underflows = c.data() == DataClass::subnormal;
      const auto positive = [&](Role role, std::int64_t cells, std::int64_t first, std::int64_t last) {
        const auto values = numbers(planned({"v", role, {Shape{cells}, false}}, c));
        for (std::int64_t i = first; i < last; ++i)
          if (const double v = values[static_cast<std::size_t>(i)]; !(v > 0 || (v == 0 && underflows)))
            FAIL(name(c.data()) << ": variance " << v);
      };
      positive(Role::variance, 3, 0, 3);
      positive(Role::statistics, 6, 3, 6);
      positive(Role::dyStatistics, 12, 3, 6);
    }
  }
}

TEST_CASE("weights and cotangents are not zero, so that they cannot hide what they multiply") {
  for (const DataClass data : {DataClass::generic, DataClass::shifted, DataClass::subnormal}) {
    const Case c = caseOf(data, 9);
    for (const double v : numbers(planned(mapsOf(c, "dy", Role::cotangent), c))) CHECK(std::abs(v) >= 0.125);
    for (const double v : numbers(planned({"W", Role::weight, {Shape{3, 3}, false}}, c))) CHECK(std::abs(v) >= 0.125);
  }
}

TEST_CASE("a cell depends on its case's seed, its input's name and its position, and on nothing else") {
  const Case c = caseOf(DataClass::generic, 10);
  const auto x = numbers(planned(mapsOf(c, "x", Role::activation), c));
  CHECK(x == numbers(planned(mapsOf(c, "x", Role::activation), c)));
  CHECK_FALSE(x == numbers(planned(mapsOf(c, "z", Role::activation), c)));
  const Case other = caseOf(DataClass::generic, 11);
  CHECK_FALSE(x == numbers(planned(mapsOf(other, "x", Role::activation), other)));
  const Case fewer = caseOf(DataClass::generic, 10, "R=2,N=6,C=2,H=5,W=4");
  CHECK(x == numbers(planned(mapsOf(fewer, "x", Role::activation), fewer)));
}

}  // namespace
}  // namespace shardlaw
