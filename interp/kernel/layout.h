// Where a convolution's operand lies in a padded copy, so that each cell of the kernel reads it at one offset.
#pragma once

#include <cstdint>
#include <vector>

namespace shardlaw::kernel {

/// A copy of a map in which the cell that kernel cell t meets at position (i, j) lies at tap[t] + i·stride + j: so
/// consecutive positions are consecutive cells, and a product's lanes run over them. A row's right padding is the
/// next one's left padding; the positions j ≥ width that lie between two rows are computed and dropped.
struct MapLayout {
  std::int64_t height = 0, width = 0;  ///< of the positions
  std::int64_t stride = 0;
  std::int64_t channel = 0;           ///< cells of the copy per channel
  std::vector<std::int64_t> tap;      ///< row-major over the kernel
  std::vector<std::int64_t> rows;     ///< row r, column c of the map is copied to rows[r] + columns[c]; −1 where no
  std::vector<std::int64_t> columns;  ///< position reads it
  bool contiguous = false;            ///< a row of the map stays one

  std::int64_t positions() const { return height * width == 0 ? 0 : (height - 1) * stride + width; }
};

/// Extents of a map and of a kernel.
struct MapExtents {
  std::int64_t height, width, kH, kW;
};

/// y[i, j] reads x[i+a−pH, j+b'−pW].
MapLayout forwardLayout(const MapExtents& map);
/// dx[i, j] reads dy[i+pH−a, j+pW−b'].
MapLayout backLayout(const MapExtents& map);
/// y[i, j] reads x[2i+phase+a−pH, 2j+phase+b'−pW]; `map` has the extents of y.
MapLayout stridedLayout(const MapExtents& map, std::int64_t phase);
/// As backLayout, dy being spread onto the positions [2u+phase, 2v+phase] of a zero map; `map` has dx's extents.
MapLayout scatteredBackLayout(const MapExtents& map, std::int64_t phase);

}  // namespace shardlaw::kernel
