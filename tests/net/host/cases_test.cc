// What has gone wrong in the field between a step and its host (tests/CASES.md), by number.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "interp/exec/evaluate.h"
#include "interp/file.h"
#include "interp/number/hash.h"
#include "interp/tensor/npz.h"
#include "net/host/train.h"
#include "tests/folder.h"

namespace shardlaw::test {
namespace {

using Values = std::map<std::string, Tensor<double>>;

/// Everything of a checkpoint but its text.
Values checkpointOf(const Training& training, const Folder& folder) {
  training.save(folder / "read.npz");
  const NpzFile file = NpzFile::open(folder / "read.npz");
  Values values;
  for (const std::string& name : file.names())
    if (name != "run") values.emplace(name, tensorOf<double>(file.read(name)));
  return values;
}

/// The run goes on from its own state, of which some tensors are others.
void goOnWith(Training& training, const Folder& folder, const Values& changes) {
  training.save(folder / "change.npz");
  std::vector<NamedArray> arrays;
  {
    const NpzFile file = NpzFile::open(folder / "change.npz");
    for (const std::string& name : file.names())
      arrays.push_back({name, changes.contains(name) ? arrayOf(changes.at(name)) : file.read(name)});
  }
  writeNpz(folder / "change.npz", arrays);
  training.resume(folder / "change.npz");
}

Dataset imagesOf(const Shape& image, std::vector<float> pixels, std::vector<std::uint8_t> labels) {
  return {image, 2, std::move(pixels), std::move(labels)};
}

Dataset noise(const Shape& image, std::int64_t examples) {
  std::vector<float> pixels;
  std::vector<std::uint8_t> labels;
  for (std::int64_t i = 0; i < examples * image.cells(); ++i)
    pixels.push_back(static_cast<float>(mix64(3, static_cast<std::uint64_t>(i)) >> 40) * 0x1p-24F);
  for (std::int64_t n = 0; n < examples; ++n) labels.push_back(static_cast<std::uint8_t>(n % 2));
  return imagesOf(image, std::move(pixels), std::move(labels));
}

TrainOptions optionsOf(std::int64_t replicas, std::int64_t batch, Optimizer optimizer = Optimizer::sgd) {
  TrainOptions options;
  options.optimizer = optimizer;
  options.precision = Precision::f64;
  options.replicas = replicas;
  options.batch = batch;
  options.schedule = {0.01, 0, 4, Decay::constant};
  return options;
}

/// One convolution and its BN on maps of 2 × 2.
Net oneLayer() { return plainNet({"one", "", Shape{1, 2, 2}, {1}, 1, 2, 2}); }

/// A kernel of 3 × 3 with this cell in the middle.
Tensor<double> middle(double cell) {
  Tensor<double> kernel(Shape{1, 1, 3, 3});
  kernel[4] = cell;
  return kernel;
}

Tensor<double> channel(double cell) { return Tensor<double>(Shape{1}, {cell}); }

TEST_CASE("cases 11 and 12: the running variance is biased, over the global batch, and moves by a hundredth") {
  const Folder folder;
  // The values of Example S, twice: one replica holds 0 and 2, the other 4 and 6.
  const TrainAndTest data{imagesOf(Shape{1, 2, 2}, {0, 2, 0, 2, 4, 6, 4, 6}, {0, 1}), imagesOf(Shape{1, 2, 2}, {}, {})};
  for (const std::int64_t replicas : {1, 2}) {
    INFO(replicas << " replicas");
    const auto training = Training::make(oneLayer(), data, optionsOf(replicas, 2));
    training->step();
    goOnWith(*training, folder, {{"W1", middle(1)}, {"cb1", channel(0)}, {"n1mu", channel(0)}, {"n1var", channel(1)}});
    training->step();
    const Values values = checkpointOf(*training, folder);
    CHECK(values.at("n1mu")[0] == Approx(0.03).epsilon(1e-14));
    // 0.99·1 + 0.01·5; unbiased 40/7 would give 1.0471, the mean of the shards' variances 1.0, a turned momentum 4.96.
    CHECK(values.at("n1var")[0] == Approx(1.04).epsilon(1e-14));
  }
}

TEST_CASE("cases 13 and 17: of all ones the mean goes to the mean's slot, the variance to its own, without ε") {
  const Folder folder;
  const TrainAndTest data{noise(Shape{1, 2, 2}, 6), noise(Shape{1, 2, 2}, 0)};
  for (const std::int64_t replicas : {1, 3}) {
    INFO(replicas << " replicas");
    TrainOptions options = optionsOf(replicas, 6);
    options.constants.eps = 1;
    const auto training = Training::make(oneLayer(), data, options);
    training->step();
    goOnWith(*training, folder, {{"W1", middle(0)}, {"cb1", channel(1)}, {"n1mu", channel(0)}, {"n1var", channel(1)}});
    training->step();
    const Values values = checkpointOf(*training, folder);
    CHECK(values.at("n1mu")[0] == 0.01);
    CHECK(values.at("n1var")[0] == 0.99);
  }
}

/// Its last two layers have maps of one cell.
Net downToOneCell() { return residualNet({"cell", "", Shape{1, 8, 8}, 3, {2, 3}, {1, 1}, 2}); }

TEST_CASE("case 18: one cell per channel and replica is enough where there are two replicas, and never gives a NaN") {
  const Folder folder;
  const TrainAndTest data{noise(Shape{1, 8, 8}, 2), noise(Shape{1, 8, 8}, 0)};
  const auto stepped = [&](std::int64_t replicas, std::int64_t batch) {
    const auto training = Training::make(downToOneCell(), data, optionsOf(replicas, batch));
    training->step();
    return checkpointOf(*training, folder);
  };
  const Values one = stepped(1, 2), two = stepped(2, 2);
  for (const auto& [name, values] : one)
    for (std::int64_t i = 0; i < values.cells(); ++i) {
      if (name == "curve") continue;
      INFO(name << '[' << i << ']');
      CHECK(two.at(name)[i] == Approx(values[i]).epsilon(1e-9).margin(1e-12));
    }
  CHECK(two.at("n2_1_2var")[0] > 0);
  // One cell in all: x̂ = 0 and the variance is 0.
  for (const auto& [name, values] : stepped(1, 1))
    for (std::int64_t i = 0; i < values.cells(); ++i) {
      INFO(name << '[' << i << ']');
      if (name != "curve") CHECK(std::isfinite(values[i]));
      if (name == "n2_1_2var") CHECK(values[i] == 0);
    }
}

/// θ before and after the first step of a run, and g from a moment that is `share` of it, of each cell.
struct FirstStep {
  std::string cell;
  double before, after, g;
};

std::vector<FirstStep> firstStep(const TrainOptions& options, const std::string& moment, double share) {
  const Folder folder;
  const Net net = findNet("tiny-bn").make();
  const TrainAndTest data{noise(net.image, 6), noise(net.image, 0)};
  const auto training = Training::make(net, data, options);
  const Values before = checkpointOf(*training, folder);
  training->step();
  const Values after = checkpointOf(*training, folder);
  std::vector<FirstStep> cells;
  double most = 0;
  for (const Parameter& parameter : net.parameters)
    for (std::int64_t i = 0; i < parameter.shape.cells(); ++i) {
      const double g = after.at(parameter.name + moment)[i] / share;
      cells.push_back({parameter.name + "[" + std::to_string(i) + "]", before.at(parameter.name)[i],
                       after.at(parameter.name)[i], g});
      most = std::max(most, std::fabs(g));
    }
  REQUIRE(most > 0.1);  // or the formulas are of zeros
  return cells;
}

TEST_CASE("case 34: Nesterov's first step is lr·(1 + μ)·g") {
  for (const std::int64_t replicas : {1, 3})
    for (const FirstStep& cell : firstStep(optionsOf(replicas, 6, Optimizer::mom), "v", 1)) {
      INFO(cell.cell << ", R = " << replicas);
      CHECK(cell.after == Approx(cell.before - 0.01 * 1.9 * cell.g).epsilon(1e-12).margin(1e-15));
    }
}

TEST_CASE("cases 35 to 37: AdamW's first step is lr·(g/(|g| + ε) + decay·θ), and is counted as the first") {
  for (const std::int64_t replicas : {1, 3}) {
    TrainOptions options = optionsOf(replicas, 6, Optimizer::adam);
    options.constants.adamEps = ratio(1, 1000);
    options.constants.decay = ratio(1, 2);
    for (const FirstStep& cell : firstStep(options, "m", 0.1)) {
      INFO(cell.cell << ", R = " << replicas);
      const double next = cell.before - 0.01 * (cell.g / (std::fabs(cell.g) + 1e-3) + 0.5 * cell.before);
      CHECK(cell.after == Approx(next).epsilon(1e-10).margin(1e-14));
    }
  }
}

TEST_CASE(
    "case 55: the same step from one state gives the same bits, in a run that has taken others and in a new one") {
  const Folder folder;
  const TrainAndTest data{noise(Shape{2, 4, 8}, 12), noise(Shape{2, 4, 8}, 4)};
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam}) {
    const TrainOptions options = optionsOf(2, 6, optimizer);
    const auto training = Training::make(findNet("tiny-bn").make(), data, options);
    training->step();
    training->save(folder / "state.npz");
    training->step();
    training->save(folder / "first.npz");
    training->step();
    training->resume(folder / "state.npz");
    training->step();
    training->save(folder / "again.npz");
    const auto other = Training::make(findNet("tiny-bn").make(), data, options);
    other->resume(folder / "state.npz");
    other->step();
    other->save(folder / "other.npz");
    CHECK(readFile(folder / "first.npz") == readFile(folder / "again.npz"));
    CHECK(readFile(folder / "first.npz") == readFile(folder / "other.npz"));
  }
}

TEST_CASE("case 4: after a step all replicas have the same bits of every parameter, moment and statistic") {
  for (const char* name : {"tiny-bn", "tiny-resnet"}) {
    const Net net = findNet(name).make();
    StepOptions options;
    options.optimizer = Optimizer::adam;
    options.replicas = 3;
    const Program program = trainStep(net, 2, options);
    std::vector<std::vector<Tensor<float>>> inputs(3);
    for (std::uint64_t r = 0; r < 3; ++r)
      for (const ValueId id : program.inputs()) {
        const Value& input = program.value(id);
        const std::uint64_t key = mix64(7, static_cast<std::uint64_t>(id) + (input.type.batched ? 1000 * (r + 1) : 0));
        Tensor<float> tensor(input.type.shape);
        for (std::int64_t i = 0; i < tensor.cells(); ++i)
          tensor[i] = static_cast<float>(mix64(key, static_cast<std::uint64_t>(i)) >> 40) * 0x1p-24F;
        inputs[r].push_back(std::move(tensor));
      }
    const auto values = evaluate(F32(), program, std::move(inputs));
    for (const Result& result : program.results()) {
      if (result.name == "loss") continue;
      const auto at = static_cast<std::size_t>(result.value);
      int different = 0;
      for (std::int64_t i = 0; i < values[0][at].cells(); ++i)
        for (const std::size_t r : {1, 2})
          different += std::bit_cast<std::uint32_t>(values[0][at][i]) != std::bit_cast<std::uint32_t>(values[r][at][i]);
      INFO(name << ' ' << result.name);
      CHECK(different == 0);
    }
  }
}

}  // namespace
}  // namespace shardlaw::test
