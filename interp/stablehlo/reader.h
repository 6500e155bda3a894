// Reading StableHLO programs as text.
#pragma once

#include <string>
#include <string_view>

#include "interp/stablehlo/module.h"

namespace shardlaw::stablehlo {

struct ReadOptions {
  /// Every finite f32 literal becomes the simplest rational that rounds to it: a compiler's 0.333333343 is 1/3.
  bool simplest = false;
};

/// Reads a module, or functions without one, in the pretty and the generic form of StableHLO's MLIR text and of its
/// versions since 1.0. Every use and every operation is checked. Attributes that change no value (precision, shardings,
/// layouts, accuracy, locations) are read over. Throws Error with file, line, column and operation: what was expected
/// and what was found. `file` is for errors.
Module parseModule(std::string_view text, const std::string& file, const ReadOptions& options = {});

/// The same of a file.
Module readModule(const std::string& path, const ReadOptions& options = {});

}  // namespace shardlaw::stablehlo
