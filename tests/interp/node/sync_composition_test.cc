// The synchronised composition of SEMANTICS 2.3, three collectives a layer, on the recorded cases.
#include <catch2/catch.hpp>

#include "tests/interp/against.h"

namespace shardlaw::test {
namespace {

/// Forward and backward of one synchronised BN layer; inputs x, γ, β, dy.
Program syncLayer(const Shape& shard, const Rational& epsilon) {
  const Attributes eps{number("eps", epsilon)};
  const Shape channels{shard[1]};
  Builder b;
  const ValueId x = b.batchedInput("x", shard), gamma = b.sharedInput("γ", channels),
                beta = b.sharedInput("β", channels);
  const ValueId dy = b.batchedInput("dy", shard);
  const ValueId mu = b.apply(nodes::allReduceMean, {b.apply(nodes::bnBatchMean, {x})});
  const ValueId var = b.apply(nodes::allReduceMean, {b.apply(nodes::bnBatchVarAt, {x, mu})});
  const ValueId st = b.apply(nodes::bnPack, {mu, var});
  const ValueId ds = b.apply(nodes::allReduceMean, {b.apply(nodes::bnSyncDyStats, {x, gamma, dy, st}, eps)});
  b.result("μ", b.apply(nodes::bnStatsMean, {st}));
  b.result("σ²", b.apply(nodes::bnStatsVar, {st}));
  b.result("y", b.apply(nodes::bnSync, {x, gamma, beta, st}, eps));
  b.result("dx", b.apply(nodes::bnSyncBack, {x, gamma, dy, ds}, eps));
  b.result("dγ", b.apply(nodes::allReduceMean, {b.apply(nodes::bnSyncGammaGrad, {x, dy, st}, eps)}));
  b.result("dβ", b.apply(nodes::allReduceMean, {b.apply(nodes::bnBetaGrad, {dy})}));
  return std::move(b).finish();
}

/// A value of the layer on every replica, for one channel of 1×1 maps and γ, β given.
template <class D>
Tensors<D> layerValue(const D& domain, const std::vector<std::vector<Number>>& shards,
                      const std::vector<std::vector<Number>>& cotangents, const Number& epsilon, const char* name,
                      const Number& gamma = 1, const Number& beta = 0) {
  const Shape shape{static_cast<std::int64_t>(shards[0].size()), 1, 1, 1};
  std::vector<Tensors<D>> inputs;
  for (std::size_t r = 0; r < shards.size(); ++r)
    inputs.push_back({Literal{shape, shards[r]}.in(domain), Literal{{1}, {gamma}}.in(domain),
                      Literal{{1}, {beta}}.in(domain), Literal{shape, cotangents[r]}.in(domain)});
  return evaluateAt(domain, syncLayer(shape, epsilon.value), std::move(inputs), name);
}

TEST_CASE("case 1: the global variance holds the spread between shard means") {
  // 0,2 | 10,12: μ 6; (36 + 16 + 16 + 36)/4 = 26. The mean of the shard variances is 1.
  const std::vector<std::vector<Number>> x{{0, 2}, {10, 12}}, dy{{0, 0}, {0, 0}};
  const auto check = [&](const auto& domain) {
    for (const auto& replica : layerValue(domain, x, dy, 0, "μ"))
      CHECK(difference(replica, Literal{{1}, {6}}.in(domain)) == "");
    for (const auto& replica : layerValue(domain, x, dy, 0, "σ²"))
      CHECK(difference(replica, Literal{{1}, {26}}.in(domain)) == "");
  };
  check(Exact(1));
  check(F64{});
  check(F32{});
}

// Example S over shards of equal size: 0,2 | 4,6 with dY 1,0 | 0,2; μ 3, σ² 5, r = 1/√5.
const std::vector<std::vector<Number>> xS{{0, 2}, {4, 6}}, dyS{{1, 0}, {0, 2}};

TEST_CASE("example S in numbers") {
  const double expectedY[] = {-1.341641, -0.447214, 0.447214, 1.341641};
  const double expectedDx[] = {0.313050, -0.268328, -0.402492, 0.357771};
  const auto y = layerValue(F64{}, xS, dyS, 0, "y"), dx = layerValue(F64{}, xS, dyS, 0, "dx");
  for (std::int64_t k = 0; k < 4; ++k) {
    CHECK(y[static_cast<std::size_t>(k / 2)][k % 2] == Approx(expectedY[k]).margin(5e-7));
    CHECK(dx[static_cast<std::size_t>(k / 2)][k % 2] == Approx(expectedDx[k]).margin(5e-7));
  }
  // The gradients are sums over the global batch, averaged: dγ = 1.341641/R, dβ = 3/R.
  for (const auto& replica : layerValue(F64{}, xS, dyS, 0, "dγ"))
    CHECK(2 * replica[0] == Approx(1.341641).margin(5e-7));
  for (const auto& replica : layerValue(F64{}, xS, dyS, 0, "dβ")) CHECK(2 * replica[0] == 3);
}

TEST_CASE("example S in exact, as polynomials in r") {
  // d = −3,−1 | 1,3. x̂ = d·r. mean(g) = 3/4, mean(x̂g) = r(−3 + 6)/4 = 3r/4:
  // dX = r(g − 3/4) − d·(3/4)·r³: r·(1/4, −3/4, −3/4, 5/4), r³·(9/4, 3/4, −3/4, −9/4).
  const Exact exact(4);
  const auto q = [&](const char* text) { return exact.literal(decimal(text)); };
  const Field r = exact.rsqrt(q("5")), cube = r * r * r;
  const auto y = layerValue(exact, xS, dyS, 0, "y"), dx = layerValue(exact, xS, dyS, 0, "dx");
  CHECK(difference(y[0], Tensor<Field>({2, 1, 1, 1}, {q("-3") * r, -r})) == "");
  CHECK(difference(y[1], Tensor<Field>({2, 1, 1, 1}, {r, q("3") * r})) == "");
  CHECK(difference(dx[0], Tensor<Field>({2, 1, 1, 1},
                                        {q("1/4") * r + q("9/4") * cube, q("-3/4") * r + q("3/4") * cube})) == "");
  CHECK(difference(dx[1], Tensor<Field>({2, 1, 1, 1},
                                        {q("-3/4") * r - q("3/4") * cube, q("5/4") * r - q("9/4") * cube})) == "");
  for (const auto& replica : layerValue(exact, xS, dyS, 0, "dγ")) CHECK(same(replica[0], q("3/2") * r));
}

TEST_CASE("case 18: one example of one cell per replica, and one in all") {
  const auto mu = layerValue(F64{}, {{1}, {3}}, {{1}, {0}}, 0, "μ"),
             var = layerValue(F64{}, {{1}, {3}}, {{1}, {0}}, 0, "σ²");
  for (const std::size_t r : {0U, 1U}) {
    CHECK(mu[r][0] == 2);
    CHECK(var[r][0] == 1);
  }
  // Global count 1: x̂ = 0, y = β, dX = 0, dγ = 0.
  const auto check = [](const auto& domain) {
    const auto value = [&](const char* name) { return layerValue(domain, {{5}}, {{4}}, "0.5", name, 3, 7)[0]; };
    CHECK(difference(value("y"), Literal{{1, 1, 1, 1}, {7}}.in(domain)) == "");
    CHECK(difference(value("dx"), Literal{{1, 1, 1, 1}, {0}}.in(domain)) == "");
    CHECK(difference(value("dγ"), Literal{{1}, {0}}.in(domain)) == "");
    CHECK(difference(value("σ²"), Literal{{1}, {0}}.in(domain)) == "");
  };
  check(Exact(1));
  check(F64{});
  check(F32{});
}

TEST_CASE("case 4: statistics are bit-equal on every replica, and exactly 0 for a constant channel") {
  const std::vector<std::vector<Number>> constant{{"0.1", "0.1"}, {"0.1", "0.1"}, {"0.1", "0.1"}};
  for (const auto& replica : layerValue(F32{}, constant, constant, "1e-5", "σ²")) CHECK(replica[0] == 0.0F);
  const std::vector<std::vector<Number>> any{{"0.3", 7}, {"-2.1", "0.7"}, {"1e-3", "5.5"}};
  for (const char* name : {"μ", "σ²", "dγ", "dβ"}) {
    const auto replicas = layerValue(F32{}, any, any, "1e-5", name);
    for (const auto& replica : replicas) CHECK(bitDifference(replica, replicas[0]) == "");
  }
}

TEST_CASE("case 15: two rounds of statistics keep the variance at a large offset") {
  // 1e5 + k/128 over two shards: σ² = 5.25/16384; every intermediate is representable in f64.
  std::vector<std::vector<Number>> x(2), dy(2);
  for (int k = 0; k < 8; ++k) {
    x[static_cast<std::size_t>(k / 4)].emplace_back(Rational(100000) + ratio(k, 128));
    dy[static_cast<std::size_t>(k / 4)].emplace_back(0);
  }
  for (const auto& replica : layerValue(F64{}, x, dy, "1e-5", "σ²")) CHECK(replica[0] == 0.0003204345703125);
}

TEST_CASE("the layer on any shards is bnBatch and its VJP on the whole batch") {
  Random random(101);
  const Attributes eps{number("eps", "0.25")};
  for (int i = 0; i < 40; ++i) {
    const std::int64_t replicas = random.between(1, 5), c = random.between(1, 3);
    const Shape shard{random.between(1, 3), c, random.between(1, 3), random.between(1, 4)};
    const Shape whole{replicas * shard[0], c, shard[2], shard[3]};
    INFO("R " << replicas << " shard " << toString(shard));
    const Exact exact(random.bits());
    const auto x = random.tensor<Field>(whole), dy = random.tensor<Field>(whole);
    const auto gamma = random.tensor<Field>({c}), beta = random.tensor<Field>({c});
    std::vector<Tensors<Exact>> inputs;
    for (std::int64_t r = 0; r < replicas; ++r)
      inputs.push_back({batchShard(x, r, replicas), gamma, beta, batchShard(dy, r, replicas)});
    const Program layer = syncLayer(shard, decimal("0.25"));
    const auto y = apply(exact, nodes::bnBatch, {x, gamma, beta}, eps),
               dx = apply(exact, nodes::bnBatchBack, {x, gamma, dy}, eps);
    auto dgamma = apply(exact, nodes::bnGammaGrad, {x, dy}, eps);
    for (std::int64_t k = 0; k < c; ++k) dgamma[k] = dgamma[k] / Field::fromSigned(replicas);
    const auto found = [&](const char* name) { return evaluateAt(exact, layer, inputs, name); };
    for (std::int64_t r = 0; r < replicas; ++r) {
      const auto at = static_cast<std::size_t>(r);
      REQUIRE(difference(found("y")[at], batchShard(y, r, replicas)) == "");
      REQUIRE(difference(found("dx")[at], batchShard(dx, r, replicas)) == "");
      REQUIRE(difference(found("dγ")[at], dgamma) == "");
      REQUIRE(difference(found("σ²")[at], apply(exact, nodes::bnBatchVar, {x})) == "");
    }
  }
}

}  // namespace
}  // namespace shardlaw::test
