// The command line: an argument per line. What it asks for is either refused with a reason, or cases can be drawn
// from it for each law, and every such case is described by text that is read as the same case.
#include <algorithm>
#include <vector>

#include "interp/error.h"
#include "interp/number/hash.h"
#include "props/verify_options.h"
#include "tests/fuzz/fuzz.h"

namespace shardlaw::fuzz {
namespace {

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines{"verify"};
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    // An argument ends at a NUL, whatever the caller meant.
    lines.emplace_back(text.substr(0, std::min(end, text.find('\0'))));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return lines;
}

void drawCases(const Law& law, const VerifyOptions& options) {
  const CaseSpace space = caseSpace(law, options.pins);
  std::uint64_t words = 0;
  auto next = [&] { return mix64(options.seed, words++); };
  for (int i = 0; i < 3; ++i) {
    const Case c = drawCase(space, next);
    for (const CaseSpace::Axis& axis : space.axes) {
      const std::int64_t value = c[axis.dimension];
      require(value >= axis.range.low && value <= axis.range.high && space.allows(axis.dimension, value),
              "a case lies in its space", law.describe(c));
    }
    require(law.parse(law.describe(c)) == c, "a drawn case is read as it is described", law.describe(c));
  }
}

void useLaws(const VerifyOptions& options) {
  for (const std::string& name : options.laws) {
    std::vector<const Law*> laws(allLaws().begin(), allLaws().end());
    if (name != "all") laws = {&findLaw(name)};
    for (const Law* law : laws) {
      try {
        drawCases(*law, options);
      } catch (const Error&) {
        // The pins leave this law no case.
      }
    }
  }
}

}  // namespace
}  // namespace shardlaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shardlaw;
  const std::vector<std::string> arguments = fuzz::linesOf(fuzz::textOf(data, size));
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::string text;
  try {
    const auto options = parseVerifyOptions(static_cast<int>(argv.size()), argv.data(), text);
    fuzz::require(options.has_value() == text.empty(), "prints a text or has something to do", text);
    if (options) fuzz::useLaws(*options);
  } catch (const Error& error) {
    const std::string message = error.what();
    fuzz::require(!message.empty() && message.size() < 2000, "a refusal says why, briefly", message);
  }
  return 0;
}
