#include "net/host/protocol.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "interp/number/hash.h"

namespace shardlaw {
namespace {

/// True with probability exp(−z), 0 ≤ z ≤ 1: the length of a falling run of uniforms that starts below z is even (von
/// Neumann, 1951).
bool bernoulliExp(RandomWords& words, double z) {
  bool even = true;
  for (double last = z;; even = !even) {
    const double u = words.uniform();
    if (u >= last) return even;
    last = u;
  }
}

constexpr double half = 0.5;

}  // namespace

double Schedule::rate(std::int64_t t) const {
  if (t <= warmup) return peak * static_cast<double>(t) / static_cast<double>(warmup);
  if (decay == Decay::constant || steps <= warmup) return peak;
  const double part = static_cast<double>(t - warmup) / static_cast<double>(steps - warmup);
  return peak * half * (1 + std::cos(std::numbers::pi * std::min(part, 1.0)));
}

Corrections corrections(const NetConstants& constants, std::int64_t t) {
  const auto correction = [t](const Rational& beta) { return 1 - std::pow(toDouble(beta), static_cast<double>(t)); };
  return {correction(constants.beta1), correction(constants.beta2)};
}

template <class F>
void updateRunning(std::vector<Tensor<F>>& running, const std::vector<Tensor<F>>& batch, std::int64_t t) {
  const double a = t == 1 ? 1 : 0.01;
  for (std::size_t i = 0; i < running.size(); ++i)
    for (std::int64_t c = 0; c < running[i].cells(); ++c) {
      const double kept = t == 1 ? 0 : (1 - a) * static_cast<double>(running[i][c]);
      running[i][c] = static_cast<F>(kept + a * static_cast<double>(batch[i][c]));
    }
}
template void updateRunning(std::vector<Tensor<float>>&, const std::vector<Tensor<float>>&, std::int64_t);
template void updateRunning(std::vector<Tensor<double>>&, const std::vector<Tensor<double>>&, std::int64_t);

RandomWords::RandomWords(std::uint64_t seed, std::string_view stream) : key_(streamKey(seed, stream)) {}

std::uint64_t RandomWords::next() { return mix64(key_, count_++); }

double RandomWords::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

std::int64_t RandomWords::below(std::int64_t n) {
  return static_cast<std::int64_t>((static_cast<unsigned __int128>(next()) * static_cast<std::uint64_t>(n)) >> 64);
}

double standardNormal(RandomWords& words) {
  while (true) {
    // k with a probability in proportion to exp(−k/2), kept with exp(−k(k−1)/2): together exp(−k²/2).
    int k = 0;
    while (bernoulliExp(words, half)) ++k;
    bool kept = true;
    for (int i = 0; i < k * (k - 1) && kept; ++i) kept = bernoulliExp(words, half);
    if (!kept) continue;
    // x in [0, 1), kept with exp(−x(2k + x)/2), in k + 1 equal parts so that each exponent is at most 1.
    const double x = words.uniform();
    const double part = x * (2 * k + x) / (2 * k + 2);
    for (int i = 0; i <= k && kept; ++i) kept = bernoulliExp(words, part);
    if (!kept) continue;
    const double magnitude = k + x;
    return words.next() % 2 == 0 ? magnitude : -magnitude;
  }
}

template <class F>
std::vector<Tensor<F>> initialParameters(const Net& net, std::uint64_t seed) {
  std::vector<Tensor<F>> parameters;
  for (const Parameter& parameter : net.parameters) {
    Tensor<F> tensor(parameter.shape);
    RandomWords words(seed, "initial " + parameter.name);
    const double deviation = parameter.initial == Initial::heNormal ? std::sqrt(parameter.heVariance()) : 0;
    for (std::int64_t i = 0; i < tensor.cells(); ++i) {
      if (parameter.initial == Initial::ones) tensor[i] = 1;
      else if (parameter.initial == Initial::heNormal) tensor[i] = static_cast<F>(deviation * standardNormal(words));
    }
    parameters.push_back(std::move(tensor));
  }
  return parameters;
}
template std::vector<Tensor<float>> initialParameters(const Net&, std::uint64_t);
template std::vector<Tensor<double>> initialParameters(const Net&, std::uint64_t);

std::vector<std::int64_t> epochOrder(std::int64_t n, std::uint64_t seed, std::int64_t epoch) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  RandomWords words(mix64(seed, static_cast<std::uint64_t>(epoch)), "order");
  for (std::int64_t i = n - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(words.below(i + 1))]);
  return order;
}

}  // namespace shardlaw
