#include "props/gen/data.h"

namespace shardlaw {
namespace {

/// Where a cell lies: its example and shard (0 where not batched), channel, and the cells of one shard.
struct Place {
  std::int64_t shard = 0, channel = 0, inShard = 0, example = 0, label = 0;
};

Place placeOf(const ClaimInput& input, const Case& c, std::int64_t cell) {
  const Shape& shape = input.global.shape;
  Place place;
  if (!input.global.batched) {
    place.channel = cell;
    place.inShard = cell;
    return place;
  }
  const std::int64_t perExample = shape.cells() / shape[0];
  const std::int64_t perShard = perExample * c[Dimension::N];
  place.example = cell / perExample;
  place.shard = cell / perShard;
  place.inShard = cell % perShard;
  place.label = cell % perExample;
  place.channel = shape.rank() == 4 ? place.label / (shape[2] * shape[3]) : place.label;
  return place;
}

/// A number in [−1, 1) from random bits.
double unit(std::uint64_t bits) { return static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63; }

/// Decimal exponents 0, 1, −1, 2, −2, …: earlier ones are simpler.
double scaleOf(const Case& c) {
  const std::int64_t index = c[Dimension::scale];
  const std::int64_t exponent = (index + 1) / 2 * (index % 2 == 1 ? 1 : -1);
  return std::pow(10.0, static_cast<double>(exponent));
}

constexpr int activationPalette[] = {1, -1, 2, 0, -2, 3, 6, 0};
constexpr int parameterPalette[] = {1, 2, -1, 3, -2, 5};

template <std::size_t n>
PlannedCell fromPalette(const int (&palette)[n], std::uint64_t key, std::uint64_t draw) {
  const int number = palette[draw % n];
  // 0 and 6 are the kinks of relu and relu6: they must stay themselves in every domain.
  return {number != 0 && number != 6, mix64(key, static_cast<std::uint64_t>(number + 16)), static_cast<double>(number)};
}

double activation(const Case& c, const Place& place, std::uint64_t key, double u, double smallest) {
  switch (c.data()) {
    case DataClass::shifted: {
      const double offset = 3 * std::round(4 * unit(mix64(key, 0x5417F + static_cast<std::uint64_t>(place.shard))));
      return (u + offset) * scaleOf(c);
    }
    case DataClass::largeOffset: return (u + 1e4) * scaleOf(c);
    case DataClass::subnormal: return 8 * u * smallest;
    default: return u * scaleOf(c);
  }
}

double numberOf(const ClaimInput& input, const Case& c, const Place& place, std::uint64_t key, double u,
                double smallest) {
  const double scale = c.data() == DataClass::subnormal ? smallest : scaleOf(c);
  const std::int64_t part = input.global.shape.rank() == 1 && input.role == Role::dyStatistics
                                ? 4 * place.channel / input.global.shape[0]
                                : 2 * place.channel / std::max<std::int64_t>(1, input.global.shape.cells());
  const double variance = (0.1 + std::abs(u)) * scale * scale;
  switch (input.role) {
    case Role::activation: return activation(c, place, key, u, smallest);
    case Role::cotangent:
    case Role::weight: return u + std::copysign(0.125, u);
    case Role::logit: return 4 * u;
    case Role::mean: return u * scale;
    case Role::variance: return variance;
    case Role::statistics:
    case Role::dyStatistics: return part == 0 ? u * scale : part == 1 ? variance : u;
    case Role::label: return 0;
  }
  return 0;
}

bool mustBePositive(const ClaimInput& input, const Place& place) {
  const std::int64_t cells = std::max<std::int64_t>(1, input.global.shape.cells());
  if (input.role == Role::variance) return true;
  if (input.role == Role::statistics) return 2 * place.channel / cells == 1;
  return input.role == Role::dyStatistics && 4 * place.channel / cells == 1;
}

}  // namespace

PlannedCell planCell(const ClaimInput& input, const Case& c, std::int64_t cell, double smallest) {
  if (const auto byHand = c.cells.find(input.name); byHand != c.cells.end())
    if (const auto found = byHand->second.find(cell); found != byHand->second.end())
      return {false, 0, static_cast<double>(found->second)};
  const Place place = placeOf(input, c, cell);
  const std::uint64_t key = streamKey(c.seed, input.name);
  if (input.role == Role::label) {
    const std::int64_t classes = input.global.shape[input.global.shape.rank() - 1];
    const auto label = static_cast<std::int64_t>(mix64(key, static_cast<std::uint64_t>(place.example)) %
                                                 static_cast<std::uint64_t>(classes));
    return {false, 0, place.label == label ? 1.0 : 0.0};
  }
  const bool isData = input.role == Role::activation || input.role == Role::cotangent;
  if (c.data() == DataClass::zeroCotangent && input.role == Role::cotangent) return {false, 0, 0};
  auto index = static_cast<std::uint64_t>(cell);
  if (c.data() == DataClass::equalShards && input.global.batched) index = static_cast<std::uint64_t>(place.inShard);
  if (c.data() == DataClass::constantChannel && input.role == Role::activation && input.global.batched &&
      place.channel == 0)
    index = 0;
  const std::uint64_t draw = mix64(key, index);
  if (c.data() == DataClass::integers) {
    PlannedCell planned = isData || input.role == Role::logit ? fromPalette(activationPalette, key, draw >> 8)
                                                              : fromPalette(parameterPalette, key, draw >> 8);
    if (mustBePositive(input, place)) planned.number = std::abs(planned.number);
    return planned;
  }
  return {true, draw, numberOf(input, c, place, key, unit(draw), smallest)};
}

}  // namespace shardlaw
