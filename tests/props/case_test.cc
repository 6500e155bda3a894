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

const std::vector<std::string> subjects{"conv", "maxPool2", "smoothed cross-entropy"};

Case parsed(const std::string& text) { return parseCase(text, subjects); }

void refuses(const std::string& text, const std::string& reason) {
  INFO(text);
  CHECK_THROWS_AS(parsed(text), Error);
  CHECK_THROWS_WITH(parsed(text), Contains(reason) && Contains("'" + text + "'"));
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
  c[Dimension::subject] = 2;
  c.seed = UINT64_MAX;
  c.cells["γ"][0] = -3;
  c.cells["x"][11] = 0;
  c.cells["x"][2] = 1000;
  CHECK(parsed(toString(c, allDimensions(), subjects)) == c);
  CHECK(toString(c, {Dimension::R, Dimension::subject, Dimension::kW}, subjects) ==
        "R=17,subject=smoothed-cross-entropy,kW=5,seed=18446744073709551615,x[2]=1000,x[11]=0,γ[0]=-3");
  CHECK(toString(Case{}, {}, {}) == "seed=0");
}

TEST_CASE("every value of the named dimensions is read by its name and by its number") {
  for (const Dimension d : {Dimension::data, Dimension::eps, Dimension::phase, Dimension::scale}) {
    for (std::int64_t v = info(d).range.low; v <= info(d).range.high; ++v) {
      const std::string key = std::string(info(d).name) + "=";
      INFO(key << valueText(d, v, {}));
      CHECK(parsed(key + valueText(d, v, {}))[d] == v);
      // "1" is an ε before it is the number of one.
      if (d != Dimension::eps || v != 1) CHECK(parsed(key + std::to_string(v))[d] == v);
    }
  }
  CHECK(valueText(Dimension::scale, 0, {}) == "1e0");
  CHECK(valueText(Dimension::scale, 1, {}) == "1e1");
  CHECK(valueText(Dimension::scale, 8, {}) == "1e-4");
  CHECK(valueText(Dimension::phase, 1, {}) == "odd");
  CHECK(parsed("subject=maxPool2")[Dimension::subject] == 1);
  CHECK(parsed("subject=smoothed-cross-entropy")[Dimension::subject] == 2);
  CHECK(parsed("subject=0")[Dimension::subject] == 0);
}

TEST_CASE("dimensions that are left out of a case take their least value") {
  const Case c = parsed("N=4");
  CHECK(c[Dimension::N] == 4);
  CHECK(c[Dimension::R] == 1);
  CHECK(c[Dimension::eps] == 0);
  CHECK(c.seed == 0);
  CHECK(c.globalBatch() == 4);
  CHECK(parsed("") == parsed("seed=0"));
  CHECK(parsed("seed=3,r=2").globalBatch() == 2);
}

TEST_CASE("a malformed case is refused with what was expected and found") {
  refuses("R", "expected name=value, found 'R'");
  refuses("=2", "expected name=value, found '=2'");
  refuses("R=2,,N=1", "expected name=value, found ''");
  refuses("Q=2", "no dimension is named 'Q'");
  refuses("R=", "expected a whole number, found ''");
  refuses("R=2.5", "expected a whole number, found '2.5'");
  refuses("R= 2", "expected a whole number, found ' 2'");
  refuses("R=99999999999999999999", "expected a whole number");
  refuses("seed=-1", "expected a whole number, found '-1'");
  refuses("seed=18446744073709551616", "expected a whole number");
  refuses("R=0", "expected R from 1 to 1000000, found 0");
  refuses("N=-3", "expected N from 1 to 1000000, found -3");
  refuses("R=1000001", "expected R from 1 to 1000000, found 1000001");
  refuses("data=8", "expected data from 0 to 7, found 8");
  refuses("data=integer", "expected a whole number, found 'integer'");
  refuses("eps=6", "expected eps from 0 to 5, found 6");
  refuses("phase=2", "expected phase from 0 to 1, found 2");
  refuses("subject=3", "expected subject from 0 to 2, found 3");
  refuses("x[-1]=2", "a negative position in x[-1]");
  refuses("x[0]=1001", "x[0] is beyond ±1000");
  refuses("x[0]=1.5", "expected a whole number, found '1.5'");
  refuses("x[]=1", "expected a whole number, found ''");
  refuses("x[a]=1", "expected a whole number, found 'a'");
  CHECK_THROWS_AS(parseCase("subject=1", {}), Error);
}

TEST_CASE("the values of eps are the decimals that they are printed as") {
  const std::string texts[] = {"1", "0.1", "1/1000", "1/100000", "1/100000000", "1/1000000000000"};
  for (int i = 0; i < epsCount; ++i) CHECK(epsValue(i) == decimal(texts[i]));
  CHECK(parsed("eps=3").eps() == ratio(1, 100000));
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
