// Numbers as text.
#pragma once

#include <charconv>
#include <string>

namespace shardlaw {

/// An integer in full; of a float the shortest decimal that reads as the same number, "nan", "inf" or "-inf". The same
/// under every locale.
template <class T>
std::string shortest(T value) {
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace shardlaw
