#include "interp/kernel/layout.h"

#include <algorithm>

#include "interp/node/convolution.h"

namespace shardlaw::kernel {
namespace {

/// Stride 1 with `top` and `left` cells of padding in front.
MapLayout paddedLayout(const MapExtents& map, std::int64_t top, std::int64_t left) {
  MapLayout layout;
  layout.height = map.height;
  layout.width = map.width;
  const std::int64_t shared = std::max(left, map.kW - 1 - left);
  layout.stride = map.width + shared;
  layout.channel = (map.height + map.kH - 1) * layout.stride + shared;
  for (std::int64_t a = 0; a < map.kH; ++a)
    for (std::int64_t b = 0; b < map.kW; ++b) layout.tap.push_back(a * layout.stride + b);
  for (std::int64_t r = 0; r < map.height; ++r) layout.rows.push_back((top + r) * layout.stride);
  for (std::int64_t c = 0; c < map.width; ++c) layout.columns.push_back(left + c);
  layout.contiguous = true;
  return layout;
}

/// Where along one axis the cells of a map of 2·extent lie, split by the parity of their padded index: the k-th cell
/// of parity q is at q·part + k·step. −1 where no position reads the cell.
std::vector<std::int64_t> splitByParity(std::int64_t extent, std::int64_t kernel, std::int64_t phase, std::int64_t part,
                                        std::int64_t step) {
  std::vector<std::int64_t> to;
  for (std::int64_t cell = 0; cell < 2 * extent; ++cell) {
    const std::int64_t padded = cell + padding(kernel);
    bool read = false;
    for (std::int64_t a = 0; a < kernel; ++a) {
      const std::int64_t twice = padded - phase - a;
      read = read || (twice >= 0 && twice % 2 == 0 && twice / 2 < extent);
    }
    to.push_back(read ? padded % 2 * part + padded / 2 * step : -1);
  }
  return to;
}

}  // namespace

MapLayout forwardLayout(const MapExtents& map) { return paddedLayout(map, padding(map.kH), padding(map.kW)); }

MapLayout backLayout(const MapExtents& map) {
  MapLayout layout = paddedLayout(map, map.kH - 1 - padding(map.kH), map.kW - 1 - padding(map.kW));
  std::reverse(layout.tap.begin(), layout.tap.end());
  return layout;
}

MapLayout stridedLayout(const MapExtents& map, std::int64_t phase) {
  MapLayout layout;
  layout.height = map.height;
  layout.width = map.width;
  layout.stride = map.width + (phase + map.kW - 1) / 2;
  const std::int64_t plane = (map.height + (phase + map.kH - 1) / 2) * layout.stride;
  layout.channel = 4 * plane;
  for (std::int64_t a = phase; a < phase + map.kH; ++a)
    for (std::int64_t b = phase; b < phase + map.kW; ++b)
      layout.tap.push_back((a % 2 * 2 + b % 2) * plane + a / 2 * layout.stride + b / 2);
  layout.rows = splitByParity(map.height, map.kH, phase, 2 * plane, layout.stride);
  layout.columns = splitByParity(map.width, map.kW, phase, plane, 1);
  return layout;
}

MapLayout scatteredBackLayout(const MapExtents& map, std::int64_t phase) {
  MapLayout layout = backLayout(map);
  const auto everySecond = [&](std::vector<std::int64_t>& to) {
    for (std::size_t i = 0; i < to.size() / 2; ++i) to[i] = to[2 * i + static_cast<std::size_t>(phase)];
    to.resize(to.size() / 2);
  };
  everySecond(layout.rows);
  everySecond(layout.columns);
  layout.contiguous = false;
  return layout;
}

}  // namespace shardlaw::kernel
