#include "props/runner.h"

#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>
#include <rapidcheck/Seq.h>
#include <rapidcheck/shrinkable/Create.h>

#include <cmath>
#include <mutex>
#include <sstream>

#include "interp/error.h"
#include "interp/exec/parallel.h"
#include "props/memory.h"
#include "props/mutant/mutant.h"

namespace shardlaw {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* timeLimit = "time limit";
constexpr const char* tooLateToConfirm = "fails exactly; the time limit came before wide could confirm it";

rc::Gen<Case> caseGenerator(const CaseSpace& space) {
  return [&space](const rc::Random& random, int) {
    rc::Random source = random;
    const Case drawn = drawCase(space, [&] { return source.next(); });
    return rc::shrinkable::shrinkRecur(drawn,
                                       [&space](const Case& c) { return rc::seq::fromContainer(shrinks(space, c)); });
  };
}

/// One law in one domain, while it runs.
class Run {
 public:
  Run(const Law& law, const JudgeDomain& domain, const RunOptions& options)
      : law_(law), options_(options), space_(caseSpace(law, options.pins)) {
    report_.law = &law;
    report_.domain = &domain;
    report_.mutant = options.mutant;
    if (domain.exact) report_.falsePassLog2 = -std::numeric_limits<double>::infinity();
  }

  LawReport run() {
    const auto start = Clock::now();
    if (options_.only) {
      tryCase(*options_.only);
    } else if (!failsSaved()) {
      search();
    }
    simplifyCells();
    decide();
    if (report_.counterexample) confirm();
    report_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (options_.published) options_.published(report_);
    return std::move(report_);
  }

 private:
  /// RapidCheck's generators and shrink trees are values and safe to use from many threads; its check()
  /// keeps its state in globals and is not, so the loop over them is written out.
  void search() {
    constexpr int size = 100;
    const rc::Gen<Case> generator = caseGenerator(space_);
    rc::Random random(options_.seed);
    while (report_.cases < options_.cases) {
      const rc::Shrinkable<Case> drawn = generator(random.split(), size);
      if (tryCase(drawn.value()) == Outcome::Kind::fails) return shrink(drawn);
      if (failure_ || timedOut_) return;
      gaveUp_ = report_.discarded > mostDiscarded * options_.cases;
      if (gaveUp_) return;
    }
  }

  /// Goes down to the first simpler case that still fails, again and again; for not so long where a case takes seconds.
  void shrink(rc::Shrinkable<Case> failing) {
    constexpr std::int64_t many = 1'000'000;
    const Claim claim = claimOf(failing.value());
    const int most = claim.left.program.cells() * claim.left.replicas < many ? mostShrinks : fewShrinks;
    auto simpler = failing.shrinks();
    for (int tries = 0; tries < most; ++tries) {
      const auto next = simpler.next();
      if (!next) return;
      if (tryCase(next->value()) == Outcome::Kind::fails) simpler = next->shrinks();
    }
  }

  /// What failed in an earlier run is most likely to fail again.
  bool failsSaved() {
    for (const Case& saved : options_.saved)
      if (tryCase(saved) == Outcome::Kind::fails) return true;
    return false;
  }

  /// Sets cell after cell to 0, or to 1, as long as the case still fails.
  void simplifyCells() {
    if (!report_.counterexample || options_.only) return;
    constexpr std::int64_t mostCells = 64;
    const Claim claim = law_.claim(report_.counterexample->c);
    // Of a whole network nobody reads the cells, and it has thousands.
    if (claim.skeleton) return;
    for (const ClaimInput& input : claim.inputs) {
      if (input.role == Role::label || input.global.shape.cells() > mostCells) continue;
      for (std::int64_t cell = 0; cell < input.global.shape.cells(); ++cell)
        for (const int number : {0, 1, 2}) {
          Case simpler = report_.counterexample->c;
          simpler.cells[input.name][cell] = number;
          if (tryCase(simpler) == Outcome::Kind::fails) break;
        }
    }
    // With its cells set by hand a case may need its seed no longer.
    for (std::uint64_t seed = 0; seed < std::min<std::uint64_t>(8, report_.counterexample->c.seed); ++seed) {
      Case simpler = report_.counterexample->c;
      simpler.seed = seed;
      if (tryCase(simpler) == Outcome::Kind::fails) break;
    }
  }

  bool expired() {
    timedOut_ = timedOut_ || (options_.deadline && Clock::now() > *options_.deadline);
    return timedOut_;
  }

  Outcome::Kind tryCase(const Case& c) {
    // After a user's error, or the deadline, the remaining cases are discarded unseen.
    if (failure_ || expired()) return Outcome::Kind::undefined;
    const bool shrinking = report_.counterexample.has_value();
    try {
      const Outcome outcome = judge(c);
      if (outcome.kind == Outcome::Kind::fails) {
        const int before = shrinking ? report_.counterexample->casesBefore : report_.cases;
        report_.counterexample = Counterexample{c, *outcome.mismatch, before};
        if (!shrinking && options_.failed) options_.failed(report_);
      }
      if (!shrinking) count(c, outcome);
      const bool telling = outcome.kind == Outcome::Kind::holds && !outcome.vacuous && !law_.isTrivial(c);
      if (options_.ladder && !report_.ladder && telling) report_.ladder = ladder(claimOf(c), c);
      if (options_.published) options_.published(report_);
      return outcome.kind;
    } catch (const Undefined&) {
      if (!shrinking) ++report_.discarded;
      return Outcome::Kind::undefined;
    } catch (...) {
      failure_ = std::current_exception();
      return Outcome::Kind::undefined;
    }
  }

  Claim claimOf(const Case& c) const {
    Claim claim = law_.claim(c);
    if (options_.mutant != nullptr && !applyMutant(*options_.mutant, claim, c))
      throw Undefined("the mutant changes nothing here");
    return claim;
  }
  Outcome judge(const Case& c) const {
    const Claim claim = claimOf(c);
    const MemoryShare share(memoryOf(claim, *report_.domain, options_.judge));
    return report_.domain->judge(claim, c, options_.judge);
  }
  Ladder ladder(const Claim& claim, const Case& c) const {
    const MemoryShare share(memoryOf(claim, wide(), options_.judge));
    return ladderOf(claim, c, options_.judge);
  }

  /// A field knows nothing of <, exp or rounding: where such a difference is all there is, floats agree.
  void confirm() {
    const Case& c = report_.counterexample->c;
    const bool exact = report_.domain->exact && options_.confirm;
    if (exact) report_.status = Status::undecided;
    try {
      const Claim claim = claimOf(c);
      report_.ladder = ladder(claim, c);
      if (!exact) return;
      report_.confirmed = report_.ladder->failsInWide || failsElsewhereInWide(claim);
    } catch (const Undefined&) {
      throw;
    } catch (const Error& error) {
      // The counterexample stands, but `wide` takes more memory than there is.
      if (exact) report_.reason = std::string("fails exactly; not confirmed in wide: ") + error.what();
      return;
    }
    if (report_.confirmed) report_.status = Status::refuted;
    else report_.reason = expired() ? tooLateToConfirm : "not decided exactly, holds numerically";
  }
  /// Looks at other cases in wide; a network's take too long.
  bool failsElsewhereInWide(const Claim& claim) const {
    if (claim.skeleton) return false;
    RunOptions numeric = options_;
    numeric.only.reset();
    numeric.saved.clear();
    numeric.cases = 64;
    numeric.progress = nullptr;
    numeric.failed = nullptr;
    numeric.published = nullptr;
    return runLaw(law_, wide(), numeric).status == Status::refuted;
  }

  void count(const Case& c, const Outcome& outcome) {
    if (outcome.kind == Outcome::Kind::undefined) {
      ++report_.discarded;
      return;
    }
    ++report_.cases;
    if (outcome.vacuous || law_.isTrivial(c)) ++report_.vacuous;
    report_.coverage.compared += outcome.compared;
    report_.coverage.kinks += outcome.kinks;
    report_.coverage.unbounded += outcome.unbounded;
    for (const Dimension d : space_.dimensions()) ++report_.coverage.values[d][c[d]];
    if (outcome.kind == Outcome::Kind::fails) return;
    report_.falsePassLog2 = std::max(report_.falsePassLog2, outcome.falsePassLog2);
    report_.overBound.add(outcome.overBound);
    report_.residual = std::max(report_.residual, outcome.residual);
    report_.worstError = std::max(report_.worstError, outcome.worstError);
    report_.worstOverBound = std::max(report_.worstOverBound, outcome.worstOverBound);
    if (options_.progress && report_.cases % 16 == 0) options_.progress(report_);
  }

  /// In a run of the usual size every way to draw data must have come up, unless the user pinned it.
  std::optional<std::string> missingDataClass() const {
    constexpr int usualCases = 200;
    if (options_.cases < usualCases || options_.only || options_.mutant != nullptr) return std::nullopt;
    for (const CaseSpace::Axis& axis : space_.axes) {
      if (axis.dimension != Dimension::data || axis.pinned) continue;
      const auto& seen = report_.coverage.values.at(axis.dimension);
      for (std::int64_t v = axis.range.low; v <= axis.range.high; ++v)
        if (!seen.contains(v)) return std::string(shardlaw::name(static_cast<DataClass>(v)));
    }
    return std::nullopt;
  }

  void decide() {
    if (failure_) std::rethrow_exception(failure_);
    const auto undecided = [&](std::string why) {
      report_.status = Status::undecided;
      report_.reason = std::move(why);
    };
    if (report_.counterexample) {
      report_.status = Status::refuted;
    } else if (timedOut_) {
      undecided(timeLimit);
    } else if (report_.cases == 0) {
      undecided("no case");
    } else if (gaveUp_) {
      undecided("gave up: too many cases discarded");
    } else if (2 * report_.vacuous > report_.cases) {
      undecided("vacuous: most cases compare nothing that could differ");
    } else if (report_.domain->exact && report_.falsePassLog2 > falsePassTarget) {
      std::ostringstream figure;
      figure << std::ceil(report_.falsePassLog2);
      undecided("the false-pass bound of a case is only 2^" + figure.str());
    } else if (const auto missing = missingDataClass()) {
      undecided("no case with data " + *missing);
    } else {
      report_.status = Status::holds;
    }
  }

  static const JudgeDomain& wide() { return findJudgeDomain("wide"); }

  static constexpr int mostDiscarded = 10;  ///< per case asked for
  static constexpr int mostShrinks = 4000;
  static constexpr int fewShrinks = 8;

  const Law& law_;
  const RunOptions& options_;
  CaseSpace space_;
  LawReport report_;
  bool gaveUp_ = false, timedOut_ = false;
  std::exception_ptr failure_;
};

}  // namespace

std::string_view name(Status status) {
  switch (status) {
    case Status::holds: return "holds";
    case Status::refuted: return "refuted";
    case Status::undecided: return "undecided";
    case Status::skipped: return "skipped";
  }
  return "";
}

LawReport cutOff(LawReport soFar) {
  if (soFar.status != Status::undecided || !soFar.reason.empty()) return soFar;
  if (!soFar.counterexample) soFar.reason = timeLimit;
  else if (soFar.domain->exact) soFar.reason = tooLateToConfirm;
  else soFar.status = Status::refuted;
  return soFar;
}

LawReport runLaw(const Law& law, const JudgeDomain& domain, const RunOptions& options) {
  return Run(law, domain, options).run();
}

std::vector<LawReport> runLaws(const std::vector<Job>& jobs, const RunOptions& options) {
  std::vector<LawReport> reports(jobs.size());
  std::mutex guard;
  RunOptions guarded = options;
  const auto guardedCall = [&guard](const auto& call) {
    return [&guard, &call](const LawReport& report) {
      const std::lock_guard lock(guard);
      call(report);
    };
  };
  if (options.progress) guarded.progress = guardedCall(options.progress);
  if (options.failed) guarded.failed = guardedCall(options.failed);
  parallelFor(static_cast<std::int64_t>(jobs.size()), jobs.size() > 1, [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    RunOptions own = guarded;
    own.saved = jobs[at].saved;
    reports[at] = runLaw(*jobs[at].law, *jobs[at].domain, own);
  });
  return reports;
}

}  // namespace shardlaw
