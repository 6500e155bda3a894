// A user of the installed library: two replicas, batch normalisation, relu, all-reduce; worked out by hand.
#include <cstdio>
#include <vector>

#include "interp/exec/evaluate.h"
#include "interp/ir/builder.h"
#include "interp/node/nodes.h"
#include "interp/tensor/npz.h"

using namespace shardlaw;

namespace {

/// bnBatch with γ = 4, β = 1, ε = 3 on one channel of two cells, then relu; and the mean of β over replicas.
Program makeProgram() {
  Builder builder;
  const ValueId x = builder.batchedInput("x", {2, 1, 1, 1});
  const ValueId gamma = builder.sharedInput("γ", {1});
  const ValueId beta = builder.sharedInput("β", {1});
  const ValueId bn = builder.apply(nodes::bnBatch, {x, gamma, beta}, {{"eps", Rational(3)}});
  builder.result("y", builder.apply(nodes::relu, {bn}));
  builder.result("mean", builder.apply(nodes::allReduceMean, {beta}));
  return std::move(builder).finish();
}

/// The statistics of {1, 3} and of {-1, 1} are mean 2 or 0, variance 1: so x̂ = ±1/√(1+3) = ±1/2 and
/// y = relu(4·x̂ + β) = {0, β + 2}, β being 1 on the first replica and 0 on the second.
template <class D>
bool holds(const D& domain, const Program& program) {
  using Scalar = typename D::Scalar;
  const auto number = [&](long n) { return domain.literal(n); };
  const auto inputs = [&](long first, long second, long beta) {
    return std::vector{Tensor<Scalar>({2, 1, 1, 1}, {number(first), number(second)}), Tensor<Scalar>({1}, {number(4)}),
                       Tensor<Scalar>({1}, {number(beta)})};
  };
  const auto values = evaluate(domain, program, {inputs(1, 3, 1), inputs(-1, 1, 0)});
  const auto result = [&](std::size_t replica, const char* name) {
    for (const Result& candidate : program.results())
      if (candidate.name == name) return values[replica][static_cast<std::size_t>(candidate.value)];
    return Tensor<Scalar>();
  };
  const auto first = result(0, "y");
  const auto second = result(1, "y");
  const auto half = domain.literal(ratio(1, 2));
  return first[0] == number(0) && first[1] == number(3) && second[0] == number(0) && second[1] == number(2) &&
         result(0, "mean")[0] == half && result(1, "mean")[0] == half;
}

/// An archive in memory, which needs the library that the package found.
bool archives() {
  const NpzFile file = NpzFile::ofBytes(formatNpz({{"x", arrayOf(Tensor<double>({2}, {1, 3}))}}), "x.npz");
  return tensorOf<double>(file.read("x"))[1] == 3;
}

}  // namespace

int main() {
  const Program program = makeProgram();
  const bool ok = holds(F64(), program) && holds(F32(), program) && archives();
  std::puts(ok ? "as worked out by hand" : "not as worked out by hand");
  return ok ? 0 : 1;
}
