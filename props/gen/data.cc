#include "props/gen/data.h"

namespace shardlaw {
namespace {

/// A number in [−1, 1) from random bits.
double unit(std::uint64_t bits) { return static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63; }

/// Decimal exponents 0, 1, −1, 2, −2, …: earlier ones are simpler.
double scaleOf(const Case& c) {
  constexpr double scales[] = {1, 1e1, 1e-1, 1e2, 1e-2, 1e3, 1e-3, 1e4, 1e-4};
  return scales[c[Dimension::scale]];
}

constexpr int activationPalette[] = {1, -1, 2, 0, -2, 3, 6, 0};
constexpr int parameterPalette[] = {1, 2, -1, 3, -2, 5};

template <std::size_t n>
PlannedCell fromPalette(const int (&palette)[n], std::uint64_t key, std::uint64_t draw) {
  const int number = palette[draw % n];
  // 0 and 6 are the kinks of relu and relu6: they must stay themselves in every domain.
  return {number != 0 && number != 6, mix64(key, static_cast<std::uint64_t>(number + 16)), static_cast<double>(number)};
}

}  // namespace

/// Where a cell lies: its example and shard (0 where not batched), channel, and the cells of one shard.
struct InputPlan::Place {
  std::int64_t shard = 0, channel = 0, inShard = 0, example = 0, label = 0;
};

InputPlan::InputPlan(const ClaimInput& input, const Case& c, double smallest)
    : input_(input),
      data_(c.data()),
      smallest_(smallest),
      scale_(scaleOf(c)),
      key_(streamKey(c.seed, input.name)),
      cells_(std::max<std::int64_t>(1, input.global.shape.cells())) {
  if (const auto found = c.cells.find(input.name); found != c.cells.end()) byHand_ = &found->second;
  if (!input.global.batched) return;
  const Shape& shape = input.global.shape;
  perExample_ = cells_ / shape[0];
  perShard_ = perExample_ * c[Dimension::N];
  perChannel_ = shape.rank() == 4 ? shape[2] * shape[3] : 1;
}

InputPlan::Place InputPlan::placeOf(std::int64_t cell) const {
  Place place;
  if (!input_.global.batched) {
    place.channel = cell;
    place.inShard = cell;
    return place;
  }
  place.example = cell / perExample_;
  place.shard = cell / perShard_;
  place.inShard = cell % perShard_;
  place.label = cell % perExample_;
  place.channel = place.label / perChannel_;
  return place;
}

double InputPlan::activation(const Place& place, double u) const {
  switch (data_) {
    case DataClass::shifted: {
      const double offset = 3 * std::round(4 * unit(mix64(key_, 0x5417F + static_cast<std::uint64_t>(place.shard))));
      return (u + offset) * scale_;
    }
    case DataClass::largeOffset: return (u + 1e4) * scale_;
    case DataClass::subnormal: return 8 * u * smallest_;
    default: return u * scale_;
  }
}

double InputPlan::numberOf(const Place& place, double u) const {
  const double scale = data_ == DataClass::subnormal ? smallest_ : scale_;
  const double variance = (0.1 + std::abs(u)) * scale * scale;
  const auto part = [&](std::int64_t parts) { return parts * place.channel / cells_; };
  const auto statistic = [&](std::int64_t which) { return which == 0 ? u * scale : which == 1 ? variance : u; };
  switch (input_.role) {
    case Role::activation: return activation(place, u);
    case Role::cotangent:
    case Role::weight: return u + std::copysign(0.125, u);
    case Role::logit: return 4 * u;
    case Role::mean: return u * scale;
    case Role::variance: return variance;
    case Role::statistics: return statistic(part(2));
    case Role::dyStatistics: return statistic(part(4));
    case Role::label: return 0;
  }
  return 0;
}

bool InputPlan::mustBePositive(const Place& place) const {
  if (input_.role == Role::variance) return true;
  if (input_.role == Role::statistics) return 2 * place.channel / cells_ == 1;
  return input_.role == Role::dyStatistics && 4 * place.channel / cells_ == 1;
}

PlannedCell InputPlan::operator()(std::int64_t cell) const {
  if (byHand_ != nullptr)
    if (const auto found = byHand_->find(cell); found != byHand_->end())
      return {false, 0, static_cast<double>(found->second)};
  const Place place = placeOf(cell);
  if (input_.role == Role::label) {
    const std::int64_t classes = input_.global.shape[input_.global.shape.rank() - 1];
    const auto label = static_cast<std::int64_t>(mix64(key_, static_cast<std::uint64_t>(place.example)) %
                                                 static_cast<std::uint64_t>(classes));
    return {false, 0, place.label == label ? 1.0 : 0.0};
  }
  const bool isData = input_.role == Role::activation || input_.role == Role::cotangent;
  if (data_ == DataClass::zeroCotangent && input_.role == Role::cotangent) return {false, 0, 0};
  auto index = static_cast<std::uint64_t>(cell);
  if (data_ == DataClass::equalShards && input_.global.batched) index = static_cast<std::uint64_t>(place.inShard);
  if (data_ == DataClass::constantChannel && input_.role == Role::activation && input_.global.batched &&
      place.channel == 0)
    index = 0;
  const std::uint64_t draw = mix64(key_, index);
  if (data_ == DataClass::integers) {
    PlannedCell planned = isData || input_.role == Role::logit ? fromPalette(activationPalette, key_, draw >> 8)
                                                               : fromPalette(parameterPalette, key_, draw >> 8);
    if (mustBePositive(place)) planned.number = std::abs(planned.number);
    return planned;
  }
  return {true, draw, numberOf(place, unit(draw)) * input_.size};
}

}  // namespace shardlaw
