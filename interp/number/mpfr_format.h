// Rounding once into a small IEEE format. Only for the files that call MPFR.
#pragma once

#include <mpfr.h>

namespace shardlaw {

/// A binary format in MPFR's terms, where a number is 0.1xxx · 2^e: `emin` is that of its least subnormal.
struct BinaryFormat {
  mpfr_prec_t precision;
  mpfr_exp_t emin;
  mpfr_exp_t emax;
};

inline constexpr BinaryFormat binary64{53, -1073, 1024};
inline constexpr BinaryFormat binary32{24, -148, 128};
inline constexpr BinaryFormat bfloat16{8, -132, 128};

/// `value` was rounded to nearest at the format's precision with this ternary result, over MPFR's own range
/// of exponents; makes it what one rounding into the format gives, subnormals and infinities included. The
/// range that it changes meanwhile is this thread's own.
inline void fitFormat(mpfr_t value, int ternary, const BinaryFormat& format) {
  const mpfr_exp_t emin = mpfr_get_emin();
  const mpfr_exp_t emax = mpfr_get_emax();
  mpfr_set_emin(format.emin);
  mpfr_set_emax(format.emax);
  ternary = mpfr_check_range(value, ternary, MPFR_RNDN);
  mpfr_subnormalize(value, ternary, MPFR_RNDN);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
}

}  // namespace shardlaw
