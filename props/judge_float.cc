#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>

#include "props/judge_impl.h"

namespace shardlaw {
namespace {

template <class F>
bool sameBits(F a, F b) {
  return std::memcmp(&a, &b, sizeof(F)) == 0;
}

template <class F>
std::string shown(F value) {
  char text[64];
  const auto [end, status] = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end);
}

template <class F>
struct Tally {
  using S = BoundedScalar<F>;
  std::int64_t compared = 0, differing = 0, telling = 0;
  double worstError = 0, worstOverBound = 0;
  detail::Compared<S> first;
  double firstError = 0, firstBound = 0;

  void operator()(const detail::Compared<S>& at) {
    ++compared;
    const double error = std::abs(static_cast<double>(at.left.value) - static_cast<double>(at.right.value));
    const double bound = S::upward(at.left.bound + at.right.bound);
    const Agreement wanted = at.equation == nullptr ? Agreement::bound : at.equation->agreement;
    // A cell tells something if the bound is smaller than what it is compared with.
    if (bound < std::max(at.left.magnitude(), at.right.magnitude())) ++telling;
    const bool same = sameBits(at.left.value, at.right.value);
    // Beyond a bound that is infinite or NaN nothing is known; a NaN within a finite one is a difference.
    const bool agrees = same || (wanted == Agreement::equal && error == 0) ||
                        (wanted == Agreement::bound && (error <= bound || !std::isfinite(bound)));
    if (std::isfinite(error)) worstError = std::max(worstError, error);
    if (bound > 0 && std::isfinite(error) && std::isfinite(bound))
      worstOverBound = std::max(worstOverBound, error / bound);
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
    Tally<F> tally;
    detail::compareSides<Bounded<F>>(claim, sides, [&](const auto& at) { tally(at); });
    outcome.compared = tally.compared;
    outcome.worstError = tally.worstError;
    outcome.worstOverBound = tally.worstOverBound;
    outcome.vacuous = tally.telling == 0;
    outcome.kinks = domain.kinks();
    if (tally.differing == 0) return outcome;
    outcome.kind = Outcome::Kind::fails;
    outcome.mismatch =
        detail::describeMismatch<Bounded<F>>(claim, sides, tally.first, [](const auto& s) { return shown(s.value); });
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

/// Bytes that this machine can still hand out, or −1 where it does not say.
double availableMemory() {
  std::ifstream info("/proc/meminfo");
  std::string key, unit;
  double kilobytes = 0;
  while (info >> key >> kilobytes >> unit)
    if (key == "MemAvailable:") return kilobytes * 1024;
  return -1;
}

constexpr JudgeDomain domains[] = {
    {"exact", "identity in the field of 2^52 - 47 elements", true, judgeExact},
    {"f64", "binary64 within the rigorous bound of its own evaluation", false, judgeF64},
    {"f32", "binary32 within the rigorous bound of its own evaluation", false, judgeF32},
};

}  // namespace

Outcome judgeF64(const Claim& claim, const Case& c) { return judgeFloat<double>(claim, c); }
Outcome judgeF32(const Claim& claim, const Case& c) { return judgeFloat<float>(claim, c); }

std::span<const JudgeDomain> judgeDomains() { return domains; }

const JudgeDomain& findJudgeDomain(std::string_view name) {
  std::string names;
  for (const JudgeDomain& domain : domains) {
    if (domain.name == name) return domain;
    names += (names.empty() ? "" : ", ") + std::string(domain.name);
  }
  throw Error("no domain is named '" + std::string(name) + "'; there are " + names);
}

void requireMemory(const Claim& claim) {
  // A dual bounded scalar, the largest, has 32 bytes; both sides are held at once.
  const double cells = static_cast<double>(claim.left.program.cells()) * static_cast<double>(claim.left.replicas) +
                       static_cast<double>(claim.right.program.cells()) * static_cast<double>(claim.right.replicas);
  const double needed = 32 * cells;
  if (needed < 0x1p26) return;
  const double available = availableMemory();
  if (available >= 0 && needed > available)
    throw Error("a case of this shape needs about " + std::to_string(static_cast<long long>(needed / 0x1p20)) +
                " MiB, and " + std::to_string(static_cast<long long>(available / 0x1p20)) + " MiB are free");
}

}  // namespace shardlaw
