#include "interp/stablehlo/literal.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include "interp/error.h"
#include "interp/number/shortest.h"

namespace shardlaw::stablehlo {
namespace {

std::uint64_t integerBits(const Array& array, std::int64_t position) {
  const std::size_t width = cellBytes(array.type), first = static_cast<std::size_t>(position) * width;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < width; ++i) bits |= std::uint64_t{array.bytes[first + i]} << (8 * i);
  return bits;
}

Number cellNumber(const Array& array, std::int64_t position) {
  if (isFloat(array.type)) return cellOf<double>(array, position);
  return wrapped(static_cast<std::int64_t>(integerBits(array, position)), array.type);
}

/// Whether two floats are one value: a rational and a double of the same value are, two NaNs are, 0 and −0 are not.
bool sameFloat(const Rational& a, double b) { return std::isfinite(b) && !(b == 0 && std::signbit(b)) && a == b; }
bool sameFloat(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

bool same(const Number& a, const Number& b) {
  if (const auto* integer = std::get_if<std::int64_t>(&a)) {
    const auto* other = std::get_if<std::int64_t>(&b);
    return other != nullptr && *integer == *other;
  }
  if (std::holds_alternative<std::int64_t>(b)) return false;
  const auto *p = std::get_if<Rational>(&a), *q = std::get_if<Rational>(&b);
  if (p != nullptr && q != nullptr) return *p == *q;
  if (p != nullptr) return sameFloat(*p, std::get<double>(b));
  if (q != nullptr) return sameFloat(*q, std::get<double>(a));
  return sameFloat(std::get<double>(a), std::get<double>(b));
}

bool allEqual(const std::vector<Number>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [&](const Number& n) { return same(n, numbers[0]); });
}

bool allEqual(const Array& array) {
  const std::size_t width = cellBytes(array.type);
  // Each byte equals the one a cell before it.
  return array.bytes.size() <= width ||
         std::memcmp(array.bytes.data(), array.bytes.data() + width, array.bytes.size() - width) == 0;
}

}  // namespace

Literal::Literal(const TensorType& type, Number splat) : type_(type) {
  if (type.shape.cells() > 0) numbers_.push_back(std::move(splat));
}

Literal::Literal(const TensorType& type, std::vector<Number> numbers) : type_(type), numbers_(std::move(numbers)) {
  const std::int64_t cells = type.shape.cells();
  const auto found = static_cast<std::int64_t>(numbers_.size());
  if (found != cells && found != 1)
    throw Error("expected " + std::to_string(cells) + " numbers for " + toString(type) + ", found " +
                std::to_string(found));
  if (cells == 0) numbers_.clear();
  else if (found > 1 && allEqual(numbers_)) numbers_.resize(1);
}

Literal::Literal(Array blob) : type_{blob.type, blob.shape} {
  if (type_.shape.cells() == 0) return;
  if (allEqual(blob)) numbers_.push_back(cellNumber(blob, 0));
  else blob_ = std::move(blob);
}

Number Literal::at(std::int64_t position) const {
  if (position < 0 || position >= type_.shape.cells()) throw std::logic_error("no such cell of a literal");
  if (isBlob()) return cellNumber(blob_, position);
  return numbers_[isSplat() ? 0 : static_cast<std::size_t>(position)];
}

bool operator==(const Literal& a, const Literal& b) {
  if (a.type() != b.type()) return false;
  if (a.isBlob() && b.isBlob() && a.blob().bytes == b.blob().bytes) return true;
  // Constructors make a splat of whatever can be one.
  if (a.isSplat() != b.isSplat()) return false;
  const std::int64_t cells = a.isSplat() ? 1 : a.type().shape.cells();
  for (std::int64_t cell = 0; cell < cells; ++cell)
    if (!same(a.at(cell), b.at(cell))) return false;
  return true;
}

namespace {

/// The rational of least denominator, then of least numerator, between two positive ones; the ends belong to the
/// interval where `closed`. Their common continued fraction is followed until they part.
Rational simplestBetween(Rational low, Rational high, bool closed) {
  // Convergents p/q of the quotients taken so far.
  mpz_class p = 1, q = 0, before = 0, beforeQ = 1;
  const auto take = [&](const mpz_class& quotient) {
    mpz_class nextP = quotient * p + before, nextQ = quotient * q + beforeQ;
    before = std::exchange(p, std::move(nextP));
    beforeQ = std::exchange(q, std::move(nextQ));
  };
  while (true) {
    mpz_class whole;
    mpz_fdiv_q(whole.get_mpz_t(), low.get_num_mpz_t(), low.get_den_mpz_t());
    const bool isWhole = low == whole;
    // The least integer of the interval, if there is one.
    mpz_class least = whole;
    if (!isWhole || !closed) ++least;
    if (least < high || (closed && least == high)) {
      take(least);
      return Rational(p, q);
    }
    take(whole);
    // Reciprocals of what is left; an end at 0, which is outside, becomes infinity: any integer above the other end.
    const Rational restLow = high - whole, restHigh = low - whole;
    low = 1 / restLow;
    if (restHigh == 0) {
      mpz_class above;
      mpz_fdiv_q(above.get_mpz_t(), low.get_num_mpz_t(), low.get_den_mpz_t());
      if (!closed || low != above) ++above;
      take(above);
      return Rational(p, q);
    }
    high = 1 / restHigh;
  }
}

Rational halfway(float a, float b) { return (Rational(static_cast<double>(a)) + Rational(static_cast<double>(b))) / 2; }

}  // namespace

Rational simplestRational(const Rational& q) {
  if (q < 0) return -simplestRational(-q);
  const float nearest = toFloat(q);
  if (nearest == 0 || !std::isfinite(nearest)) return nearest == 0 ? Rational(0) : q;
  // Six digits survive f32 and back, so that a number of no more is what its author wrote: 1e-8, and not 1/99999997.
  const std::string text = shortest(nearest);
  const std::string digits = text.substr(0, text.find('e'));
  const auto first = digits.find_first_not_of("0.");
  if (std::count_if(digits.begin() + static_cast<std::ptrdiff_t>(first), digits.end(),
                    [](char c) { return c != '.'; }) <= std::numeric_limits<float>::digits10)
    return decimal(text);
  const float above = std::nextafterf(nearest, std::numeric_limits<float>::infinity());
  const Rational low = halfway(std::nextafterf(nearest, 0.0F), nearest);
  const Rational exact(static_cast<double>(nearest));
  // What would be the next float at the end of the range is 2^128, from which on everything is infinite.
  const Rational high = std::isfinite(above) ? halfway(nearest, above) : exact + (exact - low);
  // Ties go to the float whose last bit is 0.
  std::uint32_t bits = 0;
  std::memcpy(&bits, &nearest, sizeof bits);
  return simplestBetween(low, high, bits % 2 == 0);
}

}  // namespace shardlaw::stablehlo
