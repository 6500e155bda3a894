#include "interp/number/rational.h"

#include <cctype>
#include <charconv>

#include "interp/error.h"
#include "interp/number/mpfr_format.h"

namespace shardlaw {
namespace {

constexpr long maxExponent = 10000;

[[noreturn]] void refuse(std::string_view text) {
  throw Error("expected a decimal number such as 1e-5, found '" + std::string(text.substr(0, 40)) + "'");
}

mpz_class powerOfTen(unsigned long exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return power;
}

/// Rounds once, to nearest even.
double roundTo(const Rational& q, const BinaryFormat& format) {
  mpfr_t value;
  mpfr_init2(value, format.precision);
  fitFormat(value, mpfr_set_q(value, q.get_mpq_t(), MPFR_RNDN), format);
  const double result = mpfr_get_d(value, MPFR_RNDN);
  mpfr_clear(value);
  return result;
}

/// The exponent after the 'e' of `whole`: an optional sign, then digits. The comparison is on both sides
/// because the least long has no magnitude.
long writtenExponent(std::string_view text, std::string_view whole) {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text[0] == '-') refuse(whole);
  }
  long written = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), written);
  if (status != std::errc() || end != text.data() + text.size()) refuse(whole);
  if (written < -maxExponent || written > maxExponent) refuse(whole);
  return written;
}

/// A decimal without a fraction bar.
Rational plainDecimal(std::string_view text) {
  std::string digits;
  long exponent = 0;
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) {
    if (text[at] == '-') digits = "-";
    ++at;
  }
  const std::size_t signs = digits.size();
  bool point = false;
  for (; at < text.size(); ++at) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
      digits += text[at];
      if (point) --exponent;
    } else if (text[at] == '.' && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (digits.size() == signs) refuse(text);
  if (at < text.size()) {
    if (text[at] != 'e' && text[at] != 'E') refuse(text);
    exponent += writtenExponent(text.substr(at + 1), text);
  }
  if (exponent < -2 * maxExponent) refuse(text);
  const mpz_class significand(digits, 10);
  Rational result = exponent >= 0 ? Rational(significand * powerOfTen(static_cast<unsigned long>(exponent)))
                                  : Rational(significand, powerOfTen(static_cast<unsigned long>(-exponent)));
  result.canonicalize();
  return result;
}

}  // namespace

Rational decimal(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return plainDecimal(text);
  // Each side is a plain decimal: a bar in one of them is refused there, so nothing nests.
  const Rational below = plainDecimal(text.substr(slash + 1));
  if (below == 0) refuse(text);
  return plainDecimal(text.substr(0, slash)) / below;
}

Rational ratio(long n, long d) {
  if (d == 0) throw Error("a fraction with denominator 0");
  Rational result(n, d);
  result.canonicalize();
  return result;
}

double toDouble(const Rational& q) { return roundTo(q, binary64); }
float toFloat(const Rational& q) { return static_cast<float>(roundTo(q, binary32)); }
float toBf16(const Rational& q) { return static_cast<float>(roundTo(q, bfloat16)); }

std::string toString(const Rational& q) {
  const double nearest = toDouble(q);
  char shortest[64];
  const auto [end, status] = std::to_chars(shortest, shortest + sizeof shortest, nearest);
  std::string text(shortest, end);
  if (status == std::errc() && text.find("inf") == std::string::npos && decimal(text) == q) return text;
  return q.get_str();
}

}  // namespace shardlaw
