// allReduceMean: the mean over replicas, at any R and near the ends of the float range.
#include <catch2/catch.hpp>
#include <limits>

#include "tests/interp/against.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

template <class D>
std::vector<Tensors<D>> perReplica(Tensors<D> each) {
  std::vector<Tensors<D>> replicas;
  for (auto& v : each) replicas.push_back({std::move(v)});
  return replicas;
}

TEST_CASE("allReduceMean by hand, the same on every replica") {
  const auto check = [](const auto& domain) {
    using D = std::decay_t<decltype(domain)>;
    // R = 3: (1+4+10)/3, (2+5−1)/3.
    const auto y = applyAt(domain, nodes::allReduceMean,
                           perReplica<D>({Literal{{2}, {1, 2}}.in(domain), Literal{{2}, {4, 5}}.in(domain),
                                          Literal{{2}, {10, -1}}.in(domain)}));
    REQUIRE(y.size() == 3);
    for (const auto& replica : y) CHECK(difference(replica, Literal{{2}, {5, 2}}.in(domain)) == "");
  };
  check(Exact(1));
  check(F64{});
  check(F32{});
}

TEST_CASE("allReduceMean of random values is their mean in any order, on every replica") {
  Random random(81);
  for (const std::int64_t replicas : {1, 2, 3, 5, 8})
    for (int i = 0; i < 10; ++i) {
      const Shape shape{random.between(1, 3), random.between(1, 4)};
      const Exact exact(random.bits());
      Tensors<Exact> fields;
      Tensors<F64> reals;
      Tensors<Bounded64> bounded;
      for (std::int64_t r = 0; r < replicas; ++r) {
        fields.push_back(random.tensor<Field>(shape));
        reals.push_back(random.tensor<double>(shape));
        bounded.push_back(exactly(reals.back()));
      }
      // From the last replica to the first, each divided on its own.
      Tensor<Field> inExact(shape);
      Tensor<Wide> real(shape);
      for (std::int64_t k = 0; k < shape.cells(); ++k)
        for (std::int64_t r = replicas - 1; r >= 0; --r) {
          inExact[k] = inExact[k] + fields[static_cast<std::size_t>(r)][k] / Field::fromSigned(replicas);
          real[k] = real[k] + wide(reals[static_cast<std::size_t>(r)][k]) / replicas;
        }
      const auto found = applyAt(exact, nodes::allReduceMean, perReplica<Exact>(fields));
      const auto inF64 = applyAt(F64{}, nodes::allReduceMean, perReplica<F64>(reals));
      const auto inBounded = applyAt(Bounded64{}, nodes::allReduceMean, perReplica<Bounded64>(bounded));
      for (std::size_t r = 0; r < found.size(); ++r) {
        REQUIRE(difference(found[r], inExact) == "");
        REQUIRE(outsideBound(inF64[r], inBounded[r], real) == "");
      }
    }
}

TEMPLATE_TEST_CASE("at one replica allReduceMean is the identity, to the bit", "", float, double) {
  using F = TestType;
  const F nan = std::numeric_limits<F>::quiet_NaN(), inf = std::numeric_limits<F>::infinity();
  const Tensor<F> v({6},
                    {F(-0.0), std::numeric_limits<F>::denorm_min(), std::numeric_limits<F>::max(), -inf, nan, F(0.1)});
  CHECK(bitDifference(apply(Ieee<F>{}, nodes::allReduceMean, {v}), v) == "");
}

TEMPLATE_TEST_CASE("case 10: a mean that is representable does not overflow on the way", "", float, double) {
  using F = TestType;
  const F large = std::numeric_limits<F>::max() / 2;
  for (const std::size_t replicas : {2U, 3U, 4U, 5U, 7U}) {
    const auto y = applyAt(Ieee<F>{}, nodes::allReduceMean,
                           perReplica<Ieee<F>>(Tensors<Ieee<F>>(replicas, Tensor<F>({1}, {large}))));
    // R − 1 additions and a division, each within u of itself.
    const F off = std::abs(y[0][0] / large - 1);
    CHECK(off <= static_cast<F>(replicas + 1) * std::numeric_limits<F>::epsilon() / 2);
    if (replicas == 2 || replicas == 4) CHECK(y[0][0] == large);
  }
}

TEMPLATE_TEST_CASE("away from the ends of the range the mean is the plain left-to-right sum over R", "", float,
                   double) {
  using F = TestType;
  Random random(82);
  for (const std::size_t replicas : {2U, 3U, 4U, 5U, 6U, 7U})
    for (int i = 0; i < 50; ++i) {
      Tensors<Ieee<F>> each;
      F sum = 0;
      for (std::size_t r = 0; r < replicas; ++r) {
        each.emplace_back(Shape{1}, std::vector<F>{static_cast<F>(random.real())});
        sum += each.back()[0];
      }
      const auto y = applyAt(Ieee<F>{}, nodes::allReduceMean, perReplica<Ieee<F>>(each));
      CHECK(sameBits(y[0][0], sum / static_cast<F>(replicas)));
    }
}

TEST_CASE("the transpose of allReduceMean is allReduceMean") {
  // L = Σ_r ⟨dy_r, AR(v)_r⟩: ∂L/∂v_s = (1/R)·Σ_r dy_r on every replica s, here from unit tangents.
  Random random(83);
  const Exact exact(83);
  const DualExact dual(exact);
  for (const std::size_t replicas : {1U, 2U, 3U, 5U}) {
    const Shape shape{2, 3};
    Builder builder;
    const ValueId v = builder.sharedInput("v", shape), dy = builder.sharedInput("dy", shape);
    const ValueId mean = builder.apply(nodes::allReduceMean, {v});
    builder.result("dv", addAdjoint(builder, mean, dy)[0]);
    const Program program = std::move(builder).finish();
    std::vector<Tensors<Exact>> inputs;
    for (std::size_t r = 0; r < replicas; ++r)
      inputs.push_back({random.tensor<Field>(shape), random.tensor<Field>(shape)});
    const auto dv = evaluateAt(exact, program, inputs, "dv");
    for (std::size_t s = 0; s < replicas; ++s)
      for (std::int64_t k = 0; k < shape.cells(); ++k) {
        std::vector<Tensors<DualExact>> duals;
        for (std::size_t r = 0; r < replicas; ++r) {
          duals.push_back({Tensor<DualScalar<Field>>(shape)});
          for (std::int64_t i = 0; i < shape.cells(); ++i) duals[r][0][i].primal = inputs[r][0][i];
        }
        duals[s][0][k].tangent = exact.literal(1);
        const auto y = applyAt(dual, nodes::allReduceMean, duals);
        Field slope;
        for (std::size_t r = 0; r < replicas; ++r)
          for (std::int64_t i = 0; i < shape.cells(); ++i) slope = slope + y[r][i].tangent * inputs[r][1][i];
        REQUIRE(same(dv[s][k], slope));
      }
  }
}

TEST_CASE("allReduceMean takes parameters and statistics, not batches") {
  Builder builder;
  const ValueId batch = builder.batchedInput("x", {2, 3});
  CHECK_THAT(refusal([&] { builder.apply(nodes::allReduceMean, {batch}); }),
             Contains("allReduceMean: operand v: expected a value that is shared") && Contains("found [2,3], batched"));
}

}  // namespace
}  // namespace shardlaw::test
