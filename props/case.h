// A test case: a few integers and a seed, from which everything else is derived.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interp/number/rational.h"
#include "net/net.h"

namespace shardlaw {

/// The integers of a case. A law uses some of them; the rest stay at their least value.
enum class Dimension {
  R,
  N,
  C,
  H,
  W,
  K,
  kH,
  kW,
  phase,
  eps,
  subject,
  depth,
  graph,
  data,
  scale,
  net,
  optimizer,
  steps
};
inline constexpr std::size_t dimensionCount = 18;
/// The value of Dimension::net that stands for a random network; those of namedNets() come after it.
inline constexpr std::int64_t randomNet = 0;
const NamedNet& netOf(std::int64_t value);
std::int64_t valueOf(const NamedNet& net);

struct Range {
  std::int64_t low, high;
  friend bool operator==(const Range&, const Range&) = default;
};

/// The networks small enough for hundreds of cases.
Range smallNets();

struct DimensionInfo {
  Dimension dimension;
  std::string_view name;
  Range range;  ///< what a law draws from unless it or the user says otherwise
  std::string_view meaning;
};

/// One row per dimension, in the order of the enumeration.
const DimensionInfo& info(Dimension dimension);
/// The dimension of that name, ignoring letter case where that is unambiguous.
std::optional<Dimension> findDimension(std::string_view name);

/// How the cells of the inputs are drawn; later rows are harder to look at, earlier ones are shrunk to.
enum class DataClass {
  integers,         ///< small integers: ties, zeros, values at the kinks 0 and 6
  generic,          ///< nothing special
  shifted,          ///< every shard has a mean of its own, several standard deviations apart
  largeOffset,      ///< |mean| far above the standard deviation
  constantChannel,  ///< channel 0 is constant
  subnormal,        ///< values near the smallest normal number
  equalShards,      ///< every shard holds the same values
  zeroCotangent,    ///< cotangents are zero
};
inline constexpr int dataClassCount = 8;
std::string_view name(DataClass data);

/// ε of a case: index 0 … epsCount−1 stands for 1, 1e-1, 1e-3, 1e-5, 1e-8, 1e-12.
inline constexpr int epsCount = 6;
Rational epsValue(std::int64_t index);

struct Case {
  std::array<std::int64_t, dimensionCount> values{};
  std::uint64_t seed = 0;
  /// Cells of inputs that are set by hand to small integers, by input and row-major position in the global
  /// tensor: what shrinking leaves of the data.
  std::map<std::string, std::map<std::int64_t, int>> cells;

  std::int64_t operator[](Dimension d) const { return values[static_cast<std::size_t>(d)]; }
  std::int64_t& operator[](Dimension d) { return values[static_cast<std::size_t>(d)]; }
  DataClass data() const { return static_cast<DataClass>((*this)[Dimension::data]); }
  Rational eps() const { return epsValue((*this)[Dimension::eps]); }
  std::int64_t globalBatch() const { return (*this)[Dimension::R] * (*this)[Dimension::N]; }

  friend bool operator==(const Case&, const Case&) = default;
};

/// A value of a dimension as people write it: "integers", "1e-05", "odd", "maxPool2", "3". `subjects` are the
/// names of a law's subjects.
std::string valueText(Dimension d, std::int64_t value, const std::vector<std::string>& subjects);

/// "R=5,N=2,data=integers,seed=17": the given dimensions, the seed, and the cells that are set by hand.
std::string toString(const Case& c, const std::vector<Dimension>& dimensions, const std::vector<std::string>& subjects);

/// Reads what toString writes; dimensions left out take the least value of their range, and values may be
/// plain numbers. Throws Error.
Case parseCase(std::string_view text, const std::vector<std::string>& subjects);

}  // namespace shardlaw
