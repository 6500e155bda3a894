// What the fuzz targets share.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

/// The entry point that libFuzzer calls, and the driver of this folder.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace shardlaw::fuzz {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process where a property does not hold.
inline void require(bool holds, const char* property, const std::string& about) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s: %s\n", property, about.c_str());
  std::abort();
}

}  // namespace shardlaw::fuzz
