// Learning curves: the text of the table, and what the drawing shows.
#include "net/host/curve.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <locale>

namespace shardlaw::test {
namespace {

using Catch::Contains;

constexpr double infinity = std::numeric_limits<double>::infinity();

CurveRow row(std::int64_t step, double loss, double accuracy = 0.5, std::optional<double> test = {}) {
  return {step, 0, 0.1, loss, accuracy, test};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// The path of the n-th line of this class.
std::string path(const std::string& svg, const std::string& style, int n = 0) {
  const std::string start = "<path class=\"run " + style + "\" d=\"";
  // The first one is the sample in the legend.
  std::size_t at = svg.find(start);
  for (int i = style.starts_with("test") ? 1 : 0; i <= n && at != std::string::npos; ++i) at = svg.find(start, at + 1);
  if (at == std::string::npos) return "none";
  at += start.size();
  return svg.substr(at, svg.find('"', at) - at);
}

/// Whether every element is closed, in order; what a viewer insists on.
bool wellFormed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '/') {
      if (open.empty() || "/" + open.back() != tag) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  return open.empty();
}

TEST_CASE("the table: shortest decimals, and nothing where nothing was measured") {
  const Curve curve{"run",
                    {{0, 0, 0.1, 2.302585092994046, 0.1, {}},
                     {391, 1, 1e-3, 1.0 / 3, 0.5, 0.25},
                     {1LL << 40, 1.5, 1e-20, std::nan(""), 0, {}},
                     {3, 2, 0, -infinity, 1, 1}}};
  CHECK(toCsv(curve) ==
        "step,epoch,learning_rate,train_loss,train_accuracy,test_accuracy\n"
        "0,0,0.1,2.302585092994046,0.1,\n"
        "391,1,0.001,0.3333333333333333,0.5,0.25\n"
        "1099511627776,1.5,1e-20,nan,0,\n"
        "3,2,0,-inf,1,1\n");
  CHECK(count(toCsv({}), "\n") == 1);
}

/// 2621 as "2.621", with a decimal comma.
class Grouping : public std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  char do_decimal_point() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_CASE("a locale changes neither the table nor the drawing") {
  const Curve curve{"run", {row(0, 2.5, 0, 0.25), row(2621, 0.5, 1)}};
  const std::string csv = toCsv(curve), svg = toSvg({curve});
  const std::locale before = std::locale::global(std::locale(std::locale(), new Grouping));
  const std::string groupedCsv = toCsv(curve), groupedSvg = toSvg({curve});
  std::locale::global(before);
  CHECK(groupedCsv == csv);
  CHECK(groupedSvg == svg);
  CHECK_THAT(csv, Contains("2621,"));
}

TEST_CASE("points lie where the axes say") {
  // Steps 0 to 100 are the units 66 to 690 across; losses 0 to 2.08 are 210 units up from the bottom, at 252.
  const std::string svg = toSvg({{"run", {row(0, 2), row(50, 1), row(100, 0)}}});
  CHECK(path(svg, "r0") == "M66 50.08h0L378 151.04L690 252");
  // Accuracies 0 to 1.04 end at 488.
  CHECK(path(svg, "r0", 1) == "M66 387.04h0L378 387.04L690 387.04");
  for (const char* label : {">0</text>", ">1.5</text>", ">0.2</text>", ">0.8</text>", ">20</text>", ">100</text>"})
    CHECK_THAT(svg, Contains(label));
  CHECK_THAT(svg, Contains(">training loss</text>") && Contains(">accuracy</text>") && Contains(">step</text>"));
}

TEST_CASE("the axis of steps begins at 0 where a run begins near it") {
  CHECK_THAT(path(toSvg({{"run", {row(10, 1), row(100, 1)}}}), "r0"), Catch::StartsWith("M128.4 "));
  CHECK_THAT(path(toSvg({{"run", {row(50, 1), row(100, 1)}}}), "r0"), Catch::StartsWith("M66 "));
}

TEST_CASE("runs lie on one another: equal rows, equal paths, different styles") {
  const std::vector<CurveRow> rows{row(0, 2, 0.1, 0.1), row(10, 1, 0.6, 0.5), row(20, 0.5, 0.9)};
  const std::string svg = toSvg({{"R = 1", rows}, {"R = 4", rows}}, "cifar8-bn");
  CHECK(path(svg, "r0") != "none");
  CHECK(path(svg, "r0") == path(svg, "r1"));
  CHECK(path(svg, "r0", 1) == path(svg, "r1", 1));
  CHECK(path(svg, "test r0") == path(svg, "test r1"));
  CHECK_THAT(svg, Contains(">R = 1</text>") && Contains(">R = 4</text>") && Contains(">on the test set</text>"));
  CHECK_THAT(svg, Contains(".run.r0{stroke-width:5") && Contains("<title>cifar8-bn</title>"));
  CHECK(count(svg, "<circle class=\"mark r0\"") == 2);
  CHECK(count(svg, "<circle class=\"mark r1\"") == 2);
  // One run alone is a thin line, and nothing is said of a test set that was not measured.
  const std::string alone = toSvg({{"R = 1", {row(0, 2), row(1, 1)}}});
  CHECK_THAT(alone, !Contains("stroke-width:5") && !Contains("on the test set"));
}

TEST_CASE("values that are not finite are gaps") {
  const std::string svg = toSvg(
      {{"run", {row(0, 2), row(1, std::nan("")), row(2, 1), row(3, infinity), row(4, 1e308), row(5, 0), row(6, 0)}}});
  const std::string line = path(svg, "r0");
  CHECK(count(line, "M") == 3);
  CHECK(count(line, "L") == 1);
  CHECK_THAT(svg, !Contains("nan") && !Contains("inf"));
}

TEST_CASE("losses over several decades have a logarithmic axis") {
  const auto labelled = [](double low) { return toSvg({{"run", {row(0, 2), row(10, low)}}}); };
  CHECK_THAT(labelled(0.02), Contains("training loss (log)") && Contains(">0.01</text>") && Contains(">10</text>"));
  CHECK_THAT(labelled(0.021), !Contains("(log)"));
  CHECK_THAT(labelled(0), !Contains("(log)"));
  CHECK_THAT(labelled(-1), !Contains("(log)"));
  CHECK_THAT(labelled(2e-9), Contains(">1e-9</text>"));
  // Decades are as far apart as each other: 10, 1, 0.1, 0.01, 0.001 on 210 units.
  CHECK(path(toSvg({{"run", {row(0, 10), row(1, 0.1), row(2, 0.001)}}}), "r0") == "M66 42h0L378 147L690 252");
}

TEST_CASE("many rows make no large drawing, and keep their extremes") {
  Curve curve{"run", {}};
  for (int i = 0; i < 200000; ++i) curve.rows.push_back(row(i, 1 + (i % 7) * 0.01));
  curve.rows[77777].trainLoss = 5;
  const std::string svg = toSvg({curve});
  CHECK(svg.size() < 60000);
  const std::string plain = toSvg({{"run", {row(0, 1), row(77777, 5), row(199999, 1)}}});
  const std::string peak = path(plain, "r0").substr(path(plain, "r0").find('L'));
  CHECK_THAT(path(svg, "r0"), Contains(peak.substr(0, peak.find('L', 1))));
}

TEST_CASE("any runs make a well-formed drawing with finite coordinates") {
  const std::vector<std::vector<Curve>> all{
      {},
      {{"", {}}},
      {{"one row", {row(7, 1)}}},
      {{"a<b> & \"c\"\n\x1b\xff", {row(0, 1)}}, {std::string(3000, 'x'), {row(1, 2)}}},
      {{"huge", {row(0, 1e300), row(std::numeric_limits<std::int64_t>::max(), -1e300)}}},
      {{"tiny", {row(0, 5e-324), row(1, 1e-310)}}},
      {{"far", {row(1LL << 62, -1e300), row(1LL << 62, -1e300)}}},
      {{"backwards", {row(5, 1), row(3, 2), row(-4, 3)}}},
      {{"nothing", {row(0, std::nan(""), std::nan(""), std::nan(""))}}},
      {{"1", {row(0, 1)}}, {"2", {}}, {"3", {}}, {"4", {}}, {"5", {}}, {"6", {}}, {"7", {row(0, 1)}}}};
  for (const std::vector<Curve>& runs : all) {
    const std::string svg = toSvg(runs, runs.empty() ? "" : runs[0].name);
    INFO(svg);
    CHECK(wellFormed(svg));
    CHECK_THAT(svg, !Contains("nan") && !Contains("inf") && !Contains("\x1b") && !Contains("\xff"));
    CHECK(svg == toSvg(runs, runs.empty() ? "" : runs[0].name));
    CHECK(svg.size() < 20000);
  }
  CHECK_THAT(toSvg(all[3]), Contains("a&lt;b&gt; &amp; &quot;c&quot;\\n\\x1b\\xff"));
}

}  // namespace
}  // namespace shardlaw::test
