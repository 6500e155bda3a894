// Law::parse, for the law that the first byte chooses: a case that it reads is described by text that it reads as
// the same case. What a small one claims then holds, so the interpreter and the judges are under test as well.
#include "interp/error.h"
#include "props/judge.h"
#include "props/law.h"
#include "props/memory.h"
#include "tests/fuzz/fuzz.h"

namespace shardlaw::fuzz {
namespace {

/// Judges cases that take well under a millisecond.
void judgeSmall(const Law& law, const Case& c, const std::string& text) {
  constexpr double small = 20000;  // bytes
  for (const char* name : {"exact", "f64", "f32"}) {
    const JudgeDomain& domain = findJudgeDomain(name);
    if (!law.isMeantIn(name)) continue;
    try {
      const Claim claim = law.claim(c);
      if (memoryOf(claim, domain) > small) return;
      const Outcome outcome = domain.judge(claim, c, {});
      require(outcome.kind != Outcome::Kind::fails, "a law holds", std::string(law.name) + " in " + name + ": " + text);
    } catch (const Error&) {
      // A shape that a node refuses, or nothing said about such a case.
    }
  }
}

}  // namespace
}  // namespace shardlaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shardlaw;
  if (size == 0) return 0;
  const Law& law = *allLaws()[data[0] % allLaws().size()];
  const std::string text(fuzz::textOf(data + 1, size - 1));
  Case c;
  try {
    c = law.parse(text);
  } catch (const Error& error) {
    fuzz::require(!oneLine(error.what()).empty(), "a refusal says why", text);
    return 0;
  }
  const std::string described = law.describe(c);
  fuzz::require(law.parse(described) == c, "reads what describe writes", text + " as " + described);
  fuzz::require(described == oneLine(described), "describes a case on one line", described);
  fuzz::judgeSmall(law, c, described);
  return 0;
}
