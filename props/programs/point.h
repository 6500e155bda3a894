// Points at which two programs are evaluated.
#pragma once

#include "interp/number/hash.h"
#include "interp/stablehlo/evaluate.h"
#include "props/programs/pairing.h"

namespace shardlaw::programs {

template <class D>
using Arguments = std::vector<std::vector<stablehlo::Cells<D>>>;  ///< [replica][argument]

template <class D>
struct Point {
  Arguments<D> replicas, global;
};

/// A random number per cell of an argument: floats by `number`, which gets 64 random bits; integers from 0 to 7.
template <class D, class F>
stablehlo::Cells<D> drawn(const stablehlo::TensorType& type, std::uint64_t key, const F& number) {
  auto cells = stablehlo::Cells<D>::unwritten(type);
  const auto bits = [&](std::int64_t i) { return mix64(key, static_cast<std::uint64_t>(i)); };
  for (std::int64_t i = 0; i < cells.cells(); ++i) {
    if (stablehlo::isFloat(type.element)) cells.floats()[i] = number(bits(i));
    else if (stablehlo::isBoolean(type.element)) cells.bits()[i].truth = typename D::Truth{(bits(i) & 1) != 0};
    else cells.integers()[i] = static_cast<std::int64_t>(bits(i) % 8);
  }
  return cells;
}

/// Random arguments of the global program, and the shards of them that the replicas get. `numberOf(pair)` is what draws
/// the floats of an argument.
template <class D, class F>
Point<D> pointOf(const stablehlo::Function& replica, const stablehlo::Function& global, const Pairing& pairing,
                 std::int64_t replicas, std::uint64_t seed, const F& numberOf) {
  Point<D> point;
  point.global.resize(1);
  point.global[0].resize(global.body.arguments.size());
  point.replicas.resize(static_cast<std::size_t>(replicas));
  for (auto& one : point.replicas) one.resize(replica.body.arguments.size());
  for (const Pair& pair : pairing.arguments) {
    stablehlo::Cells<D>& whole = point.global[0][pair.global];
    const auto key = mix64(seed, pair.global + 1);
    whole = drawn<D>(global.type(global.body.arguments[pair.global]), key, numberOf(pair));
    for (std::int64_t r = 0; r < replicas; ++r)
      point.replicas[static_cast<std::size_t>(r)][pair.replica] =
          whole.visit([&](const auto& tensor) -> stablehlo::Cells<D> {
            return stablehlo::shardOf(tensor, pair.sharding, r, replicas);
          });
  }
  return point;
}

}  // namespace shardlaw::programs
