// Freeing, tracing and kernels of the evaluator.
#include "interp/stablehlo/evaluate.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "interp/stablehlo/operations.h"
#include "tests/interp/stablehlo/text.h"

namespace shardlaw::stablehlo::test {
namespace {

/// Equal to the bit.
template <class D>
bool same(const Cells<D>& a, const Cells<D>& b) {
  const auto& x = a.floats();
  const auto& y = b.floats();
  return x.shape() == y.shape() &&
         std::memcmp(x.view().data(), y.view().data(), static_cast<std::size_t>(a.bytes())) == 0;
}

template <class D>
std::vector<Cells<D>> drawn(const D& domain, const Module& module, std::mt19937& draw) {
  std::vector<Cells<D>> arguments;
  const Function& entry = module.entry();
  for (const ValueId id : entry.body.arguments) {
    auto cells = Cells<D>::unwritten(entry.type(id));
    for (std::int64_t i = 0; i < cells.cells(); ++i)
      cells.floats()[i] =
          domain.literal(Rational(static_cast<double>(static_cast<int>(draw() % 20001) - 10000) / 1024));
    arguments.push_back(std::move(cells));
  }
  return arguments;
}

template <class D>
void agrees(const D& domain, const std::string& text, unsigned seed) {
  const Module module = read(text);
  std::mt19937 draw(seed);
  const auto arguments = drawn(domain, module, draw);
  EvaluateOptions<D> denotations;
  denotations.kernels = false;
  const auto fast = evaluate<D>(domain, module, {arguments});
  const auto plain = evaluate<D>(domain, module, {arguments}, denotations);
  INFO(D::name << "\n" << text);
  for (std::size_t i = 0; i < fast.results[0].size(); ++i) CHECK(same(fast.results[0][i], plain.results[0][i]));
}

void agreesEverywhere(const std::string& text, unsigned seed) {
  agrees(Exact(3), text, seed);
  agrees(Native(), text, seed);
  agrees(F64(), text, seed);
  agrees(F32(), text, seed);
}

std::string type(const std::vector<std::int64_t>& extents, const std::string& element) {
  std::string text = "tensor<";
  for (const std::int64_t extent : extents) text += std::to_string(extent) + "x";
  return text + element + ">";
}
std::string list(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return "[" + text + "]";
}

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  std::int64_t operator()(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  std::vector<int> permutation(int n) {
    std::vector<int> all;
    for (int i = 0; i < n; ++i) all.push_back(i);
    for (int i = n - 1; i > 0; --i)
      std::swap(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>((*this)(0, i))]);
    return all;
  }

 private:
  std::mt19937 engine_;
};

/// A convolution of up to three spatial axes with every attribute at random; no results without cells, mostly.
std::string randomConvolution(unsigned seed, const std::string& element) {
  Draw draw(seed);
  const int spatial = static_cast<int>(draw(0, 3));
  const std::int64_t kind = draw(0, 2), groups = kind == 0 ? 1 : draw(2, 3);
  const std::int64_t featureGroups = kind == 1 ? groups : 1, batchGroups = kind == 2 ? groups : 1;
  const std::int64_t channels = draw(1, 4), features = draw(1, 5) * groups, batch = draw(1, 3) * batchGroups;
  std::vector<std::int64_t> in{batch, channels * featureGroups}, kernel{features, channels},
      out{batch / batchGroups, features};
  std::vector<std::int64_t> stride, lhs, rhs, reversed;
  std::string padding;
  for (int axis = 0; axis < spatial; ++axis) {
    const std::int64_t window = draw(1, 3), extent = draw(1, 7), s = draw(1, 3), l = draw(1, 2), r = draw(1, 2);
    const std::int64_t reach = (window - 1) * r + 1, inside = (extent - 1) * l + 1;
    std::int64_t low = draw(-1, 2), high = draw(-1, 2);
    while (inside + low + high < reach) ++high;
    in.push_back(extent), kernel.push_back(window), out.push_back((inside + low + high - reach) / s + 1);
    stride.push_back(s), lhs.push_back(l), rhs.push_back(r), reversed.push_back(draw(0, 1));
    padding += (axis > 0 ? ", " : "") + list({low, high});
  }
  const auto layout = [&](const char* first, const char* second, std::vector<std::int64_t>& extents) {
    const auto order = draw.permutation(spatial + 2);
    std::string names;
    std::vector<std::int64_t> laid;
    for (const int axis : order) {
      names += (names.empty() ? "" : ", ") + (axis == 0   ? std::string(first)
                                              : axis == 1 ? std::string(second)
                                                          : std::to_string(axis - 2));
      laid.push_back(extents[static_cast<std::size_t>(axis)]);
    }
    extents = laid;
    return "[" + names + "]";
  };
  const std::string a = layout("b", "f", in), b = layout("o", "i", kernel), c = layout("b", "f", out);
  std::string flips;
  for (const std::int64_t flip : reversed) flips += (flips.empty() ? "" : ", ") + std::string(flip ? "true" : "false");
  const std::string window = spatial == 0
                                 ? ""
                                 : "stride = " + list(stride) + ", pad = [" + padding + "], lhs_dilate = " + list(lhs) +
                                       ", rhs_dilate = " + list(rhs) + ", reverse = [" + flips + "]";
  const std::string x = type(in, element), w = type(kernel, element), y = type(out, element);
  return "func.func @main(%x: " + x + ", %w: " + w + ") -> " + y +
         " {\n%0 = stablehlo.convolution(%x, %w) dim_numbers = " + a + "x" + b + "->" + c + ", window = {" + window +
         "} {batch_group_count = " + std::to_string(batchGroups) +
         " : i64, feature_group_count = " + std::to_string(featureGroups) + " : i64} : (" + x + ", " + w + ") -> " + y +
         "\nreturn %0 : " + y + "\n}\n";
}

TEST_CASE("convolution's kernel is its denotation to the bit, at any attributes") {
  for (unsigned seed = 1; seed <= 120; ++seed)
    agreesEverywhere(randomConvolution(seed, seed % 5 == 0 ? "bf16" : "f32"), seed);
}

std::string randomProduct(unsigned seed) {
  Draw draw(seed);
  std::vector<std::int64_t> batch, contracted, left, right;
  for (std::int64_t i = draw(0, 2); i > 0; --i) batch.push_back(draw(1, 3));
  for (std::int64_t i = draw(0, 2); i > 0; --i) contracted.push_back(draw(0, 9) == 0 ? 0 : draw(1, 40));
  for (std::int64_t i = draw(0, 2); i > 0; --i) left.push_back(draw(1, 5));
  for (std::int64_t i = draw(0, 2); i > 0; --i) right.push_back(draw(1, 5));
  std::vector<std::int64_t> out = batch;
  out.insert(out.end(), left.begin(), left.end());
  out.insert(out.end(), right.begin(), right.end());
  // Where the permuted axes of a side lie.
  const auto side = [&](const std::vector<std::int64_t>& own, std::vector<std::int64_t>& extents,
                        std::vector<std::int64_t>& batchAt, std::vector<std::int64_t>& contractedAt) {
    std::vector<std::int64_t> all = batch;
    all.insert(all.end(), contracted.begin(), contracted.end());
    // The own axes keep their order; the others are put anywhere.
    const auto order = draw.permutation(static_cast<int>(all.size() + own.size()));
    batchAt.assign(batch.size(), 0), contractedAt.assign(contracted.size(), 0);
    std::size_t next = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto axis = static_cast<std::size_t>(order[i]);
      extents.push_back(axis < all.size() ? all[axis] : own[next++]);
      if (axis < batch.size()) batchAt[axis] = static_cast<std::int64_t>(i);
      else if (axis < all.size()) contractedAt[axis - batch.size()] = static_cast<std::int64_t>(i);
    }
  };
  std::vector<std::int64_t> a, b, aBatch, aContracted, bBatch, bContracted;
  side(left, a, aBatch, aContracted);
  side(right, b, bBatch, bContracted);
  const std::string x = type(a, "f32"), y = type(b, "f32"), z = type(out, "f32");
  return "func.func @main(%x: " + x + ", %y: " + y + ") -> " + z +
         " {\n%0 = \"stablehlo.dot_general\"(%x, %y) "
         "{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = " +
         list(aBatch) + ", rhs_batching_dimensions = " + list(bBatch) +
         ", lhs_contracting_dimensions = " + list(aContracted) + ", rhs_contracting_dimensions = " + list(bContracted) +
         ">} : (" + x + ", " + y + ") -> " + z + "\nreturn %0 : " + z + "\n}\n";
}

TEST_CASE("dot_general's kernel is its denotation to the bit, at any axes") {
  for (unsigned seed = 1; seed <= 120; ++seed) agreesEverywhere(randomProduct(seed), seed);
}

TEST_CASE("dot's kernel is its denotation to the bit") {
  const auto dot = [](const std::string& a, const std::string& b, const std::string& c) {
    return "func.func @main(%x: tensor<" + a + "f32>, %y: tensor<" + b + "f32>) -> tensor<" + c +
           "f32> {\n%0 = stablehlo.dot %x, %y : (tensor<" + a + "f32>, tensor<" + b + "f32>) -> tensor<" + c +
           "f32>\nreturn %0 : tensor<" + c + "f32>\n}\n";
  };
  agreesEverywhere(dot("300x", "300x", ""), 1);
  agreesEverywhere(dot("7x300x", "300x", "7x"), 2);
  agreesEverywhere(dot("300x", "300x5x", "5x"), 3);
  agreesEverywhere(dot("9x300x", "300x17x", "9x17x"), 4);
  agreesEverywhere(dot("3x0x", "0x2x", "3x2x"), 5);
}

TEST_CASE("values are freed after their last use") {
  // A chain of additions: two values at any time, of which one is reused in place.
  std::string operations = "%v0 = stablehlo.add %x, %x : tensor<100000xf32>\n";
  for (int i = 1; i < 50; ++i)
    operations += "%v" + std::to_string(i) + " = stablehlo.tanh %v" + std::to_string(i - 1) + " : tensor<100000xf32>\n";
  const Module module = read("func.func @main(%x: tensor<100000xf32>) -> tensor<100000xf32> {\n" + operations +
                             "return %v49 : tensor<100000xf32>\n}\n");
  std::mt19937 draw(1);
  const F64 domain;
  const auto evaluated = evaluate<F64>(domain, module, {drawn(domain, module, draw)});
  CHECK(evaluated.peak.live <= 2 * 8 * 100000);
  CHECK(evaluated.peak.live >= 8 * 100000);
  CHECK(2 * evaluated.peak.taken <= 3 * evaluated.peak.live);
}

TEST_CASE("a loop holds what it carries once or twice, however often it turns") {
  const Module module = read(R"(func.func @main(%x: tensor<100000xf32>) -> tensor<100000xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.constant dense<30> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %p = %x) : tensor<i32>, tensor<100000xf32>
      cond {
        %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %j = stablehlo.add %i, %one : tensor<i32>
        %q = stablehlo.tanh %p : tensor<100000xf32>
        stablehlo.return %j, %q : tensor<i32>, tensor<100000xf32>
      }
    return %0#1 : tensor<100000xf32>
  })");
  std::mt19937 draw(1);
  const F64 domain;
  const auto evaluated = evaluate<F64>(domain, module, {drawn(domain, module, draw)});
  CHECK(evaluated.peak.live <= 4 * 8 * 100000);
  CHECK(2 * evaluated.peak.taken <= 3 * evaluated.peak.live);
}

TEST_CASE("a loop that does not end is stopped where that is asked for") {
  const Module module = read(R"(func.func @main(%x: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.while(%p = %x) : tensor<f32>
      cond {
        %c = stablehlo.constant dense<true> : tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        stablehlo.return %p : tensor<f32>
      }
    return %0 : tensor<f32>
  })");
  EvaluateOptions<F64> options;
  options.mostTurns = 1000;
  std::mt19937 draw(1);
  CHECK_THROWS_WITH(evaluate<F64>(F64(), module, {drawn(F64(), module, draw)}, options),
                    "a.mlir:2:10: stablehlo.while: the loop has not ended after 1000 turns");
}

}  // namespace
}  // namespace shardlaw::stablehlo::test
