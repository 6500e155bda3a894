// numpy's .npz, from archives written by hand.
#include "interp/tensor/npz.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "interp/file.h"
#include "tests/folder.h"
#include "tests/interp/tensor/zip_bytes.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;
using Catch::StartsWith;

const std::string one = npy(header("|u1", "(2,)"), bytes({1, 2}));
const std::string two = npy(header("<i2", "()"), bytes({3, 0}));

NpzFile opened(const std::vector<ZipMember>& members) { return NpzFile::ofBytes(zipOf(members), "a.npz"); }
std::string refusalOf(const std::vector<ZipMember>& members, const std::string& name = "x") {
  return said([&] { opened(members).read(name); });
}

TEST_CASE("members stored and deflated, with .npy and without, in the archive's order") {
  const NpzFile file = opened({{"y.npy", two}, deflated("x.npy", one), {"deep/er", one}, {"α.npy", two}});
  CHECK(file.names() == std::vector<std::string>{"y", "x", "deep/er", "α"});
  CHECK(file.contains("x"));
  CHECK_FALSE(file.contains("x.npy"));
  CHECK(cellOf<double>(file.read("x"), 1) == 2);
  CHECK(cellOf<double>(file.read("deep/er"), 0) == 1);
  CHECK(cellOf<double>(file.read("α"), 0) == 3);
  CHECK(file.read("y").type == DType::i16);
  // Again, since a member can be read more than once.
  CHECK(cellOf<double>(file.read("y"), 0) == 3);
}

TEST_CASE("one member is read although another is broken") {
  ZipMember broken = deflated("b", one);
  broken.packed = "no deflate stream";
  const NpzFile file = opened({broken, {"x", one}});
  CHECK(file.read("x").cells() == 2);
  CHECK_THAT(said([&] { file.read("b"); }), StartsWith("a.npz: member 'b': cannot be unpacked: "));
}

TEST_CASE("ZIP64 sizes are read") {
  ZipMember member{"x.npy", one};
  member.zip64 = true;
  CHECK(cellOf<double>(opened({member}).read("x"), 1) == 2);
}

TEST_CASE("a name that is there twice, or not at all") {
  CHECK_THAT(refusalOf({{"x.npy", one}, {"x.npy", two}}), Contains("a.npz: member 'x'") && Contains("found two"));
  CHECK_THAT(refusalOf({{"x.npy", one}, {"x", two}}), Contains("member 'x'") && Contains("found two"));
  CHECK_THAT(refusalOf({{"y.npy", one}, {"z", one}}), Contains("no array 'x'; found y, z"));
  CHECK_THAT(refusalOf({}), Contains("no array 'x'; found no arrays"));
}

TEST_CASE("encryption and other compression are refused by name") {
  ZipMember member{"x.npy", one};
  member.flags = 1;
  CHECK_THAT(refusalOf({member}), Contains("member 'x': encrypted"));
  for (const int method : {1, 9, 12, 14, 93}) {
    member = {"x.npy", one};
    member.method = method;
    CHECK_THAT(refusalOf({member}), Contains("member 'x': packed by method " + std::to_string(method)));
  }
}

TEST_CASE("members that are not what the directory says") {
  const auto claiming = [](ZipMember member, std::int64_t size, std::int64_t packed = -1) {
    member.claimedSize = size;
    member.claimedPacked = packed;
    return member;
  };
  const auto size = static_cast<std::int64_t>(one.size());
  const ZipMember stored{"x", one}, packed = deflated("x", one);
  CHECK_THAT(refusalOf({claiming(stored, size + 1)}), Contains("claims to unpack"));
  CHECK_THAT(refusalOf({claiming(packed, size + 1)}), Contains("promises 2 bytes of data, found 3 bytes"));
  CHECK_THAT(refusalOf({claiming(packed, size - 1)}), Contains("promises 2 bytes of data, found 1 byte"));
  CHECK_THAT(refusalOf({claiming(packed, 1 << 30)}), Contains("claims to unpack 74 bytes to 1073741824"));
  CHECK_THAT(refusalOf({claiming(stored, size, 1 << 30)}), Contains("packed bytes in an archive of"));
  ZipMember wrong = packed;
  wrong.wrongSum = true;
  CHECK_THAT(refusalOf({wrong}), Contains("CRC"));
  wrong = stored;
  wrong.wrongSum = true;
  CHECK_THAT(refusalOf({wrong}), Contains("CRC"));
  // It unpacks to more than it and the directory say.
  wrong = deflated("x", one + "more");
  wrong.claimedSize = size;
  CHECK_THAT(refusalOf({wrong}), Contains("member 'x'"));
}

TEST_CASE("an honest array that is larger than asked for is refused before it is unpacked") {
  const NpzFile file = opened({{"x", one}, {"big", npy(header("|u1", "(3000000000,)"), "")}});
  CHECK_THAT(said([&] { file.read("x", {false, 1}); }), Contains("expected at most 1 byte"));
  CHECK(file.read("x", {false, 2}).cells() == 2);
  CHECK_THAT(said([&] { file.read("big"); }), Contains("[3000000000] of u8: expected at most 2147483648 bytes"));
}

TEST_CASE("a member that is no .npy, and one of bf16") {
  const NpzFile file = opened({{"x", "hello"}, {"b", npy(header("<V2", "()"), bytes({0x80, 0x3F}))}});
  CHECK_THAT(said([&] { file.read("x"); }), Contains("member 'x': expected an .npy file, found a file that begins"));
  CHECK_THAT(said([&] { file.read("b"); }), Contains("member 'b': dtype '<V2' is two raw bytes"));
  CHECK(cellOf<double>(file.read("b", {true}), 0) == 1);
}

TEST_CASE("files that are no archive, and archives cut short at every byte") {
  const auto refused = [](const std::string& content) {
    return said([&] {
      const NpzFile file = NpzFile::ofBytes(content, "a.npz");
      for (const std::string& name : file.names()) file.read(name);
    });
  };
  CHECK_THAT(refused(""), Contains("expected an .npz file, found an empty file"));
  CHECK_THAT(refused(one), Contains("found a .npy file"));
  CHECK_THAT(refused("\x80\x02}q\1"), Contains("found a Python pickle"));
  const std::string whole = zipOf({{"x", one}, deflated("y", two)});
  CHECK(refused(whole) == "");
  for (std::size_t length = 0; length < whole.size(); ++length) CHECK(refused(whole.substr(0, length)) != "");
}

TEST_CASE("what is written is read again, stored and deflated") {
  std::vector<NamedArray> arrays{{"w", arrayOf(Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}))},
                                 {"a.npy", zeros(DType::boolean, {0, 4})},
                                 {"ε", arrayOf(Tensor<double>({}, {0.1}))},
                                 {"big", zeros(DType::i64, {1000, 50})}};
  for (const Packing packing : {Packing::stored, Packing::deflated}) {
    const std::string bytes = formatNpz(arrays, packing);
    CHECK(bytes == formatNpz(arrays, packing));
    CHECK((bytes.size() < 10000) == (packing == Packing::deflated));
    const NpzFile file = NpzFile::ofBytes(bytes, "a.npz");
    REQUIRE(file.names() == std::vector<std::string>{"w", "a.npy", "ε", "big"});
    for (const NamedArray& each : arrays) {
      const Array array = file.read(each.name);
      CHECK(array.type == each.array.type);
      CHECK(array.shape == each.array.shape);
      CHECK(array.bytes == each.array.bytes);
    }
  }
}

TEST_CASE("the bytes do not depend on the time zone or the mask of new files") {
  const std::vector<NamedArray> arrays{{"x", zeros(DType::u8, {3})}};
  const std::string before = formatNpz(arrays);
  // Day 1 of month 1 of 1980 at midnight, as in the local header.
  CHECK(before.substr(10, 4) == bytes({0, 0, 33, 0}));
  const char* const zone = std::getenv("TZ");
  const std::string old = zone == nullptr ? "" : zone;
  const mode_t mask = umask(077);
  for (const char* other : {"UTC", "Asia/Kathmandu", "America/St_Johns", "XYZ-14", "XYZ+12"}) {
    setenv("TZ", other, 1);
    tzset();
    CHECK(formatNpz(arrays) == before);
  }
  umask(mask);
  zone == nullptr ? unsetenv("TZ") : setenv("TZ", old.c_str(), 1);
  tzset();
}

TEST_CASE("names that no archive should hold are refused, and nothing is written") {
  const Array array = zeros(DType::u8, {1});
  const Folder folder;
  const auto refused = [&](const std::vector<NamedArray>& arrays) {
    const std::string message = said([&] { writeNpz(folder / "a.npz", arrays); });
    CHECK(std::filesystem::is_empty(folder.path()));
    return message;
  };
  CHECK_THAT(refused({{"x", array}, {"x", array}}), Contains("a.npz: two arrays named 'x'"));
  CHECK_THAT(refused({{"", array}}), Contains("without a name"));
  CHECK_THAT(refused({{"a\nb", array}}), Contains("'a\\nb'"));
  CHECK_THAT(refused({{std::string("a\0b", 3), array}}), Contains("control"));
  CHECK_THAT(refused({{"\xff", array}}), Contains("UTF-8"));
  CHECK_THAT(refused({{std::string(70000, 'x'), array}}), Contains("70000 bytes"));
  CHECK_THAT(refused({{"x", {DType::f64, {2}, std::vector<std::uint8_t>(15)}}}),
             Contains("15 bytes for an array [2] of f64"));
}

TEST_CASE("files: written whole, read lazily, refused where they cannot be") {
  const Folder folder;
  const std::string path = folder / "a.npz";
  writeNpz(path, {{"x", arrayOf(Tensor<double>({2}, {1, 2}))}});
  writeNpz(path, {});
  CHECK(NpzFile::open(path).names().empty());
  writeNpz(path, {{"x", arrayOf(Tensor<double>({2}, {1, 2}))}}, Packing::deflated);
  NpzFile file = NpzFile::open(path);
  CHECK(cellOf<double>(file.read("x"), 1) == 2);
  const NpzFile moved = std::move(file);
  CHECK(cellOf<double>(moved.read("x"), 0) == 1);
  CHECK_THAT(said([&] { NpzFile::open(folder / "none.npz"); }), Contains("none.npz: cannot be read: No such file"));
  CHECK_THAT(said([&] { NpzFile::open(folder.path()); }), Contains("expected a file, found a folder"));
  CHECK_THAT(said([&] { writeNpz(folder / "no/where.npz", {}); }), Contains("cannot be written"));
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_THAT(said([&] { NpzFile::open(folder / "pipe"); }), Contains("a pipe or a device"));
  writeFile(folder / "cut.npz", readFile(path).substr(0, 100));
  CHECK_THAT(said([&] { NpzFile::open(folder / "cut.npz"); }), Contains("cut.npz: cannot be read as a zip archive"));
  const auto descriptors = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  const auto before = descriptors();
  for (int i = 0; i < 3; ++i) said([&] { NpzFile::open(folder / "cut.npz"); });
  for (int i = 0; i < 3; ++i) NpzFile::open(path).read("x");
  CHECK(descriptors() == before);
}

}  // namespace
}  // namespace shardlaw::test
