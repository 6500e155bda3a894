#include "props/programs/judge.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "interp/available_memory.h"
#include "interp/error.h"
#include "interp/stablehlo/inline.h"
#include "props/cell_index.h"
#include "props/programs/measure.h"
#include "props/programs/nan.h"
#include "props/programs/recording.h"

namespace shardlaw::programs {
namespace {

using stablehlo::Cells;
using stablehlo::Module;

constexpr double wanted = -60;

bool areEqual(const Field& a, const Field& b) { return a == b; }
bool areEqual(std::int64_t a, std::int64_t b) { return a == b; }
bool areEqual(const stablehlo::Bit<Exact>& a, const stablehlo::Bit<Exact>& b) { return a.truth == b.truth; }
std::string textOf(const Field& a) { return a.isLowest() ? "-inf" : std::to_string(a.residue()); }
std::string textOf(std::int64_t a) { return std::to_string(a); }
std::string textOf(const stablehlo::Bit<Exact>& a) { return a.truth ? "true" : "false"; }

/// A fraction of small numbers that is c in the field.
std::optional<Rational> smallRatio(Field c) {
  constexpr std::int64_t most = 1 << 16;
  Field multiple;
  for (std::int64_t denominator = 1; denominator <= most; ++denominator) {
    multiple = multiple + c;
    const std::uint64_t residue = multiple.residue();
    if (residue <= most) return ratio(static_cast<long>(residue), static_cast<long>(denominator));
    if (Field::modulus - residue <= most)
      return ratio(-static_cast<long>(Field::modulus - residue), static_cast<long>(denominator));
  }
  return std::nullopt;
}

/// The one number that all cells are times their namesakes; nothing where there is none.
class Ratio {
 public:
  void add(const Field& found, const Field& expected) {
    if (found.isLowest() || expected.isLowest()) {
      open_ = open_ && found == expected;
      return;
    }
    if (expected == Field()) {
      open_ = open_ && found == Field();
      return;
    }
    if (open_ && !first_) first_ = found / expected;
    open_ = open_ && found == *first_ * expected;
  }
  template <class T>
  void add(const T&, const T&) {
    open_ = false;
  }
  std::optional<Rational> constant() const { return open_ && first_ ? smallRatio(*first_) : std::nullopt; }

 private:
  bool open_ = true;
  std::optional<Field> first_;
};

/// Compares a result on every replica; nothing where all cells agree.
std::optional<Difference> differenceOf(const Pair& pair, const stablehlo::Evaluation<Exact>& replicas,
                                       const stablehlo::Evaluation<Exact>& global) {
  Difference difference;
  difference.name = pair.name;
  difference.sharding = pair.sharding;
  Ratio ratio;
  const auto count = static_cast<std::int64_t>(replicas.results.size());
  for (std::int64_t r = 0; r < count; ++r) {
    const Cells<Exact>& at = replicas.results[static_cast<std::size_t>(r)][pair.replica];
    at.visit([&](const auto& found) {
      const auto& whole = std::get<std::decay_t<decltype(found)>>(global.results[0][pair.global].variant());
      const auto expected = stablehlo::shardOf(whole, pair.sharding, r, count);
      for (std::int64_t i = 0; i < found.cells(); ++i) {
        ++difference.cells;
        ratio.add(found[i], expected[i]);
        if (areEqual(found[i], expected[i])) continue;
        if (difference.differing++ > 0) continue;
        difference.replica = r;
        difference.index = indexOf(found.shape(), i);
        difference.found = textOf(found[i]);
        difference.expected = textOf(expected[i]);
      }
    });
  }
  if (difference.differing == 0) return std::nullopt;
  difference.ratio = ratio.constant();
  return difference;
}

/// Refuses arguments that do not fit.
void requireRoom(const Module& replica, const Module& global, std::int64_t replicas) {
  const auto cellsOf = [](const stablehlo::Function& function) {
    double cells = 0;
    for (const stablehlo::ValueId id : function.body.arguments)
      cells += static_cast<double>(function.type(id).shape.cells());
    return cells;
  };
  const double bytes =
      sizeof(Field) * (cellsOf(global.entry()) + cellsOf(replica.entry()) * static_cast<double>(replicas));
  if (bytes > worthAsking) requireMemory(bytes, "a point with all arguments");
}

/// Whether numbers bear out what differs exactly, and what to say where they do not.
void confirm(const Module& replica, const Module& global, const JudgeOptions& options, Judgement& judgement) {
  measure(replica, global, options, judgement);
  double most = 0;
  for (const Difference& difference : judgement.differences) most = std::max(most, difference.relative.value_or(1));
  // Without a number to go by the field has the last word.
  if (most > literalRounding) {
    judgement.outcome = Outcome::refuted;
    return;
  }
  constexpr double nothing = 0x1p-40;
  judgement.reason =
      most <= nothing
          ? "not decided exactly, holds numerically: the programs differ in the field, but agree on random numbers "
            "in " +
                judgement.numbers
          : "the programs differ exactly, but by no more than the rounding of f32 literals in " + judgement.numbers;
}

/// Evaluates both programs at random points until the bound on a false pass is small, or something differs.
void compare(const Module& replica, const Module& global, const JudgeOptions& options, Judgement& judgement) {
  const Analysis ofReplica = analysed(replica), ofGlobal = analysed(global);
  const auto element = [](const Pair&) { return [](std::uint64_t bits) { return Field::fromUnsigned(bits); }; };
  while (judgement.points < options.mostPoints && judgement.falsePassLog2 > wanted) {
    if (options.progress) options.progress("point " + std::to_string(judgement.points + 1));
    const std::uint64_t seed = mix64(options.seed, static_cast<std::uint64_t>(judgement.points));
    Point<Exact> point =
        pointOf<Exact>(replica.entry(), global.entry(), judgement.pairing, options.pairing.replicas, seed, element);
    const Recording one = recorded(seed, global, ofGlobal, std::move(point.global));
    const Recording many = recorded(seed, replica, ofReplica, std::move(point.replicas));
    ++judgement.points;
    judgement.comparedCells = 0;
    for (const Pair& pair : judgement.pairing.results) {
      judgement.comparedCells += one.evaluation.results[0][pair.global].cells();
      if (auto difference = differenceOf(pair, many.evaluation, one.evaluation))
        judgement.differences.push_back(std::move(*difference));
    }
    if (!judgement.differences.empty()) return;
    const FalsePass chance = falsePassOf({ofReplica, many, ofGlobal, one, options.pairing.replicas});
    judgement.falsePassLog2 += chance.log2;
    // Where one point shows nothing, more of them will not.
    if (!chance.unknown.empty()) {
      judgement.reason = "all results agree, but that says little: " + chance.unknown;
      return;
    }
  }
  if (judgement.falsePassLog2 <= wanted) judgement.outcome = Outcome::holds;
  else judgement.reason = "all results agree, but the bound on a false pass is too large";
}

/// Leaves both programs with the results that are compared, in the order of their pairs.
void keepCompared(Module& replica, Module& global, Pairing& pairing) {
  std::vector<std::size_t> ofReplica, ofGlobal;
  for (Pair& pair : pairing.results) {
    ofReplica.push_back(std::exchange(pair.replica, ofReplica.size()));
    ofGlobal.push_back(std::exchange(pair.global, ofGlobal.size()));
  }
  replica = stablehlo::pruned(std::move(replica), ofReplica);
  global = stablehlo::pruned(std::move(global), ofGlobal);
}

}  // namespace

Judgement judge(const Module& replicaModule, const Module& globalModule, const JudgeOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Module replica = stablehlo::inlined(replicaModule), global = stablehlo::inlined(globalModule);
  replaceNaNs(replica, global);
  Judgement judgement;
  try {
    judgement.pairing = pairingOf(replica.entry(), global.entry(), options.pairing);
    requireRoom(replica, global, options.pairing.replicas);
  } catch (const Error& error) {
    throw Error(Location{replicaModule.file, 0, 0, {}}, error.what());
  }
  keepCompared(replica, global, judgement.pairing);
  try {
    compare(replica, global, options, judgement);
    if (!judgement.differences.empty() && options.confirms) confirm(replica, global, options, judgement);
  } catch (const Undefined& error) {
    judgement.outcome = Outcome::undecided;
    judgement.reason = std::string("at a random point a program has no value: ") + error.what();
  }
  auto& arguments = judgement.pairing.arguments;
  if (!arguments.empty() && arguments.back().name == nanName) arguments.pop_back();
  judgement.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return judgement;
}

}  // namespace shardlaw::programs
