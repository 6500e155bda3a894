// A float domain that evaluates as some other backend might: sums in another order, products fused into
// additions, functions and literals off by what is allowed. For tests of the domain `bounded`.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "interp/number/domain.h"
#include "interp/number/ieee.h"
#include "tests/interp/number/draw.h"

namespace shardlaw::test {

enum class Order { left, right, pairwise, ring, ascending, descending, random };
inline constexpr Order allOrders[] = {Order::left,      Order::right,      Order::pairwise, Order::ring,
                                      Order::ascending, Order::descending, Order::random};

struct Backend {
  Order order = Order::left;
  bool fused = false;      ///< products are not rounded before an addition
  bool perturbed = false;  ///< functions and literals take a neighbour
  std::uint64_t seed = 0;
};

/// The backend that is now evaluated; a sum has no way to reach its domain object.
inline thread_local Backend backend;

/// A float that remembers the product it came from.
template <class F>
struct ReorderedScalar {
  F value = 0;
  F left = 0, right = 0;
  bool product = false;

  friend ReorderedScalar operator+(ReorderedScalar a, ReorderedScalar b) { return {sum(a, b)}; }
  friend ReorderedScalar operator-(ReorderedScalar a, ReorderedScalar b) { return {sum(a, -b)}; }
  friend ReorderedScalar operator-(ReorderedScalar a) { return {-a.value, -a.left, a.right, a.product}; }
  friend ReorderedScalar operator*(ReorderedScalar a, ReorderedScalar b) {
    return {a.value * b.value, a.value, b.value, true};
  }
  friend ReorderedScalar operator/(ReorderedScalar a, ReorderedScalar b) { return {a.value / b.value}; }

  static F sum(ReorderedScalar a, ReorderedScalar b) {
    if (backend.fused && a.product) return std::fma(a.left, a.right, b.value);
    if (backend.fused && b.product) return std::fma(b.left, b.right, a.value);
    return a.value + b.value;
  }
};

template <class F>
class ReorderedSum {
  using S = ReorderedScalar<F>;

 public:
  void add(S a) { terms_.push_back(a); }
  void addProduct(S a, S b) { terms_.push_back(a * b); }
  S total() const {
    std::vector<S> terms = terms_;
    if (terms.empty()) return {};
    Draw draw(backend.seed + terms.size());
    arrange(terms, draw);
    return backend.order == Order::random ? randomTree(std::move(terms), draw) : ordered(terms);
  }

 private:
  static bool smaller(S a, S b) { return std::abs(a.value) < std::abs(b.value); }
  static void arrange(std::vector<S>& terms, Draw& draw) {
    const auto middle = terms.begin() + draw.below(static_cast<std::int64_t>(terms.size()));
    switch (backend.order) {
      case Order::right: std::reverse(terms.begin(), terms.end()); break;
      // Each member of a ring starts at its own place.
      case Order::ring: std::rotate(terms.begin(), middle, terms.end()); break;
      case Order::ascending: std::stable_sort(terms.begin(), terms.end(), smaller); break;
      case Order::descending:
        std::stable_sort(terms.begin(), terms.end(), [](S a, S b) { return smaller(b, a); });
        break;
      default: break;
    }
  }
  static S ordered(const std::vector<S>& terms) {
    if (backend.order == Order::pairwise) return pairwise(terms, 0, terms.size());
    S total = terms[0];
    for (std::size_t i = 1; i < terms.size(); ++i) total = total + terms[i];
    return total;
  }
  static S pairwise(const std::vector<S>& terms, std::size_t begin, std::size_t end) {
    if (end - begin == 1) return terms[begin];
    const std::size_t middle = begin + (end - begin) / 2;
    return pairwise(terms, begin, middle) + pairwise(terms, middle, end);
  }
  /// Any two partial sums are added, until one is left.
  static S randomTree(std::vector<S> parts, Draw& draw) {
    while (parts.size() > 1) {
      const auto n = static_cast<std::int64_t>(parts.size());
      std::swap(parts[static_cast<std::size_t>(draw.below(n))], parts.back());
      const S last = parts.back();
      parts.pop_back();
      S& other = parts[static_cast<std::size_t>(draw.below(n - 1))];
      other = other + last;
    }
    return parts[0];
  }

  std::vector<S> terms_;
};

template <class F>
class Reordered {
  using Base = Ieee<F>;

 public:
  static constexpr const char* name = "reordered";
  using Scalar = ReorderedScalar<F>;
  using Truth = bool;
  using Sum = ReorderedSum<F>;

  Scalar literal(const Rational& q) const {
    const F nearest = base_.literal(q);
    const Rational read(static_cast<double>(nearest));
    if (!backend.perturbed || read == q) return {nearest};
    const F end = std::numeric_limits<F>::infinity();
    return {std::nextafter(nearest, read < q ? end : -end)};
  }
  Scalar lowest() const { return {base_.lowest()}; }
  Scalar sqrt(Scalar a) const { return {near(base_.sqrt(a.value), a.value)}; }
  Scalar rsqrt(Scalar a) const {
    // Rounded once, so that a neighbour of it stays within the units of roundoff that are allowed.
    const auto root = static_cast<F>(1 / std::sqrt(static_cast<long double>(a.value)));
    return {backend.perturbed ? near(root, a.value) : base_.rsqrt(a.value)};
  }
  Scalar exp(Scalar a) const { return {near(base_.exp(a.value), a.value)}; }
  Scalar log(Scalar a) const { return {near(base_.log(a.value), a.value)}; }
  /// The library's own is up to 2.8 units of roundoff off: a neighbour of it could be too far.
  Scalar tanh(Scalar a) const { return {base_.tanh(a.value)}; }
  Scalar roundToBf16(Scalar a) const { return {base_.roundToBf16(a.value)}; }
  Scalar max(Scalar a, Scalar b) const { return {base_.max(a.value, b.value)}; }
  Scalar min(Scalar a, Scalar b) const { return {base_.min(a.value, b.value)}; }
  bool less(Scalar a, Scalar b) const { return base_.less(a.value, b.value); }
  bool exceeds(Scalar a, Scalar b) const { return base_.exceeds(a.value, b.value); }
  Scalar select(bool t, Scalar a, Scalar b) const { return t ? a : b; }

 private:
  /// f(x) or one of its neighbours, by a draw that depends on x alone: a backend is a function, too.
  static F near(F value, F argument) {
    if (!backend.perturbed || value == 0 || !std::isfinite(value)) return value;
    const F end = std::numeric_limits<F>::infinity();
    switch (mix64(backend.seed, std::bit_cast<std::uint64_t>(static_cast<double>(argument))) % 3) {
      case 0: return std::nextafter(value, end);
      case 1: return std::nextafter(value, -end);
      default: return value;
    }
  }

  Base base_;
};

static_assert(Domain<Reordered<float>>);

}  // namespace shardlaw::test
