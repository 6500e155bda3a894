// Exact rationals: what a literal in a program means before a domain reads it.
#pragma once

#include <gmpxx.h>

#include <string>
#include <string_view>

namespace shardlaw {

/// Arbitrary-precision rational, always in lowest terms.
using Rational = mpq_class;

/// The exact value of a decimal such as "1e-5", "-0.25", "6" or of a fraction "1/3".
/// Throws Error for anything else, and for exponents beyond ±10000: a hostile literal must not cost more than
/// its own length.
Rational decimal(std::string_view text);

/// n/d in lowest terms; d must not be 0.
Rational ratio(long n, long d);

/// Round-to-nearest-even conversions, correct to the last bit, subnormals included.
double toDouble(const Rational& q);
float toFloat(const Rational& q);
/// To bfloat16, in the wider type.
float toBf16(const Rational& q);

/// Canonical text: a short decimal where one is exact ("1e-05", "0.25"), else "n/d".
std::string toString(const Rational& q);

}  // namespace shardlaw
