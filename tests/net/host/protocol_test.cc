#include "net/host/protocol.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <set>

using namespace shardlaw;

TEST_CASE("the rate rises linearly, then stays or falls by half a cosine") {
  const Schedule cosine{0.8, 4, 12, Decay::cosine};
  CHECK(cosine.rate(1) == 0.2);
  CHECK(cosine.rate(3) == Approx(0.6).epsilon(1e-15));
  CHECK(cosine.rate(4) == 0.8);
  // Half way down, cos(π/2) = 0; at the end cos(π) = −1.
  CHECK(cosine.rate(8) == Approx(0.4).epsilon(1e-15));
  CHECK(cosine.rate(6) == Approx(0.4 * (1 + std::sqrt(0.5))).epsilon(1e-15));
  CHECK(cosine.rate(12) == Approx(0).margin(1e-16));
  CHECK(cosine.rate(20) == Approx(0).margin(1e-16));
  const Schedule constant{0.8, 4, 12, Decay::constant};
  CHECK(constant.rate(2) == 0.4);
  CHECK(constant.rate(5) == 0.8);
  CHECK(constant.rate(12) == 0.8);
  CHECK(Schedule{0.5, 0, 1, Decay::constant}.rate(1) == 0.5);
}

TEST_CASE("corrections count from step 1") {
  const NetConstants constants;
  // CASES 36: a counter that starts at 0 divides by 0, one that starts at 2 by 0.19.
  CHECK(corrections(constants, 1).bc1 == Approx(0.1).epsilon(1e-14));
  CHECK(corrections(constants, 1).bc2 == Approx(0.001).epsilon(1e-12));
  CHECK(corrections(constants, 2).bc1 == Approx(0.19).epsilon(1e-14));
  CHECK(corrections(constants, 3).bc1 == Approx(0.271).epsilon(1e-14));
  CHECK(corrections(constants, 2).bc2 == Approx(0.001999).epsilon(1e-12));
}

TEST_CASE("running statistics are the first batch's, and then move by a hundredth") {
  // CASES 12: 0.01 of the new and 0.99 of the old, not the other way round.
  std::vector<Tensor<double>> running{Tensor<double>(Shape{2}, {7, 7})};
  updateRunning(running, {Tensor<double>(Shape{2}, {3, -1})}, 1);
  CHECK(running[0][0] == 3);
  CHECK(running[0][1] == -1);
  updateRunning(running, {Tensor<double>(Shape{2}, {103, -1})}, 2);
  CHECK(running[0][0] == Approx(4).epsilon(1e-15));
  CHECK(running[0][1] == Approx(-1).epsilon(1e-15));
  std::vector<Tensor<float>> single{Tensor<float>(Shape{1}, {1e30F})};
  updateRunning(single, {Tensor<float>(Shape{1}, {std::nanf("")})}, 2);
  CHECK(std::isnan(single[0][0]));
  // What is there before the first step counts for nothing, be it no number.
  single[0][0] = std::nanf("");
  updateRunning(single, {Tensor<float>(Shape{1}, {2.0F})}, 1);
  CHECK(single[0][0] == 2);
}

TEST_CASE("normal draws have the moments and the tails of a normal distribution") {
  RandomWords words(5, "normal");
  constexpr int n = 200000;
  double sum = 0, squares = 0, fourths = 0;
  int above[5] = {};
  for (int i = 0; i < n; ++i) {
    const double x = standardNormal(words);
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
    for (int k = 0; k < 5; ++k) above[k] += x > k - 2 ? 1 : 0;
  }
  // Five standard errors: 1/√n, √(2/n), √(96/n).
  const double root = std::sqrt(static_cast<double>(n));
  CHECK(std::abs(sum / n) < 5 / root);
  CHECK(std::abs(squares / n - 1) < 5 * std::sqrt(2.0) / root);
  CHECK(std::abs(fourths / n - 3) < 5 * std::sqrt(96.0) / root);
  for (int k = 0; k < 5; ++k) {
    const double tail = 0.5 * std::erfc((k - 2) / std::sqrt(2.0));
    CHECK(std::abs(above[k] / static_cast<double>(n) - tail) < 5 * std::sqrt(tail * (1 - tail)) / root);
  }
}

TEST_CASE("weights start with variance 2/fan-in, biases and β at 0, γ at 1, and each parameter on its own stream") {
  const Net net = plainNet({"test", "", Shape{3, 16, 16}, {16}, 2, 64, 10});
  const auto parameters = initialParameters<double>(net, 3);
  REQUIRE(parameters.size() == net.parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = net.parameters[i];
    INFO(parameter.name);
    CHECK(parameters[i].shape() == parameter.shape);
    double squares = 0;
    for (std::int64_t k = 0; k < parameters[i].cells(); ++k) squares += parameters[i][k] * parameters[i][k];
    const auto cells = static_cast<double>(parameters[i].cells());
    switch (parameter.initial) {
      case Initial::zeros: CHECK(squares == 0); break;
      case Initial::ones: CHECK(squares == cells); break;
      case Initial::heNormal: {
        const double fanIn = static_cast<double>(parameter.shape.cells()) /
                             static_cast<double>(parameter.shape.rank() == 4 ? parameter.shape[0] : parameter.shape[1]);
        CHECK(std::abs(squares / cells * fanIn / 2 - 1) < 5 * std::sqrt(2 / cells));
      }
    }
  }
  CHECK_FALSE(initialParameters<double>(net, 4)[0][0] == parameters[0][0]);
  CHECK_FALSE(parameters[0][0] == parameters[4][0] * std::sqrt(16 / 3.0));
  // f32 is f64 rounded once.
  CHECK(initialParameters<float>(net, 3)[0][5] == static_cast<float>(parameters[0][5]));
}

TEST_CASE("an epoch's order is a shuffle, another in each epoch and for each seed") {
  const auto order = epochOrder(1000, 1, 0);
  const std::set<std::int64_t> distinct(order.begin(), order.end());
  CHECK(distinct.size() == 1000);
  CHECK(*distinct.begin() == 0);
  CHECK(*distinct.rbegin() == 999);
  int fixed = 0;
  for (std::size_t i = 0; i < order.size(); ++i) fixed += order[i] == static_cast<std::int64_t>(i) ? 1 : 0;
  CHECK(fixed < 8);  // one is expected; 8 or more have a probability of 10^-5
  CHECK(epochOrder(1000, 1, 0) == order);
  CHECK_FALSE(epochOrder(1000, 1, 1) == order);
  CHECK_FALSE(epochOrder(1000, 2, 0) == order);
  CHECK(epochOrder(1, 1, 0) == std::vector<std::int64_t>{0});
}
