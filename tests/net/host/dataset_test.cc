// Data sets, from files made in the test.
#include "net/host/dataset.h"

#include <catch2/catch.hpp>
#include <limits>

#include "interp/file.h"
#include "interp/tensor/npz.h"
#include "tests/folder.h"
#include "tests/interp/tensor/bytes.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

std::string refusalOf(const std::string& path) {
  return said([&] { readDataset(path); });
}

/// A record whose red, green and blue planes begin with these bytes; the rest is 0.
std::string record(int label, int red, int green = 0, int blue = 0) {
  std::string text = bytes({label}) + std::string(3072, '\0');
  text[1] = static_cast<char>(red);
  text[1 + 1024] = static_cast<char>(green);
  text[1 + 2048] = static_cast<char>(blue);
  return text;
}

void writeBatches(const Folder& folder) {
  for (int i = 1; i <= 5; ++i)
    writeFile(folder / ("data_batch_" + std::to_string(i) + ".bin"), record(i, i) + record(9, 100 + i));
  writeFile(folder / "test_batch.bin", record(0, 255, 51, 102));
}

TEST_CASE("a folder of CIFAR-10: batches in order, the test set apart") {
  const Folder folder;
  writeBatches(folder);
  const TrainAndTest both = readDataset(folder.path());
  CHECK(both.train.image == Shape{3, 32, 32});
  CHECK(both.train.classes == 10);
  CHECK(both.train.labels == std::vector<std::uint8_t>{1, 9, 2, 9, 3, 9, 4, 9, 5, 9});
  CHECK(both.train.pixel(0) == 1.0F / 255);
  CHECK(both.train.pixel(3072) == 101.0F / 255);
  CHECK(both.train.pixel(9 * 3072) == 105.0F / 255);
  REQUIRE(both.test.examples() == 1);
  CHECK(both.test.pixel(0) == 1);
  CHECK(both.test.pixel(1024) == 0.2F);
  CHECK(both.test.pixel(2048) == 0.4F);
  CHECK(both.test.pixel(1) == 0);
}

TEST_CASE("one file of CIFAR-10: the last fifth is held out") {
  const Folder folder;
  std::string records;
  for (int i = 0; i < 11; ++i) records += record(i % 10, i);
  writeFile(folder / "a.bin", records);
  const TrainAndTest both = readDataset(folder / "a.bin");
  CHECK(both.train.labels == std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(both.test.labels == std::vector<std::uint8_t>{9, 0});
  CHECK(both.test.classes == 10);
  CHECK(both.test.pixel(0) == 9.0F / 255);
  CHECK(both.test.pixel(3072) == 10.0F / 255);
  CHECK(std::get<0>(both.train.pixels).size() == 9 * 3072);
  for (const auto& [examples, held] : {std::pair{1, 0}, {4, 0}, {5, 1}, {9, 1}, {10, 2}}) {
    std::string some;
    for (int i = 0; i < examples; ++i) some += record(1, 1);
    writeFile(folder / "b.bin", some);
    const TrainAndTest split = readDataset(folder / "b.bin");
    CHECK(split.test.examples() == held);
    CHECK(split.train.examples() == examples - held);
  }
}

TEST_CASE("files that are not CIFAR-10's say where, and what they are") {
  const Folder folder;
  const auto refused = [&](const std::string& content) {
    writeFile(folder / "a.bin", content);
    return refusalOf(folder / "a.bin");
  };
  CHECK_THAT(refused(record(1, 1) + record(77, 1)),
             Contains("a.bin: record 1 at byte 3073: expected a label 0 to 9, found 77"));
  CHECK_THAT(refused(record(1, 1) + record(10, 1)), Contains("found 10"));
  CHECK_THAT(refused(record(1, 1) + "abc"),
             Contains("3073 bytes each, found 3076 bytes: record 1 at byte 3073 has only 3"));
  CHECK_THAT(refused(std::string(2 * 3074, '\1')), Contains("CIFAR-100"));
  CHECK_THAT(refused(""), Contains("found an empty file"));
  CHECK_THAT(refused("\x1f\x8b\x08 and so on"), Contains("found a gzip file"));
  CHECK_THAT(refused("\x80\x02}q\x01(U"), Contains("found a Python pickle"));
  CHECK_THAT(refused("PK\x03\x04"), Contains("found a zip archive"));
  CHECK_THAT(refused(std::string("\0\0\x08\x03", 4)), Contains("found an IDX file of images"));
  // By its size it could be.
  std::string pickle = record(1, 1);
  pickle.replace(0, 2, "\x80\x02");
  CHECK_THAT(refused(pickle), Contains("found a Python pickle"));
  CHECK_THAT(refusalOf(folder / "none.bin"), Contains("none.bin: cannot be read"));
  CHECK_THAT(refusalOf(folder / "none"), Contains("none: cannot be read"));
  const auto other = [&](const std::string& content) {
    writeFile(folder / "b", content);
    return refusalOf(folder / "b");
  };
  CHECK_THAT(other("\x89PNG\r\n\x1a\n"), Contains("expected a data set") && Contains("found a PNG image"));
  CHECK_THAT(other("\x1f\x8b\x08"), Contains("found a gzip file"));
  CHECK_THAT(other("\x80\x04\x95"), Contains("found a Python pickle"));
  CHECK_THAT(other(""), Contains("found an empty file"));
  CHECK_THAT(other("PK\x03\x04 broken"), Contains("zip archive"));
}

TEST_CASE("folders that are no data set") {
  const Folder folder;
  CHECK_THAT(refusalOf(folder.path()), Contains("data_batch_1.bin is missing; found an empty folder"));
  writeFile(folder / "cat.png", "");
  CHECK_THAT(refusalOf(folder.path()), Contains("found cat.png"));
  writeBatches(folder);
  std::filesystem::remove(folder / "data_batch_3.bin");
  CHECK_THAT(refusalOf(folder.path()), Contains("data_batch_3.bin is missing; found cat.png, data_batch_1.bin"));
  writeFile(folder / "data_batch_3.bin", record(11, 0));
  CHECK_THAT(refusalOf(folder.path()), Contains("data_batch_3.bin: record 0 at byte 0"));
  std::filesystem::remove(folder / "data_batch_3.bin");
  std::filesystem::create_directory(folder / "cifar-10-batches-bin");
  CHECK_THAT(refusalOf(folder.path()), Contains("may be in cifar-10-batches-bin"));
  writeFile(folder / "data_batch_1", "\x80\x02");
  CHECK_THAT(refusalOf(folder.path()), Contains("a pickle of its Python version"));
}

/// A file of these arrays, read.
TrainAndTest fromArrays(const std::vector<NamedArray>& arrays) {
  const Folder folder;
  writeNpz(folder / "a.npz", arrays, Packing::deflated);
  return readDataset(folder / "a.npz");
}
std::string refusalOf(const std::vector<NamedArray>& arrays) {
  return said([&] { fromArrays(arrays); });
}
Array labelled(std::vector<std::int64_t> labels, DType type = DType::i64) {
  const auto count = static_cast<std::int64_t>(labels.size());
  return arrayOf(Tensor<std::int64_t>({count}, std::move(labels)), type);
}

TEST_CASE("an .npz with a test set") {
  const Array x{DType::u8, {2, 1, 1, 2}, {0, 51, 255, 1}};
  const Array test = arrayOf(Tensor<double>({1, 1, 1, 2}, {0.25, 0.1}));
  for (const auto& [images, labels] : {std::pair{"x", "y"}, {"images", "labels"}, {"x_train", "y_train"}}) {
    const TrainAndTest both =
        fromArrays({{images, x}, {labels, labelled({0, 1})}, {"x_test", test}, {"y_test", labelled({2}, DType::u8)}});
    CHECK(both.train.image == Shape{1, 1, 2});
    CHECK(both.train.classes == 3);
    CHECK(both.test.classes == 3);
    CHECK(both.train.pixel(1) == 0.2F);
    CHECK(both.train.pixel(2) == 1);
    CHECK(both.test.pixel(0) == 0.25F);
    CHECK(both.test.pixel(1) == 0.1F);
    CHECK(both.train.labels == std::vector<std::uint8_t>{0, 1});
    CHECK(both.test.labels == std::vector<std::uint8_t>{2});
  }
}

TEST_CASE("an .npz without a test set: the last fifth is held out") {
  const TrainAndTest both =
      fromArrays({{"x", arrayOf(Tensor<float>({5, 1, 1}, {1, 2, 3, 4, 5}))}, {"y", labelled({0, 1, 2, 3, 4})}});
  CHECK(both.train.labels == std::vector<std::uint8_t>{0, 1, 2, 3});
  CHECK(both.test.labels == std::vector<std::uint8_t>{4});
  CHECK(both.test.pixel(0) == 5);
  CHECK(both.test.classes == 5);
  CHECK(std::get<1>(both.train.pixels).size() == 4);
}

TEST_CASE("images as rows of pixels") {
  const auto imageOf = [](std::int64_t pixels, const std::vector<NamedArray>& more = {}) {
    std::vector<NamedArray> arrays{{"x", zeros(DType::u8, {1, pixels})}, {"y", labelled({0})}};
    arrays.insert(arrays.end(), more.begin(), more.end());
    return fromArrays(arrays).train.image;
  };
  CHECK(imageOf(64) == Shape{1, 8, 8});
  CHECK(imageOf(3072) == Shape{3, 32, 32});
  CHECK(imageOf(1) == Shape{1, 1, 1});
  CHECK(imageOf(3) == Shape{3, 1, 1});
  CHECK(imageOf(24, {{"image", labelled({2, 3, 4})}}) == Shape{2, 3, 4});
  CHECK(imageOf(64, {{"image", labelled({4, 4, 4})}}) == Shape{4, 4, 4});
  CHECK_THAT(said([&] { imageOf(24); }), Contains("array 'x': expected 24 pixels an example to be H² or 3·H²"));
  CHECK_THAT(said([&] { imageOf(24, {{"image", labelled({2, 3, 5})}}); }), Contains("expected 30 pixels"));
  CHECK_THAT(said([&] {
               imageOf(24, {{"image", labelled({2, 12})}});
             }),
             Contains("array 'image': expected C, H and W"));
  CHECK_THAT(said([&] { imageOf(24, {{"image", labelled({-2, -3, 4})}}); }), Contains("of 1 or more"));
}

TEST_CASE("an .npz that is no data set says which array, and why") {
  const Array x = zeros(DType::u8, {2, 4, 4}), y = labelled({0, 1});
  CHECK(refusalOf({{"x", x}, {"y", y}}) == "");
  CHECK_THAT(refusalOf({{"x", x}}), Contains("expected an array y or labels or y_train of labels, found x"));
  CHECK_THAT(refusalOf({{"data", x}, {"y", y}}), Contains("found data, y"));
  CHECK_THAT(refusalOf(std::vector<NamedArray>{}), Contains("found no arrays"));
  CHECK_THAT(refusalOf({{"x", x}, {"images", x}, {"y", y}}), Contains("array 'images'") && Contains("'x' as well"));
  CHECK_THAT(refusalOf({{"x", x}, {"y", labelled({0, 1, 2})}}),
             Contains("array 'y': expected labels [2]") && Contains("found [3]"));
  CHECK_THAT(refusalOf({{"x", x}, {"y", labelled({0, 256})}}),
             Contains("example 1: expected a label 0 to 255, found 256"));
  CHECK_THAT(refusalOf({{"x", x}, {"y", labelled({-1, 0})}}), Contains("example 0") && Contains("found -1"));
  CHECK_THAT(refusalOf({{"x", x}, {"y", arrayOf(Tensor<double>({2}, {0, 1}))}}),
             Contains("expected integers, found f64"));
  CHECK_THAT(refusalOf({{"x", zeros(DType::boolean, {2, 4, 4})}, {"y", y}}),
             Contains("expected pixels of u8, f32 or f64, found bool"));
  CHECK_THAT(refusalOf({{"x", zeros(DType::u8, {2})}, {"y", y}}), Contains("found [2]"));
  CHECK_THAT(refusalOf({{"x", zeros(DType::u8, {1, 1, 1, 1, 2})}, {"y", y}}), Contains("found [1,1,1,1,2]"));
  CHECK_THAT(refusalOf({{"x", zeros(DType::u8, {0, 4, 4})}, {"y", labelled({})}}), Contains("at least one pixel"));
  for (const double bad : {std::numeric_limits<double>::infinity(), 1e39})
    CHECK_THAT(refusalOf({{"x", arrayOf(Tensor<double>({2, 1, 2}, {0, 0, 0, bad}))}, {"y", y}}),
               Contains("pixel 1 of example 1: expected a finite f32"));
  CHECK_THAT(refusalOf({{"x", x}, {"y", y}, {"x_test", x}}), Contains("array 'y_test': expected x_test and y_test"));
  CHECK_THAT(refusalOf({{"x", x}, {"y", y}, {"x_test", zeros(DType::u8, {2, 4, 5})}, {"y_test", y}}),
             Contains("expected images [1,4,4] as in training, found [1,4,5]"));
}

TEST_CASE("a batch: pixels and one-hot labels of the examples asked for, in their order") {
  const Dataset set{{1, 1, 2}, 3, std::vector<std::uint8_t>{0, 51, 102, 153, 204, 255}, {2, 0, 1}};
  const std::vector<std::int64_t> indices{2, 0, 2};
  const Batch<float> batch = set.batch<float>(indices);
  CHECK(batch.x.shape() == Shape{3, 2});
  CHECK(batch.y.shape() == Shape{3, 3});
  const std::vector<float> x{0.8F, 1, 0, 0.2F, 0.8F, 1}, y{0, 1, 0, 0, 0, 1, 0, 1, 0};
  for (int i = 0; i < 6; ++i) CHECK(batch.x[i] == x[static_cast<std::size_t>(i)]);
  for (int i = 0; i < 9; ++i) CHECK(batch.y[i] == y[static_cast<std::size_t>(i)]);
  // The same numbers in f64: 51/255 is the f32 next to 0.2, not the f64 next to it.
  CHECK(set.batch<double>(indices).x[3] == double{0.2F});
  CHECK(set.batch<double>({}).x.shape() == Shape{0, 2});
  for (const std::int64_t none : {-1, 3})
    CHECK_THAT(said([&] {
                 set.batch<float>(std::vector<std::int64_t>{0, none});
               }),
               Contains("example " + std::to_string(none) + " of a data set of 3"));
}

}  // namespace
}  // namespace shardlaw::test
