// Evaluation: replicas in lockstep, threads that leave no trace, freed values, errors that surface.
#include "interp/exec/evaluate.h"

#include <omp.h>

#include <catch2/catch.hpp>

#include "tests/interp/against.h"
#include "tests/interp/node/samples.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

/// conv → synchronised BN → relu → pool → dense → softmax cotangent, and gradients: each kind of node, and
/// values large enough that evaluation goes parallel.
Program network(const Shape& image, std::int64_t channels) {
  const Attributes eps{number("eps", "1e-3")};
  Builder b;
  const ValueId x = b.batchedInput("x", image), labels = b.batchedInput("labels", {image[0], 5});
  const ValueId w = b.sharedInput("w", {channels, image[1], 3, 3}), bias = b.sharedInput("bias", {channels});
  const ValueId gamma = b.sharedInput("gamma", {channels}), beta = b.sharedInput("beta", {channels});
  const ValueId c = b.apply(nodes::conv, {w, bias, x});
  const ValueId mu = b.apply(nodes::allReduceMean, {b.apply(nodes::bnBatchMean, {c})});
  const ValueId var = b.apply(nodes::allReduceMean, {b.apply(nodes::bnBatchVarAt, {c, mu})});
  const ValueId y = b.apply(nodes::bnSync, {c, gamma, beta, b.apply(nodes::bnPack, {mu, var})}, eps);
  const ValueId p = b.apply(nodes::maxPool2, {b.apply(nodes::relu, {y})});
  const ValueId flat = b.apply(nodes::flatten, {p});
  const ValueId head = b.sharedInput("head", {b.type(flat).shape[1], 5}), offset = b.sharedInput("offset", {5});
  const ValueId z = b.apply(nodes::scale, {b.apply(nodes::dense, {head, offset, flat})}, {number("by", "0.01")});
  const ValueId dz = b.apply(nodes::crossEntropyCotangent, {z, labels}, {integer("batch", image[0])});
  const auto dense = addAdjoint(b, b.apply(nodes::dense, {head, offset, flat}), dz);
  const ValueId dp = addAdjoint(b, flat, dense[2])[0], dr = addAdjoint(b, p, dp)[0];
  b.result("logits", z);
  b.result("dhead", b.apply(nodes::allReduceMean, {dense[0]}));
  b.result("dw", b.apply(nodes::allReduceMean, {addAdjoint(b, c, b.apply(nodes::selectPos, {y, dr}))[0]}));
  return std::move(b).finish();
}

template <class S>
std::vector<std::vector<Tensor<S>>> drawInputs(const Program& program, std::size_t replicas, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<Tensor<S>>> inputs(replicas);
  for (const ValueId id : program.inputs()) {
    const Type& type = program.value(id).type;
    const Tensor<S> shared = random.tensor<S>(type.shape);
    for (auto& replica : inputs) replica.push_back(type.batched ? random.tensor<S>(type.shape) : shared);
  }
  return inputs;
}

TEST_CASE("bytes do not depend on the number of threads") {
  const Program program = network({6, 3, 10, 14}, 7);
  const int before = omp_get_max_threads();
  for (const std::size_t replicas : {1U, 3U}) {
    const auto inputs = drawInputs<double>(program, replicas, 121);
    omp_set_num_threads(1);
    const auto one = evaluate(F64{}, program, inputs);
    for (const int threads : {2, 4}) {
      omp_set_num_threads(threads);
      const auto many = evaluate(F64{}, program, inputs);
      for (std::size_t r = 0; r < replicas; ++r)
        for (std::size_t id = 0; id < program.values().size(); ++id) {
          INFO("threads " << threads << " replica " << r << " value " << program.values()[id].name);
          REQUIRE(bitDifference(many[r][id], one[r][id]) == "");
        }
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("a replica without collectives computes what it computes alone") {
  // Examples, too: a per-example value of one example does not depend on the others of its batch.
  Builder b;
  const ValueId x = b.batchedInput("x", {3, 2, 4, 6}), w = b.sharedInput("w", {2, 2, 3, 3}),
                bias = b.sharedInput("bias", {2});
  b.result("y", b.apply(nodes::maxPool3, {b.apply(nodes::relu, {b.apply(nodes::conv, {w, bias, x})})}));
  const Program program = std::move(b).finish();
  const auto inputs = drawInputs<double>(program, 3, 122);
  const auto together = evaluateAt(F64{}, program, inputs, "y");
  for (std::size_t r = 0; r < 3; ++r) {
    CHECK(bitDifference(evaluateAt(F64{}, program, {inputs[r]}, "y")[0], together[r]) == "");
    auto swapped = inputs[r];
    const std::int64_t example = swapped[0].cells() / 3;
    for (std::int64_t k = 0; k < example; ++k) std::swap(swapped[0][k], swapped[0][2 * example + k]);
    const auto y = evaluateAt(F64{}, program, {swapped}, "y")[0];
    CHECK(bitDifference(batchSlice(y, 0), batchSlice(together[r], 2)) == "");
    CHECK(bitDifference(batchSlice(y, 1), batchSlice(together[r], 1)) == "");
    CHECK(bitDifference(batchSlice(y, 2), batchSlice(together[r], 0)) == "");
  }
}

TEST_CASE("a collective sees this step's value of every replica, and only collectives see across") {
  // y = x + AR(2x): replica r holds r + 1; AR(2x) = 2·(R+1)/2 = R + 1.
  Builder b;
  const ValueId x = b.sharedInput("x", {2});
  const ValueId mean = b.apply(nodes::allReduceMean, {b.apply(nodes::scale, {x}, {number("by", 2)})});
  b.result("y", b.apply(nodes::add, {x, mean}));
  const Program program = std::move(b).finish();
  for (const int replicas : {1, 2, 3, 5}) {
    const auto check = [&](const auto& domain) {
      using D = std::decay_t<decltype(domain)>;
      std::vector<Tensors<D>> inputs;
      for (int r = 0; r < replicas; ++r) inputs.push_back({Literal{{2}, {r + 1, -(r + 1)}}.in(domain)});
      const auto y = evaluateAt(domain, program, inputs, "y");
      REQUIRE(y.size() == static_cast<std::size_t>(replicas));
      for (int r = 0; r < replicas; ++r)
        CHECK(difference(y[static_cast<std::size_t>(r)],
                         Literal{{2}, {r + 1 + replicas + 1, -(r + 1 + replicas + 1)}}.in(domain)) == "");
    };
    check(Exact(1));
    check(F64{});
    check(F32{});
  }
}

TEST_CASE("keepAll = false frees all but the results, and leaves them as they were") {
  Builder b;
  const ValueId x = b.batchedInput("x", {2, 3}), unused = b.sharedInput("unused", {4}),
                passed = b.sharedInput("passed", {1});
  const ValueId r = b.apply(nodes::relu, {x}), s = b.apply(nodes::add, {r, r}), d = b.apply(nodes::sub, {s, x});
  const ValueId last = b.apply(nodes::scale, {d}, {number("by", 3)});
  b.result("s", s);
  b.result("passed", passed);
  const Program program = std::move(b).finish();
  const auto inputs = drawInputs<double>(program, 2, 123);
  const auto all = evaluate(F64{}, program, inputs), kept = evaluate(F64{}, program, inputs, {.keepAll = false});
  for (std::size_t replica = 0; replica < 2; ++replica) {
    const auto at = [&](ValueId id) -> const Tensor<double>& { return kept[replica][static_cast<std::size_t>(id)]; };
    for (const ValueId freed : {x, unused, r, d, last})
      CHECK((at(freed).cells() == 0 && at(freed).shape().rank() == 0));
    for (const ValueId result : {s, passed})
      CHECK(bitDifference(at(result), all[replica][static_cast<std::size_t>(result)]) == "");
    for (std::size_t id = 0; id < all[replica].size(); ++id)
      CHECK(all[replica][id].shape() == program.values()[id].type.shape);
  }
}

TEST_CASE("an error inside a parallel region surfaces as itself, and is the first example's") {
  // bnEval at var = −ε: 1/√0 is undefined in the field. 4 examples of 2·32·32 cells go parallel.
  const Shape map{4, 2, 32, 32};
  const Exact exact(1);
  const Tensors<Exact> operands{Tensor<Field>(map), Tensor<Field>({2}), Tensor<Field>({2}), Tensor<Field>({2}),
                                Literal{{2}, {1, -1}}.in(exact)};
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 4}) {
    omp_set_num_threads(threads);
    CHECK_THROWS_AS(apply(exact, nodes::bnEval, operands, {number("eps", 1)}), Undefined);
  }
  omp_set_num_threads(before);
  // Whole-batch nodes run in parallel over replicas: a constant row with ε = 0.
  const std::vector<Tensors<Exact>> replicas(3, {Tensor<Field>(map), Tensor<Field>({2}), Tensor<Field>({2})});
  CHECK_THROWS_AS(applyAt(exact, nodes::bnBatch, replicas, {number("eps", 0)}), Undefined);
}

TEST_CASE("a node writes every cell of its result") {
  // Results are handed out with whatever their memory held before.
  for (const auto& [name, sample] : samples()) {
    const Node& node = *findNode(name);
    const Program program = oneNode(node, sample.shapes, sample.attributes);
    const auto inputs = drawInputs<double>(program, 1, 125);
    const auto expected = evaluateAt(F64{}, program, inputs, "y")[0];
    for (const double before : {12345.0, -1.5}) {
      const bool perExample = node.kind == NodeKind::perExample;
      Tensor<double> result(expected.shape());
      for (std::int64_t i = 0; i < result.cells(); ++i) result[i] = before;
      for (std::int64_t n = 0; n < (perExample ? expected.shape()[0] : 1); ++n) {
        std::vector<View<const double>> views;
        for (std::size_t i = 0; i < inputs[0].size(); ++i) {
          const View<const double> whole = inputs[0][i].view();
          views.push_back(perExample && node.operands[i].batched ? whole.slice(n) : whole);
        }
        const View<double> out = perExample ? result.view().slice(n) : result.view();
        node.denotation<F64>()(Call<F64>{F64{}, views, out, sample.attributes});
      }
      INFO(name);
      CHECK(difference(result, expected) == "");
    }
  }
}

TEST_CASE("pointwise nodes are computed in ranges of cells, whatever the threads and replicas") {
  const int before = omp_get_max_threads();
  for (const std::int64_t cells : {1, 4095, 4096, 8193, 20000}) {
    const Program program = oneNode(nodes::sub, {{cells}, {cells}});
    const auto inputs = drawInputs<double>(program, 2, 126);
    for (const int threads : {1, 2}) {
      omp_set_num_threads(threads);
      const auto y = evaluateAt(F64{}, program, inputs, "y");
      for (std::size_t r = 0; r < 2; ++r) {
        bool same = true;
        for (std::int64_t i = 0; i < cells; ++i) same = same && y[r][i] == inputs[r][0][i] - inputs[r][1][i];
        CHECK(same);
      }
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("inputs are checked: replicas, number and shapes") {
  const Program program = oneNode(nodes::add, {{2, 3}, {2, 3}});
  const Tensor<double> right({2, 3}), wrong({3, 2});
  CHECK_THAT(refusal([&] { evaluate(F64{}, program, {}); }), Contains("at least one replica"));
  CHECK_THAT(refusal([&] { evaluate(F64{}, program, {{right}}); }), Contains("expected 2 inputs, found 1"));
  CHECK_THAT(refusal([&] { evaluate(F64{}, program, {{right, right}, {right, right, right}}); }), Contains("found 3"));
  CHECK_THAT(refusal([&] {
               evaluate(F64{}, program, {{right, right}, {right, wrong}});
             }),
             Contains("input 'b': expected [2,3], found [3,2]"));
}

TEST_CASE("a program without operations hands its inputs back") {
  Builder b;
  b.result("y", b.sharedInput("x", {2}));
  const Program program = std::move(b).finish();
  CHECK(difference(evaluateAt(F64{}, program, {{Literal{{2}, {1, 2}}.in(F64{})}}, "y")[0],
                   Literal{{2}, {1, 2}}.in(F64{})) == "");
}

}  // namespace
}  // namespace shardlaw::test
