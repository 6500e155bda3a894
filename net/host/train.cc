#include "net/host/train.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <map>

#include "interp/error.h"
#include "interp/exec/evaluate.h"
#include "interp/number/hash.h"
#include "interp/number/shortest.h"
#include "net/host/checkpoint.h"
#include "net/host/run_memory.h"

namespace shardlaw {
namespace {

void require(bool fits, const std::string& what, const std::string& expected, const std::string& found) {
  if (!fits) throw Error(what + ": expected " + expected + ", found " + found);
}

void requireFit(const Net& net, const TrainAndTest& data, const TrainOptions& options) {
  require(data.train.image == net.image, "images for " + net.name, toString(net.image), toString(data.train.image));
  require(data.train.classes <= net.classes, "labels for " + net.name,
          "at most " + std::to_string(net.classes) + " classes", std::to_string(data.train.classes));
  require(options.replicas >= 1, "replicas", "at least 1", std::to_string(options.replicas));
  require(options.batch >= 1 && options.batch % options.replicas == 0, "batch",
          "a multiple of " + std::to_string(options.replicas) + " replicas", std::to_string(options.batch));
  require(options.batch <= data.train.examples(), "batch",
          "at most the " + std::to_string(data.train.examples()) + " examples of the training set",
          std::to_string(options.batch));
  require(options.schedule.steps >= 1, "steps", "at least 1", std::to_string(options.schedule.steps));
}

/// A hash of images, labels and their shape, the same on every machine.
std::uint64_t fingerprint(const Dataset& set, std::uint64_t key) {
  key = streamKey(key, toString(set.image));
  for (const std::uint8_t label : set.labels) key = mix64(key, label);
  return std::visit(
      [&](const auto& pixels) {
        std::uint64_t hash = mix64(key, sizeof pixels[0]);
        for (std::size_t i = 0; i < pixels.size(); i += 8) {
          std::uint64_t word = 0;
          for (std::size_t k = i; k < std::min(i + 8, pixels.size()); ++k) {
            if constexpr (sizeof pixels[0] == 1) word = word << 8 | pixels[k];
            else word = mix64(word, std::bit_cast<std::uint32_t>(pixels[k]));
          }
          hash = mix64(hash, word);
        }
        return hash;
      },
      set.pixels);
}

std::string hexadecimal(std::uint64_t word) {
  char digits[17];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, word, 16).ptr);
}

/// What a checkpoint must agree on with the run that goes on from it.
std::string aboutRun(const Net& net, const TrainAndTest& data, const TrainOptions& options) {
  const Schedule& schedule = options.schedule;
  return "net " + net.name + ", " + std::to_string(net.parameterCells()) + " parameters, " +
         std::string(optimizerNames[static_cast<std::size_t>(options.optimizer)]) + (options.bf16 ? ", bf16" : "") +
         (options.precision == Precision::f32 ? ", f32" : ", f64") + ", R " + std::to_string(options.replicas) +
         ", batch " + std::to_string(options.batch) + ", seed " + std::to_string(options.seed) + ", rate " +
         shortest(schedule.peak) + (schedule.decay == Decay::cosine ? " cosine" : " constant") + ", warm-up " +
         std::to_string(schedule.warmup) + ", steps " + std::to_string(schedule.steps) + ", " +
         std::to_string(data.train.examples()) + " examples, data " +
         hexadecimal(fingerprint(data.test, fingerprint(data.train, 0)));
}

template <class F>
std::int64_t correctIn(const Tensor<F>& logits, const Tensor<F>& onehot) {
  const std::int64_t classes = logits.shape()[1];
  std::int64_t correct = 0;
  for (std::int64_t n = 0; n < logits.shape()[0]; ++n) {
    const F* first = logits.view().data() + n * classes;
    const auto best = std::max_element(first, first + classes) - first;
    correct += onehot[n * classes + best] == 1 ? 1 : 0;
  }
  return correct;
}

template <class F>
class TrainingIn final : public Training {
  using Tensors = std::vector<Tensor<F>>;

 public:
  TrainingIn(const Net& net, const TrainAndTest& data, const TrainOptions& options)
      : net_(net),
        data_(data),
        options_(options),
        about_(aboutRun(net, data, options)),
        program_(trainStep(net, options.batch / options.replicas, stepOptions(options), Outputs::logitsToo)) {
    requireRunFits(net, program_, options.replicas, sizeof(F));
    state_.theta = initialParameters<F>(net, options.seed);
    for (const Parameter& parameter : net.parameters) {
      state_.m.emplace_back(parameter.shape);
      state_.v.emplace_back(parameter.shape);
    }
    for (const Statistic& statistic : net.statistics) state_.running.emplace_back(statistic.shape);
    state_.curve.name = "R = " + std::to_string(options.replicas);
  }

  std::int64_t steps() const override { return options_.schedule.steps; }
  bool finished() const override { return stepsTaken() >= options_.schedule.steps; }
  const Curve& curve() const override { return state_.curve; }
  void save(const std::string& path) const override { saveCheckpoint(path, net_, state_, about_); }
  void resume(const std::string& path) override {
    const std::string name = state_.curve.name;
    TrainState<F> found = readCheckpoint<F>(path, net_, about_);
    if (static_cast<std::int64_t>(found.curve.rows.size()) > steps())
      throw Error(path + ", curve: expected at most the run's " + std::to_string(steps()) + " steps, found " +
                  std::to_string(found.curve.rows.size()));
    state_ = std::move(found);
    state_.curve.name = name;
  }

  const CurveRow& step() override {
    const std::int64_t t = stepsTaken() + 1;
    const Batch<F> batch = nextBatch(t);
    const double rate = options_.schedule.rate(t);
    const auto values = evaluate(domain_, program_, inputs(batch, t, rate), {.keepAll = false});
    CurveRow row{t, static_cast<double>(t) / static_cast<double>(stepsPerEpoch()), rate, 0, 0, {}};
    std::int64_t correct = 0;
    for (std::int64_t r = 0; r < options_.replicas; ++r) {
      const auto& replica = values[static_cast<std::size_t>(r)];
      row.trainLoss += static_cast<double>(result(replica, "loss")[0]) / static_cast<double>(options_.replicas);
      correct += correctIn(result(replica, "logits"), batchShard(batch.y, r, options_.replicas));
    }
    row.trainAccuracy = static_cast<double>(correct) / static_cast<double>(options_.batch);
    if (!std::isfinite(row.trainLoss))
      throw Error("step " + std::to_string(t) + ": expected a finite loss, found " + std::to_string(row.trainLoss) +
                  "; a lower rate or a warm-up may help");
    requireFiniteState(values[0], t);
    takeResults(values[0], t);
    if (data_.test.examples() > 0 && (t % stepsPerEpoch() == 0 || t == options_.schedule.steps))
      row.testAccuracy = testAccuracy();
    state_.curve.rows.push_back(row);
    return state_.curve.rows.back();
  }

  double testAccuracy() const override {
    std::int64_t correct = 0;
    for (std::int64_t first = 0; first < data_.test.examples(); first += options_.batch) {
      std::vector<std::int64_t> indices;
      for (std::int64_t i = first; i < std::min(first + options_.batch, data_.test.examples()); ++i)
        indices.push_back(i);
      correct += correctOf(indices);
    }
    return static_cast<double>(correct) / static_cast<double>(data_.test.examples());
  }

 private:
  static StepOptions stepOptions(const TrainOptions& options) {
    StepOptions step;
    step.optimizer = options.optimizer;
    step.bf16 = options.bf16;
    step.replicas = options.replicas;
    step.constants = options.constants;
    return step;
  }

  std::int64_t stepsTaken() const { return static_cast<std::int64_t>(state_.curve.rows.size()); }
  std::int64_t stepsPerEpoch() const { return data_.train.examples() / options_.batch; }

  Batch<F> nextBatch(std::int64_t t) {
    const std::int64_t epoch = (t - 1) / stepsPerEpoch(), first = (t - 1) % stepsPerEpoch() * options_.batch;
    if (epoch != epoch_) {
      order_ = epochOrder(data_.train.examples(), options_.seed, epoch);
      epoch_ = epoch;
    }
    return widened(data_.train.batch<F>(
        std::span(order_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(options_.batch))));
  }

  /// One column of labels per class of the net, where the data have fewer.
  Batch<F> widened(Batch<F> batch) const {
    const std::int64_t found = batch.y.shape()[1], examples = batch.y.shape()[0];
    if (found == net_.classes) return batch;
    Tensor<F> wide(Shape{examples, net_.classes});
    for (std::int64_t n = 0; n < examples; ++n)
      for (std::int64_t k = 0; k < found; ++k) wide[n * net_.classes + k] = batch.y[n * found + k];
    return {std::move(batch.x), std::move(wide)};
  }

  static Tensor<F> scalar(double value) { return Tensor<F>(Shape{}, {static_cast<F>(value)}); }

  /// x and onehot cut contiguously, everything else replicated.
  std::vector<Tensors> inputs(const Batch<F>& batch, std::int64_t t, double rate) const {
    const Corrections correction = corrections(options_.constants, t);
    std::vector<Tensors> inputs(static_cast<std::size_t>(options_.replicas));
    for (std::int64_t r = 0; r < options_.replicas; ++r) {
      Tensors& own = inputs[static_cast<std::size_t>(r)];
      own.push_back(batchShard(batch.x, r, options_.replicas));
      for (const Tensors* part : {&state_.theta, &state_.m, &state_.v})
        own.insert(own.end(), part->begin(), part->end());
      for (const double number : {rate, correction.bc1, correction.bc2}) own.push_back(scalar(number));
      own.insert(own.end(), state_.running.begin(), state_.running.end());
      own.push_back(batchShard(batch.y, r, options_.replicas));
    }
    return inputs;
  }

  const Tensor<F>& result(const Tensors& values, std::string_view name) const {
    for (const Result& one : program_.results())
      if (one.name == name) return values[static_cast<std::size_t>(one.value)];
    throw std::logic_error("no result " + std::string(name));
  }

  /// A state that is no number any more must not take the place of one that is: not in the checkpoint either.
  void requireFiniteState(const Tensors& values, std::int64_t t) const {
    for (const Result& one : program_.results()) {
      if (one.name == "logits") continue;
      const Tensor<F>& tensor = values[static_cast<std::size_t>(one.value)];
      const F* cells = tensor.view().data();
      const F* found = std::find_if(cells, cells + tensor.cells(), [](F cell) { return !std::isfinite(cell); });
      if (found != cells + tensor.cells())
        throw Error("step " + std::to_string(t) + ": expected finite numbers, found " + std::to_string(*found) +
                    " in " + one.name + "; a lower rate, a warm-up or smaller pixels may help");
    }
  }

  void takeResults(const Tensors& values, std::int64_t t) {
    std::size_t next = 0;
    const auto take = [&](std::size_t count) {
      Tensors taken;
      for (std::size_t i = 0; i < count; ++i)
        taken.push_back(values[static_cast<std::size_t>(program_.results()[next++].value)]);
      return taken;
    };
    state_.theta = take(net_.parameters.size());
    state_.m = take(net_.parameters.size());
    state_.v = take(net_.parameters.size());
    next += 3;  // loss, bc1, bc2
    updateRunning(state_.running, take(net_.statistics.size()), t);
  }

  std::int64_t correctOf(const std::vector<std::int64_t>& indices) const {
    const auto size = static_cast<std::int64_t>(indices.size());
    auto found = evaluation_.find(size);
    if (found == evaluation_.end()) found = evaluation_.emplace(size, fwdEval(net_, size, options_.constants)).first;
    const Batch<F> batch = widened(data_.test.batch<F>(indices));
    Tensors own{batch.x};
    own.insert(own.end(), state_.theta.begin(), state_.theta.end());
    own.insert(own.end(), state_.running.begin(), state_.running.end());
    const auto values = evaluate(domain_, found->second, {std::move(own)}, {.keepAll = false});
    return correctIn(values[0][static_cast<std::size_t>(found->second.results()[0].value)], batch.y);
  }

  Ieee<F> domain_;
  Net net_;
  const TrainAndTest& data_;
  TrainOptions options_;
  std::string about_;
  Program program_;
  mutable std::map<std::int64_t, Program> evaluation_;  ///< by batch
  TrainState<F> state_;
  std::vector<std::int64_t> order_;
  std::int64_t epoch_ = -1;
};

}  // namespace

std::unique_ptr<Training> Training::make(const Net& net, const TrainAndTest& data, const TrainOptions& options) {
  requireFit(net, data, options);
  if (options.precision == Precision::f64) return std::make_unique<TrainingIn<double>>(net, data, options);
  return std::make_unique<TrainingIn<float>>(net, data, options);
}

}  // namespace shardlaw
