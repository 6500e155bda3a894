// The command line of `verify`, as a value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "props/case.h"
#include "props/gen/cases.h"

namespace shardlaw {

enum class Format { text, json, junit, html };

/// Two programs in place of a law.
struct ProgramOptions {
  std::string replica, global;  ///< files; empty where laws are checked
  std::int64_t replicas = 1;
  std::vector<std::string> shard, replicate, ignore;
  bool simplest = false;  ///< f32 literals as the simplest rationals that round to them
};

struct VerifyOptions {
  std::vector<std::string> laws;
  std::vector<std::string> domains{"exact", "f64"};
  Pins pins;
  int cases = 200;
  std::uint64_t seed = 1;
  std::string mutant, onlyCase, replay, out;
  Format format = Format::text;
  ProgramOptions programs;
  int timeLimit = 0;  ///< seconds; 0 for none
  long bits = 256;
  bool list = false, mutants = false, quiet = false, ladder = false;
};

/// What the command line asks for; or a text to print (help, version, man page) and nothing else to do.
/// Throws Error for a command line that makes no sense.
std::optional<VerifyOptions> parseVerifyOptions(int argc, const char* const* argv, std::string& text);

}  // namespace shardlaw
