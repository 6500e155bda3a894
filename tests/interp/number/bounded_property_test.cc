// The bound of `bounded` holds: over random programs, data at the scales where floats go wrong, and the
// evaluations of other backends.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "interp/exec/evaluate.h"
#include "interp/number/domains.h"
#include "tests/interp/number/evaluate_in.h"
#include "tests/interp/number/random_data.h"
#include "tests/interp/number/reordered.h"
#include "tests/interp/number/seen.h"

using namespace shardlaw;
using test::Backend;
using test::backend;
using test::checkWithin;
using test::Seen;

namespace {

template <class F>
bool sameBits(F a, F b) {
  return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
}

/// One random program with its data, evaluated in the reals and in floats with bounds.
template <class F>
struct Case {
  test::RandomProgram random;
  std::vector<std::vector<Tensor<double>>> inputs;
  ReplicaValues<Wide> wide;
  ReplicaValues<Bounded<F>> bounded;
  Bounded<F> domain;

  explicit Case(std::uint64_t seed) {
    test::Draw draw(seed);
    random = test::ProgramDraw(draw, test::Level::rounding).program(draw.between(2, 7));
    inputs = test::randomInputs<F>(random, draw);
    const Wide w(256);
    wide = evaluate(w, random.program, test::inputsAs<WideScalar>(inputs, [&](double x) { return w.fromDouble(x); }));
    bounded = evaluate(domain, random.program, test::inputsAs<BoundedScalar<F>>(inputs, [](double x) {
                         return BoundedScalar<F>{F(x), 0};
                       }));
  }

  /// Calls f(replica, value, cell, node) for every cell that an operation produced.
  template <class Visit>
  void eachCell(const Visit& f) const {
    for (std::size_t r = 0; r < bounded.size(); ++r)
      for (std::size_t id = 0; id < bounded[r].size(); ++id) {
        const auto& operation = random.program.values()[id].operation;
        if (!operation) continue;
        for (std::int64_t k = 0; k < bounded[r][id].cells(); ++k) f(r, id, k, operation->node->name);
      }
  }
};

}  // namespace

TEMPLATE_TEST_CASE("the value is the float domain's to the bit, and lies within the bound", "", float, double) {
  using F = TestType;
  // Where a kink was undecided the bound is a jump, and may well be met; elsewhere it is roundings.
  Seen smooth, kinked;
  std::int64_t kinks = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Case<F> c(seed);
    kinks += c.domain.kinks();
    const auto ieee = evaluate(Ieee<F>{}, c.random.program, test::inputsAs<F>(c.inputs, [](double x) { return F(x); }));
    INFO("seed " << seed << "\n" << c.random.program.text());
    c.eachCell([&](std::size_t r, std::size_t id, std::int64_t k, std::string_view node) {
      const BoundedScalar<F> cell = c.bounded[r][id][k];
      if (!sameBits(ieee[r][id][k], cell.value)) FAIL(node << ": " << ieee[r][id][k] << " against " << cell.value);
      checkWithin(cell.value, cell.bound, c.wide[r][id][k], node, c.domain.kinks() > 0 ? kinked : smooth);
    });
  }
  INFO(smooth.text() << "\n" << kinked.text());
  CHECK(kinks > 500);
  CHECK(kinked.worst > 0.5);
  CHECK(smooth.unknown < smooth.cells / 20);
  CHECK(smooth.median() > 0.01);
}

TEMPLATE_TEST_CASE("other orders of summation, fused products and other libraries stay within the bound", "", float,
                   double) {
  using F = TestType;
  Seen smooth, kinked;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    const Case<F> c(seed);
    const auto inputs =
        test::inputsAs<test::ReorderedScalar<F>>(c.inputs, [](double x) { return test::ReorderedScalar<F>{F(x)}; });
    for (const test::Order order : test::allOrders)
      for (const bool fused : {false, true}) {
        backend = Backend{order, fused, (seed + static_cast<std::uint64_t>(order)) % 2 == 0, seed};
        const auto other = test::evaluateIn(test::Reordered<F>{}, c.random.program, inputs);
        INFO("seed " << seed << ", order " << static_cast<int>(order) << (fused ? ", fused" : "")
                     << (backend.perturbed ? ", perturbed\n" : "\n") << c.random.program.text());
        c.eachCell([&](std::size_t r, std::size_t id, std::int64_t k, std::string_view node) {
          checkWithin(other[r][id][k].value, c.bounded[r][id][k].bound, c.wide[r][id][k], node,
                      c.domain.kinks() > 0 ? kinked : smooth);
        });
      }
  }
  backend = Backend{};
  INFO(smooth.text() << "\n" << kinked.text());
  CHECK(smooth.median() > 0.01);
}

TEMPLATE_TEST_CASE("derivatives have bounds that hold", "", float, double) {
  using F = TestType;
  using Scalar = DualScalar<BoundedScalar<F>>;
  Seen seen;
  const Wide w(256);
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    test::Draw draw(seed);
    const test::RandomProgram random = test::ProgramDraw(draw, test::Level::functions).program(draw.between(1, 4));
    const auto primal = test::randomInputs<F>(random, draw), tangent = test::randomInputs<F>(random, draw);
    auto wideInputs = test::inputsAs<DualScalar<WideScalar>>(primal, [&](double x) {
      return DualScalar<WideScalar>{w.fromDouble(x), {}};
    });
    auto inputs = test::inputsAs<Scalar>(primal, [](double x) { return Scalar{{F(x), 0}, {}}; });
    for (std::size_t r = 0; r < primal.size(); ++r)
      for (std::size_t i = 0; i < primal[r].size(); ++i)
        for (std::int64_t k = 0; k < primal[r][i].cells(); ++k) {
          wideInputs[r][i][k].tangent = w.fromDouble(tangent[r][i][k]);
          inputs[r][i][k].tangent = {F(tangent[r][i][k]), 0};
        }
    const auto exact = evaluate(DualWide(w), random.program, wideInputs);
    const auto bounded = evaluate(Dual<Bounded<F>>(Bounded<F>{}), random.program, inputs);
    INFO("seed " << seed << "\n" << random.program.text());
    for (std::size_t r = 0; r < bounded.size(); ++r)
      for (std::size_t id = 0; id < bounded[r].size(); ++id)
        for (std::int64_t k = 0; k < bounded[r][id].cells(); ++k) {
          const Scalar cell = bounded[r][id][k];
          checkWithin(cell.primal.value, cell.primal.bound, exact[r][id][k].primal, "primal", seen);
          checkWithin(cell.tangent.value, cell.tangent.bound, exact[r][id][k].tangent, "tangent", seen);
        }
  }
  INFO(seen.text());
  CHECK(seen.unknown < seen.cells / 20);
}
