#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "interp/names.h"
#include "interp/number/shortest.h"
#include "props/judge_impl.h"

namespace shardlaw {
namespace {

template <class F>
bool sameBits(F a, F b) {
  return std::memcmp(&a, &b, sizeof(F)) == 0;
}

/// Keeps the largest difference and the largest right-hand cell of the equation at hand; of a network's at least 1, as
/// some of its gradients are 0.
class Residual {
 public:
  explicit Residual(const Claim& claim) : least_(claim.skeleton ? 1 : 0), size_(least_) {}

  void add(const Equation* equation, double error, double right) {
    if (equation != equation_) close();
    equation_ = equation;
    if (std::isfinite(error)) error_ = std::max(error_, error);
    if (std::isfinite(right)) size_ = std::max(size_, std::abs(right));
  }
  double worst() {
    close();
    return worst_;
  }

 private:
  void close() {
    if (error_ > 0) worst_ = std::max(worst_, size_ > 0 ? error_ / size_ : 1.0);
    error_ = 0;
    size_ = least_;
  }
  const Equation* equation_ = nullptr;
  double least_, error_ = 0, size_, worst_ = 0;
};

/// Sums behind the customary measures.
class CustomarySums {
 public:
  void add(double left, double right) {
    difference_ += (left - right) * (left - right);
    left_ += left * left;
    right_ += right * right;
    inner_ += left * right;
    const auto update = [](double g) { return g / (std::abs(g) + 1e-8); };
    adam_ = std::max(adam_, std::abs(update(left) - update(right)));
  }
  Outcome::Customary total() const {
    const double norms = std::sqrt(left_) * std::sqrt(right_);
    return {difference_ == 0 ? 0 : std::sqrt(difference_ / right_), norms > 0 ? inner_ / norms : 1, adam_};
  }

 private:
  double difference_ = 0, left_ = 0, right_ = 0, inner_ = 0, adam_ = 0;
};

template <class F>
struct Tally {
  using S = BoundedScalar<F>;
  explicit Tally(const Claim& claim) : residual(claim) {}

  std::int64_t compared = 0, differing = 0, telling = 0, unbounded = 0;
  double worstError = 0, worstOverBound = 0;
  detail::Compared<S> first;
  double firstError = 0, firstBound = 0;
  Residual residual;
  CustomarySums customary;
  RatioHistogram overBound;

  void operator()(const detail::Compared<S>& at) {
    ++compared;
    const double error = std::abs(static_cast<double>(at.left.value) - static_cast<double>(at.right.value));
    const double bound = S::upward(at.left.bound + at.right.bound);
    const Agreement wanted = at.equation == nullptr ? Agreement::bound : at.equation->agreement;
    // A cell tells something if the bound is smaller than what it is compared with.
    if (bound < std::max(at.left.magnitude(), at.right.magnitude())) ++telling;
    if (wanted == Agreement::bound && !std::isfinite(bound)) ++unbounded;
    const bool same = sameBits(at.left.value, at.right.value);
    // Beyond a bound that is infinite or NaN nothing is known; a NaN within a finite one is a difference.
    const bool agrees = same || (wanted == Agreement::equal && error == 0) ||
                        (wanted == Agreement::bound && (error <= bound || !std::isfinite(bound)));
    residual.add(at.equation, error, static_cast<double>(at.right.value));
    customary.add(static_cast<double>(at.left.value), static_cast<double>(at.right.value));
    if (std::isfinite(error)) worstError = std::max(worstError, error);
    if (bound > 0 && std::isfinite(error) && std::isfinite(bound)) {
      worstOverBound = std::max(worstOverBound, error / bound);
      overBound.add(error / bound);
    }
    if (agrees) return;
    if (differing++ == 0) {
      first = at;
      firstError = error;
      firstBound = wanted == Agreement::bound ? bound : 0;
    }
  }
};

template <class F>
Outcome judgeFloat(const Claim& claim, const Case& c) {
  const Bounded<F> domain;
  Outcome outcome;
  try {
    const auto sides = detail::evaluateSides(domain, claim, c, Reader<Bounded<F>>{});
    Tally<F> tally(claim);
    detail::compareSides<Bounded<F>>(claim, sides, [&](const auto& at) { tally(at); });
    outcome.compared = tally.compared;
    outcome.worstError = tally.worstError;
    outcome.worstOverBound = tally.worstOverBound;
    outcome.overBound = tally.overBound;
    outcome.residual = tally.residual.worst();
    outcome.customary = tally.customary.total();
    outcome.vacuous = tally.telling == 0;
    outcome.kinks = domain.kinks();
    outcome.unbounded = tally.unbounded;
    if (tally.differing == 0) return outcome;
    outcome.kind = Outcome::Kind::fails;
    outcome.mismatch = detail::describeMismatch<Bounded<F>>(claim, sides, tally.first,
                                                            [](const auto& s) { return shortest(s.value); });
    outcome.mismatch->error = tally.firstError;
    outcome.mismatch->bound = tally.firstBound;
    outcome.mismatch->differing = tally.differing;
    outcome.mismatch->compared = tally.compared;
  } catch (const Undefined& undefined) {
    outcome.kind = Outcome::Kind::undefined;
    outcome.reason = undefined.what();
  }
  return outcome;
}

constexpr JudgeDomain domains[] = {
    {"exact", "identity in the field of 2^52 - 47 elements", true, judgeExact},
    {"f64", "binary64 within the rigorous bound of its own evaluation", false, judgeF64},
    {"f32", "binary32 within the rigorous bound of its own evaluation", false, judgeF32},
    {"wide", "multiprecision floats (--bits, 256) within the bound of their roundoff", false, judgeWide},
};

}  // namespace

void RatioHistogram::add(double ratio) {
  const int bin = ratio > 0
                      ? std::clamp(-std::ilogb(ratio) - (std::exp2(std::ilogb(ratio)) == ratio ? 0 : 1), 0, bins - 1)
                      : bins - 1;
  ++counts_[static_cast<std::size_t>(bin)];
}

void RatioHistogram::add(const RatioHistogram& other) {
  for (std::size_t bin = 0; bin < bins; ++bin) counts_[bin] += other.counts_[bin];
}

double RatioHistogram::median() const {
  std::int64_t total = 0, seen = 0;
  for (const std::int64_t count : counts_) total += count;
  for (int bin = bins - 1; bin >= 0; --bin) {
    seen += counts_[static_cast<std::size_t>(bin)];
    if (2 * seen >= total) return bin == bins - 1 ? 0 : std::ldexp(1.0, -bin);
  }
  return 0;
}

Outcome judgeF64(const Claim& claim, const Case& c, const JudgeOptions&) { return judgeFloat<double>(claim, c); }
Outcome judgeF32(const Claim& claim, const Case& c, const JudgeOptions&) { return judgeFloat<float>(claim, c); }

namespace {

/// The bound of every compared cell in the domain of `bits`, and the undecided comparisons of f64.
std::vector<double> wideBounds(const Claim& claim, const Case& c, long bits, std::int64_t& kinks) {
  const Bounded64 bounded;
  std::vector<double> bounds;
  const auto nearby = detail::evaluateSides(bounded, claim, c, Reader<Bounded64>{});
  detail::compareSides<Bounded64>(claim, nearby, [&](const detail::Compared<BoundedScalar<double>>& at) {
    bounds.push_back(BoundedScalar<double>::upward(at.left.bound + at.right.bound));
  });
  kinks = bounded.kinks();
  const double scale = kinks > 0 ? 1 : std::ldexp(2.0, static_cast<int>(53 - bits));
  for (double& bound : bounds) bound *= scale;
  return bounds;
}

/// The same for a network: half of the bits, by the size of the equation's cells.
std::vector<double> halfBounds(const Claim& claim, const detail::Sides<Wide>& sides, long bits) {
  std::map<const Equation*, double> largest;
  std::vector<const Equation*> equations;
  detail::compareSides<Wide>(claim, sides, [&](const detail::Compared<WideScalar>& at) {
    double& size = largest.try_emplace(at.equation, 1).first->second;
    size = std::max(size, std::abs(at.right.toDouble()));
    equations.push_back(at.equation);
  });
  std::vector<double> bounds;
  bounds.reserve(equations.size());
  for (const Equation* equation : equations)
    bounds.push_back(std::ldexp(largest[equation], static_cast<int>(-bits / 2)));
  return bounds;
}

}  // namespace

Outcome judgeWide(const Claim& claim, const Case& c, const JudgeOptions& options) {
  Outcome outcome;
  try {
    std::vector<double> bounds;
    if (!claim.skeleton) bounds = wideBounds(claim, c, options.bits, outcome.kinks);
    const Wide domain(options.bits);
    const auto sides = detail::evaluateSides(domain, claim, c, Reader<Wide>{&domain});
    if (claim.skeleton) bounds = halfBounds(claim, sides, options.bits);
    Residual residual(claim);
    detail::Compared<WideScalar> first;
    std::int64_t compared = 0, differing = 0, telling = 0;
    double firstError = 0, firstBound = 0;
    detail::compareSides<Wide>(claim, sides, [&](const detail::Compared<WideScalar>& at) {
      const double error = std::abs((at.left - at.right).toDouble());
      const double bound = bounds[static_cast<std::size_t>(compared)];
      const double size = std::max(std::abs(at.left.toDouble()), std::abs(at.right.toDouble()));
      ++compared;
      if (bound < size) ++telling;
      residual.add(at.equation, error, at.right.toDouble());
      outcome.worstError = std::max(outcome.worstError, std::isfinite(error) ? error : 0);
      if (bound > 0 && std::isfinite(bound)) {
        outcome.worstOverBound = std::max(outcome.worstOverBound, error / bound);
        outcome.overBound.add(error / bound);
      }
      if (at.left == at.right || error <= bound || !std::isfinite(bound)) return;
      if (differing++ > 0) return;
      first = at;
      firstError = error;
      firstBound = bound;
    });
    outcome.compared = compared;
    outcome.vacuous = telling == 0;
    outcome.residual = residual.worst();
    if (differing == 0) return outcome;
    outcome.kind = Outcome::Kind::fails;
    outcome.mismatch =
        detail::describeMismatch<Wide>(claim, sides, first, [](const WideScalar& s) { return s.toString(20); });
    outcome.mismatch->error = firstError;
    outcome.mismatch->bound = firstBound;
    outcome.mismatch->differing = differing;
    outcome.mismatch->compared = compared;
  } catch (const Undefined& undefined) {
    outcome.kind = Outcome::Kind::undefined;
    outcome.reason = undefined.what();
  }
  return outcome;
}

Ladder ladderOf(const Claim& claim, const Case& c, const JudgeOptions& options) {
  const Outcome wide = judgeWide(claim, c, options);
  return {judgeF32(claim, c).residual, judgeF64(claim, c).residual, wide.residual, wide.kind == Outcome::Kind::fails};
}

std::span<const JudgeDomain> judgeDomains() { return domains; }

const JudgeDomain& findJudgeDomain(std::string_view name) {
  std::string names;
  for (const JudgeDomain& domain : domains) {
    if (domain.name == lowerCase(name)) return domain;
    names += (names.empty() ? "" : ", ") + std::string(domain.name);
  }
  throw Error("no domain is named '" + excerpt(name) + "'; there are " + names);
}

}  // namespace shardlaw
