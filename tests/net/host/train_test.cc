#include "net/host/train.h"

#include <omp.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "interp/error.h"
#include "interp/file.h"
#include "interp/number/hash.h"
#include "interp/tensor/npz.h"

using namespace shardlaw;
using Catch::Matchers::Contains;

namespace {

/// Images of 4 × 8 with a bright half: a class to each of four halves.
Dataset halves(std::int64_t examples, std::uint64_t seed) {
  Dataset data{Shape{2, 4, 8}, 4, std::vector<float>(), {}};
  auto& pixels = std::get<std::vector<float>>(data.pixels);
  for (std::int64_t n = 0; n < examples; ++n) {
    const auto label = static_cast<std::uint8_t>(mix64(seed, static_cast<std::uint64_t>(n)) % 4);
    data.labels.push_back(label);
    for (std::int64_t i = 0; i < 64; ++i) {
      const std::int64_t row = i / 8 % 4, column = i % 8;
      const bool bright = label == 0 ? row < 2 : label == 1 ? row >= 2 : label == 2 ? column < 4 : column >= 4;
      const auto noise = static_cast<float>(mix64(seed + 1, static_cast<std::uint64_t>(n * 64 + i)) >> 40) * 0x1p-24F;
      pixels.push_back(0.5F * noise + (bright ? 0.5F : 0.0F));
    }
  }
  return data;
}

const TrainAndTest& data() {
  static const TrainAndTest both{halves(96, 1), halves(64, 2)};
  return both;
}

Net net() { return findNet("tiny-bn").make(); }

TrainOptions options(std::int64_t replicas, std::int64_t steps, Optimizer optimizer = Optimizer::adam) {
  TrainOptions chosen;
  chosen.optimizer = optimizer;
  chosen.precision = Precision::f64;
  chosen.replicas = replicas;
  chosen.batch = 24;
  chosen.schedule = {0.02, 3, steps, Decay::constant};
  return chosen;
}

Curve trained(const TrainOptions& chosen) {
  const auto training = Training::make(net(), data(), chosen);
  while (!training->finished()) training->step();
  return training->curve();
}

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("shardlaw-train-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("training learns, with every optimizer") {
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::mom, Optimizer::adam}) {
    TrainOptions chosen = options(2, 60, optimizer);
    if (optimizer == Optimizer::sgd) chosen.schedule.peak = 0.1;
    const Curve curve = trained(chosen);
    REQUIRE(curve.rows.size() == 60);
    INFO(static_cast<int>(optimizer));
    constexpr int last = 10, examples = last * 24;
    double right = 0;
    for (std::size_t i = 60 - last; i < 60; ++i) right += curve.rows[i].trainAccuracy / last;
    // One in four would be right by chance; five standard errors of that many guesses above it is none.
    constexpr double chance = 0.25;
    CHECK(right > chance + 5 * std::sqrt(chance * (1 - chance) / examples));
  }
}

TEST_CASE("with its running statistics the net knows images that it was not trained on") {
  // The averages move by a hundredth a step: they need some hundred steps to be of the trained net.
  const Curve curve = trained(options(1, 400));
  REQUIRE(curve.rows.back().testAccuracy);
  CHECK(*curve.rows.back().testAccuracy > 0.9);
}

TEST_CASE("the curve of R replicas lies on that of one") {
  const Curve one = trained(options(1, 8));
  for (const std::int64_t replicas : {2, 3, 4}) {
    const Curve many = trained(options(replicas, 8));
    for (std::size_t i = 0; i < one.rows.size(); ++i) {
      INFO(replicas << " replicas, step " << i + 1);
      // The same numbers but for f64's order of summation, which training amplifies from step to step.
      CHECK(many.rows[i].trainLoss == Approx(one.rows[i].trainLoss).epsilon(1e-9));
      CHECK(many.rows[i].learningRate == one.rows[i].learningRate);
    }
    CHECK(many.rows[7].testAccuracy == one.rows[7].testAccuracy);
  }
}

TEST_CASE("a run that is stopped and gone on with ends in the same bytes, at any number of threads") {
  const Folder folder;
  const auto whole = Training::make(net(), data(), options(2, 9));
  while (!whole->finished()) whole->step();
  whole->save(folder / "whole.npz");
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  {
    const auto first = Training::make(net(), data(), options(2, 9));
    // Past the end of an epoch, which has four steps.
    for (int i = 0; i < 5; ++i) first->step();
    first->save(folder / "part.npz");
  }
  const auto second = Training::make(net(), data(), options(2, 9));
  second->resume(folder / "part.npz");
  while (!second->finished()) second->step();
  second->save(folder / "resumed.npz");
  omp_set_num_threads(threads);
  CHECK(readFile(folder / "whole.npz") == readFile(folder / "resumed.npz"));
  CHECK(toCsv(whole->curve()) == toCsv(second->curve()));
}

TEST_CASE("a checkpoint of another run, or a damaged one, is refused") {
  const Folder folder;
  const auto training = Training::make(net(), data(), options(2, 9));
  training->step();
  training->save(folder / "run.npz");
  const auto refusal = [&](const TrainOptions& chosen, const std::string& path) {
    try {
      Training::make(net(), data(), chosen)->resume(path);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refusal(options(2, 9), folder / "run.npz") == "accepted");
  CHECK_THAT(refusal(options(4, 9), folder / "run.npz"), Contains("R 4") && Contains("found one of another"));
  TrainOptions other = options(2, 9);
  other.seed = 2;
  CHECK_THAT(refusal(other, folder / "run.npz"), Contains("seed 2"));
  other = options(2, 9);
  other.precision = Precision::f32;
  CHECK_THAT(refusal(other, folder / "run.npz"), Contains("f32"));

  const NpzFile file = NpzFile::open(folder / "run.npz");
  std::vector<NamedArray> arrays;
  for (const std::string& name : file.names()) arrays.push_back({name, file.read(name)});
  const auto with = [&](const std::string& name, const Array& array) {
    std::vector<NamedArray> changed = arrays;
    for (NamedArray& one : changed)
      if (one.name == name) one.array = array;
    writeNpz(folder / "changed.npz", changed);
    return refusal(options(2, 9), folder / "changed.npz");
  };
  CHECK_THAT(with("W1", zeros(DType::f64, Shape{2, 2, 3, 2})),
             Contains("W1: expected f64 [2,2,3,3], found f64 [2,2,3,2]"));
  CHECK_THAT(with("g1m", zeros(DType::f32, Shape{2})), Contains("g1m: expected f64 [2], found f32 [2]"));
  CHECK_THAT(with("curve", zeros(DType::f64, Shape{1, 6})), Contains("expected step 1 in row 0"));
  CHECK_THAT(with("curve", zeros(DType::f64, Shape{6})), Contains("expected f64 of shape [rows,6]"));
  arrays.pop_back();
  writeNpz(folder / "changed.npz", arrays);
  CHECK_THAT(refusal(options(2, 9), folder / "changed.npz"), Contains("n4var"));
  const std::string bytes = readFile(folder / "run.npz");
  writeFile(folder / "half.npz", bytes.substr(0, bytes.size() / 2));
  CHECK_THAT(refusal(options(2, 9), folder / "half.npz"), Contains("half.npz"));
}

TEST_CASE("what does not fit is refused before a step") {
  const auto refusal = [](const Net& of, TrainOptions chosen) {
    try {
      Training::make(of, data(), chosen);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK_THAT(refusal(findNet("tiny-resnet").make(), options(1, 1)), Contains("expected [2,16,8], found [2,4,8]"));
  CHECK_THAT(refusal(net(), options(5, 1)), Contains("a multiple of 5 replicas, found 24"));
  TrainOptions large = options(1, 1);
  large.batch = 97;
  CHECK_THAT(refusal(net(), large), Contains("at most the 96 examples"));
  CHECK_THAT(refusal(net(), options(1, 0)), Contains("steps: expected at least 1"));
  CHECK_THAT(refusal(plainNet({"narrow", "", Shape{2, 4, 8}, {2}, 1, 2, 3}), options(1, 1)),
             Contains("at most 3 classes"));
}

TEST_CASE("a loss that is no number ends the run with the step") {
  TrainOptions wild = options(1, 50, Optimizer::sgd);
  wild.schedule = {1e6, 0, 50, Decay::constant};
  CHECK_THROWS_WITH(trained(wild), Contains("expected a finite loss") && Contains("step "));
}

TEST_CASE("a state that is no number ends the run before it takes the place of the one before") {
  // Squares of these pixels are beyond f32: the variance is infinite, though x̂ and with it the loss are not.
  TrainAndTest bright{halves(24, 1), halves(0, 2)};
  for (float& pixel : std::get<std::vector<float>>(bright.train.pixels)) pixel *= 1e30F;
  TrainOptions chosen = options(1, 3);
  chosen.precision = Precision::f32;
  const auto training = Training::make(net(), bright, chosen);
  CHECK_THROWS_WITH(training->step(), Contains("step 1: expected finite numbers, found inf in n1var"));
  CHECK(training->curve().rows.empty());
}
