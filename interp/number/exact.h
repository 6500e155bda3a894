// The domain `exact`: real numbers as elements of a prime field.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "interp/error.h"
#include "interp/number/hash.h"
#include "interp/number/opaque.h"
#include "interp/number/rational.h"

namespace shardlaw {

/// An element of the prime field with p = 2^52 − 47 elements, the largest prime below 2^52: products fit
/// the 52-bit multiply-add of AVX-512 IFMA, and 2^24 of them fit a 128-bit accumulator.
///
/// One further value, lowest(), stands for −∞. It may be compared and selected but not calculated with:
/// arithmetic on it throws Undefined.
class Field {
 public:
  static constexpr std::uint64_t modulus = (std::uint64_t{1} << 52) - 47;

  constexpr Field() = default;
  /// The residue class of n.
  static constexpr Field fromUnsigned(std::uint64_t n) { return Field(n % modulus); }
  static constexpr Field fromSigned(std::int64_t n) {
    const auto magnitude = n < 0 ? ~static_cast<std::uint64_t>(n) + 1 : static_cast<std::uint64_t>(n);
    const Field f = fromUnsigned(magnitude);
    return n < 0 ? -f : f;
  }
  /// n/d in the field. Throws Undefined where p divides d.
  static Field fromRational(const Rational& q);
  static constexpr Field lowest() { return Field(~std::uint64_t{0}); }
  /// A product sum below 2^128, reduced modulo p.
  static constexpr Field reduce(unsigned __int128 n) {
    // 2^52 ≡ 47 (mod p): the first fold leaves less than 2^82, the second less than 2^53.
    constexpr std::uint64_t mask = (std::uint64_t{1} << 52) - 1;
    const unsigned __int128 once = (n >> 52) * 47 + static_cast<std::uint64_t>(n & mask);
    const std::uint64_t twice = static_cast<std::uint64_t>(once >> 52) * 47 + static_cast<std::uint64_t>(once & mask);
    return Field(twice % modulus);
  }

  constexpr std::uint64_t residue() const { return value_; }
  constexpr bool isLowest() const { return value_ == ~std::uint64_t{0}; }
  Field inverse() const;

  friend constexpr bool operator==(Field, Field) = default;
  friend constexpr Field operator+(Field a, Field b) {
    requireNumbers(a, b);
    const std::uint64_t sum = a.value_ + b.value_;
    return Field(sum >= modulus ? sum - modulus : sum);
  }
  friend constexpr Field operator-(Field a, Field b) {
    requireNumbers(a, b);
    return Field(a.value_ >= b.value_ ? a.value_ - b.value_ : a.value_ + modulus - b.value_);
  }
  friend constexpr Field operator*(Field a, Field b) {
    requireNumbers(a, b);
    return Field(reduceProduct(static_cast<unsigned __int128>(a.value_) * b.value_));
  }
  friend Field operator/(Field a, Field b) { return a * b.inverse(); }
  friend constexpr Field operator-(Field a) { return Field() - a; }

  [[noreturn]] static void refuseLowest();

 private:
  explicit constexpr Field(std::uint64_t value) : value_(value) {}

  static constexpr void requireNumbers(Field a, Field b) {
    if (((a.value_ | b.value_) >> 52) != 0) refuseLowest();
  }

  /// n < 2^104: one fold leaves at most 48 · 2^52, a second at most 2^52 + 47 · 48.
  static constexpr std::uint64_t reduceProduct(unsigned __int128 n) {
    constexpr std::uint64_t mask = (std::uint64_t{1} << 52) - 1;
    const std::uint64_t once = static_cast<std::uint64_t>(n >> 52) * 47 + (static_cast<std::uint64_t>(n) & mask);
    const std::uint64_t twice = (once >> 52) * 47 + (once & mask);
    return twice >= modulus ? twice - modulus : twice;
  }

  std::uint64_t value_ = 0;
};

/// Σ of field elements and of products, reduced once per 2^23 terms.
class FieldSum {
 public:
  void add(Field a) {
    if (a.isLowest()) Field::refuseLowest();
    count(a.residue());
  }
  void addProduct(Field a, Field b) {
    if (((a.residue() | b.residue()) >> 52) != 0) Field::refuseLowest();
    count(static_cast<unsigned __int128>(a.residue()) * b.residue());
  }
  Field total() const { return Field::reduce(total_); }

 private:
  void count(unsigned __int128 term) {
    total_ += term;
    if (++terms_ == (1U << 23)) {
      total_ = Field::reduce(total_).residue();
      terms_ = 1;
    }
  }

  unsigned __int128 total_ = 0;
  std::uint32_t terms_ = 0;
};

/// The arguments of both roots, in any order: √ and 1/√ of one argument are tied, so that a false-pass bound must know
/// whether they have any in common.
class RootArguments {
 public:
  void addRoot(Field a) { add(roots_, a); }
  void addInverse(Field a) { add(inverses_, a); }
  /// How many elements are arguments of √ and of 1/√ alike.
  std::int64_t shared() const;

 private:
  void add(std::vector<std::uint64_t>& to, Field a) {
    const std::lock_guard lock(guard_);
    to.push_back(a.residue());
  }
  mutable std::mutex guard_;
  std::vector<std::uint64_t> roots_, inverses_;
};

/// Arithmetic is the field's. What a field lacks is uninterpreted but consistent: rsqrt, exp, log, tanh
/// and bf16 rounding are pseudo-random functions of their argument, keyed by the seed; √x is 1/rsqrt(x);
/// < is a pseudo-random total order in which lowest() is least and 0 < 6, and at least an eighth of the field
/// lies below 0, between 0 and 6, and above 6, so that no side of a relu or relu6 is empty. Two programs that agree
/// here agree for every such choice, up to the false-pass probability that the domain `Degree` computes.
class Exact {
 public:
  static constexpr const char* name = "exact";
  using Scalar = Field;
  using Truth = bool;
  using Sum = FieldSum;

  /// `roots` is told of every root's argument; null where nobody asks. It must outlive the domain and its copies.
  explicit Exact(std::uint64_t seed, RootArguments* roots = nullptr);
  Exact(const Exact& other);

  Scalar literal(const Rational& q) const { return Field::fromRational(q); }
  Scalar lowest() const { return Field::lowest(); }
  /// √0 = 0; elsewhere 1/rsqrt(a), so that the two roots stay tied together.
  Scalar sqrt(Scalar a) const {
    count(Opaque::sqrt);
    if (roots_ != nullptr) roots_->addRoot(a);
    return a == Field() ? a : inverseRoot(a).inverse();
  }
  /// Never 0. Throws Undefined at 0.
  Scalar rsqrt(Scalar a) const {
    count(Opaque::rsqrt);
    if (roots_ != nullptr) roots_->addInverse(a);
    return inverseRoot(a);
  }
  /// exp(−∞) = 0.
  Scalar exp(Scalar a) const { return a.isLowest() ? Field() : opaque(Opaque::exp, expKey_, a); }
  Scalar log(Scalar a) const { return opaque(Opaque::log, logKey_, a); }
  Scalar tanh(Scalar a) const { return opaque(Opaque::tanh, tanhKey_, a); }
  /// rnd(0) = 0, as every rounding has it; opaque elsewhere.
  Scalar roundToBf16(Scalar a) const { return a == Field() ? a : opaque(Opaque::round, bf16Key_, a); }
  /// Any other function, by a number of the caller's: the same at equal arguments, pseudo-random elsewhere.
  Scalar uninterpreted(std::uint64_t function, Scalar a) const {
    return opaque(Opaque::other, mix64(otherKey_, function), a);
  }
  Scalar uninterpreted(std::uint64_t function, Scalar a, Scalar b) const {
    if (a.isLowest()) Field::refuseLowest();
    return opaque(Opaque::other, mix64(mix64(otherKey_, function), a.residue()), b);
  }
  Scalar max(Scalar a, Scalar b) const { return less(b, a) ? a : b; }
  Scalar min(Scalar a, Scalar b) const { return less(a, b) ? a : b; }
  bool less(Scalar a, Scalar b) const {
    if (b.isLowest()) return false;
    return a.isLowest() || rank(a) < rank(b);
  }
  bool exceeds(Scalar a, Scalar b) const { return less(b, a); }
  Scalar select(bool t, Scalar a, Scalar b) const { return t ? a : b; }

  /// How often each opaque function was applied: what a false-pass bound grows with.
  PerOpaque<std::int64_t> applications() const;

 private:
  using Counter = std::atomic<std::int64_t>;
  void count(Opaque f) const { counters_[f].fetch_add(1, std::memory_order_relaxed); }

  Scalar opaque(Opaque f, std::uint64_t key, Scalar a) const {
    count(f);
    return random(key, a);
  }
  Scalar inverseRoot(Scalar a) const;
  static Scalar random(std::uint64_t key, Scalar a) {
    if (a.isLowest()) Field::refuseLowest();
    return Field::fromUnsigned(mix64(key, a.residue()));
  }
  /// Injective, as mix64 is a bijection: distinct elements never tie.
  std::uint64_t rank(Scalar a) const { return mix64(a.residue() ^ orderKey_); }

  std::uint64_t rsqrtKey_, expKey_, logKey_, tanhKey_, bf16Key_, otherKey_, orderKey_;
  RootArguments* roots_;
  mutable PerOpaque<Counter> counters_;
};

}  // namespace shardlaw
