// How the arguments and results of a data-parallel program belong to those of a program at the global batch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interp/tensor/array.h"

namespace shardlaw::stablehlo {

/// Replicated, or cut along an axis into R equal shards.
struct Sharding {
  int axis = -1;  ///< −1 where every replica has all of it

  bool isReplicated() const { return axis < 0; }
  friend bool operator==(const Sharding&, const Sharding&) = default;
};

/// "replicated", "sharded along axis 0".
std::string toString(const Sharding& sharding);

/// Values named on the command line, whatever their shapes say.
struct ShardingRules {
  std::vector<std::string> sharded, replicated;
};

/// How a value of shape `replica` on each of R replicas is cut from one of shape `global`: replicated where the shapes
/// are equal, sharded along the one axis that is R times longer. Rules by name come first; a name that is to be sharded
/// and whose shapes are equal at R = 1 is cut along axis 0. Throws Error, with the name and both shapes, where neither
/// fits.
Sharding shardingOf(const std::string& name, const Shape& replica, const Shape& global, std::int64_t replicas,
                    const ShardingRules& rules = {});

/// The same without a name or rules; nothing where neither fits.
std::optional<Sharding> shardingIfAny(const Shape& replica, const Shape& global, std::int64_t replicas);

/// Shard r of R along an axis: cells [r·n, (r+1)·n) of it. Calls copy(from, to, count) for runs of cells.
template <class Copy>
void eachRunOfShard(const Shape& global, int axis, std::int64_t r, std::int64_t replicas, const Copy& copy) {
  std::int64_t outer = 1, inner = 1;
  for (int i = 0; i < axis; ++i) outer *= global[i];
  for (int i = axis; i < global.rank(); ++i) inner *= global[i];
  const std::int64_t run = inner / replicas;
  for (std::int64_t i = 0; i < outer; ++i) copy(i * inner + r * run, i * run, run);
}

/// The shape of a shard.
Shape shardShape(const Shape& global, int axis, std::int64_t replicas);

template <class T>
Tensor<T> shardOf(const Tensor<T>& global, const Sharding& sharding, std::int64_t r, std::int64_t replicas) {
  if (sharding.isReplicated()) return global;
  auto shard = Tensor<T>::unwritten(shardShape(global.shape(), sharding.axis, replicas));
  eachRunOfShard(global.shape(), sharding.axis, r, replicas, [&](std::int64_t from, std::int64_t to, std::int64_t n) {
    std::copy_n(global.view().data() + from, n, shard.view().data() + to);
  });
  return shard;
}
Array shardOf(const Array& global, const Sharding& sharding, std::int64_t r, std::int64_t replicas);

}  // namespace shardlaw::stablehlo
