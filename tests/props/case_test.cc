#include "props/case.h"

#include <catch2/catch.hpp>

#include "interp/error.h"
#include "props/law.h"

namespace shardlaw {
namespace {

using Catch::Contains;

std::vector<Dimension> allDimensions() {
  std::vector<Dimension> all;
  for (std::size_t d = 0; d < dimensionCount; ++d) all.push_back(static_cast<Dimension>(d));
  return all;
}

void refuses(const std::string& text, const std::string& reason) {
  INFO(text);
  CHECK_THROWS_AS(parseCase(text), Error);
  CHECK_THROWS_WITH(parseCase(text), Contains(reason) && Contains("'" + text + "'"));
}

TEST_CASE("the table of dimensions is in the order of the enumeration, with names that differ") {
  for (const Dimension d : allDimensions()) {
    CHECK(info(d).dimension == d);
    CHECK(info(d).range.low <= info(d).range.high);
    CHECK_FALSE(info(d).meaning.empty());
    REQUIRE(findDimension(info(d).name));
    CHECK(*findDimension(info(d).name) == d);
  }
  CHECK(findDimension("r") == Dimension::R);
  CHECK(findDimension("KH") == Dimension::kH);
  CHECK(findDimension("K") == Dimension::K);
  CHECK_FALSE(findDimension("Q"));
  CHECK_FALSE(findDimension(""));
}

TEST_CASE("a case is read back as it was written") {
  Case c;
  for (const Dimension d : allDimensions()) c[d] = info(d).range.high;
  c[Dimension::R] = 17;  // the usual range of an extent is no limit
  c.seed = UINT64_MAX;
  CHECK(parseCase(toString(c, allDimensions())) == c);
  CHECK(toString(c, {Dimension::R, Dimension::kW}) == "R=17,kW=5,seed=18446744073709551615");
  CHECK(toString(Case{}, {}) == "seed=0");
}

TEST_CASE("dimensions that are left out of a case take their least value") {
  const Case c = parseCase("N=4");
  CHECK(c[Dimension::N] == 4);
  CHECK(c[Dimension::R] == 1);
  CHECK(c[Dimension::eps] == 0);
  CHECK(c.seed == 0);
  CHECK(c.globalBatch() == 4);
  CHECK(parseCase("") == parseCase("seed=0"));
  CHECK(parseCase("seed=3,r=2").globalBatch() == 2);
}

TEST_CASE("a malformed case is refused with what was expected and found") {
  refuses("R", "expected name=number, found 'R'");
  refuses("R=2,,N=1", "expected name=number, found ''");
  refuses("Q=2", "no dimension is named 'Q'");
  refuses("R=", "expected a whole number, found ''");
  refuses("R=2.5", "expected a whole number, found '2.5'");
  refuses("R= 2", "expected a whole number, found ' 2'");
  refuses("R=99999999999999999999", "expected a whole number");
  refuses("seed=-1", "expected a whole number, found '-1'");
  refuses("seed=18446744073709551616", "expected a whole number");
  refuses("R=0", "R is out of its range");
  refuses("N=-3", "N is out of its range");
  refuses("data=8", "data is out of its range");
  refuses("eps=6", "eps is out of its range");
  refuses("phase=2", "phase is out of its range");
}

TEST_CASE("the values of eps are the decimals that they are printed as") {
  const std::string texts[] = {"1", "0.1", "1/1000", "1/100000", "1/100000000", "1/1000000000000"};
  for (int i = 0; i < epsCount; ++i) CHECK(epsValue(i) == decimal(texts[i]));
  CHECK(parseCase("eps=3").eps() == ratio(1, 100000));
}

TEST_CASE("data classes have names that differ") {
  std::vector<std::string_view> names;
  for (int i = 0; i < dataClassCount; ++i) names.push_back(name(static_cast<DataClass>(i)));
  CHECK(names.front() == "integers");
  CHECK(names.back() == "zeroCotangent");
  std::sort(names.begin(), names.end());
  CHECK(std::unique(names.begin(), names.end()) == names.end());
}

}  // namespace
}  // namespace shardlaw
