// For every node one set of operands that it accepts, so that a test can go through the whole table.
#pragma once

#include <map>
#include <string_view>

#include "tests/interp/support.h"

namespace shardlaw::test {

struct Sample {
  std::vector<Shape> shapes;  ///< batched ones with their example axis
  Attributes attributes = {};
};

using SampleTable = std::map<std::string_view, Sample>;

/// What the nodes themselves say they accept: three examples; C = 3, H ≠ W, kernels that are neither square nor
/// odd throughout; every map is even.
inline const SampleTable& samples() {
  static const SampleTable table = [] {
    const SampleSize size{
        .N = 3, .C = 3, .H = 2, .W = 4, .K = 5, .kH = 3, .kW = 2, .odd = true, .eps = decimal("1e-3")};
    SampleTable all;
    for (const Node* node : allNodes()) {
      const shardlaw::Sample own = node->sample(size);
      Sample sample{{}, own.attributes};
      for (std::size_t i = 0; i < own.operands.size(); ++i) {
        const bool batched = node->kind == NodeKind::pointwise || node->operands[i].batched;
        sample.shapes.push_back(batched ? own.operands[i].batchOf(size.N) : own.operands[i]);
      }
      all.emplace(node->name, std::move(sample));
    }
    return all;
  }();
  return table;
}

}  // namespace shardlaw::test
