// The backward pass of whole train steps against forward mode and against finite differences of the loss.
#include <catch2/catch.hpp>

#include "interp/error.h"
#include "interp/exec/evaluate.h"
#include "interp/node/nodes.h"
#include "interp/number/hash.h"
#include "interp/number/verdict.h"
#include "net/program.h"

namespace shardlaw::test {
namespace {

/// An SGD step whose values can be looked up.
struct StepProgram {
  Net net;
  Program program;
  StepInputs inputs;
  StepValues values;

  ValueId gradient(const std::string& parameter) const {
    for (const Landmark& mark : values.landmarks)
      if (mark.name == "gradient of " + parameter) return mark.value;
    throw std::logic_error("no gradient of " + parameter);
  }
};

StepProgram stepOf(const Net& net, std::int64_t batch, std::int64_t replicas) {
  StepProgram step{net, {}, {}, {}};
  Builder builder;
  StepInputs& inputs = step.inputs;
  inputs.x = builder.batchedInput("x", Shape{batch, net.image.cells()});
  for (auto& [slot, suffix] : {std::pair{&inputs.theta, ""}, {&inputs.m, "m"}, {&inputs.v, "v"}})
    for (const Parameter& parameter : net.parameters)
      slot->push_back(builder.sharedInput(parameter.name + suffix, parameter.shape));
  inputs.lr = builder.sharedInput("lr", Shape{});
  inputs.bc1 = builder.sharedInput("bc1", Shape{});
  inputs.bc2 = builder.sharedInput("bc2", Shape{});
  inputs.onehot = builder.batchedInput("onehot", Shape{batch, net.classes});
  StepOptions options;
  options.replicas = replicas;
  step.values = addTrainStep(builder, net, options, inputs);
  step.program = std::move(builder).finish();
  return step;
}

Field number(const Exact&, std::uint64_t bits) { return Field::fromUnsigned(bits); }
BoundedScalar<double> number(const Bounded<double>&, std::uint64_t bits) {
  return {static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63, 0};
}
WideScalar number(const Wide& wide, std::uint64_t bits) {
  return wide.fromDouble(static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63);
}

/// Random inputs of every replica: x its own, labels one-hot, the rest equal on all.
template <class D>
std::vector<std::vector<Tensor<typename D::Scalar>>> drawInputs(const D& domain, const StepProgram& step,
                                                                std::int64_t replicas, std::uint64_t seed) {
  std::vector<std::vector<Tensor<typename D::Scalar>>> drawn(static_cast<std::size_t>(replicas));
  for (std::int64_t r = 0; r < replicas; ++r)
    for (const ValueId id : step.program.inputs()) {
      const Type& type = step.program.value(id).type;
      const std::uint64_t key = mix64(seed, static_cast<std::uint64_t>(id + (type.batched ? 1000 * (r + 1) : 0)));
      Tensor<typename D::Scalar> tensor(type.shape);
      for (std::int64_t i = 0; i < tensor.cells(); ++i)
        tensor[i] = number(domain, mix64(key, static_cast<std::uint64_t>(i)));
      if (id == step.inputs.onehot)
        for (std::int64_t i = 0; i < tensor.cells(); ++i) {
          const std::int64_t n = i / step.net.classes, label = (3 * n + r + 1) % step.net.classes;
          tensor[i] = domain.literal(i % step.net.classes == label ? 1 : 0);
        }
      drawn[static_cast<std::size_t>(r)].push_back(std::move(tensor));
    }
  return drawn;
}

/// The same inputs, with a random direction of all θ as tangents; one direction on every replica.
template <class D>
std::vector<std::vector<Tensor<DualScalar<typename D::Scalar>>>> withDirection(
    const D& domain, const StepProgram& step, const std::vector<std::vector<Tensor<typename D::Scalar>>>& inputs,
    std::uint64_t seed) {
  std::vector<std::vector<Tensor<DualScalar<typename D::Scalar>>>> duals(inputs.size());
  for (std::size_t r = 0; r < inputs.size(); ++r)
    for (std::size_t k = 0; k < inputs[r].size(); ++k) {
      const ValueId id = step.program.inputs()[k];
      const auto& theta = step.inputs.theta;
      const bool moves = std::find(theta.begin(), theta.end(), id) != theta.end();
      Tensor<DualScalar<typename D::Scalar>> dual(inputs[r][k].shape());
      for (std::int64_t i = 0; i < dual.cells(); ++i) {
        dual[i].primal = inputs[r][k][i];
        if (moves) dual[i].tangent = number(domain, mix64(mix64(seed, k), static_cast<std::uint64_t>(i)));
      }
      duals[r].push_back(std::move(dual));
    }
  return duals;
}

/// What must agree: the tangent of the replicas' mean loss, and Σ gradient·direction as each replica has it.
template <class S>
struct Derivatives {
  S forward{};
  std::vector<S> backward;
};

template <class D>
Derivatives<typename D::Scalar> derivativesOf(const D& domain, const StepProgram& step, std::int64_t replicas,
                                              std::uint64_t seed) {
  const auto inputs = drawInputs(domain, step, replicas, seed);
  const auto values = evaluate(Dual<D>(domain), step.program, withDirection(domain, step, inputs, seed + 1));
  Derivatives<typename D::Scalar> found;
  for (const auto& replica : values) {
    const auto& loss = replica[static_cast<std::size_t>(step.values.loss)];
    found.forward = found.forward + loss[0].tangent / domain.literal(static_cast<long>(replicas));
    typename D::Sum sum;
    for (std::size_t i = 0; i < step.net.parameters.size(); ++i) {
      const auto& theta = replica[static_cast<std::size_t>(step.inputs.theta[i])];
      const auto& gradient = replica[static_cast<std::size_t>(step.gradient(step.net.parameters[i].name))];
      for (std::int64_t k = 0; k < theta.cells(); ++k) sum.addProduct(gradient[k].primal, theta[k].tangent);
    }
    found.backward.push_back(sum.total());
  }
  return found;
}

Net odd() { return plainNet({"odd", "", Shape{1, 4, 2}, {3}, 1, 2, 3}); }

TEST_CASE("the tangent of the loss is Σ gradient·direction, exactly, at one replica and at several") {
  for (const Net& net : {findNet("tiny-bn").make(), findNet("tiny-resnet").make(), odd()})
    for (const std::int64_t replicas : {1, 2, 3}) {
      INFO(net.name << " R = " << replicas);
      const StepProgram step = stepOf(net, 2, replicas);
      for (const std::uint64_t seed : {11, 12, 13}) {
        const auto found = derivativesOf(Exact(seed), step, replicas, seed);
        CHECK_FALSE(found.forward == Field());
        for (const Field backward : found.backward) CHECK(backward == found.forward);
      }
    }
}

double magnitude(const WideScalar& a) { return std::abs(a.toDouble()); }

TEST_CASE("the tangent of the loss is Σ gradient·direction in 256 bits") {
  const Wide wide(256);
  for (const char* name : {"tiny-bn", "tiny-resnet"})
    for (const std::int64_t replicas : {1, 2}) {
      INFO(name << " R = " << replicas);
      const StepProgram step = stepOf(findNet(name).make(), 2, replicas);
      const auto found = derivativesOf(wide, step, replicas, 21);
      CHECK(magnitude(found.forward) > 1e-4);
      // Some 2^16 operations, each off by 2^-256 of values below 2^30.
      for (const auto& backward : found.backward) CHECK(magnitude(backward - found.forward) < 0x1p-200);
    }
}

TEST_CASE("a convolution's bias in front of a BN has gradient 0, exactly; no other parameter has") {
  for (const std::int64_t replicas : {1, 3}) {
    const StepProgram step = stepOf(findNet("tiny-bn").make(), 2, replicas);
    const Exact exact(31);
    const auto values = evaluate(exact, step.program, drawInputs(exact, step, replicas, 31));
    for (const Parameter& parameter : step.net.parameters) {
      INFO(parameter.name);
      const auto& gradient = values[0][static_cast<std::size_t>(step.gradient(parameter.name))];
      int zeros = 0;
      for (std::int64_t i = 0; i < gradient.cells(); ++i) zeros += gradient[i] == Field() ? 1 : 0;
      if (parameter.name.starts_with("cb")) CHECK(zeros == gradient.cells());
      else CHECK(zeros < gradient.cells());
    }
  }
}

TEST_CASE("in f64 such a bias has rounding for a gradient, within a bound on the scale of what was summed (CASES 50)") {
  for (const std::int64_t replicas : {1, 3}) {
    const StepProgram step = stepOf(findNet("tiny-bn").make(), 2, replicas);
    const Bounded<double> bounded;
    const auto values = evaluate(bounded, step.program, drawInputs(bounded, step, replicas, 31));
    int rounded = 0;
    for (const Parameter& parameter : step.net.parameters) {
      if (!parameter.name.starts_with("cb")) continue;
      INFO(parameter.name);
      const auto& gradient = values[0][static_cast<std::size_t>(step.gradient(parameter.name))];
      for (std::int64_t i = 0; i < gradient.cells(); ++i) {
        // Its relative error is infinite: 0 is right.
        rounded += gradient[i].value != 0 ? 1 : 0;
        CHECK(judgeForeign(gradient[i], 0.0).closeness != Closeness::outside);
        CHECK(judgeForeign(gradient[i], 0.0).closeness != Closeness::unknown);
        CHECK(judgeForeign(gradient[i], 1e-6).closeness == Closeness::outside);
      }
    }
    CHECK(rounded > 0);
  }
}

/// The step at θ + h·direction, the direction within one parameter (−1: within all of them).
class Shifted {
 public:
  Shifted(const StepProgram& step, std::uint64_t seed) : step_(step), seed_(seed) {
    inputs_ = drawInputs(wide_, step, 1, seed)[0];
  }

  std::vector<Tensor<WideScalar>> at(const WideScalar& h, int parameter) const {
    auto inputs = inputs_;
    for (std::size_t i = 0; i < step_.net.parameters.size(); ++i) {
      if (parameter >= 0 && parameter != static_cast<int>(i)) continue;
      // Inputs are x, then θ.
      Tensor<WideScalar>& theta = inputs[1 + i];
      for (std::int64_t k = 0; k < theta.cells(); ++k) theta[k] = theta[k] + h * direction(i, k);
    }
    std::vector<std::vector<Tensor<WideScalar>>> replicas{std::move(inputs)};
    return evaluate(wide_, step_.program, std::move(replicas))[0];
  }

  WideScalar alongGradient(int parameter) const {
    const auto values = at(wide_.fromDouble(0), parameter);
    WideSum sum;
    for (std::size_t i = 0; i < step_.net.parameters.size(); ++i) {
      if (parameter >= 0 && parameter != static_cast<int>(i)) continue;
      const auto& gradient = values[static_cast<std::size_t>(step_.gradient(step_.net.parameters[i].name))];
      for (std::int64_t k = 0; k < gradient.cells(); ++k) sum.addProduct(gradient[k], direction(i, k));
    }
    return sum.total();
  }

  /// (f(θ + h·d) − f(θ − h·d))/2h. Requires that no kink lies between: every value is 0 in the same cells, so that
  /// relu masks and the choices of pools, which are seen in the cotangents, agree.
  WideScalar quotient(double h, int parameter) const {
    const auto above = at(wide_.fromDouble(h), parameter), below = at(wide_.fromDouble(-h), parameter);
    for (std::size_t id = 0; id < above.size(); ++id) {
      const auto& operation = step_.program.values()[id].operation;
      const bool masks =
          operation && (operation->node == &nodes::relu || operation->node == &nodes::selectPos ||
                        operation->node == &nodes::maxPool2Back || operation->node == &nodes::maxPool3Back);
      if (!masks) continue;
      const WideScalar zero = wide_.fromDouble(0);
      for (std::int64_t k = 0; k < above[id].cells(); ++k)
        if ((above[id][k] == zero) != (below[id][k] == zero)) throw std::logic_error("a kink lies between");
    }
    const auto loss = static_cast<std::size_t>(step_.values.loss);
    return (above[loss][0] - below[loss][0]) / wide_.fromDouble(2 * h);
  }

 private:
  WideScalar direction(std::size_t parameter, std::int64_t cell) const {
    return number(wide_, mix64(mix64(seed_ + 1, parameter), static_cast<std::uint64_t>(cell)));
  }

  Wide wide_{256};
  const StepProgram& step_;
  std::uint64_t seed_;
  std::vector<Tensor<WideScalar>> inputs_;
};

// The central quotient is f' + h²·f'''/6 + h⁴·f⁗'/120 + …, so halving h divides its error by 4·(1 + O(h²)), and the
// difference of the two quotients is three times the error of the finer one. Rounding adds 2^-256·|f|/h at most:
// with h = 2^-40 it is 2^-136 of an error of h².
TEST_CASE("gradients are the limits of central differences, each parameter's by itself and all together") {
  constexpr double h = 0x1p-40;
  for (const char* name : {"tiny-bn", "tiny-resnet"}) {
    const StepProgram step = stepOf(findNet(name).make(), 2, 1);
    const Shifted shifted(step, 41);
    for (int parameter = -1; parameter < static_cast<int>(step.net.parameters.size()); ++parameter) {
      INFO(name << ' ' << (parameter < 0 ? "all" : step.net.parameters[static_cast<std::size_t>(parameter)].name));
      const WideScalar derivative = shifted.alongGradient(parameter);
      const WideScalar coarse = shifted.quotient(h, parameter), fine = shifted.quotient(h / 2, parameter);
      const double error = magnitude(fine - derivative), third = magnitude(coarse - fine);
      constexpr double rounding = 0x1p-200;
      CHECK(error <= third * (1.0 / 3 + 1e-6) + rounding);
      // h²·|f'''|/8, with a third derivative that is no larger than such nets can have.
      CHECK(third < h * h * 1e6);
      if (third > rounding * 1e6) CHECK(magnitude(coarse - derivative) / error == Approx(4).epsilon(1e-6));
    }
  }
}

}  // namespace
}  // namespace shardlaw::test
