// A same-size convolution as an explicit matrix: scattered over output cells, where the node gathers.
#pragma once

#include "interp/tensor/tensor.h"

namespace shardlaw::test {

/// The matrix [O·H·W, I·H·W] of the map x ↦ conv(W, 0, x) on [I,H,W]: the cell (c, p, q) of x meets
/// W[o,c,a,b] in the output cell (p−a+⌊(kH−1)/2⌋, q−b+⌊(kW−1)/2⌋) where that exists.
template <class S>
Tensor<S> toeplitz(const Tensor<S>& w, std::int64_t height, std::int64_t width) {
  const Shape k = w.shape();
  Tensor<S> matrix({k[0] * height * width, k[1] * height * width});
  const std::int64_t columns = matrix.shape()[1];
  std::int64_t weight = 0;
  for (std::int64_t o = 0; o < k[0]; ++o)
    for (std::int64_t c = 0; c < k[1]; ++c)
      for (std::int64_t a = 0; a < k[2]; ++a)
        for (std::int64_t b = 0; b < k[3]; ++b, ++weight)
          for (std::int64_t p = 0; p < height; ++p)
            for (std::int64_t q = 0; q < width; ++q) {
              const std::int64_t i = p - a + (k[2] - 1) / 2, j = q - b + (k[3] - 1) / 2;
              if (i < 0 || i >= height || j < 0 || j >= width) continue;
              S& entry = matrix[((o * height + i) * width + j) * columns + (c * height + p) * width + q];
              entry = entry + w[weight];
            }
  return matrix;
}

/// conv(W, b, x) on a batch as a product with that matrix.
template <class S>
Tensor<S> convByMatrix(const Tensor<S>& w, const Tensor<S>& b, const Tensor<S>& x) {
  const std::int64_t examples = x.shape()[0], outputs = w.shape()[0];
  const std::int64_t height = x.shape()[2], width = x.shape()[3];
  const Tensor<S> matrix = toeplitz(w, height, width);
  const std::int64_t rows = matrix.shape()[0], columns = matrix.shape()[1];
  Tensor<S> y({examples, outputs, height, width});
  for (std::int64_t n = 0; n < examples; ++n)
    for (std::int64_t k = columns - 1; k >= 0; --k)
      for (std::int64_t o = 0; o < rows; ++o)
        y[n * rows + o] = y[n * rows + o] + matrix[o * columns + k] * x[n * columns + k];
  for (std::int64_t i = 0; i < y.cells(); ++i) y[i] = y[i] + b[i / (height * width) % outputs];
  return y;
}

/// Depthwise weights [C,1,kH,kW] as the block-diagonal weights [C,C,kH,kW] of a full convolution.
template <class S>
Tensor<S> blockDiagonal(const Tensor<S>& w) {
  const std::int64_t channels = w.shape()[0], kernel = w.shape()[2] * w.shape()[3];
  Tensor<S> full({channels, channels, w.shape()[2], w.shape()[3]});
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t k = 0; k < kernel; ++k) full[(c * channels + c) * kernel + k] = w[c * kernel + k];
  return full;
}

/// Every second row and column of [N,C,2h,2w], from `first` on.
template <class S>
Tensor<S> subsampled(const Tensor<S>& y, std::int64_t first) {
  const Shape s = y.shape();
  Tensor<S> half({s[0], s[1], s[2] / 2, s[3] / 2});
  std::int64_t at = 0;
  for (std::int64_t map = 0; map < s[0] * s[1]; ++map)
    for (std::int64_t i = first; i < s[2]; i += 2)
      for (std::int64_t j = first; j < s[3]; j += 2) half[at++] = y[(map * s[2] + i) * s[3] + j];
  return half;
}

}  // namespace shardlaw::test
