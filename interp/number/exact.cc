#include "interp/number/exact.h"

#include <algorithm>

#include "interp/number/domain.h"

namespace shardlaw {

static_assert(Domain<Exact>);

void Field::refuseLowest() { throw Undefined("arithmetic on the least element (minus infinity) in a field"); }

Field Field::inverse() const {
  requireNumbers(*this, *this);
  if (value_ == 0) throw Undefined("division by zero in the prime field");
  // Extended Euclid on (p, a); the coefficients stay below p in magnitude.
  std::int64_t previous = 0, current = 1;
  std::uint64_t a = modulus, b = value_;
  while (b != 0) {
    const std::uint64_t quotient = a / b;
    const std::uint64_t remainder = a % b;
    a = b;
    b = remainder;
    const std::int64_t next = previous - static_cast<std::int64_t>(quotient) * current;
    previous = current;
    current = next;
  }
  return fromSigned(previous);
}

Field Field::fromRational(const Rational& q) {
  const auto residue = [](const mpz_class& n) { return fromUnsigned(mpz_fdiv_ui(n.get_mpz_t(), modulus)); };
  return residue(q.get_num()) / residue(q.get_den());
}

std::int64_t RootArguments::shared() const {
  const std::lock_guard lock(guard_);
  std::vector<std::uint64_t> inverses = inverses_;
  std::sort(inverses.begin(), inverses.end());
  inverses.erase(std::unique(inverses.begin(), inverses.end()), inverses.end());
  // Roots are as many as parameters, inverses only as many as channels: the roots are not copied.
  std::vector<bool> met(inverses.size());
  for (const std::uint64_t root : roots_) {
    const auto found = std::lower_bound(inverses.begin(), inverses.end(), root);
    if (found != inverses.end() && *found == root) met[static_cast<std::size_t>(found - inverses.begin())] = true;
  }
  return std::count(met.begin(), met.end(), true);
}

Exact::Exact(std::uint64_t seed, RootArguments* roots)
    : rsqrtKey_(streamKey(seed, "rsqrt")),
      expKey_(streamKey(seed, "exp")),
      logKey_(streamKey(seed, "log")),
      tanhKey_(streamKey(seed, "tanh")),
      bf16Key_(streamKey(seed, "bf16")),
      otherKey_(streamKey(seed, "other")),
      orderKey_(streamKey(seed, "order")),
      roots_(roots) {
  // An order in which nothing, or everything, lies above 0 or above 6 would make every mask constant.
  const auto part = [&](std::int64_t n) { return static_cast<int>(rank(Field::fromSigned(n)) >> 61); };
  while (part(0) < 2 || part(0) > 4 || part(6) != 6) orderKey_ = mix64(orderKey_);
}

Exact::Exact(const Exact& other)
    : rsqrtKey_(other.rsqrtKey_),
      expKey_(other.expKey_),
      logKey_(other.logKey_),
      tanhKey_(other.tanhKey_),
      bf16Key_(other.bf16Key_),
      otherKey_(other.otherKey_),
      orderKey_(other.orderKey_),
      roots_(other.roots_) {}

PerOpaque<std::int64_t> Exact::applications() const {
  PerOpaque<std::int64_t> counts;
  for (std::size_t f = 0; f < opaqueCount; ++f)
    counts[static_cast<Opaque>(f)] = counters_[static_cast<Opaque>(f)].load();
  return counts;
}

Field Exact::inverseRoot(Field a) const {
  if (a == Field()) throw Undefined("1/sqrt(0) in the prime field");
  Field r = random(rsqrtKey_, a);
  for (std::uint64_t again = rsqrtKey_; r == Field();) r = random(again = mix64(again), a);
  return r;
}

}  // namespace shardlaw
