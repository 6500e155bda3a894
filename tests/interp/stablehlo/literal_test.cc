// Constants and the simplest rationals, by hand-made values.
#include "interp/stablehlo/literal.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "interp/number/rational.h"
#include "tests/interp/stablehlo/text.h"

namespace shardlaw::stablehlo::test {
namespace {

using Catch::Contains;

Rational simplest(const char* text) { return simplestRational(decimal(text)); }
double floatAt(const Literal& literal, std::int64_t i) { return std::get<double>(literal.at(i)); }
Rational rationalAt(const Literal& literal, std::int64_t i) { return std::get<Rational>(literal.at(i)); }
std::int64_t integerAt(const Literal& literal, std::int64_t i) { return std::get<std::int64_t>(literal.at(i)); }
std::string refusalOf(const std::string& text) { return refusal(body("", "%0 = stablehlo.constant " + text)); }

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("the simplest rational that rounds to an f32") {
  CHECK(simplest("0.333333343") == ratio(1, 3));
  CHECK(simplest("-0.333333343") == ratio(-1, 3));
  CHECK(simplest("0.1") == ratio(1, 10));
  CHECK(simplest("0.9") == ratio(9, 10));
  CHECK(simplest("0.999") == ratio(999, 1000));
  CHECK(simplest("1e-7") == decimal("1e-7"));
  // 1/99999997 has the smaller denominator, but nobody wrote that.
  CHECK(simplest("9.99999993E-9") == decimal("1e-8"));
  CHECK(simplest("0.142857149") == ratio(1, 7));
  CHECK(simplest("3.14159274") == ratio(93343, 29712));
  CHECK(simplest("0") == 0);
  CHECK(simplest("1") == 1);
  CHECK(simplest("16777216") == 16777216);
  CHECK(simplest("0.5") == ratio(1, 2));
  CHECK(simplest("1.5") == ratio(3, 2));
}

TEST_CASE("the simplest rational rounds to the same f32, and none of a smaller denominator does") {
  for (const char* text : {"0.70710677", "2.71828175", "1e-45", "3.4028235e38", "1.00000012", "0.99999994", "0.0123",
                           "8388609", "123456.789", "1.17549435e-38"}) {
    const Rational q = decimal(text), s = simplestRational(q);
    CHECK(toFloat(s) == toFloat(q));
    if (s.get_den() > 5000) continue;
    for (mpz_class d = 1; d < s.get_den(); ++d) {
      const Rational scaled = q * d;
      mpz_class below;
      mpz_fdiv_q(below.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
      for (const mpz_class& n : {below, mpz_class(below + 1)}) {
        Rational other(n, d);
        other.canonicalize();
        CHECK(toFloat(other) != toFloat(q));
      }
    }
  }
}

TEST_CASE("a blob holds the bytes of the cells") {
  const Literal two = constant("dense<\"0x0000C03F000080FF\"> : tensor<2xf32>");
  CHECK(two.isBlob());
  CHECK(floatAt(two, 0) == 1.5);
  CHECK(floatAt(two, 1) == -infinity);
  const Literal splat = constant("dense<\"0x0000C03F\"> : tensor<1000000x1000000xf32>");
  CHECK(splat.isSplat());
  CHECK(floatAt(splat, 999'999'999'999) == 1.5);
  CHECK(integerAt(constant("dense<\"0xFEFF0100\"> : tensor<2xi16>"), 0) == -2);
  CHECK(integerAt(constant("dense<\"0xFEFF0100\"> : tensor<2xui16>"), 0) == 65534);
  // A byte for each i1, or a bit.
  const Literal bytes = constant("dense<\"0x010001\"> : tensor<3xi1>"),
                bits = constant("dense<\"0x05\"> : tensor<3xi1>");
  CHECK(integerAt(bytes, 0) == 1);
  CHECK(integerAt(bytes, 1) == 0);
  CHECK(bits.isSplat());
  CHECK(integerAt(constant("dense<\"0x0501\"> : tensor<9xi1>"), 1) == 0);
  CHECK(integerAt(constant("dense<\"0x0501\"> : tensor<9xi1>"), 8) == 1);
  CHECK_THAT(refusalOf("dense<\"0x0000C03F0000\"> : tensor<2xf32>"), Contains("expected the bytes of tensor<2xf32>"));
  CHECK_THAT(refusalOf("dense<\"0x0000C0\"> : tensor<2xf32>"), Contains("expected the bytes of"));
  CHECK_THAT(refusalOf("dense<\"0x0000C03\"> : tensor<f32>"), Contains("two hexadecimal digits"));
  CHECK_THAT(refusalOf("dense<\"0x0000C03G\"> : tensor<f32>"), Contains("found '3G'"));
  CHECK_THAT(refusalOf("dense<\"zz\"> : tensor<f32>"), Contains("expected bytes"));
}

TEST_CASE("a hexadecimal float has the digits of its type") {
  CHECK(floatAt(constant("dense<0xFF800000> : tensor<f32>"), 0) == -infinity);
  CHECK(std::isnan(floatAt(constant("dense<0x7FC00000> : tensor<f32>"), 0)));
  CHECK(floatAt(constant("dense<0x3FC0> : tensor<bf16>"), 0) == 1.5);
  CHECK(floatAt(constant("dense<0x3E00> : tensor<f16>"), 0) == 1.5);
  CHECK(floatAt(constant("dense<0x3FF8000000000000> : tensor<f64>"), 0) == 1.5);
  CHECK(floatAt(constant("dense<[0x3FC00000, 2.0]> : tensor<2xf32>"), 0) == 1.5);
  CHECK_THAT(refusalOf("dense<0x3FF8000000000000> : tensor<f32>"), Contains("8 hexadecimal digits of a f32"));
  CHECK_THAT(refusalOf("dense<0x3FC0> : tensor<f32>"), Contains("8 hexadecimal digits"));
  CHECK_THAT(refusalOf("dense<-0x3FC00000> : tensor<f32>"), Contains("8 hexadecimal digits"));
}

TEST_CASE("decimals are kept exactly") {
  CHECK(rationalAt(constant("dense<0.1> : tensor<f32>"), 0) == ratio(1, 10));
  CHECK(rationalAt(constant("dense<-1.250000e-01> : tensor<f32>"), 0) == ratio(-1, 8));
  CHECK(rationalAt(constant("dense<1.000000e+00> : tensor<f32>"), 0) == 1);
  CHECK(rationalAt(constant("dense<9.99999974E-6> : tensor<f32>"), 0) == decimal("9.99999974e-6"));
  CHECK(rationalAt(constant("dense<3> : tensor<f32>"), 0) == 3);
  CHECK(rationalAt(constant("dense<0.1000000000000000055511151231257827> : tensor<f64>"), 0) ==
        decimal("0.1000000000000000055511151231257827"));
  CHECK(rationalAt(constant("dense<0.0> : tensor<f32>"), 0) == 0);
  const double negative = floatAt(constant("dense<-0.000000e+00> : tensor<f32>"), 0);
  CHECK(negative == 0);
  CHECK(std::signbit(negative));
  CHECK_THAT(refusalOf("dense<1.0e99999> : tensor<f32>"),
             Contains("a.mlir:2:31: stablehlo.constant: expected a decimal"));
}

TEST_CASE("the simplest reading of f32 literals") {
  const ReadOptions options{.simplest = true};
  CHECK(rationalAt(constant("dense<0.333333343> : tensor<f32>", options), 0) == ratio(1, 3));
  CHECK(rationalAt(constant("dense<0x3EAAAAAB> : tensor<f32>", options), 0) == ratio(1, 3));
  CHECK(rationalAt(constant("dense<\"0xABAAAA3E\"> : tensor<f32>", options), 0) == ratio(1, 3));
  CHECK(rationalAt(constant("dense<\"0xABAAAA3E0000803F\"> : tensor<2xf32>", options), 0) == ratio(1, 3));
  CHECK(rationalAt(constant("dense<0.333333343> : tensor<f64>", options), 0) == decimal("0.333333343"));
  CHECK(floatAt(constant("dense<0xFF800000> : tensor<f32>", options), 0) == -infinity);
  CHECK(std::signbit(floatAt(constant("dense<-0.0> : tensor<f32>", options), 0)));
}

TEST_CASE("integers are in the range of their type") {
  CHECK(integerAt(constant("dense<-128> : tensor<i8>"), 0) == -128);
  CHECK(integerAt(constant("dense<0xFF> : tensor<i8>"), 0) == -1);
  CHECK(integerAt(constant("dense<255> : tensor<ui8>"), 0) == 255);
  CHECK(integerAt(constant("dense<-9223372036854775808> : tensor<i64>"), 0) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(integerAt(constant("dense<18446744073709551615> : tensor<ui64>"), 0) == -1);
  CHECK(integerAt(constant("dense<[true, false]> : tensor<2xi1>"), 0) == 1);
  CHECK(integerAt(constant("dense<1> : tensor<i1>"), 0) == 1);
  for (const char* text : {"dense<128> : tensor<i8>", "dense<-129> : tensor<i8>", "dense<-1> : tensor<ui8>",
                           "dense<256> : tensor<ui8>", "dense<9223372036854775808> : tensor<i64>",
                           "dense<18446744073709551616> : tensor<ui64>", "dense<0x1FF> : tensor<i8>"})
    CHECK_THAT(refusalOf(text), Contains("expected a value of"));
  CHECK_THAT(refusalOf("dense<1.5> : tensor<i32>"), Contains("expected an integer, found '1.5'"));
  CHECK_THAT(refusalOf("dense<true> : tensor<i32>"), Contains("expected an integer, found 'true'"));
  CHECK_THAT(refusalOf("dense<true> : tensor<f32>"), Contains("expected a float, found 'true'"));
  CHECK_THAT(refusalOf("dense<2> : tensor<i1>"), Contains("expected true or false, found '2'"));
}

TEST_CASE("lists have the shape of their type") {
  const Literal grid = constant("dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>");
  CHECK(integerAt(grid, 0) == 1);
  CHECK(integerAt(grid, 5) == 6);
  CHECK(constant("dense<> : tensor<0x3xf32>").type().shape.cells() == 0);
  CHECK(constant("dense<[]> : tensor<0xf32>").type().shape.cells() == 0);
  CHECK(constant("dense<1.0> : tensor<0xf32>") == constant("dense<> : tensor<0xf32>"));
  CHECK(constant("dense<[7, 7]> : tensor<2xi32>") == constant("dense<7> : tensor<2xi32>"));
  CHECK(constant("dense<[1.5, 2.0]> : tensor<2xf32>") == constant("dense<\"0x0000C03F00000040\"> : tensor<2xf32>"));
  CHECK(!(constant("dense<0.0> : tensor<f32>") == constant("dense<-0.0> : tensor<f32>")));
  CHECK_THAT(refusalOf("dense<[1, 2]> : tensor<3xi32>"), Contains("found one of shape 2"));
  CHECK_THAT(refusalOf("dense<[1, 2, 3, 4]> : tensor<2x2xi32>"), Contains("expected a list of the shape"));
  CHECK_THAT(refusalOf("dense<[[1, 2], [3]]> : tensor<2x2xi32>"),
             Contains("expected 2 entries as in the list before, found 1"));
  CHECK_THAT(refusalOf("dense<[[1, 2], 3]> : tensor<2x2xi32>"), Contains("a list as deep as the one before"));
  CHECK_THAT(refusalOf("dense<[1, [2, 3]]> : tensor<2x2xi32>"), Contains("expected"));
  CHECK_THAT(refusalOf("dense<> : tensor<3xi32>"), Contains("expected a list of the shape"));
  CHECK_THAT(refusalOf("dense<(1.0, 2.0)> : tensor<complex<f32>>"), Contains("complex"));
}

}  // namespace
}  // namespace shardlaw::stablehlo::test
