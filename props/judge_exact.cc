#include <algorithm>
#include <cmath>

#include "props/certificate.h"

namespace shardlaw {
namespace {

/// log2 of the bound on one random point, from the degrees of both sides.
double onePointLog2(const Claim& claim, const Case& c) {
  const Degree degree;
  const auto sides = detail::evaluateSides(degree, claim, c, Reader<Degree>{});
  double difference = 0;
  detail::compareSides<Degree>(claim, sides, [&](const detail::Compared<DegreeScalar>& at) {
    difference = std::max(difference, (at.left - at.right).numerator);
  });
  return falsePassLog2(difference, degree, static_cast<double>(Field::modulus));
}

/// Sees the evaluation of a point at which both sides agree.
using Inspect = std::function<void(const Exact&, const detail::Sides<Exact>&, const RootArguments&)>;

/// Compares at one point; returns whether all cells agree.
bool agreeAt(const Claim& claim, const Case& c, const Reader<Exact>& reader, Outcome& outcome,
             const Inspect& inspect = {}) {
  RootArguments roots;
  const Exact domain(mix64(reader.seed, 0xE8AC7), inspect ? &roots : nullptr);
  const auto sides = detail::evaluateSides(domain, claim, c, reader);
  std::int64_t compared = 0, differing = 0, nonzero = 0;
  detail::Compared<Field> first;
  detail::compareSides<Exact>(claim, sides, [&](const detail::Compared<Field>& at) {
    ++compared;
    if (!(at.left == Field()) || !(at.right == Field())) ++nonzero;
    if (at.left == at.right) return;
    if (differing++ == 0) first = at;
  });
  outcome.compared += compared;
  outcome.vacuous = nonzero == 0;
  if (differing == 0) {
    if (inspect) inspect(domain, sides, roots);
    return true;
  }
  outcome.kind = Outcome::Kind::fails;
  outcome.mismatch =
      detail::describeMismatch<Exact>(claim, sides, first, [](Field f) { return showField(f.residue()); });
  outcome.mismatch->differing = differing;
  outcome.mismatch->compared = compared;
  return false;
}

}  // namespace

std::string showField(std::uint64_t residue) {
  // Rational reconstruction (Wang 1981): the first remainder of Euclid on (p, residue) that is small.
  constexpr std::int64_t small = 20000;
  std::int64_t a = static_cast<std::int64_t>(Field::modulus), b = static_cast<std::int64_t>(residue);
  std::int64_t previous = 0, current = 1;
  while (b > small) {
    const std::int64_t quotient = a / b;
    a = std::exchange(b, a % b);
    previous = std::exchange(current, previous - quotient * current);
  }
  if (std::abs(current) > small) return std::to_string(residue);
  const std::int64_t numerator = current < 0 ? -b : b, denominator = std::abs(current);
  return std::to_string(numerator) + (denominator == 1 ? "" : "/" + std::to_string(denominator));
}

namespace {

constexpr int mostPoints = 32;

std::uint64_t seedOf(const Case& c, int point) { return mix64(c.seed, 0x90117 + static_cast<std::uint64_t>(point)); }

/// Points until the bound is low enough.
void judgeByCertificate(const Claim& claim, const Case& c, Outcome& outcome) {
  const Degrees degrees = degreesOf(*claim.skeleton);
  const Arguments arguments = argumentsOf(claim.right.program);
  for (int point = 0; point < mostPoints && outcome.falsePassLog2 > falsePassTarget; ++point) {
    const auto inspect = [&](const Exact& domain, const detail::Sides<Exact>& sides, const RootArguments& roots) {
      const PerOpaque<std::int64_t> applications = domain.applications();
      const auto& global = sides.right[0];
      const bool distinct =
          sides.right.size() == 1 && areDistinct(global, arguments.compared) && areDistinct(global, arguments.roots);
      const bool rounds = applications[Opaque::round] > 0;
      const bool apart = rounds && sides.right.size() == 1 && areRoundedApart(domain, claim.right.program, global);
      outcome.falsePassLog2 += certifiedLog2(claim, degrees, {applications, roots.shared(), distinct, apart});
    };
    if (!agreeAt(claim, c, {seedOf(c, point), false}, outcome, inspect)) return;
    // By chance some of millions of arguments coincide now and then; if they always do, more points do not help.
    constexpr int hopeless = 4;
    if (point + 1 >= hopeless && outcome.falsePassLog2 == 0) return;
  }
}

void judgeByDegree(const Claim& claim, const Case& c, Outcome& outcome) {
  const double onePoint = onePointLog2(claim, c);
  for (int point = 0; point < mostPoints && outcome.falsePassLog2 > falsePassTarget; ++point) {
    if (!agreeAt(claim, c, {seedOf(c, point), false}, outcome)) return;
    outcome.falsePassLog2 += onePoint;
    if (onePoint == 0) break;
  }
}

}  // namespace

Outcome judgeExact(const Claim& claim, const Case& c, const JudgeOptions&) {
  Outcome outcome;
  try {
    // Small integers first: they prove nothing when they agree, and are easy to read when they differ.
    if (c.data() == DataClass::integers && !agreeAt(claim, c, {c.seed, true}, outcome)) return outcome;
    outcome.falsePassLog2 = 0;
    if (claim.skeleton) judgeByCertificate(claim, c, outcome);
    else judgeByDegree(claim, c, outcome);
  } catch (const Undefined& undefined) {
    outcome.kind = Outcome::Kind::undefined;
    outcome.reason = undefined.what();
  }
  return outcome;
}

}  // namespace shardlaw
