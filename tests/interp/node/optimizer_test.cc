// Optimizers, worked by hand: the conventions that have gone wrong in the field (CASES 34 to 37).
#include "interp/node/optimizer.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "interp/exec/evaluate.h"

namespace shardlaw {
namespace {

Tensor<double> number(double value) { return Tensor<double>(Shape{}, {value}); }
Tensor<double> coordinate(double value) { return Tensor<double>(Shape{1}, {value}); }

/// One coordinate of an optimizer and its moments, stepped as a host would.
class Coordinate {
 public:
  explicit Coordinate(double theta) : theta_(theta) {}
  double theta() const { return theta_; }

  void sgd(double g, double lr) { theta_ = run(nodes::sgd, {theta_, g}, {lr}, {}); }
  void nesterov(double g, double lr, const char* momentum) {
    const Attributes mu{{"momentum", Attribute{decimal(momentum)}}};
    v_ = run(nodes::nesterovVelocity, {v_, g}, {}, mu);
    theta_ = run(nodes::nesterov, {theta_, g, v_}, {lr}, mu);
  }
  void adamw(double g, double lr, const char* eps, const char* decay) {
    ++t_;
    m_ = run(nodes::adamwMoment, {m_, g}, {}, betas("0.9", "0.1"));
    v_ = run(nodes::adamwSquare, {v_, g}, {}, betas("0.999", "0.001"));
    theta_ = run(nodes::adamw, {theta_, m_, v_}, {lr, 1 - std::pow(0.9, t_), 1 - std::pow(0.999, t_)},
                 {{"eps", Attribute{decimal(eps)}}, {"decay", Attribute{decimal(decay)}}});
  }

 private:
  static Attributes betas(const char* beta, const char* rest) {
    return {{"beta", Attribute{decimal(beta)}}, {"oneMinusBeta", Attribute{decimal(rest)}}};
  }
  static double run(const Node& node, const std::vector<double>& tensors, const std::vector<double>& scalars,
                    const Attributes& attributes) {
    Builder builder;
    std::vector<ValueId> operands;
    std::vector<Tensor<double>> inputs;
    for (const double tensor : tensors) {
      operands.push_back(builder.sharedInput("x" + std::to_string(operands.size()), Shape{1}));
      inputs.push_back(coordinate(tensor));
    }
    for (const double scalar : scalars) {
      operands.push_back(builder.sharedInput("x" + std::to_string(operands.size()), Shape{}));
      inputs.push_back(number(scalar));
    }
    builder.result("y", builder.apply(node, operands, attributes));
    return evaluate(F64(), std::move(builder).finish(), {inputs})[0].back()[0];
  }

  double theta_, m_ = 0, v_ = 0;
  int t_ = 0;
};

}  // namespace

// Results below are a few operations in f64: 1e-12 is far above their rounding and far below the wrong versions.
TEST_CASE("SGD follows the learning rate, also when it changes between steps") {
  Coordinate theta(1);
  theta.sgd(2, 0.1);
  CHECK(theta.theta() == Approx(0.8).epsilon(1e-12));
  theta.sgd(2, 0.25);
  CHECK(theta.theta() == Approx(0.3).epsilon(1e-12));
}

TEST_CASE("Nesterov: p 1, g 1 twice, lr 0.1, μ 0.9 gives 0.539 (CASES 34)") {
  Coordinate theta(1);
  theta.nesterov(1, 0.1, "0.9");
  CHECK(theta.theta() == Approx(0.81).epsilon(1e-12));  // 1 − 0.1·(1 + 0.9·1)
  theta.nesterov(1, 0.1, "0.9");
  CHECK(theta.theta() == Approx(0.539).epsilon(1e-12));  // v' = 1.9; 0.81 − 0.1·(1 + 1.71)
}

TEST_CASE("AdamW: ε is added outside the root, after bias correction (CASES 35)") {
  Coordinate theta(0);
  // m'/bc1 = 1e-3 and √(v'/bc2) = 1e-3: the update is lr·1e-3/(1e-3 + 1e-3).
  theta.adamw(1e-3, 1, "1e-3", "0");
  CHECK(theta.theta() == Approx(-0.5).epsilon(1e-12));
}

TEST_CASE("AdamW: a constant gradient moves by lr at every step, whatever its size (CASES 36)") {
  for (const double g : {3.0, -2e-3}) {
    Coordinate theta(0);
    double expected = 0;
    for (const double lr : {0.1, 0.1, 0.02}) {
      theta.adamw(g, lr, "0", "0");
      expected -= std::copysign(lr, g);
      CHECK(theta.theta() == Approx(expected).epsilon(1e-12));
    }
  }
}

TEST_CASE("AdamW: the decay is decoupled and times lr (CASES 37)") {
  Coordinate theta(1);
  theta.adamw(0, 0.1, "1e-8", "0.5");
  CHECK(theta.theta() == Approx(0.95).epsilon(1e-12));
}

TEST_CASE("optimizers refuse tensors of different shapes, scalars of another rank, and rates of 1 or more") {
  Builder builder;
  const ValueId theta = builder.sharedInput("theta", Shape{2, 3}), g = builder.sharedInput("g", Shape{3, 2});
  const ValueId lr = builder.sharedInput("lr", Shape{1});
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(builder.apply(nodes::sgd, {theta, g, lr}),
                    Contains("sgd") && Contains("[2,3]") && Contains("[3,2]"));
  CHECK_THROWS_WITH(builder.apply(nodes::sgd, {theta, theta, lr}), Contains("lr") && Contains("[]") && Contains("[1]"));
  CHECK_THROWS_WITH(builder.apply(nodes::nesterovVelocity, {theta, theta}, {{"momentum", Attribute{Rational(1)}}}),
                    Contains("momentum") && Contains("below 1"));
}

}  // namespace shardlaw
