#include "interp/number/verdict.h"

#include <catch2/catch.hpp>

namespace shardlaw {

TEST_CASE("a foreign value is equal, within the bound with its share, or certainly not rounding") {
  // 1 with a bound of 2^-20: another evaluation is off by at most 2^-19.
  const BoundedScalar<double> ours{1, 0x1p-20};
  CHECK(judgeForeign(ours, 1.0).closeness == Closeness::equal);
  const Verdict within = judgeForeign(ours, 1 + 0x1p-20);
  CHECK(within.closeness == Closeness::within);
  CHECK(within.share == Approx(0.5).epsilon(1e-9));
  CHECK(judgeForeign(ours, 1 + 0x1p-19 + 0x1p-30).closeness == Closeness::outside);
  CHECK(judgeForeign(ours, std::nan("")).closeness == Closeness::outside);
}

TEST_CASE("an exact value admits no other, a zero of either sign and a NaN of any bits are equal") {
  CHECK(judgeForeign(BoundedScalar<float>{0, 0}, -0.0F).closeness == Closeness::equal);
  CHECK(judgeForeign(BoundedScalar<float>{0, 0}, 1e-45F).closeness == Closeness::outside);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(judgeForeign(BoundedScalar<float>{nan, 0}, -nan).closeness == Closeness::equal);
  CHECK(judgeForeign(BoundedScalar<float>{1, BoundedScalar<float>::unknown}, 7.0F).closeness == Closeness::unknown);
}

TEST_CASE("a small gradient is not swallowed by an absolute tolerance (CASES 47)") {
  // Golden 4.84e-5 from a product: its bound is a few units in the last place, far below the error.
  const BoundedScalar<float> golden = BoundedScalar<float>{4.84e-3F, 0} * BoundedScalar<float>{1e-2F, 0};
  CHECK(judgeForeign(golden, 2.235e-4F).closeness == Closeness::outside);
}

}  // namespace shardlaw
