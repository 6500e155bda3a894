// Files made from bytes written by hand, for the tests of .npy and .npz.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interp/error.h"

namespace shardlaw::test {

inline std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

/// So many bytes of an integer, the least first.
inline std::string little(std::uint64_t value, int width) {
  std::string text;
  for (int i = 0; i < width; ++i) text += static_cast<char>(value >> (8 * i) & 255);
  return text;
}

/// An .npy file of that version, with the dictionary as it stands.
inline std::string npy(const std::string& dictionary, const std::string& data, int version = 1) {
  return "\x93NUMPY" + bytes({version, 0}) + little(dictionary.size(), version == 1 ? 2 : 4) + dictionary + data;
}

/// The dictionary of a row-major array.
inline std::string header(const std::string& descr, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

/// What an Error says; "" where there is none.
template <class F>
std::string said(F run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace shardlaw::test
