// decimal(): whatever it reads, toString writes such that it reads the same number again.
#include "interp/error.h"
#include "interp/number/rational.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shardlaw;
  const std::string text(fuzz::textOf(data, size));
  Rational q;
  try {
    q = decimal(text);
  } catch (const Error& error) {
    fuzz::require(!oneLine(error.what()).empty(), "a refusal says why", text);
    return 0;
  }
  Rational lowest = q;
  lowest.canonicalize();
  fuzz::require(lowest.get_num() == q.get_num() && lowest.get_den() == q.get_den(), "is in lowest terms", text);
  const std::string written = toString(q);
  fuzz::require(decimal(written) == q, "reads what toString writes", text + " as " + written);
  fuzz::require(toString(decimal(written)) == written, "writes one text for one number", text + " as " + written);
  // Rounding is monotone and odd, in each format.
  fuzz::require(toDouble(-q) == -toDouble(q) && toFloat(-q) == -toFloat(q) && toBf16(-q) == -toBf16(q),
                "rounds −q to −(q rounded)", text);
  fuzz::require(sgn(q) <= 0 || (toDouble(q) >= 0 && toFloat(q) >= 0 && toBf16(q) >= 0), "keeps the sign", text);
  return 0;
}
