// The drawing of learning curves.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "interp/error.h"
#include "net/host/curve.h"

namespace shardlaw {
namespace {

/// A run's i-th value, by step; not finite where there is none.
struct Point {
  double step;
  double value;
};
using Points = std::vector<Point>;

constexpr double width = 720, left = 66, right = 30, panelHeight = 210, panelGap = 26, axisSpace = 44;
constexpr double plotWidth = width - left - right;
/// Runs that differ in colour alone would not in print.
constexpr int styles = 6;

/// Decimals without trailing zeros, and without −0.
std::string decimal(double value, int places) {
  char digits[400];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, places).ptr);
  if (places > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}
std::string coordinate(double value) { return decimal(value, 2); }

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : oneLine(text)) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += c;
    }
  }
  return safe;
}

struct Tick {
  double value;
  std::string label;
};

/// From values to the fraction of an axis.
struct Axis {
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  std::vector<Tick> ticks;

  double place(double value) const {
    return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  }
};

/// Round numbers 1, 2 or 5 times a power of ten apart, of which `about` fit; no closer than `least`.
void addTicks(Axis& axis, int about, double least = 0) {
  const double raw = std::max((axis.high - axis.low) / about, least);
  const int exponent = static_cast<int>(std::floor(std::log10(raw)));
  const double unit = std::pow(10.0, exponent);
  const double times = raw / unit <= 1.001 ? 1 : raw / unit <= 2.001 ? 2 : raw / unit <= 5.001 ? 5 : 10;
  const double step = times * unit;
  const int places = std::max(0, times == 10 ? -exponent - 1 : -exponent);
  for (double k = std::ceil(axis.low / step - 1e-9); k * step <= axis.high + 1e-9 * step; ++k) {
    const bool plain = std::fabs(k * step) < 1e7 && places < 7;
    char digits[32];
    axis.ticks.push_back(
        {k * step,
         plain ? decimal(k * step, places)
               : std::string(
                     digits,
                     std::to_chars(digits, digits + sizeof digits, k * step, std::chars_format::scientific, 2).ptr)});
    if (axis.ticks.size() > 50) return;  // steps below the spacing of doubles
  }
}

void addDecades(Axis& axis) {
  const int from = static_cast<int>(std::lround(std::log10(axis.low)));
  const int to = static_cast<int>(std::lround(std::log10(axis.high)));
  for (int k = from; k <= to; k += std::max(1, (to - from) / 6)) {
    const std::string text = "1e" + std::to_string(k);
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    axis.ticks.push_back({value, k >= -3 && k <= 4 ? decimal(value, std::max(0, -k)) : text});
  }
}

Axis stepAxis(const std::vector<Curve>& runs) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Curve& run : runs)
    for (const CurveRow& row : run.rows) {
      low = std::min(low, static_cast<double>(row.step));
      high = std::max(high, static_cast<double>(row.step));
    }
  if (low > high) {
    low = 0;
    high = 1;
  }
  // A run that starts near step 0 is seen from there.
  if (low > 0 && low < 0.2 * high) low = 0;
  if (low == high) {
    const double around = std::max(1.0, 0.01 * std::fabs(low));
    low -= around;
    high += around;
  }
  Axis axis{low, high, false, {}};
  addTicks(axis, 7, 1);
  return axis;
}

Axis lossAxis(const std::vector<Points>& losses) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Points& points : losses)
    for (const Point& point : points) {
      if (!std::isfinite(point.value)) continue;
      low = std::min(low, point.value);
      high = std::max(high, point.value);
    }
  Axis axis;
  if (low > high) {
    low = 0;
    high = 1;
  }
  if (low > 1e-300 && high / low >= 100) {
    axis = {std::pow(10.0, std::floor(std::log10(low))), std::pow(10.0, std::ceil(std::log10(high))), true, {}};
    addDecades(axis);
    return axis;
  }
  axis.low = low >= 0 ? 0 : low;
  axis.high = high > axis.low ? high : axis.low + std::max(1.0, std::fabs(axis.low));
  const double margin = 0.04 * (axis.high - axis.low);
  axis.high += margin;
  if (low < 0) axis.low -= margin;
  addTicks(axis, 5);
  return axis;
}

Axis accuracyAxis() {
  Axis axis;
  addTicks(axis, 5);
  axis.high = 1.04;  // so that the line at 1 is seen
  return axis;
}

/// What is beyond 1e300 is a gap as well, lest the arithmetic of an axis overflow.
Points pointsOf(const Curve& run, double (*value)(const CurveRow&)) {
  Points points;
  for (const CurveRow& row : run.rows) {
    const double found = value(row);
    points.push_back({static_cast<double>(row.step), std::fabs(found) <= 1e300 ? found : std::nan("")});
  }
  return points;
}

/// Of each column of the drawing the least and the greatest, in their order. A gap stays one.
Points thinned(const Points& points, const Axis& steps) {
  if (points.size() <= 2 * static_cast<std::size_t>(plotWidth)) return points;
  Points kept;
  for (std::size_t from = 0; from < points.size();) {
    const auto column = [&](std::size_t i) { return std::floor(steps.place(points[i].step) * plotWidth); };
    std::size_t to = from, least = from, greatest = from;
    for (; to < points.size() && column(to) == column(from) && std::isfinite(points[to].value); ++to) {
      if (points[to].value < points[least].value) least = to;
      if (points[to].value > points[greatest].value) greatest = to;
    }
    kept.push_back(points[std::min(least, greatest)]);
    if (least != greatest) kept.push_back(points[std::max(least, greatest)]);
    from = std::max(to, from + 1);
  }
  return kept;
}

/// One panel: a frame, ticks, and the lines of the runs.
class Panel {
 public:
  Panel(std::string& svg, const Axis& steps, const Axis& values, double top)
      : svg_(svg), steps_(steps), values_(values), top_(top) {}

  void frame(const std::string& label, bool withSteps) {
    for (const Tick& tick : values_.ticks) {
      const std::string y = coordinate(yOf(tick.value));
      svg_ += "<path class=\"grid\" d=\"M" + coordinate(left) + " " + y + "H" + coordinate(width - right) + "\"/>\n";
      text(left - 8, yOf(tick.value) + 4, "end", tick.label);
    }
    const double bottom = top_ + panelHeight;
    for (const Tick& tick : steps_.ticks) {
      const double x = xOf(tick.value);
      svg_ += "<path class=\"axis\" d=\"M" + coordinate(x) + " " + coordinate(bottom) + "v5\"/>\n";
      if (withSteps) text(x, bottom + 19, "middle", tick.label);
    }
    svg_ += "<path class=\"axis\" d=\"M" + coordinate(left) + " " + coordinate(top_) + "V" + coordinate(bottom) + "H" +
            coordinate(width - right) + "\"/>\n";
    const double middle = top_ + panelHeight / 2;
    svg_ += "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(16 " + coordinate(middle) +
            ") rotate(-90)\">" + label + "</text>\n";
    if (withSteps) {
      svg_ += "<text class=\"label\" text-anchor=\"middle\" x=\"" + coordinate(left + plotWidth / 2) + "\" y=\"" +
              coordinate(bottom + 38) + "\">step</text>\n";
    }
  }

  void line(const Points& points, const std::string& style) {
    std::string path;
    bool down = false;
    for (const Point& point : thinned(points, steps_)) {
      const double x = xOf(point.step), y = yOf(point.value);
      if (std::isfinite(y)) path += (down ? "L" : "M") + coordinate(x) + " " + coordinate(y);
      // A point between two gaps is a dot, by its round ends.
      if (std::isfinite(y) && !down) path += "h0";
      down = std::isfinite(y);
    }
    if (!path.empty()) svg_ += "<path class=\"run " + style + "\" d=\"" + path + "\"/>\n";
  }

  void marks(const Points& points, const std::string& style, int radius) {
    for (const Point& point : thinned(points, steps_))
      if (std::isfinite(point.value))
        svg_ += "<circle class=\"mark " + style + "\" cx=\"" + coordinate(xOf(point.step)) + "\" cy=\"" +
                coordinate(yOf(point.value)) + "\" r=\"" + std::to_string(radius) + "\"/>\n";
  }

 private:
  double xOf(double step) const { return left + steps_.place(step) * plotWidth; }
  double yOf(double value) const { return top_ + (1 - values_.place(value)) * panelHeight; }
  void text(double x, double y, const char* anchor, const std::string& content) {
    svg_ += "<text text-anchor=\"" + std::string(anchor) + "\" x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) +
            "\">" + content + "</text>\n";
  }

  std::string& svg_;
  const Axis& steps_;
  const Axis& values_;
  double top_;
};

std::string styleOf(std::size_t run) { return "r" + std::to_string(run % styles); }

/// Colours that colour-blind readers tell apart, after Okabe and Ito (2008); lighter ones for dark. The first run is
/// broad and pale, for the next ones to lie on.
std::string styleSheet(bool several) {
  constexpr const char* light[styles] = {"#0072b2", "#c44e00", "#00805c", "#a3517f", "#8a6d00", "#3d3d3d"};
  constexpr const char* dark[styles] = {"#4fb0ee", "#ff9150", "#3ccfa0", "#e69bc6", "#e3c53a", "#cccccc"};
  constexpr const char* dashes[styles] = {"", "", "7 3", "2 3", "9 3 2 3", "12 4"};
  std::string sheet =
      ".paper{fill:#fff}text{font:12px Helvetica,Arial,sans-serif;fill:#333}.label{font-size:13px;fill:#111}"
      ".title{font-size:15px;font-weight:bold;fill:#111}.grid{stroke:#e4e4e4;fill:none}.axis{stroke:#555;fill:none}"
      ".run{fill:none;stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round}.test{"
      "stroke-width:1;stroke-opacity:.55}.mark{fill:#fff;stroke-width:1.5}.key{stroke:#555}\n";
  std::string inDark =
      ".paper{fill:#15181c}text{fill:#c8ccd0}.label,.title{fill:#eceff1}.grid{stroke:#2a2f35}.axis{stroke:#8a9096}"
      ".mark{fill:#15181c}.key{stroke:#8a9096}";
  for (int i = 0; i < styles; ++i) {
    const std::string name = ".r" + std::to_string(i);
    sheet += name + "{stroke:" + light[i] + "}";
    if (*dashes[i] != '\0') sheet += ".run" + name + "{stroke-dasharray:" + dashes[i] + "}";
    inDark += name + "{stroke:" + dark[i] + "}";
  }
  if (several) {
    inDark += ".run.r0{stroke-opacity:.55}";
    sheet += "\n.run.r0{stroke-width:5;stroke-opacity:.4}.run.test.r0{stroke-width:3}";
  }
  return "<style>" + sheet + "\n@media (prefers-color-scheme:dark){" + inDark + "}</style>\n";
}

/// Samples of the lines, in as many rows as they need; returns where the next thing goes.
double legend(std::string& svg, const std::vector<Curve>& runs, double y) {
  double x = left;
  const auto entry = [&](const std::string& sample, const std::string& name) {
    // Letters are some 7 units wide; a bit more for what is wider.
    const double needed = 46 + 7 * static_cast<double>(std::min<std::size_t>(name.size(), 90));
    if (x > left && x + needed > width - right) x = left, y += 18;
    svg += "<g transform=\"translate(" + coordinate(x) + " " + coordinate(y) + ")\">" + sample +
           "<text x=\"30\" y=\"4\">" + escaped(excerpt(name, 90)) + "</text></g>\n";
    x += needed;
  };
  for (std::size_t i = 0; i < runs.size(); ++i)
    entry("<path class=\"run " + styleOf(i) + "\" d=\"M0 0h24\"/>", runs[i].name);
  const auto measured = [](const CurveRow& row) { return row.testAccuracy.has_value(); };
  if (std::any_of(runs.begin(), runs.end(),
                  [&](const Curve& run) { return std::any_of(run.rows.begin(), run.rows.end(), measured); }))
    entry("<circle class=\"mark key\" cx=\"12\" cy=\"0\" r=\"3\"/>", "on the test set");
  return y + 18;
}

}  // namespace

std::string toSvg(const std::vector<Curve>& runs, const std::string& title) {
  const Axis steps = stepAxis(runs);
  std::vector<Points> losses;
  for (const Curve& run : runs) losses.push_back(pointsOf(run, [](const CurveRow& row) { return row.trainLoss; }));
  const Axis loss = lossAxis(losses), accuracy = accuracyAxis();

  std::string body;
  double top = 24;
  if (!title.empty()) {
    body +=
        "<text class=\"title\" x=\"" + coordinate(left) + "\" y=\"26\">" + escaped(excerpt(title, 90)) + "</text>\n";
    top = 48;
  }
  top = legend(body, runs, top);
  Panel losing(body, steps, loss, top), scoring(body, steps, accuracy, top + panelHeight + panelGap);
  losing.frame(loss.logarithmic ? "training loss (log)" : "training loss", false);
  for (std::size_t i = 0; i < runs.size(); ++i) losing.line(losses[i], styleOf(i));
  scoring.frame("accuracy", true);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    scoring.line(pointsOf(runs[i], [](const CurveRow& row) { return row.trainAccuracy; }), styleOf(i));
    Points tested;
    for (const CurveRow& row : runs[i].rows)
      if (row.testAccuracy) tested.push_back({static_cast<double>(row.step), *row.testAccuracy});
    scoring.line(tested, "test " + styleOf(i));
    scoring.marks(tested, styleOf(i), i == 0 && runs.size() > 1 ? 5 : 3);
  }
  const std::string size =
      coordinate(width) + "\" height=\"" + coordinate(top + 2 * panelHeight + panelGap + axisSpace);
  const std::string view = coordinate(width) + " " + coordinate(top + 2 * panelHeight + panelGap + axisSpace);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 " + view + "\" width=\"" + size +
         "\">\n<title>" + escaped(title.empty() ? "learning curves" : title) + "</title>\n" +
         styleSheet(runs.size() > 1) + "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n" + body + "</svg>\n";
}

}  // namespace shardlaw
