#include "props/case.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <span>

#include "interp/error.h"
#include "net/program.h"

namespace shardlaw {
namespace {

/// In a function, as laws read it before main begins.
std::span<const DimensionInfo> table() {
  static const DimensionInfo rows[dimensionCount] = {
      {Dimension::R, "R", {1, 12}, "replicas"},
      {Dimension::N, "N", {1, 6}, "examples per replica"},
      {Dimension::C, "C", {1, 7}, "channels, or features going in"},
      {Dimension::H, "H", {1, 7}, "rows of a map (of the small side of a stride-2 node)"},
      {Dimension::W, "W", {1, 7}, "columns of a map"},
      {Dimension::K, "K", {1, 6}, "output channels, features or classes"},
      {Dimension::kH, "kH", {1, 5}, "kernel rows"},
      {Dimension::kW, "kW", {1, 5}, "kernel columns"},
      {Dimension::phase, "phase", {0, 1}, "stride-2 phase: 0 even, 1 odd"},
      {Dimension::eps, "eps", {0, epsCount - 1}, "the ε of batch normalisation"},
      {Dimension::subject, "subject", {0, 255}, "which node or variant of the law"},
      {Dimension::depth, "depth", {1, 8}, "layers of a random graph"},
      {Dimension::graph, "graph", {0, 1'000'000}, "which random graph"},
      {Dimension::data, "data", {0, dataClassCount - 1}, "how the inputs are drawn"},
      {Dimension::scale, "scale", {0, 8}, "magnitude of the inputs"},
      {Dimension::net, "net", {randomNet, static_cast<std::int64_t>(namedNets().size())}, "which network"},
      {Dimension::optimizer,
       "optimizer",
       {0, static_cast<std::int64_t>(std::size(optimizerNames)) - 1},
       "which optimizer"},
      {Dimension::steps, "steps", {1, 8}, "train steps one after the other"},
  };
  return rows;
}

bool sameLetters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string hyphenated(std::string text) {
  for (char& c : text)
    if (c == ' ' || c == ',') c = '-';
  return text;
}

template <class T>
T parseNumber(std::string_view text, std::string_view whole) {
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || text.empty())
    throw Error("case '" + excerpt(whole, 200) + "': expected a whole number, found '" + excerpt(text) + "'");
  return value;
}

}  // namespace

const DimensionInfo& info(Dimension dimension) { return table()[static_cast<std::size_t>(dimension)]; }

const NamedNet& netOf(std::int64_t value) { return namedNets()[static_cast<std::size_t>(value - randomNet - 1)]; }

std::int64_t valueOf(const NamedNet& net) { return randomNet + 1 + (&net - namedNets().data()); }

Range smallNets() {
  const auto nets = namedNets();
  const auto large = std::find_if(nets.begin(), nets.end(), [](const NamedNet& net) { return !net.small; });
  return {randomNet + 1, randomNet + (large - nets.begin())};
}

std::optional<Dimension> findDimension(std::string_view name) {
  for (const DimensionInfo& row : table())
    if (row.name == name) return row.dimension;
  for (const DimensionInfo& row : table())
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

std::string valueText(Dimension d, std::int64_t value, const std::vector<std::string>& subjects) {
  switch (d) {
    case Dimension::data: return std::string(name(static_cast<DataClass>(value)));
    case Dimension::eps: return toString(epsValue(value));
    case Dimension::phase: return value == 0 ? "even" : "odd";
    case Dimension::net: return std::string(value == randomNet ? "random" : netOf(value).name);
    case Dimension::optimizer: return std::string(optimizerNames[value]);
    case Dimension::scale: return "1e" + std::to_string((value + 1) / 2 * (value % 2 == 1 ? 1 : -1));
    case Dimension::subject:
      if (static_cast<std::size_t>(value) >= subjects.size()) return std::to_string(value);
      // A space would end the word on a command line, and a comma the field.
      return hyphenated(subjects[static_cast<std::size_t>(value)]);
    default: return std::to_string(value);
  }
}

std::string toString(const Case& c, const std::vector<Dimension>& dimensions,
                     const std::vector<std::string>& subjects) {
  std::string text;
  for (const Dimension d : dimensions) text += std::string(info(d).name) + "=" + valueText(d, c[d], subjects) + ",";
  text += "seed=" + std::to_string(c.seed);
  for (const auto& [input, cells] : c.cells)
    for (const auto& [position, number] : cells)
      text += "," + input + "[" + std::to_string(position) + "]=" + std::to_string(number);
  return text;
}

namespace {

[[noreturn]] void refuseCase(std::string_view whole, const std::string& message) {
  throw Error("case '" + excerpt(whole, 200) + "': " + message);
}

/// x[3]=−1.
void parseCell(Case& c, std::string_view key, std::string_view value, std::string_view whole) {
  const auto open = key.find('[');
  const auto position = parseNumber<std::int64_t>(key.substr(open + 1, key.size() - open - 2), whole);
  const auto number = parseNumber<std::int64_t>(value, whole);
  constexpr std::int64_t most = 1000;
  if (position < 0) refuseCase(whole, "a negative position in " + excerpt(key));
  if (number < -most || number > most) refuseCase(whole, excerpt(key) + " is beyond ±1000");
  const bool isNew = c.cells[std::string(key.substr(0, open))].emplace(position, static_cast<int>(number)).second;
  if (!isNew) refuseCase(whole, excerpt(key) + " is given twice");
}

void parseDimension(Case& c, std::string_view key, std::string_view value, std::string_view whole,
                    const std::vector<std::string>& subjects) {
  const auto dimension = findDimension(key);
  if (!dimension) refuseCase(whole, "no dimension is named '" + excerpt(key) + "'");
  Range range = info(*dimension).range;
  if (*dimension == Dimension::subject)
    range = {0, std::max<std::int64_t>(0, static_cast<std::int64_t>(subjects.size()) - 1)};
  const bool named = *dimension >= Dimension::phase && *dimension != Dimension::depth &&
                     *dimension != Dimension::graph && *dimension != Dimension::steps;
  if (named)
    for (std::int64_t v = range.low; v <= range.high; ++v)
      if (valueText(*dimension, v, subjects) == value) {
        c[*dimension] = v;
        return;
      }
  const auto number = parseNumber<std::int64_t>(value, whole);
  constexpr std::int64_t mostExtent = 1'000'000;
  const std::int64_t high = *dimension < Dimension::phase ? mostExtent : range.high;
  if (number < range.low || number > high)
    refuseCase(whole, "expected " + std::string(key) + " from " + std::to_string(range.low) + " to " +
                          std::to_string(high) + ", found " + excerpt(value));
  c[*dimension] = number;
}

}  // namespace

Case parseCase(std::string_view text, const std::vector<std::string>& subjects) {
  Case c;
  for (const DimensionInfo& row : table()) c[row.dimension] = row.range.low;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view field = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), field.size() + 1));
    const auto equals = field.find('=');
    if (equals == std::string_view::npos || equals == 0)
      refuseCase(text, "expected name=value, found '" + excerpt(field) + "'");
    const std::string_view key = field.substr(0, equals), value = field.substr(equals + 1);
    if (key == "seed") c.seed = parseNumber<std::uint64_t>(value, text);
    else if (key.back() == ']' && key.find('[') != std::string_view::npos) parseCell(c, key, value, text);
    else parseDimension(c, key, value, text, subjects);
  }
  return c;
}

}  // namespace shardlaw
