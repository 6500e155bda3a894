// Every law in exact and f64: cases per second on one core, drawn and judged as `verify` does.
#include "bench/measure.h"
#include "props/runner.h"

namespace shardlaw::bench {
namespace {

bool meantFor(const Law& law, const JudgeDomain& domain) {
  return law.domains.empty() || std::find(law.domains.begin(), law.domains.end(), domain.name) != law.domains.end();
}

/// One run of `verify`'s length, with its seed.
class LawRun {
 public:
  LawRun(const Law& law, const JudgeDomain& domain) : law_(law), domain_(domain) { options_.seed = 1; }

  void operator()() const { last_ = runLaw(law_, domain_, options_); }
  const LawReport& last() const { return last_; }

 private:
  const Law& law_;
  const JudgeDomain& domain_;
  RunOptions options_;
  mutable LawReport last_;
};

void measureLaw(benchmark::State& state, const Law& law, const JudgeDomain& domain) {
  const JudgeDomain& f64 = findJudgeDomain("f64");
  const LawRun run(law, domain);
  if (domain.exact && meantFor(law, f64)) measureAgainst(state, run, LawRun(law, f64));
  else measure(state, run);
  countItems(state, run.last().cases);
  if (run.last().status != Status::holds) state.SkipWithError("the law does not hold");
}

}  // namespace
}  // namespace shardlaw::bench

int main(int argc, char** argv) {
  using namespace shardlaw;
  for (const Law* law : allLaws())
    for (const char* name : {"exact", "f64"}) {
      const JudgeDomain& domain = findJudgeDomain(name);
      if (!bench::meantFor(*law, domain)) continue;
      benchmark::RegisterBenchmark((std::string(law->name) + "/" + name).c_str(), [law,
                                                                                   &domain](benchmark::State& state) {
        bench::measureLaw(state, *law, domain);
      })->Unit(benchmark::kMillisecond);
    }
  return bench::runRegistered(argc, argv);
}
