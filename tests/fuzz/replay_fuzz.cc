// parseSaved: bytes that it takes for a counterexample are one that savedText would write, up to layout.
#include "interp/error.h"
#include "props/mutant/mutant.h"
#include "props/report/report.h"
#include "props/report/saved.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shardlaw;
  const std::string text(fuzz::textOf(data, size));
  LawReport report;
  report.counterexample.emplace();
  try {
    const SavedCounterexample saved = parseSaved("file", text);
    report.law = saved.law;
    report.domain = saved.domain;
    report.mutant = saved.mutant;
    report.counterexample->c = saved.c;
  } catch (const Error& error) {
    fuzz::require(error.where().file == "file", "a refusal names the file", error.what());
    return 0;
  }
  const SavedCounterexample again = parseSaved("file", savedText(report));
  fuzz::require(again.law == report.law && again.domain == report.domain && again.mutant == report.mutant,
                "reads the law, domain and mutant that it wrote", text);
  fuzz::require(again.c == report.counterexample->c, "reads the case that it wrote", text);
  fuzz::require(again.text == counterexampleBody(report), "reads the text that it wrote", text);
  return 0;
}
