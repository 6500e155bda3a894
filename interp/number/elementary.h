// Functions of reals beyond those that every domain has.
#pragma once

#include <cstdint>
#include <string_view>

namespace shardlaw {

enum class Elementary : std::uint64_t {
  cbrt,
  sine,
  cosine,
  floor,
  ceil,
  roundToEven,
  roundAwayFromZero,
  power,
  atan2,
  remainder,  ///< of the division that rounds towards 0
};

constexpr std::string_view toString(Elementary f) {
  constexpr std::string_view names[] = {
      "cbrt",  "sine",  "cosine",   "floor", "ceil", "round_nearest_even", "round_nearest_afz",
      "power", "atan2", "remainder"};
  return names[static_cast<std::size_t>(f)];
}

}  // namespace shardlaw
