#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "props/mutant/mutant.h"
#include "props/report/report.h"

namespace shardlaw {
namespace {

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&': html += "&amp;"; break;
      case '<': html += "&lt;"; break;
      case '>': html += "&gt;"; break;
      case '"': html += "&quot;"; break;
      default: html += c;
    }
  }
  return html;
}

constexpr const char* style = R"(<style>
:root { --ink:#1b1f24; --paper:#fff; --soft:#f3f5f7; --line:#d5dae0; --good:#1a7f4b; --bad:#c4232b; --odd:#9a6700; --bar:#4c78a8; }
@media (prefers-color-scheme: dark) { :root { --ink:#e4e8ec; --paper:#14171a; --soft:#1e2328; --line:#3a424b; --good:#4cc38a; --bad:#ff6b70; --odd:#e2b13c; --bar:#7aa6d6; } }
body { font:15px/1.45 system-ui, sans-serif; color:var(--ink); background:var(--paper); max-width:76rem; margin:2rem auto; padding:0 1rem; }
h1 { font-size:1.5rem; } h2 { font-size:1.15rem; margin-top:2.2rem; border-bottom:1px solid var(--line); } h3 { font-size:1rem; margin-bottom:.3rem; }
table { border-collapse:collapse; } th, td { padding:.25rem .6rem; text-align:left; border-bottom:1px solid var(--line); vertical-align:top; }
td.n, th.n { text-align:right; font-variant-numeric:tabular-nums; }
.holds, .killed { color:var(--good); } .refuted, .survived { color:var(--bad); font-weight:600; } .undecided, .skipped { color:var(--odd); }
.scroll { overflow-x:auto; } .keep { white-space:nowrap; } .small { font-size:.85rem; color:color-mix(in srgb, var(--ink) 70%, var(--paper)); }
code, pre { font:13px/1.4 ui-monospace, monospace; background:var(--soft); } pre { padding:.6rem; white-space:pre-wrap; overflow-wrap:anywhere; } code { padding:.1rem .25rem; }
.coverage { display:flex; flex-wrap:wrap; gap:1rem; } .coverage figure { margin:0; } figcaption { font-size:.8rem; }
.tensor { display:inline-block; margin:.3rem 1.2rem .3rem 0; vertical-align:top; } .shards { display:flex; gap:.5rem; flex-wrap:wrap; }
.shard { border:1px solid var(--line); border-radius:4px; padding:.25rem; background:var(--soft); } .shard > span { font-size:.7rem; display:block; }
.map { border-spacing:2px; border-collapse:separate; } .map td { border:1px solid var(--line); background:var(--paper); padding:.15rem .4rem; font:12px ui-monospace, monospace; text-align:right; }
.map td.differs { background:var(--bad); color:var(--paper); }
svg text { fill:var(--ink); font:10px system-ui, sans-serif; } svg rect { fill:var(--bar); } svg line { stroke:var(--line); } svg path { fill:none; stroke:var(--bar); stroke-width:2; } svg circle { fill:var(--bar); }
</style>)";

std::string summaryRow(const LawReport& report) {
  const bool exact = report.domain->exact;
  const std::string evidence = report.status != Status::holds ? escaped(report.reason)
                               : exact
                                   ? fmt::format("false pass below 2<sup>{:.0f}</sup>", std::ceil(report.falsePassLog2))
                                   : fmt::format("worst error / bound {:.2g}", report.worstOverBound);
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td class=\"{}\">{}</td><td class=n>{}</td><td class=n>{}</td><td class=n>{}</td>"
      "<td class=keep>{}</td><td class=small>{}</td></tr>\n",
      escaped(report.law->name), report.domain->name, name(report.status), name(report.status), report.cases,
      report.discarded, report.vacuous, evidence, escaped(report.law->statement));
}

std::string summaryTable(const std::vector<LawReport>& reports) {
  std::string html =
      "<h2>Laws</h2>\n<div class=scroll><table><tr><th>law<th>domain<th>verdict<th class=n>cases<th class=n>discarded"
      "<th class=n>vacuous<th>evidence<th>statement</tr>\n";
  for (const LawReport& report : reports) html += summaryRow(report);
  return html + "</table></div>\n";
}

/// A bar per value of a dimension.
std::string histogram(const Law& law, Dimension dimension, const std::map<std::int64_t, int>& counts) {
  constexpr int height = 60, width = 22;
  int most = 1;
  std::size_t longest = 0;
  for (const auto& [value, count] : counts) {
    most = std::max(most, count);
    longest = std::max(longest, valueText(dimension, value, law.subjects).size());
  }
  std::string bars;
  int x = 4;
  for (const auto& [value, count] : counts) {
    const int bar = std::max(1, height * count / most);
    const std::string label = valueText(dimension, value, law.subjects);
    bars += fmt::format("<g><title>{}: {} cases</title><rect x=\"{}\" y=\"{}\" width=\"16\" height=\"{}\"/>",
                        escaped(label), count, x, height - bar + 2, bar);
    // Long names stand upright, so that neighbours do not run into each other.
    if (label.size() <= 3)
      bars += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text></g>", x + 8, height + 14,
                          escaped(label));
    else
      bars += fmt::format("<text transform=\"translate({},{}) rotate(60)\">{}</text></g>", x + 5, height + 10,
                          escaped(label));
    x += width;
  }
  return fmt::format(
      "<figure><svg width=\"{}\" height=\"{}\" role=\"img\">{}</svg><figcaption>{}: {}</figcaption></figure>\n",
      longest <= 3 ? x : x + 60, height + (longest <= 3 ? 20 : 20 + 5 * static_cast<int>(longest)), bars,
      escaped(info(dimension).name), escaped(info(dimension).meaning));
}

std::string coverage(const std::vector<LawReport>& reports) {
  std::string html =
      "<h2>Coverage</h2>\n<p class=small>How many cases had each value; hover over a bar for its count.</p>\n";
  std::set<std::string_view> shown;
  for (const LawReport& report : reports) {
    if (report.cases == 0 || !shown.insert(report.law->name).second) continue;
    html += fmt::format("<details{}><summary>{} ({} cases)</summary><div class=coverage>\n",
                        shown.size() == 1 ? " open" : "", escaped(report.law->name), report.cases);
    for (const auto& [dimension, counts] : report.coverage.values)
      if (dimension != Dimension::graph) html += histogram(*report.law, dimension, counts);
    html += "</div></details>\n";
  }
  return html;
}

/// Residuals on a logarithmic scale: a line that falls is rounding, one that stays is not.
std::string ladderChart(const Ladder& ladder) {
  constexpr double bottom = -80, width = 240, height = 120;
  const auto y = [&](double residual) {
    const double exponent = residual > 0 ? std::max(bottom, std::min(0.0, std::log10(residual))) : bottom;
    return 10 + height * exponent / bottom;
  };
  const std::pair<const char*, double> rungs[] = {{"f32", ladder.f32}, {"f64", ladder.f64}, {"wide", ladder.wide}};
  std::string path, marks;
  double x = 50;
  for (const auto& [label, residual] : rungs) {
    path += fmt::format("{}{:.0f} {:.1f}", path.empty() ? "M" : "L", x, y(residual));
    marks += fmt::format(
        "<circle cx=\"{0:.0f}\" cy=\"{1:.1f}\" r=\"4\"><title>{3:.2g}</title></circle><text x=\"{0:.0f}\" y=\"{2}\" "
        "text-anchor=\"middle\">{4} {3:.1g}</text>",
        x, y(residual), height + 26, residual, label);
    x += 80;
  }
  return fmt::format(
      "<svg width=\"{}\" height=\"{}\" role=\"img\"><line x1=\"30\" y1=\"10\" x2=\"30\" y2=\"{}\"/><text x=\"2\" "
      "y=\"14\">1</text>"
      "<text x=\"2\" y=\"{}\">1e-80</text><path d=\"{}\"/>{}</svg>",
      width + 20, height + 34, height + 10, height + 10, path, marks);
}

std::string ladders(const std::vector<LawReport>& reports) {
  std::string html;
  std::set<std::string_view> shown;
  for (const LawReport& report : reports) {
    if (!report.ladder || report.counterexample || !shown.insert(report.law->name).second) continue;
    html += fmt::format("<figure style=\"display:inline-block\">{}<figcaption>{}: {}</figcaption></figure>\n",
                        ladderChart(*report.ladder), escaped(report.law->name),
                        report.ladder->falls() ? "falls with the unit roundoff" : "stays");
  }
  if (html.empty()) return html;
  return "<h2>Residual ladder</h2>\n<p class=small>The largest difference of both sides, relative to the value, in "
         "f32, f64 and wide.</p>\n" +
         html;
}

/// One shard, or one value: its channels as maps, or a row of cells.
std::string maps(const ShownTensor& tensor, std::size_t first, std::size_t cells, const ShownTensor* other) {
  const int rank = tensor.shape.rank();
  const auto columns = static_cast<std::size_t>(rank == 0 ? 1 : std::max<std::int64_t>(1, tensor.shape[rank - 1]));
  const std::size_t perMap = rank < 2 ? cells : columns * static_cast<std::size_t>(tensor.shape[rank - 2]);
  std::string html;
  for (std::size_t k = 0; k < cells && first + k < tensor.cells.size(); ++k) {
    if (k % std::max<std::size_t>(1, perMap) == 0)
      html += k == 0 ? "<table class=map><tr>" : "</tr></table><table class=map><tr>";
    else if (k % columns == 0) html += "</tr><tr>";
    const bool differs =
        other != nullptr && first + k < other->cells.size() && other->cells[first + k] != tensor.cells[first + k];
    html += fmt::format("<td{}>{}</td>", differs ? " class=differs" : "", escaped(tensor.cells[first + k]));
  }
  return html.empty() ? html : html + "</tr></table>";
}

std::string drawn(const ShownTensor& tensor, const ShownTensor* other = nullptr) {
  const auto shards = static_cast<std::size_t>(std::max<std::int64_t>(1, tensor.shards));
  const auto perShard = static_cast<std::size_t>(tensor.shape.cells()) / shards;
  std::string html = fmt::format("<div class=tensor><b>{}</b> <span class=small>{}</span><div class=shards>",
                                 escaped(tensor.name), toString(tensor.shape));
  for (std::size_t r = 0; r < shards && r * perShard < tensor.cells.size(); ++r)
    html += fmt::format("<div class=shard>{}{}</div>", shards > 1 ? fmt::format("<span>replica {}</span>", r) : "",
                        maps(tensor, r * perShard, perShard, other));
  return html +
         fmt::format("</div>{}</div>\n", tensor.complete() ? "" : "<span class=small>more cells are left out</span>");
}

std::string counterexample(const LawReport& report) {
  const Mismatch& m = report.counterexample->mismatch;
  std::string html = fmt::format("<h3 class=refuted>{} in {}{}</h3>\n", escaped(report.law->name), report.domain->name,
                                 report.mutant == nullptr ? "" : ", with " + std::string(report.mutant->name));
  for (const ShownTensor& input : m.inputs) html += drawn(input);
  html += fmt::format("<p>{} of {} cells differ; the first in <b>{}</b> on replica {}:</p>\n", m.differing, m.compared,
                      escaped(m.what), m.replica);
  if (m.leftValue && m.rightValue) html += drawn(*m.leftValue, &*m.rightValue) + drawn(*m.rightValue, &*m.leftValue);
  if (report.ladder) html += fmt::format("<div>{}</div>\n", ladderChart(*report.ladder));
  return html + "<pre>" + escaped(counterexampleBody(report)) + "</pre>\n";
}

std::string killTable(const KillMatrix& matrix) {
  std::string html =
      "<h2>Kill matrix</h2>\n<p class=small>Every wrong version against the laws that must refute it. The columns on "
      "the right: "
      "in how many of the same cases, in f64, it would have passed another check.</p>\n<div class=scroll><table>"
      "<tr><th>mutant<th>law<th>domain<th>verdict<th class=n>rel. error ≤ 1e-2<th class=n>cosine ≥ 0.99"
      "<th class=n>AdamW step<th class=n>R = 1<th class=n>equal shards<th>forward only</tr>\n";
  for (const MatrixEntry& e : matrix.entries) {
    html += fmt::format("<tr><td title=\"{}\">{}</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td>",
                        escaped(e.mutant->summary), escaped(e.mutant->name), escaped(e.law->name), e.domain->name,
                        e.killed      ? "killed"
                        : e.undecided ? "undecided"
                                      : "survived",
                        e.killed ? fmt::format("killed by case {}", e.casesToKill)
                                 : (e.undecided ? "undecided: " : "survived: ") + escaped(e.note));
    const auto of = [](int passed, int cases) {
      return cases == 0 ? std::string() : fmt::format("{}/{}", passed, cases);
    };
    if (const auto& c = e.customary; c && c->cases > 0)
      html += fmt::format(
          "<td class=n>{}</td><td class=n>{}</td><td class=n>{}</td><td class=n>{}</td><td class=n>{}</td><td>{}</td>",
          of(c->relativeError, c->cases), of(c->cosine, c->cases), of(c->afterAdamW, c->cases),
          of(c->oneReplica, c->oneReplicaOf), of(c->equalShards, c->equalShardsOf),
          c->forwardOnly ? "passes" : "fails");
    else html += "<td><td><td><td><td><td>";
    html += "</tr>\n";
  }
  html += "</table></div>\n";
  for (const std::string& problem : matrix.problems)
    html += fmt::format("<p class=survived>{}</p>\n", escaped(problem));
  return html;
}

}  // namespace

std::string htmlReport(const Reports& reports, const ReportOptions& options) {
  std::string html =
      "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width\"><title>verify report</title>\n";
  html += style;
  html += fmt::format(
      "\n<h1>shardlaw: <span class={}>{}</span></h1>\n<p class=small>seed {}; the same seed gives the same page.</p>\n",
      reports.ok() ? "holds" : "refuted", reports.ok() ? "everything holds" : "not everything holds", options.seed);
  if (!reports.laws.empty()) html += summaryTable(reports.laws);
  std::string found;
  for (const LawReport& report : reports.laws)
    if (report.counterexample) found += counterexample(report);
  if (!found.empty()) html += "<h2>Counterexamples</h2>\n" + found;
  html += ladders(reports.laws);
  if (reports.matrix) html += killTable(*reports.matrix);
  if (!reports.laws.empty()) html += coverage(reports.laws);
  return html + "</html>\n";
}

}  // namespace shardlaw
