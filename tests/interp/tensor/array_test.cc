// Arrays of a type known at run time: cells are read and written exactly or refused.
#include "interp/tensor/array.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/interp/tensor/bytes.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;
using Bytes = std::vector<std::uint8_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();

Array cell(DType type, const Bytes& bytes) { return {type, {}, bytes}; }
/// A scalar: an integer as an int64, anything else as a double.
template <class T>
Array stored(T value, DType type) {
  using Wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
  return arrayOf(Tensor<Wide>({}, {Wide{value}}), type);
}

TEST_CASE("cells of every type, from their bytes") {
  CHECK(cellOf<double>(cell(DType::f64, {0, 0, 0, 0, 0, 0, 0xF8, 0xBF}), 0) == -1.5);
  CHECK(cellOf<double>(cell(DType::f32, {0, 0, 0x80, 0x3F}), 0) == 1);
  CHECK(cellOf<double>(cell(DType::bf16, {0x80, 0x3F}), 0) == 1);
  CHECK(cellOf<double>(cell(DType::bf16, {0x01, 0xC0}), 0) == -2.015625);
  CHECK(cellOf<std::int64_t>(cell(DType::i8, {0x80}), 0) == -128);
  CHECK(cellOf<std::int64_t>(cell(DType::u8, {0x80}), 0) == 128);
  CHECK(cellOf<std::int64_t>(cell(DType::i16, {0xFE, 0xFF}), 0) == -2);
  CHECK(cellOf<std::int64_t>(cell(DType::u16, {0xFE, 0xFF}), 0) == 65534);
  CHECK(cellOf<std::int64_t>(cell(DType::i32, {1, 2, 3, 0x80}), 0) == 0x80030201LL - (1LL << 32));
  CHECK(cellOf<std::int64_t>(cell(DType::u32, {1, 2, 3, 0x80}), 0) == 0x80030201LL);
  CHECK(cellOf<std::int64_t>(cell(DType::i64, {0, 0, 0, 0, 0, 0, 0, 0x80}), 0) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(cellOf<std::int64_t>(cell(DType::u64, {1, 0, 0, 0, 1, 0, 0, 0}), 0) == (1LL << 32) + 1);
  CHECK(cellOf<float>(cell(DType::boolean, {1}), 0) == 1.0F);
}

TEST_CASE("binary16: subnormals, the largest, infinities, NaN") {
  const auto half = [](int bits) {
    return cellOf<double>(cell(DType::f16, {std::uint8_t(bits & 255), std::uint8_t(bits >> 8)}), 0);
  };
  CHECK(half(0x3C00) == 1);
  CHECK(half(0xC000) == -2);
  CHECK(half(0x0001) == std::ldexp(1.0, -24));
  CHECK(half(0x03FF) == std::ldexp(1023.0, -24));
  CHECK(half(0x0400) == std::ldexp(1.0, -14));
  CHECK(half(0x7BFF) == 65504);
  CHECK(half(0xFC00) == -infinity);
  CHECK(std::isnan(half(0x7C01)));
  CHECK(std::signbit(half(0x8000)));
}

TEST_CASE("every binary16 and bf16 number is written as the bits it was read from") {
  for (const DType type : {DType::f16, DType::bf16}) {
    int changed = 0;
    for (int bits = 0; bits < 65536; ++bits) {
      const Array from = cell(type, {std::uint8_t(bits & 255), std::uint8_t(bits >> 8)});
      const double value = cellOf<double>(from, 0);
      const Array back = stored(value, type);
      if (std::isnan(value) ? !std::isnan(cellOf<double>(back, 0)) : back.bytes != from.bytes) ++changed;
    }
    CHECK(changed == 0);
  }
}

TEST_CASE("a number that the type asked for does not hold is refused, not rounded") {
  const auto refused = [](auto run, const char* value, const char* from, const char* to) {
    CHECK_THAT(said(run), Contains(value) && Contains(from) && Contains(to));
  };
  refused([] { cellOf<float>(stored(0.1, DType::f64), 0); }, "0.1", "f64", "no f32");
  refused([] { cellOf<float>(stored(1e300, DType::f64), 0); }, "1e+300", "f64", "no f32");
  refused([] { cellOf<std::int64_t>(stored(0.5, DType::f16), 0); }, "0.5", "f16", "no i64");
  refused([] { cellOf<std::int64_t>(stored(infinity, DType::f32), 0); }, "inf", "f32", "no i64");
  refused([] { cellOf<std::int64_t>(stored(std::nan(""), DType::f64), 0); }, "nan", "f64", "no i64");
  refused([] { cellOf<std::int64_t>(stored(9223372036854775808.0, DType::f64), 0); }, "9223372036854775808", "f64",
          "no i64");
  refused([] { cellOf<double>(stored((1LL << 53) + 1, DType::i64), 0); }, "9007199254740993", "i64", "no f64");
  refused([] { cellOf<float>(stored(16777217LL, DType::u32), 0); }, "16777217", "u32", "no f32");
  refused([] { cellOf<std::int64_t>(cell(DType::u64, Bytes(8, 0xFF)), 0); }, "18446744073709551615", "u64", "no i64");
  refused([] { stored(65505.0, DType::f16); }, "65505", "f64", "no f16");
  refused([] { stored(65536.0, DType::f16); }, "65536", "f64", "no f16");
  refused([] { stored(std::ldexp(1.0, -25), DType::f16); }, "2.98", "f64", "no f16");
  refused([] { stored(1 + std::ldexp(1.0, -10), DType::bf16); }, "1.0009765625", "f64", "no bf16");
  refused([] { stored(1.0 / 3, DType::bf16); }, "0.333", "f64", "no bf16");
  refused([] { stored(256LL, DType::u8); }, "256", "i64", "no u8");
  refused([] { stored(-1LL, DType::u64); }, "-1", "i64", "no u64");
  refused([] { stored(128LL, DType::i8); }, "128", "i64", "no i8");
  refused([] { stored(2LL, DType::boolean); }, "2", "i64", "no bool");
  refused([] { stored(1.5, DType::i32); }, "1.5", "f64", "no i32");
  refused([] { stored((1LL << 53) + 1, DType::f64); }, "9007199254740993", "i64", "no f64");
}

TEST_CASE("the extremes of every type are its values") {
  CHECK(cellOf<double>(stored(1LL << 53, DType::i64), 0) == 9007199254740992.0);
  CHECK(cellOf<double>(cell(DType::i64, {0, 0, 0, 0, 0, 0, 0, 0x80}), 0) == -9223372036854775808.0);
  CHECK(cellOf<float>(stored(16777216LL, DType::u32), 0) == 16777216.0F);
  CHECK(cellOf<std::int64_t>(stored(-9223372036854775808.0, DType::f64), 0) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(stored(-128LL, DType::i8).bytes == Bytes{0x80});
  CHECK(stored(255LL, DType::u8).bytes == Bytes{0xFF});
  CHECK(stored(18446744073709549568.0, DType::u64).bytes == Bytes{0, 0xF8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF});
  CHECK(std::signbit(cellOf<float>(stored(-0.0, DType::f16), 0)));
  CHECK(cellOf<float>(stored(-infinity, DType::bf16), 0) == -std::numeric_limits<float>::infinity());
}

TEST_CASE("tensors there and back; a refusal says which cell") {
  const Tensor<float> x({2, 3}, {1, -2.5F, 3e-40F, 4, 5, 6});
  const Array array = arrayOf(x);
  CHECK(array.type == DType::f32);
  CHECK(array.bytes.size() == 24);
  const Tensor<float> back = tensorOf<float>(array);
  CHECK(back.shape() == x.shape());
  for (int i = 0; i < 6; ++i) CHECK(back[i] == x[i]);
  CHECK_THAT(said([&] { tensorOf<std::int64_t>(array); }), Contains("cell [0,1]") && Contains("-2.5"));
  CHECK_THAT(said([&] { arrayOf(x, DType::f16); }), Contains("cell [0,2]"));
  CHECK(tensorOf<double>(zeros(DType::i16, {0, 4})).cells() == 0);
  CHECK_THAT(said([&] { zeros(DType::f64, {1LL << 61}); }), Contains("more bytes"));
}

}  // namespace
}  // namespace shardlaw::test
