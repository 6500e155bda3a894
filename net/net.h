// Networks as data: layers in order, and the tables of parameters and statistics that follow from them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interp/tensor/shape.h"

namespace shardlaw {

enum class LayerKind { conv, convStrided, bn, relu, maxPool2, maxPool3, gap, flatten, dense, add };

/// The output of an earlier layer, by position; `imageInput` is the input of the net.
using LayerId = int;
inline constexpr LayerId imageInput = -1;

struct Layer {
  LayerKind kind;
  std::vector<LayerId> from;    ///< two for add, one for any other
  std::vector<int> parameters;  ///< positions in Net::parameters, in the order of the node's operands
  std::vector<int> statistics;  ///< of bn: positions of its mean and its variance in Net::statistics
  std::string label;            ///< names the layer in reports: "conv3", "relu3"
};

/// How a parameter starts (SEMANTICS 4, host protocol): weights from a normal distribution of variance 2/fanIn (He et
/// al., 2015), every bias and β at 0, every γ at 1.
enum class Initial { heNormal, zeros, ones };

struct Parameter {
  std::string name;
  Shape shape;
  Initial initial;
  std::int64_t fanIn = 0;  ///< cells that one output reads; of heNormal

  double heVariance() const { return 2 / static_cast<double>(fanIn); }
};

/// A slot of running statistics, [C].
struct Statistic {
  std::string name;
  Shape shape;
  bool isVariance;
};

/// The one source of order, names and shapes for everything that lists layers, parameters or statistics.
struct Net {
  std::string name;
  std::string summary;
  Shape image;  ///< [C,H,W] of one example; programs take it flat, [B, C·H·W]
  std::int64_t classes = 0;
  std::vector<Layer> layers;  ///< the last one gives the logits, [B, classes]
  std::vector<Parameter> parameters;
  std::vector<Statistic> statistics;

  /// Cells of all parameters.
  std::int64_t parameterCells() const;
};

/// The pattern of SEMANTICS 4: stages of (conv 3×3 → BN → relu) × `convolutions` and a max-pool 2×2; flatten; two dense
/// layers of `head` units with relu, and one to the classes.
struct PlainPattern {
  std::string name, summary;
  Shape image;
  std::vector<std::int64_t> widths;  ///< output channels of each stage
  int convolutions = 2;
  std::int64_t head = 64;
  std::int64_t classes = 10;
};
/// Throws Error where an extent is not positive or the image cannot be halved once per stage.
Net plainNet(const PlainPattern& pattern);

/// The pattern of He et al., 2016, with basic blocks: a strided stem of stemKernel², BN, relu, max-pool 3×3; stages of
/// residual blocks (conv 3×3 → BN → relu → conv 3×3 → BN, joined with the block's input, relu), whose first block
/// halves the map from the second stage on; global average; one dense layer. No convolution has a bias. Strides are at
/// even phase: symmetric padding.
struct ResidualPattern {
  std::string name, summary;
  Shape image;
  std::int64_t stemKernel = 7;
  std::vector<std::int64_t> widths;  ///< output channels of each stage; the first is the stem's as well
  std::vector<int> blocks;           ///< blocks of each stage
  std::int64_t classes = 1000;
};
/// Throws Error where an extent is not positive or the image cannot be halved often enough.
Net residualNet(const ResidualPattern& pattern);

/// cifar8-bn of SEMANTICS 4 with d1 = `head`.
Net cifar8(std::int64_t head);

/// A net that has a name, and the least one of the same pattern: the same operations at the least sizes, so that what
/// does not depend on sizes can be read off it.
struct NamedNet {
  std::string_view name;
  bool small;  ///< small enough for hundreds of cases
  Net (*make)();
  Net (*skeleton)();
  Net (*withHead)(std::int64_t head) =
      nullptr;  ///< the same with that many units in its dense layers, where it has some
};

/// Every named net, small ones first.
std::span<const NamedNet> namedNets();
/// Ignores case. Throws Error, with the names there are, where there is none.
const NamedNet& findNet(std::string_view name);

}  // namespace shardlaw
