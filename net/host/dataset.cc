#include "net/host/dataset.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "interp/error.h"
#include "interp/magic.h"

namespace shardlaw {
namespace {

/// The first bytes of a file; empty where it cannot be read, which its reader then reports.
std::string startOf(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return "";
  char start[16];
  const ssize_t count = ::read(descriptor, start, sizeof start);
  ::close(descriptor);
  return std::string(start, count > 0 ? static_cast<std::size_t>(count) : 0);
}

}  // namespace

float Dataset::pixel(std::int64_t position) const {
  const auto at = static_cast<std::size_t>(position);
  if (const auto* bytes = std::get_if<std::vector<std::uint8_t>>(&pixels))
    return static_cast<float>((*bytes)[at]) / 255;
  return std::get<std::vector<float>>(pixels)[at];
}

template <class S>
Batch<S> Dataset::batch(std::span<const std::int64_t> indices) const {
  const auto size = static_cast<std::int64_t>(indices.size());
  const std::int64_t cells = image.cells();
  Batch<S> batch{Tensor<S>({size, cells}), Tensor<S>({size, classes})};
  for (std::int64_t b = 0; b < size; ++b) {
    const std::int64_t index = indices[static_cast<std::size_t>(b)];
    if (index < 0 || index >= examples())
      throw Error("example " + std::to_string(index) + " of a data set of " + std::to_string(examples()));
    for (std::int64_t i = 0; i < cells; ++i) batch.x[b * cells + i] = S{pixel(index * cells + i)};
    batch.y[b * classes + labels[static_cast<std::size_t>(index)]] = 1;
  }
  return batch;
}

template Batch<float> Dataset::batch<float>(std::span<const std::int64_t>) const;
template Batch<double> Dataset::batch<double>(std::span<const std::int64_t>) const;

TrainAndTest holdOutLastFifth(Dataset all) {
  const std::int64_t held = all.examples() / 5, kept = all.examples() - held;
  TrainAndTest both;
  both.test.image = all.image;
  both.test.classes = all.classes;
  both.test.labels.assign(all.labels.begin() + kept, all.labels.end());
  std::visit(
      [&](auto& pixels) {
        const auto first = pixels.begin() + kept * all.image.cells();
        both.test.pixels = std::decay_t<decltype(pixels)>(first, pixels.end());
        pixels.erase(first, pixels.end());
      },
      all.pixels);
  all.labels.erase(all.labels.begin() + kept, all.labels.end());
  both.train = std::move(all);
  return both;
}

TrainAndTest readDataset(const std::string& path) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) return readCifarFolder(path);
  const std::string start = startOf(path);
  if (path.ends_with(".bin")) return holdOutLastFifth(readCifarFile(path));
  // An .npz that is missing or empty is reported by its reader.
  if (path.ends_with(".npz") || start.starts_with("PK")) return readNpzDataset(path);
  if (!std::filesystem::exists(path, status)) throw Error(Location{path, 0, 0, {}}, "cannot be read: no such file");
  throw Error(
      Location{path, 0, 0, {}},
      "expected a data set (a folder of CIFAR-10's binary version, one .bin file of it, or an .npz file), found " +
          describeFormat(start));
}

}  // namespace shardlaw
