// Kernels against definitions on random shapes and special values; and that these tests can fail.
#include "interp/kernel/kernel.h"

#include <catch2/catch.hpp>

#include "interp/kernel/cells.h"
#include "interp/node/families.h"
#include "tests/interp/kernel/kernels.h"

namespace shardlaw::test {
namespace {

using kernel::Isa;

SampleSize drawSize(Random& random) {
  static constexpr std::int64_t kernels[][2] = {{1, 1}, {2, 2}, {3, 3}, {5, 5}, {1, 3}, {3, 1}, {2, 5}, {7, 4}};
  const auto& k = kernels[random.between(0, 7)];
  // Mostly small, so that the definitions are quick; at times across every tail of tiles and vectors.
  const bool wide = random.chance(25);
  SampleSize size;
  size.N = random.between(1, 5);
  size.C = random.between(1, wide ? 40 : 5);
  size.K = random.between(1, wide ? 40 : 9);
  size.H = random.between(1, wide ? 6 : 17);
  size.W = random.between(1, wide ? 6 : 33);
  size.kH = k[0];
  size.kW = k[1];
  size.odd = random.chance(50);
  return size;
}

TEST_CASE("every kernel is equal to its definition, to the bit") {
  Random random(901);
  for (const Node* node : nodesWithKernels())
    for (int i = 0; i < 24; ++i) {
      const SampleSize size = drawSize(random);
      INFO("draw " << i);
      REQUIRE(kernelDifferences(*node, size, random) == "");
    }
}

TEST_CASE("so it is where operands are zeros of either sign, subnormal, infinite or NaN") {
  Random random(902);
  for (const Node* node : nodesWithKernels())
    for (const int percent : {2, 30, 100})
      for (int i = 0; i < 6; ++i) {
        const SampleSize size = drawSize(random);
        INFO("draw " << i << ", " << percent << " % special");
        REQUIRE(kernelDifferences(*node, size, random, percent) == "");
      }
}

TEST_CASE("an infinite or NaN weight meets the padding") {
  // 0·∞ at the border: products with padding must not be left out.
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double w : {infinite, -infinite, std::numeric_limits<double>::quiet_NaN()}) {
    Tensors<F64> operands{Tensor<double>({1, 1, 3, 3}), Tensor<double>({1}), Tensor<double>({1, 1, 3, 5})};
    for (std::int64_t i = 0; i < 15; ++i) operands[2][i] = 1;
    operands[0][0] = w;
    CHECK(kernelDifference(F64{}, nodes::conv, operands) == "");
    const auto y = apply(F64{}, nodes::conv, operands);
    CHECK(y[0] != y[0]);
    CHECK(kernelDifference(F64{}, nodes::convBack, {operands[0], operands[2]}) == "");
  }
}

TEST_CASE("a bias of minus zero starts a sum as plus zero") {
  Tensors<F64> operands{Tensor<double>({1, 1, 1, 1}), Tensor<double>({1}), Tensor<double>({1, 1, 1, 1})};
  operands[0][0] = -1;
  operands[1][0] = -0.0;
  CHECK(kernelDifference(F64{}, nodes::conv, operands) == "");
  CHECK(!std::signbit(apply(F64{}, nodes::conv, operands)[0]));
}

TEST_CASE("sums of more terms than one block, and than the 52-bit halves hold") {
  Random random(903);
  SampleSize deep{.N = 1, .C = 520, .H = 2, .W = 3, .K = 3, .kH = 3, .kW = 3, .odd = false, .eps = 1};
  CHECK(kernelDifferences(nodes::conv, deep, random) == "");
  std::swap(deep.C, deep.K);
  CHECK(kernelDifferences(nodes::convBack, deep, random) == "");
  const SampleSize map{.N = 2, .C = 2, .H = 65, .W = 67, .K = 2, .kH = 3, .kW = 1, .odd = false, .eps = 1};
  CHECK(kernelDifferences(nodes::convWeightGrad, map, random) == "");
  const SampleSize batch{.N = 300, .C = 3, .H = 3, .W = 5, .K = 2, .kH = 2, .kW = 3, .odd = true, .eps = 1};
  CHECK(kernelDifferences(nodes::convWeightGrad, batch, random) == "");
  CHECK(kernelDifferences(nodes::convStridedWeightGrad, batch, random) == "");
  const SampleSize wide{.N = 2, .C = 5000, .H = 1, .W = 1, .K = 70, .kH = 1, .kW = 1, .odd = false, .eps = 1};
  CHECK(kernelDifferences(nodes::dense, wide, random) == "");
  CHECK(kernelDifferences(nodes::denseBack, wide, random) == "");
  const SampleSize many{.N = 5000, .C = 5, .H = 1, .W = 1, .K = 11, .kH = 1, .kW = 1, .odd = false, .eps = 1};
  CHECK(kernelDifferences(nodes::denseWeightGrad, many, random) == "");
}

TEST_CASE("channel rows of more terms than one block") {
  Random random(908);
  const SampleSize map{.N = 2, .C = 3, .H = 181, .W = 183, .K = 2, .kH = 1, .kW = 1, .odd = false, .eps = 1};
  for (const Node* node : {&nodes::bnBatch, &nodes::bnBatchBack, &nodes::bnSyncDyStats, &nodes::convBiasGrad}) {
    CHECK(kernelDifferences(*node, map, random) == "");
    auto operands = drawOperands<Exact>(*node, map, random);
    for (std::int64_t i = 0; i < operands[0].cells(); ++i) operands[0][i] = Field::fromSigned(-1 - i % 3);
    CHECK(kernelDifference(Exact(1), *node, operands, node->sample(map).attributes) == "");
  }
}

TEST_CASE("the largest residues, as many as one block sums") {
  const Field most = Field::fromSigned(-1);
  Tensors<Exact> operands{Tensor<Field>({5000, 9}), Tensor<Field>({9}), Tensor<Field>({2, 5000})};
  for (auto& operand : operands)
    for (std::int64_t i = 0; i < operand.cells(); ++i) operand[i] = most;
  CHECK(kernelDifference(Exact(1), nodes::dense, operands) == "");
  CHECK(apply(Exact(1), nodes::dense, operands)[0] == Field::fromSigned(4999));
}

TEST_CASE("empty batches and channels") {
  Random random(904);
  for (const Node* node : nodesWithKernels())
    for (const SampleSize& size : {SampleSize{.N = 0}, SampleSize{.C = 0}, SampleSize{.K = 0}, SampleSize{.H = 0}}) {
      INFO(node->name);
      std::vector<Shape> shapes;
      for (const auto& operand : drawOperands<F64>(*node, size, random)) shapes.push_back(operand.shape());
      if (refusal(*node, shapes, node->sample(size).attributes) != "accepted") continue;
      CHECK(kernelDifferences(*node, size, random) == "");
    }
}

TEST_CASE("lowest() is refused exactly where the definition refuses it") {
  const Machine restore;
  Random random(905);
  const Exact exact(3);
  for (const Node* node : nodesWithKernels())
    for (int i = 0; i < 12; ++i) {
      const SampleSize size{.N = 2,
                            .C = 2,
                            .H = random.between(1, 3),
                            .W = random.between(1, 3),
                            .K = 2,
                            .kH = random.between(1, 3),
                            .kW = random.between(1, 3),
                            .odd = random.chance(50),
                            .eps = 1};
      auto operands = drawOperands<Exact>(*node, size, random);
      auto& operand = operands[static_cast<std::size_t>(random.between(0, static_cast<int>(operands.size()) - 1))];
      operand[random.between(0, operand.cells() - 1)] = Field::lowest();
      std::vector<Shape> shapes;
      for (const auto& o : operands) shapes.push_back(o.shape());
      const Program program = oneNode(*node, shapes, node->sample(size).attributes);
      const std::string expected = refusal([&] { valueOf(exact, program, operands, false); });
      for (const Isa isa : isasHere()) {
        kernel::limitIsa(isa);
        INFO(node->name << ", draw " << i);
        CHECK(refusal([&] { valueOf(exact, program, operands, true); }) == expected);
      }
    }
}

TEST_CASE("several replicas, each with its own values") {
  const Machine restore;
  Random random(906);
  for (const std::int64_t N : {1, 30}) {
    const SampleSize size{.N = N, .C = 3, .H = 9, .W = 7, .K = 4, .kH = 3, .kW = 3, .odd = false, .eps = 1};
    std::vector<Tensors<F64>> replicas;
    for (int r = 0; r < 3; ++r) replicas.push_back(drawOperands<F64>(nodes::convWeightGrad, size, random));
    const Attributes attributes = nodes::convWeightGrad.sample(size).attributes;
    const auto together = applyAt(F64{}, nodes::convWeightGrad, replicas, attributes);
    for (std::size_t r = 0; r < 3; ++r)
      CHECK(bitDifference(together[r], apply(F64{}, nodes::convWeightGrad, replicas[r], attributes)) == "");
  }
}

/// A kernel that these tests must tell from the definition: it sums the same terms from the last to the first.
template <class D>
void backwards(const Call<D>& call, bool) {
  const auto &w = call.in(0), &b = call.in(1), &x = call.in(2);
  for (std::int64_t n = 0; n < x.extent(0); ++n)
    for (std::int64_t j = 0; j < w.extent(1); ++j) {
      typename D::Sum sum;
      for (std::int64_t i = w.extent(0); i-- > 0;) sum.addProduct(x(n, i), w(i, j));
      sum.add(b(j));
      call.out(n, j) = sum.total();
    }
}

TEST_CASE("a kernel that sums in another order differs in bits, and only in floats") {
  Random random(907);
  const SampleSize size{.N = 4, .C = 20, .H = 1, .W = 1, .K = 6, .kH = 1, .kW = 1, .odd = false, .eps = 1};
  const auto differs = [&](const auto& domain) {
    using D = std::decay_t<decltype(domain)>;
    const auto operands = drawOperands<D>(nodes::dense, size, random);
    const auto expected = apply(domain, nodes::dense, operands);
    auto found = expected;
    std::vector<View<const typename D::Scalar>> views;
    for (const auto& operand : operands) views.push_back(operand.view());
    backwards(Call<D>{domain, views, found.view(), {}}, false);
    return !difference(found, expected, sameCell<typename D::Scalar>).empty();
  };
  CHECK(differs(F64{}));
  CHECK(differs(F32{}));
  CHECK(!differs(Exact(1)));
}

TEST_CASE("domains without kernels have none, and the others all of them") {
  CHECK(nodesWithKernels().size() == 23);
  for (const Node* node : nodesWithKernels()) {
    CHECK(kernelOf<F32>(*node) != nullptr);
    CHECK(kernelOf<Exact>(*node) != nullptr);
    CHECK(kernelOf<Bounded64>(*node) == nullptr);
    CHECK(kernelOf<shardlaw::Wide>(*node) == nullptr);
  }
}

}  // namespace
}  // namespace shardlaw::test
