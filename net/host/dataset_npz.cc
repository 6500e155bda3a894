// Data sets in .npz files.
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "interp/error.h"
#include "interp/tensor/npz.h"
#include "net/host/dataset.h"

namespace shardlaw {
namespace {

/// One of the file's arrays, with its name for errors.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), file_(NpzFile::open(path)) {}

  bool has(std::string_view name) const { return file_.contains(name); }

  [[noreturn]] void refuse(std::string_view name, const std::string& message) const {
    throw Error(Location{path_, 0, 0, {}}, "array '" + std::string(name) + "': " + message);
  }

  /// The name of these that the file has.
  std::string_view choose(std::initializer_list<std::string_view> names, const char* what) const {
    std::string_view chosen;
    for (const std::string_view name : names) {
      if (!has(name)) continue;
      if (!chosen.empty())
        refuse(name, "expected one array of " + std::string(what) + ", found '" + std::string(chosen) + "' as well");
      chosen = name;
    }
    if (!chosen.empty()) return chosen;
    std::string wanted, found;
    for (const std::string_view name : names) wanted += (wanted.empty() ? "" : " or ") + std::string(name);
    for (const std::string& name : file_.names()) found += (found.empty() ? "" : ", ") + name;
    throw Error(Location{path_, 0, 0, {}}, "expected an array " + wanted + " of " + what + ", found " +
                                               (found.empty() ? "no arrays" : excerpt(found, 200)));
  }

  /// The images and the labels of one set; its number of classes is what its labels need.
  Dataset read(std::string_view x, std::string_view y) const {
    Dataset set;
    readPixels(x, file_.read(x), set);
    readLabels(y, file_.read(y), set);
    return set;
  }

 private:
  void readPixels(std::string_view name, Array array, Dataset& set) const {
    set.image = imageShape(name, array.shape);
    set.labels.resize(static_cast<std::size_t>(array.shape[0]));
    if (array.type == DType::u8) {
      set.pixels = std::move(array.bytes);
      return;
    }
    if (array.type != DType::f32 && array.type != DType::f64)
      refuse(name, "expected pixels of u8, f32 or f64, found " + std::string(toString(array.type)));
    std::vector<float> pixels(static_cast<std::size_t>(array.cells()));
    for (std::int64_t i = 0; i < array.cells(); ++i) {
      const auto pixel = static_cast<float>(cellOf<double>(array, i));
      if (!std::isfinite(pixel))
        refuse(name, "pixel " + std::to_string(i % set.image.cells()) + " of example " +
                         std::to_string(i / set.image.cells()) + ": expected a finite f32");
      pixels[static_cast<std::size_t>(i)] = pixel;
    }
    set.pixels = std::move(pixels);
  }

  /// [C,H,W] of images [n,C,H,W], [n,H,W] or [n,D].
  Shape imageShape(std::string_view name, const Shape& shape) const {
    if (shape.rank() < 2 || shape.rank() > 4)
      refuse(name, "expected images [n,C,H,W], [n,H,W] or [n,C·H·W], found " + toString(shape));
    if (shape.cells() == 0) refuse(name, "expected at least one pixel of one example, found " + toString(shape));
    if (shape.rank() == 4) return shape.tail();
    if (shape.rank() == 3) return Shape{1, shape[1], shape[2]};
    if (has("image")) return declaredShape(name, shape[1]);
    // No number is both a square and three times one.
    for (const std::int64_t channels : {1, 3}) {
      const auto side = std::llround(std::sqrt(static_cast<double>(shape[1]) / static_cast<double>(channels)));
      if (channels * side * side == shape[1]) return Shape{channels, side, side};
    }
    refuse(name, "expected " + std::to_string(shape[1]) +
                     " pixels an example to be H² or 3·H², or an array 'image' with C, H and W");
  }

  Shape declaredShape(std::string_view name, std::int64_t pixels) const {
    const Array array = file_.read("image");
    if (array.shape != Shape{3}) refuse("image", "expected C, H and W, found " + toString(array.shape));
    std::array<std::int64_t, 3> extents{};
    for (int i = 0; i < 3; ++i) extents[static_cast<std::size_t>(i)] = integerOf("image", array, i);
    if (*std::min_element(extents.begin(), extents.end()) < 1) refuse("image", "expected C, H and W of 1 or more");
    const Shape declared(extents);
    if (declared.cells() != pixels)
      refuse(name, "expected " + std::to_string(declared.cells()) + " pixels an example, of image " +
                       toString(declared) + ", found " + std::to_string(pixels));
    return declared;
  }

  std::int64_t integerOf(std::string_view name, const Array& array, std::int64_t position) const {
    if (array.type < DType::i64 || array.type > DType::u8)
      refuse(name, "expected integers, found " + std::string(toString(array.type)));
    try {
      return cellOf<std::int64_t>(array, position);
    } catch (const Error& error) {
      refuse(name, error.what());
    }
  }

  void readLabels(std::string_view name, const Array& array, Dataset& set) const {
    const Shape expected{set.examples()};
    if (array.shape != expected)
      refuse(name, "expected labels " + toString(expected) + ", one an example, found " + toString(array.shape));
    for (std::int64_t i = 0; i < array.cells(); ++i) {
      const std::int64_t label = integerOf(name, array, i);
      if (label < 0 || label > 255)
        refuse(name, "example " + std::to_string(i) + ": expected a label 0 to 255, found " + std::to_string(label));
      set.labels[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(label);
      set.classes = std::max(set.classes, static_cast<int>(label) + 1);
    }
  }

  std::string path_;
  NpzFile file_;
};

}  // namespace

TrainAndTest readNpzDataset(const std::string& path) {
  const Reader reader(path);
  const std::string_view x = reader.choose({"x", "images", "x_train"}, "images");
  const std::string_view y = reader.choose({"y", "labels", "y_train"}, "labels");
  if (!reader.has("x_test") && !reader.has("y_test")) return holdOutLastFifth(reader.read(x, y));
  for (const std::string_view name : {"x_test", "y_test"})
    if (!reader.has(name)) reader.refuse(name, "expected x_test and y_test, or neither");
  TrainAndTest both{reader.read(x, y), reader.read("x_test", "y_test")};
  if (both.train.image != both.test.image)
    reader.refuse("x_test", "expected images " + toString(both.train.image) + " as in training, found " +
                                toString(both.test.image));
  both.train.classes = both.test.classes = std::max(both.train.classes, both.test.classes);
  return both;
}

}  // namespace shardlaw
