#include "props/programs/judge.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "interp/error.h"
#include "interp/number/hash.h"
#include "interp/stablehlo/inline.h"
#include "interp/stablehlo/operations.h"
#include "interp/stablehlo/transfer.h"
#include "props/programs/recording.h"

namespace shardlaw::programs {
namespace {

using stablehlo::Cells;
using stablehlo::Function;
using stablehlo::Module;
using stablehlo::TensorType;

constexpr double wanted = -60;
/// What an f32 literal is off by, with room for the few operations that carry it on.
constexpr double literalRounding = 0x1p-20;

/// A random number per cell of an argument; floats by `number`, which gets 64 random bits.
template <class D, class F>
Cells<D> drawn(const TensorType& type, std::uint64_t key, const F& number) {
  Cells<D> cells = Cells<D>::unwritten(type);
  const auto bits = [&](std::int64_t i) { return mix64(key, static_cast<std::uint64_t>(i)); };
  for (std::int64_t i = 0; i < cells.cells(); ++i) {
    if (stablehlo::isFloat(type.element)) cells.floats()[i] = number(bits(i));
    else if (stablehlo::isBoolean(type.element)) cells.bits()[i].truth = typename D::Truth{(bits(i) & 1) != 0};
    else cells.integers()[i] = static_cast<std::int64_t>(bits(i) % 8);
  }
  return cells;
}

template <class D>
struct Point {
  Arguments<D> replicas, global;
};

template <class D, class F>
Point<D> pointOf(const Function& replica, const Function& global, const Pairing& pairing, std::int64_t replicas,
                 std::uint64_t seed, const F& number) {
  Point<D> point;
  point.global.resize(1);
  point.global[0].resize(global.body.arguments.size());
  point.replicas.resize(static_cast<std::size_t>(replicas));
  for (auto& one : point.replicas) one.resize(replica.body.arguments.size());
  for (const Pair& pair : pairing.arguments) {
    Cells<D>& whole = point.global[0][pair.global];
    whole = drawn<D>(global.type(global.body.arguments[pair.global]), mix64(seed, pair.global + 1), number);
    for (std::int64_t r = 0; r < replicas; ++r)
      point.replicas[static_cast<std::size_t>(r)][pair.replica] = whole.visit(
          [&](const auto& tensor) -> Cells<D> { return stablehlo::shardOf(tensor, pair.sharding, r, replicas); });
  }
  return point;
}

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

std::vector<std::int64_t> indexOf(std::int64_t position, const Shape& shape) {
  std::vector<std::int64_t> index(static_cast<std::size_t>(shape.rank()));
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    index[static_cast<std::size_t>(axis)] = position % shape[axis];
    position /= shape[axis];
  }
  return index;
}

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
        difference.index = indexOf(i, found.shape());
        difference.found = textOf(found[i]);
        difference.expected = textOf(expected[i]);
      }
    });
  }
  if (difference.differing == 0) return std::nullopt;
  difference.ratio = ratio.constant();
  return difference;
}

/// Scalar operations of an evaluation, roughly.
double workOf(const Function& function) {
  double work = 0;
  const auto cells = [&](stablehlo::ValueId id) { return static_cast<double>(function.type(id).shape.cells()); };
  for (const stablehlo::Operation& operation : function.body.operations) {
    double most = 0;
    for (const stablehlo::ValueId id : operation.operands) most = std::max(most, cells(id));
    for (const stablehlo::ValueId id : operation.results) most = std::max(most, cells(id));
    if (operation.info->degrees == stablehlo::Degrees::products)
      most = std::sqrt(cells(operation.operands[0]) * cells(operation.operands[1]) * cells(operation.results[0])) * 3;
    work += most;
  }
  return work;
}

double valueOf(const WideScalar& x) { return x.toDouble(); }
double valueOf(double x) { return x; }

/// Sets the relative difference of each result in a floating domain.
template <class D>
void measure(const D& domain, const Module& replica, const Module& global, const JudgeOptions& options,
             const Pairing& pairing, std::vector<Difference>& differences) {
  // Positive and small: no root of a negative number, no exponential that overflows.
  const auto number = [&](std::uint64_t bits) {
    return stablehlo::scalarOf(domain, static_cast<double>(bits % 3072 + 1024) / 65536);
  };
  const std::int64_t count = options.pairing.replicas;
  Point<D> point = pointOf<D>(replica.entry(), global.entry(), pairing, count, options.seed, number);
  const auto one = stablehlo::evaluate(domain, global, std::move(point.global));
  const auto many = stablehlo::evaluate(domain, replica, std::move(point.replicas));
  for (Difference& difference : differences) {
    const auto isIt = [&](const Pair& pair) { return pair.name == difference.name; };
    const Pair& pair = *std::find_if(pairing.results.begin(), pairing.results.end(), isIt);
    if (!one.results[0][pair.global].isFloats()) continue;
    double most = 0, largest = 0;
    for (std::int64_t r = 0; r < count; ++r) {
      const auto& found = many.results[static_cast<std::size_t>(r)][pair.replica].floats();
      const auto expected = stablehlo::shardOf(one.results[0][pair.global].floats(), pair.sharding, r, count);
      for (std::int64_t i = 0; i < found.cells(); ++i) {
        const double size = std::abs(valueOf(found[i] - expected[i]));
        most = std::isnan(size) ? size : std::max(most, size);
        largest = std::max(largest, std::abs(valueOf(expected[i])));
      }
    }
    if (std::isfinite(most)) difference.relative = most == 0 ? 0 : most / std::max(most, largest);
  }
}

void confirm(const Module& replica, const Module& global, const JudgeOptions& options, Judgement& judgement) {
  constexpr double affordable = 2e7;
  const double work = workOf(replica.entry()) * static_cast<double>(options.pairing.replicas) + workOf(global.entry());
  if (options.progress) options.progress("looking at the differences on random numbers");
  if (work <= affordable) {
    judgement.numbers = "wide";
    measure(Wide(options.bits), replica, global, options, judgement.pairing, judgement.differences);
  } else {
    judgement.numbers = "f64";
    measure(F64(), replica, global, options, judgement.pairing, judgement.differences);
  }
  const auto isLarge = [](const Difference& d) {
    return d.ratio.has_value() || !d.relative || *d.relative > literalRounding;
  };
  const auto& all = judgement.differences;
  if (std::any_of(all.begin(), all.end(), isLarge)) {
    judgement.outcome = Outcome::refuted;
    return;
  }
  judgement.reason =
      "the programs differ exactly, but by no more than the rounding of f32 literals in " + judgement.numbers;
}

}  // namespace

Judgement judge(const Module& replicaModule, const Module& globalModule, const JudgeOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const Module replica = stablehlo::inlined(replicaModule), global = stablehlo::inlined(globalModule);
  Judgement judgement;
  judgement.pairing = pairingOf(replica.entry(), global.entry(), options.pairing);
  const Analysis ofReplica = analysed(replica), ofGlobal = analysed(global);
  const auto element = [](std::uint64_t bits) { return Field::fromUnsigned(bits); };
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
    if (!judgement.differences.empty()) break;
    judgement.falsePassLog2 +=
        falsePassLog2({replica.entry(), ofReplica, many, global.entry(), ofGlobal, one, options.pairing.replicas});
    // Where one point shows nothing, more of them will not.
    if (judgement.falsePassLog2 == 0) break;
  }
  if (!judgement.differences.empty()) {
    confirm(replica, global, options, judgement);
  } else if (judgement.falsePassLog2 <= wanted) {
    judgement.outcome = Outcome::holds;
  } else {
    judgement.reason = !ofReplica.unknown.empty()  ? ofReplica.unknown
                       : !ofGlobal.unknown.empty() ? ofGlobal.unknown
                                                   : "all results agree, but the bound on a false pass is too large";
  }
  judgement.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return judgement;
}

}  // namespace shardlaw::programs
