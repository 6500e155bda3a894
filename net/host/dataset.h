// Image data sets for training: CIFAR-10's binary files, and .npz.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "interp/tensor/tensor.h"

namespace shardlaw {

/// A batch as a network takes it.
template <class S>
struct Batch {
  Tensor<S> x;  // [B, C·H·W]
  Tensor<S> y;  // [B, K]: 1 at the label, 0 elsewhere
};

/// Labelled images in memory.
struct Dataset {
  Shape image;      // [C,H,W]
  int classes = 0;  // K: labels are 0 to K − 1
  /// examples() · C·H·W cells, [n,C,H,W] row-major. A byte b stands for the pixel b/255; a float for itself.
  std::variant<std::vector<std::uint8_t>, std::vector<float>> pixels;
  std::vector<std::uint8_t> labels;

  std::int64_t examples() const { return static_cast<std::int64_t>(labels.size()); }
  /// The pixel at a linear, row-major position: b/255 rounded to f32, so that it is one number in f32 and in f64.
  float pixel(std::int64_t position) const;

  /// The examples of these indices, in this order; an index may come more than once. S is float or double.
  /// Throws Error where there is no such example. O(B·(C·H·W + K)).
  template <class S>
  Batch<S> batch(std::span<const std::int64_t> indices) const;
};

struct TrainAndTest {
  Dataset train;
  Dataset test;
};

/// Reads a data set by what the path is:
///
/// - a folder with data_batch_1.bin to data_batch_5.bin and test_batch.bin, of CIFAR-10's binary version
///   (https://www.cs.toronto.edu/~kriz/cifar.html): records of a label byte, 0 to 9, and 3072 pixels, the 32×32 planes
///   of red, green and blue, each row-major;
/// - one such .bin file, of which the last fifth is held out;
/// - an .npz file. x (or images, or x_train) is [n,C,H,W], [n,H,W] or [n,D] of u8, f32 or f64, the latter rounded to
///   f32; y (or labels, or y_train) is [n] of integers 0 to 255; x_test and y_test are the same of the test set, and
///   where they are missing the last fifth is held out. K is the largest label + 1. [n,D] is read as [C,H,W] by the
///   array `image`, three integers; without it D must be H² or 3·H², and is [1,H,H] or [3,H,H].
///
/// "The last fifth" is n/5 examples, rounded down: none where n < 5. No example is moved, and none is drawn at random.
///
/// Throws Error that names the file, what was expected and what was found: for a file of CIFAR-10 the record and the
/// byte, for an .npz the array, and for a file that is something else what that is.
TrainAndTest readDataset(const std::string& path);

/// The reader of each format. An .npz file's arrays may have 2 GiB each.
TrainAndTest readCifarFolder(const std::string& path);
Dataset readCifarFile(const std::string& path);
TrainAndTest readNpzDataset(const std::string& path);

/// Holds the last fifth out. O(its size): the rest stays where it is.
TrainAndTest holdOutLastFifth(Dataset all);

}  // namespace shardlaw
