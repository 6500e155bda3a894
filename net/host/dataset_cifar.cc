// CIFAR-10's binary version: https://www.cs.toronto.edu/~kriz/cifar.html (Krizhevsky, 2009).
#include <algorithm>
#include <filesystem>

#include "interp/error.h"
#include "interp/file.h"
#include "interp/magic.h"
#include "net/host/dataset.h"

namespace shardlaw {
namespace {

constexpr int classes = 10;
constexpr std::size_t pixelBytes = std::size_t{3} * 32 * 32, recordBytes = 1 + pixelBytes;
/// CIFAR-100 has a coarse and a fine label.
constexpr std::size_t cifar100Bytes = 2 + pixelBytes;
constexpr int batches = 5;

[[noreturn]] void refuse(const std::string& path, const std::string& message) {
  throw Error(Location{path, 0, 0, {}}, message);
}

std::string recordAt(std::size_t record) {
  return "record " + std::to_string(record) + " at byte " + std::to_string(record * recordBytes);
}

void checkRecords(const std::string& path, const std::string& bytes) {
  const std::string expected = "expected records of CIFAR-10's binary version, ";
  if (bytes.empty()) refuse(path, expected + "found an empty file");
  // The first bytes of an image may be a format's by chance, but not in front of a label that is none.
  const bool otherSize = bytes.size() % recordBytes != 0;
  const std::string_view other = knownFormat(bytes);
  if ((otherSize || static_cast<unsigned char>(bytes[0]) >= classes) && !other.empty())
    refuse(path, expected + "found " + std::string(other));
  for (std::size_t record = 0; record * recordBytes < bytes.size(); ++record) {
    const int label = static_cast<unsigned char>(bytes[record * recordBytes]);
    // What is wrong with the size says more about a file of another kind than its labels do.
    if (label >= classes && !otherSize)
      refuse(path, recordAt(record) + ": expected a label 0 to 9, found " + std::to_string(label));
  }
  if (const std::size_t left = bytes.size() % recordBytes; left != 0)
    refuse(path, expected + std::to_string(recordBytes) + " bytes each, found " + std::to_string(bytes.size()) +
                     " bytes: " + recordAt(bytes.size() / recordBytes) + " has only " + std::to_string(left) +
                     (bytes.size() % cifar100Bytes == 0 ? "; the size is one of CIFAR-100's" : ""));
}

/// Adds a file's records to a set.
void append(const std::string& path, Dataset& set) {
  const std::string bytes = readFile(path);
  checkRecords(path, bytes);
  auto& pixels = std::get<std::vector<std::uint8_t>>(set.pixels);
  const std::size_t records = bytes.size() / recordBytes;
  pixels.reserve(pixels.size() + records * pixelBytes);
  for (std::size_t record = 0; record < records; ++record) {
    const auto label = bytes.begin() + static_cast<std::ptrdiff_t>(record * recordBytes);
    set.labels.push_back(static_cast<std::uint8_t>(*label));
    pixels.insert(pixels.end(), label + 1, label + static_cast<std::ptrdiff_t>(recordBytes));
  }
}

Dataset emptySet() { return {Shape{3, 32, 32}, classes, std::vector<std::uint8_t>(), {}}; }

/// What there is instead of the batches: the first names in a folder.
std::string contentsOf(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code status;
  for (std::filesystem::directory_iterator entry(folder, status), end; !status && entry != end; entry.increment(status))
    names.push_back(entry->path().filename().string());
  if (status) return "a folder that cannot be read: " + status.message();
  if (names.empty()) return "an empty folder";
  std::sort(names.begin(), names.end());
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 6); ++i)
    text += (i == 0 ? "" : ", ") + excerpt(names[i], 40);
  return text + (names.size() > 6 ? ", …" : "");
}

}  // namespace

Dataset readCifarFile(const std::string& path) {
  Dataset set = emptySet();
  append(path, set);
  return set;
}

TrainAndTest readCifarFolder(const std::string& path) {
  const std::filesystem::path folder(path);
  const auto exists = [&](const std::string& name) {
    std::error_code status;
    return std::filesystem::exists(folder / name, status);
  };
  std::vector<std::string> names;
  for (int i = 1; i <= batches; ++i) names.push_back("data_batch_" + std::to_string(i) + ".bin");
  names.push_back("test_batch.bin");
  for (const std::string& name : names) {
    if (exists(name)) continue;
    const std::string expected =
        "expected data_batch_1.bin to data_batch_5.bin and test_batch.bin of CIFAR-10's binary version; ";
    if (exists("data_batch_1")) refuse(path, expected + "found data_batch_1, a pickle of its Python version");
    if (exists("cifar-10-batches-bin")) refuse(path, expected + "they may be in cifar-10-batches-bin");
    refuse(path, expected + name + " is missing; found " + contentsOf(path));
  }
  TrainAndTest both{emptySet(), emptySet()};
  for (const std::string& name : names) append((folder / name).string(), name == names.back() ? both.test : both.train);
  return both;
}

}  // namespace shardlaw
