// numpy's .npy, from files written by hand. The field cases 41 to 46 are here.
#include "interp/tensor/npy.h"

#include <catch2/catch.hpp>
#include <locale>

#include "tests/interp/tensor/bytes.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;
using Catch::StartsWith;

Array parsed(const std::string& file, const NpyOptions& options = {}) { return parseNpy(file, "a.npy", options); }
std::vector<double> numbers(const Array& array) {
  std::vector<double> cells;
  for (std::int64_t i = 0; i < array.cells(); ++i) cells.push_back(cellOf<double>(array, i));
  return cells;
}
using Numbers = std::vector<double>;
std::string refusalOf(const std::string& file, const NpyOptions& options = {}) {
  return said([&] { parsed(file, options); });
}
std::string refusalOfHeader(const std::string& dictionary) { return refusalOf(npy(dictionary, "")); }

TEST_CASE("an array of every type that has a code") {
  const auto first = [](const char* descr, const std::string& data) {
    const Array array = parsed(npy(header(descr, "(1,)"), data));
    return std::pair(std::string(toString(array.type)), cellOf<double>(array, 0));
  };
  using Pair = std::pair<std::string, double>;
  CHECK(first("<f8", bytes({0, 0, 0, 0, 0, 0, 0xF8, 0xBF})) == Pair("f64", -1.5));
  CHECK(first("<f4", bytes({0, 0, 0x80, 0x3F})) == Pair("f32", 1));
  CHECK(first("<f2", bytes({0, 0x3C})) == Pair("f16", 1));
  CHECK(first("<i8", little(5, 8)) == Pair("i64", 5));
  CHECK(first("<i4", little(5, 4)) == Pair("i32", 5));
  CHECK(first("<i2", little(5, 2)) == Pair("i16", 5));
  CHECK(first("|i1", bytes({0xFF})) == Pair("i8", -1));
  CHECK(first("<u8", little(5, 8)) == Pair("u64", 5));
  CHECK(first("<u4", little(5, 4)) == Pair("u32", 5));
  CHECK(first("<u2", little(5, 2)) == Pair("u16", 5));
  CHECK(first("|u1", bytes({0xFF})) == Pair("u8", 255));
  CHECK(first("|b1", bytes({1})) == Pair("bool", 1));
}

TEST_CASE("case 41: Fortran order becomes row-major") {
  const std::string data = bytes({1, 4, 2, 5, 3, 6});
  CHECK(numbers(parsed(npy(header("|u1", "(2, 3)", "True"), data))) == Numbers{1, 2, 3, 4, 5, 6});
  CHECK(numbers(parsed(npy(header("|u1", "(2, 3)", "False"), data))) == Numbers{1, 4, 2, 5, 3, 6});
  // Three axes of wider cells: [i,j,k] lies at i + 2·j + 4·k.
  std::string wide;
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) wide += little(static_cast<std::uint64_t>(100 * i + 10 * j + k), 2);
  CHECK(numbers(parsed(npy(header("<u2", "(2, 2, 3)", "True"), wide))) ==
        Numbers{0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112});
  CHECK(numbers(parsed(npy(header("|u1", "()", "True"), bytes({7})))) == Numbers{7});
}

TEST_CASE("case 42: rank 0, one axis, empty axes; rank is kept when written") {
  const auto cells = [](const char* shape, int count) {
    return parsed(npy(header("|u1", shape), std::string(static_cast<std::size_t>(count), '\3')));
  };
  CHECK(cells("()", 1).shape == Shape{});
  CHECK(cells("(3,)", 3).shape == Shape{3});
  CHECK(cells("(0, 4)", 0).shape == Shape{0, 4});
  CHECK(cells("(2, 1, 0, 5)", 0).shape == Shape{2, 1, 0, 5});
  for (const Shape& shape : {Shape{}, Shape{3}, Shape{0, 4}, Shape{1, 1, 1, 1, 1, 1, 1, 2}}) {
    const Array array = parsed(formatNpy(zeros(DType::i32, shape)));
    CHECK(array.shape == shape);
    CHECK(array.type == DType::i32);
  }
}

TEST_CASE("case 43: versions 2 and 3, and headers that lie") {
  for (const int version : {2, 3})
    CHECK(numbers(parsed(npy(header("|u1", "(2,)"), bytes({8, 9}), version))) == Numbers{8, 9});
  const std::string start = "\x93NUMPY" + bytes({2, 0});
  CHECK_THAT(refusalOf(start + little(0xFFFFFFF0, 4) + header("|u1", "(2,)")),
             StartsWith("a.npy: ") && Contains("a header of 4294967280 bytes where 57 bytes are left"));
  CHECK_THAT(refusalOf(start + little(70000, 4) + std::string(70000, ' ')), Contains("at most 65536"));
  CHECK_THAT(refusalOf(npy(header("<f8", "(1099511627776, 1099511627776)"), "")),
             Contains("more cells than 64 bits can count"));
  CHECK_THAT(refusalOf(npy(header("<f8", "(1099511627776, 1048576)"), "")),
             Contains("[1099511627776,1048576] of f64: expected at most 2147483648 bytes"));
  CHECK_THAT(refusalOf(npy(header("<f8", "(99999999999999999999,)"), "")), Contains("at most 63 bits"));
  CHECK_THAT(refusalOf(npy(header("|u1", "(3,)"), "abc"), {false, 2}), Contains("expected at most 2 bytes"));
  CHECK_THAT(refusalOf("\x93NUMPY" + bytes({4, 0})), Contains("found 4.0"));
  CHECK_THAT(refusalOf("\x93NUMPY" + bytes({1, 1})), Contains("found 1.1"));
}

TEST_CASE("case 44: two raw bytes are bf16 where that is declared, and nothing otherwise") {
  for (const char* descr : {"<V2", "|V2"}) {
    const std::string file = npy(header(descr, "(1,)"), bytes({0x80, 0x3F}));
    const Array array = parsed(file, {true});
    CHECK(array.type == DType::bf16);
    CHECK(numbers(array) == Numbers{1});
    CHECK_THAT(refusalOf(file), Contains(descr) && Contains("bf16 where whoever reads the array says so"));
  }
  CHECK(numbers(parsed(npy(header(">V2", "(1,)"), bytes({0x3F, 0x80})), {true})) == Numbers{1});
  // Declaring it changes no array that says what it is.
  CHECK(parsed(npy(header("<f2", "(1,)"), bytes({0x80, 0x3F})), {true}).type == DType::f16);
  const Array bf16 = parsed(formatNpy(arrayOf(Tensor<double>({2}, {1, -0.5}), DType::bf16)), {true});
  CHECK(bf16.type == DType::bf16);
  CHECK(numbers(bf16) == Numbers{1, -0.5});
}

/// 2621 as "2.621", as some locales group digits, with a decimal comma.
class Grouping : public std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  char do_decimal_point() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_CASE("case 45: a locale changes neither what is written nor what is read") {
  const Array array = zeros(DType::u8, {2621, 401});
  const std::string plain = formatNpy(array);
  const std::locale before = std::locale::global(std::locale(std::locale(), new Grouping));
  const std::string grouped = formatNpy(array);
  const Shape read = parsed(plain).shape;
  std::locale::global(before);
  CHECK_THAT(grouped.substr(0, 128), Contains("'shape': (2621, 401), }"));
  CHECK(grouped == plain);
  CHECK(read == Shape{2621, 401});
}

TEST_CASE("case 46: byte orders") {
  CHECK(numbers(parsed(npy(header(">f4", "(2,)"), bytes({0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0})))) == Numbers{1, -2});
  CHECK(numbers(parsed(npy(header(">i8", "()"), bytes({0, 0, 0, 0, 0, 0, 1, 2})))) == Numbers{258});
  CHECK(numbers(parsed(npy(header(">u2", "(2, 2)", "True"), bytes({0, 1, 0, 2, 0, 3, 0, 4})))) == Numbers{1, 3, 2, 4});
  // "=" is this machine's order, which is written down for little-endian ones only.
  if (std::endian::native == std::endian::little)
    CHECK(numbers(parsed(npy(header("=f4", "(1,)"), bytes({0, 0, 0x80, 0x3F})))) == Numbers{1});
  for (const char* one : {"|u1", "<u1", ">u1", "=u1"})
    CHECK(numbers(parsed(npy(header(one, "(1,)"), bytes({9})))) == Numbers{9});
  CHECK_THAT(refusalOf(npy(header("|f4", "(1,)"), little(0, 4))), Contains("'|f4' has no byte order"));
  CHECK_THAT(refusalOf(npy(header("f4", "(1,)"), little(0, 4))), Contains("dtype 'f4' is not known"));
}

TEST_CASE("dtypes that are no numbers are refused by name") {
  const auto refused = [](const char* descr) { return refusalOf(npy(header(descr, "(1,)"), "")); };
  CHECK_THAT(refused("|O"), Contains("'|O' holds Python objects"));
  CHECK_THAT(refused("|S5"), Contains("byte strings"));
  CHECK_THAT(refused("<U3"), Contains("'<U3' holds strings"));
  CHECK_THAT(refused("<c8"), Contains("complex numbers"));
  CHECK_THAT(refused("<M8[ns]"), Contains("dates"));
  CHECK_THAT(refused("<m8[s]"), Contains("time differences"));
  CHECK_THAT(refused("|V4"), Contains("raw bytes"));
  CHECK_THAT(refused("<f16"), Contains("floats of this width"));
  CHECK_THAT(refused("<i3"), Contains("is not known"));
  CHECK_THAT(refused("<"), Contains("is not known"));
  CHECK_THAT(refused(""), Contains("is not known"));
  CHECK_THAT(refusalOfHeader("{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': False, 'shape': (1,), }"),
             Contains("structured dtype [('a', '<f4'), ('b', '<i4')]"));
  CHECK_THAT(refused("<f4\n"), Contains("without escapes"));
}

TEST_CASE("other ways to write the dictionary") {
  const auto shape = [](const std::string& dictionary) { return parsed(npy(dictionary, std::string(6, '\0'))).shape; };
  CHECK(shape("{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"|u1\"}") == Shape{2, 3});
  CHECK(shape(" { 'descr' : '|u1' , 'fortran_order' : True ,\n 'shape' : ( 2 , 3 , ) , } \n") == Shape{2, 3});
  CHECK(shape("{'descr': '|u1', 'fortran_order': False, 'shape': (2L, 3L), }") == Shape{2, 3});
}

TEST_CASE("a dictionary that numpy would not write is refused, and the message says where") {
  const auto refused = [](const std::string& shape) { return refusalOfHeader(header("|u1", shape)); };
  CHECK_THAT(refused("(3)"), Contains("a tuple of one extent is (n,)"));
  CHECK_THAT(refused("(3 4)"), Contains("byte 53") && Contains("found \"4), }\""));
  CHECK_THAT(refused("(1, 2 3)"), Contains("',' or ')'"));
  CHECK_THAT(refused("(-1,)"), Contains("an extent, in decimal"));
  CHECK_THAT(refused("(1.5,)"), Contains("found \".5,), }\""));
  CHECK_THAT(refused("(03,)"), Contains("leading zeros"));
  CHECK_THAT(refused("(0x3,)"), Contains("found \"x3,), }\""));
  CHECK_THAT(refused("[3]"), Contains("a tuple of extents"));
  CHECK_THAT(refused("(,)"), Contains("an extent"));
  CHECK_THAT(refused("(1,,2)"), Contains("an extent"));
  CHECK_THAT(refused("(1,1,1,1,1,1,1,1,1)"), Contains("more than 8 axes"));
  CHECK_THAT(refused(std::string(60000, '(')), Contains("an extent"));
  CHECK_THAT(refusalOfHeader(std::string(60000, '{')), Contains("a key in quotes"));
  CHECK_THAT(refusalOfHeader("{'descr': " + std::string(60000, '[')), Contains("structured dtype"));
  CHECK_THAT(refusalOfHeader("{}"), Contains("without the key 'descr'"));
  CHECK_THAT(refusalOfHeader("{'descr': '|u1', 'shape': (), }"), Contains("without the key 'fortran_order'"));
  CHECK_THAT(refusalOfHeader("{'descr': '|u1', 'fortran_order': False}"), Contains("without the key 'shape'"));
  CHECK_THAT(refusalOfHeader("{'descr': '|u1', 'descr': '|u1'}"), Contains("'descr' twice"));
  CHECK_THAT(refusalOfHeader("{'order': 1}"), Contains("the key 'order'"));
  CHECK_THAT(refusalOfHeader("{'descr': 'u1"), Contains("closing quote"));
  CHECK_THAT(refusalOfHeader("{'descr': '\\x3cu1'}"), Contains("without escapes"));
  CHECK_THAT(refusalOfHeader("{'fortran_order': 0}"), Contains("True or False"));
  CHECK_THAT(refusalOfHeader(""), Contains("a dictionary") && Contains("the end of the header"));
  CHECK_THAT(refusalOfHeader(header("|u1", "()") + "import os"),
             Contains("the end of the header, found \"import os\""));
  CHECK_THAT(refusalOfHeader("{'descr' '|u1'}"), Contains("':' after a key"));
  CHECK_THAT(refusalOfHeader("{'descr': '|u1' 'shape': ()}"), Contains("',' or '}'"));
}

TEST_CASE("data that the header does not promise, and cells that are no bool") {
  CHECK_THAT(refusalOf(npy(header("<f4", "(2,)"), little(0, 7))), Contains("promises 8 bytes of data, found 7 bytes"));
  CHECK_THAT(refusalOf(npy(header("<f4", "(2,)"), std::string(9, '\0'))), Contains("found 9 bytes"));
  CHECK_THAT(refusalOf(npy(header("|b1", "(3,)"), bytes({0, 1, 2}))), Contains("bool cell 2 holds 2"));
  // A stream that says it is longer, or shorter, than it is.
  const std::string file = npy(header("|u1", "(4,)"), "abcd");
  const auto streamed = [](const std::string& content, std::size_t claim) {
    std::size_t at = 0;
    return said([&] {
      readNpyFrom(
          [&](std::span<std::uint8_t> into) {
            const std::size_t count = std::min(into.size(), content.size() - at);
            std::copy_n(content.begin() + static_cast<std::ptrdiff_t>(at), count, into.begin());
            at += count;
            return count;
          },
          claim);
    });
  };
  CHECK(streamed(file, file.size()) == "");
  CHECK_THAT(streamed(file.substr(0, file.size() - 1), file.size()), Contains("promises 4 bytes of data, found 3"));
  CHECK_THAT(streamed(file + "e", file.size()), Contains("found more"));
  CHECK_THAT(streamed(file.substr(0, 40), file.size()), Contains("are left"));
}

TEST_CASE("files cut short at every byte, and other files") {
  const std::string file = npy(header("<f4", "(2,)"), std::string(8, '\0'));
  for (std::size_t length = 0; length < file.size(); ++length) CHECK(refusalOf(file.substr(0, length)) != "");
  CHECK_THAT(refusalOf(""), Contains("found an empty file"));
  CHECK_THAT(refusalOf("\x1f\x8b\x08"), Contains("found a gzip file"));
  CHECK_THAT(refusalOf("PK\x03\x04 and so on"), Contains("found a zip archive"));
  CHECK_THAT(refusalOf("hello, world, whoever you are"), Contains("begins with \"hello, world, wh\""));
}

TEST_CASE("what is written is numpy's layout, to the byte") {
  const Array array = arrayOf(Tensor<std::int64_t>({1, 2}, {-2, 3}), DType::i16);
  const std::string dictionary = "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }";
  CHECK(formatNpy(array) == "\x93NUMPY" + bytes({1, 0, 118, 0}) + dictionary +
                                std::string(117 - dictionary.size(), ' ') + "\n" + bytes({0xFE, 0xFF, 3, 0}));
}

}  // namespace
}  // namespace shardlaw::test
