#include "interp/stablehlo/sharding.h"

#include <algorithm>

#include "interp/error.h"

namespace shardlaw::stablehlo {
namespace {

bool isNamed(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The axis along which `global` is R times `replica`, all others being equal; −1 for none.
int longerAxis(const Shape& replica, const Shape& global, std::int64_t replicas) {
  if (replica.rank() != global.rank()) return -1;
  int found = -1;
  for (int axis = 0; axis < replica.rank(); ++axis) {
    if (replica[axis] == global[axis]) continue;
    if (found >= 0 || global[axis] % replicas != 0 || global[axis] / replicas != replica[axis]) return -1;
    found = axis;
  }
  return found;
}

}  // namespace

std::string toString(const Sharding& sharding) {
  return sharding.isReplicated() ? "replicated" : "sharded along axis " + std::to_string(sharding.axis);
}

Sharding shardingOf(const std::string& name, const Shape& replica, const Shape& global, std::int64_t replicas,
                    const ShardingRules& rules) {
  const bool same = replica == global;
  const auto refuse = [&](const std::string& expected) {
    throw Error("'" + name + "': expected " + expected + ", found " + toString(replica) + " on a replica and " +
                toString(global) + " globally, at R = " + std::to_string(replicas));
  };
  const int longer = longerAxis(replica, global, replicas);
  if (isNamed(rules.replicated, name)) {
    if (!same) refuse("one shape, as it is to be replicated");
    return {};
  }
  if (isNamed(rules.sharded, name)) {
    if (same && replicas == 1 && replica.rank() > 0) return {0};
    if (longer < 0) refuse("an axis that is R times longer globally, as it is to be sharded");
    return {longer};
  }
  const auto found = shardingIfAny(replica, global, replicas);
  if (!found) refuse("equal shapes, or one axis that is R times longer globally");
  return *found;
}

std::optional<Sharding> shardingIfAny(const Shape& replica, const Shape& global, std::int64_t replicas) {
  if (replica == global) return Sharding{};
  const int longer = longerAxis(replica, global, replicas);
  return longer < 0 ? std::nullopt : std::optional(Sharding{longer});
}

Shape shardShape(const Shape& global, int axis, std::int64_t replicas) {
  std::vector<std::int64_t> extents(global.extents().begin(), global.extents().end());
  extents[static_cast<std::size_t>(axis)] /= replicas;
  return Shape(extents);
}

Array shardOf(const Array& global, const Sharding& sharding, std::int64_t r, std::int64_t replicas) {
  if (sharding.isReplicated()) return global;
  Array shard = zeros(global.type, shardShape(global.shape, sharding.axis, replicas));
  const auto width = static_cast<std::int64_t>(cellBytes(global.type));
  eachRunOfShard(global.shape, sharding.axis, r, replicas, [&](std::int64_t from, std::int64_t to, std::int64_t n) {
    std::copy_n(global.bytes.data() + from * width, n * width, shard.bytes.data() + to * width);
  });
  return shard;
}

}  // namespace shardlaw::stablehlo
