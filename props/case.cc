#include "props/case.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "interp/error.h"

namespace shardlaw {
namespace {

constexpr DimensionInfo table[dimensionCount] = {
    {Dimension::R, "R", {1, 12}, "replicas"},
    {Dimension::N, "N", {1, 6}, "examples per replica"},
    {Dimension::C, "C", {1, 7}, "channels, or features going in"},
    {Dimension::H, "H", {1, 7}, "rows of a map (of the small side of a stride-2 node)"},
    {Dimension::W, "W", {1, 7}, "columns of a map"},
    {Dimension::K, "K", {1, 6}, "output channels, features or classes"},
    {Dimension::kH, "kH", {1, 5}, "kernel rows"},
    {Dimension::kW, "kW", {1, 5}, "kernel columns"},
    {Dimension::phase, "phase", {0, 1}, "stride-2 phase: 0 even, 1 odd"},
    {Dimension::eps, "eps", {0, epsCount - 1}, "ε: 0 … 5 for 1, 1e-1, 1e-3, 1e-5, 1e-8, 1e-12"},
    {Dimension::subject, "subject", {0, 255}, "which node or variant of the law"},
    {Dimension::depth, "depth", {1, 8}, "layers of a random graph"},
    {Dimension::graph, "graph", {0, 1'000'000}, "which random graph"},
    {Dimension::data, "data", {0, dataClassCount - 1}, "how the inputs are drawn"},
    {Dimension::scale, "scale", {0, 8}, "decimal exponent of the inputs: 0, 1, −1, 2, −2, … 4, −4"},
};

bool sameLetters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

template <class T>
T parseNumber(std::string_view text, std::string_view whole) {
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || text.empty())
    throw Error("case '" + std::string(whole) + "': expected a whole number, found '" + std::string(text) + "'");
  return value;
}

}  // namespace

const DimensionInfo& info(Dimension dimension) { return table[static_cast<std::size_t>(dimension)]; }

std::optional<Dimension> findDimension(std::string_view name) {
  for (const DimensionInfo& row : table)
    if (row.name == name) return row.dimension;
  for (const DimensionInfo& row : table)
    if (sameLetters(row.name, name)) return row.dimension;
  return std::nullopt;
}

std::string_view name(DataClass data) {
  constexpr std::string_view names[dataClassCount] = {"integers",        "generic",   "shifted",     "largeOffset",
                                                      "constantChannel", "subnormal", "equalShards", "zeroCotangent"};
  return names[static_cast<std::size_t>(data)];
}

Rational epsValue(std::int64_t index) {
  constexpr std::string_view values[epsCount] = {"1", "1e-1", "1e-3", "1e-5", "1e-8", "1e-12"};
  return decimal(values[static_cast<std::size_t>(index)]);
}

std::string toString(const Case& c, const std::vector<Dimension>& dimensions) {
  std::string text;
  for (const Dimension d : dimensions) text += std::string(info(d).name) + "=" + std::to_string(c[d]) + ",";
  return text + "seed=" + std::to_string(c.seed);
}

Case parseCase(std::string_view text) {
  Case c;
  for (const DimensionInfo& row : table) c[row.dimension] = row.range.low;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view field = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), field.size() + 1));
    const auto equals = field.find('=');
    if (equals == std::string_view::npos)
      throw Error("case '" + std::string(text) + "': expected name=number, found '" + std::string(field) + "'");
    const std::string_view key = field.substr(0, equals), value = field.substr(equals + 1);
    if (key == "seed") {
      c.seed = parseNumber<std::uint64_t>(value, text);
      continue;
    }
    const auto dimension = findDimension(key);
    if (!dimension) throw Error("case '" + std::string(text) + "': no dimension is named '" + std::string(key) + "'");
    const auto number = parseNumber<std::int64_t>(value, text);
    const bool closed = *dimension >= Dimension::phase;
    if (number < info(*dimension).range.low || (closed && number > info(*dimension).range.high))
      throw Error("case '" + std::string(text) + "': " + std::string(key) + " is out of its range");
    c[*dimension] = number;
  }
  return c;
}

}  // namespace shardlaw
