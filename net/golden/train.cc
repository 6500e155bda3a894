// golden train: trains a network, and writes its learning curve and checkpoints.
#include "net/host/train.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <set>

#include "interp/command/options.h"
#include "interp/command/terminal.h"
#include "interp/file.h"
#include "net/golden/golden.h"

namespace shardlaw::golden {
namespace {

using command::Options;

constexpr const char* examples = R"(Examples:
  golden train --net cifar8-bn-narrow --data cifar-10-batches-bin --optimizer adam --epochs 10
  golden train --widths 8,16 --head 32 --data images.npz --R 1,4 --curve curve
                                 the curves of one and of four replicas in curve.svg, one over the other
  golden train --net cifar8-bn --data images.npz --checkpoint run.npz --every 500
  golden train --net cifar8-bn --data images.npz --checkpoint run.npz --resume

The data are a folder of CIFAR-10's binary version, one of its .bin files, or an .npz with x [n,C,H,W] and y [n].

Exit status: 0 done, 2 usage or bad input.)";

struct TrainCommand {
  std::string data, checkpoint, curve;
  std::vector<std::int64_t> replicas;
  std::int64_t epochs = 1, every = 0;
  std::optional<std::int64_t> steps;
  bool resume = false, quiet = false;
  TrainOptions training;
};

void declare(Options& options, TrainCommand& command) {
  options.text("--data", "Images to train on", "PATH");
  options.text("--net", "Network by name (golden nets lists them)", "NAME");
  options.text("--widths", "Or the pattern of cifar8-bn for the images: channels of each stage", "LIST");
  options.text("--convolutions", "Convolutions in a stage of that pattern (2)", "N");
  options.text("--head", "Units of its dense layers (64)", "N");
  options.text("--optimizer", "sgd, mom (Nesterov) or adam (AdamW) (adam)", "NAME");
  options.text("--rate", "Peak learning rate (0.001)", "X");
  options.text("--schedule", "cosine or constant, after a linear warm-up (cosine)", "NAME");
  options.text("--warmup", "Steps of the warm-up (0)", "N");
  options.text("--R", "Replicas; several numbers for one run each", "LIST");
  options.text("--batch", "Examples in a step, of all replicas together (128)", "N");
  options.text("--epochs", "Passes over the training set (1)", "N");
  options.text("--steps", "Optimizer steps, in place of --epochs", "N");
  options.text("--precision", "f32 or f64 (f32)", "NAME");
  options.text("--seed", "Seed of parameters and order (1)", "N");
  options.text("--curve", "Write PREFIX.svg, and PREFIX.csv or PREFIX-R4.csv", "PREFIX");
  options.text("--checkpoint", "File for checkpoints, written at the end too", "FILE");
  options.text("--every", "Steps from one checkpoint to the next (only at the end)", "N");
  options.flag("--bf16", command.training.bf16, "Convolutions by their bf16 twins");
  options.flag("--resume", command.resume, "Go on from the checkpoint");
  options.flag("--quiet", command.quiet, "No progress");
}

/// One number of a list.
std::int64_t wholeIn(const std::string& option, const std::string& text) {
  return command::wholeOf<std::int64_t>(option, text, 1, 1'000'000);
}

void read(const Options& options, TrainCommand& command) {
  constexpr std::int64_t most = 1'000'000'000;
  TrainOptions& training = command.training;
  command.data = options.required("--data", "which images");
  if (options.has("--net"))
    options.requireNone("--net", "it names the network", {"--widths", "--convolutions", "--head"});
  else if (!options.has("--widths")) throw Error("which network? give --net NAME, or --widths LIST");
  training.optimizer = findOptimizer(options.only("--optimizer").value_or("adam"));
  training.schedule.peak = options.decimal("--rate", 0, 1e6, training.schedule.peak);
  training.schedule.decay =
      options.oneOf<Decay>("--schedule", {{"cosine", Decay::cosine}, {"constant", Decay::constant}}, Decay::cosine);
  training.schedule.warmup = options.whole<std::int64_t>("--warmup", 0, most, 0);
  training.precision =
      options.oneOf<Precision>("--precision", {{"f32", Precision::f32}, {"f64", Precision::f64}}, Precision::f32);
  training.batch = options.whole<std::int64_t>("--batch", 1, most, training.batch);
  training.seed = options.whole<std::uint64_t>("--seed", 0, UINT64_MAX, training.seed);
  for (const std::string& text : options.list("--R")) command.replicas.push_back(wholeIn("--R", text));
  if (command.replicas.empty()) command.replicas = {1};
  if (std::set<std::int64_t>(command.replicas.begin(), command.replicas.end()).size() < command.replicas.size())
    throw Error(fmt::format("--R: expected different numbers, found '{}'", excerpt(*options.only("--R"))));
  command.epochs = options.whole<std::int64_t>("--epochs", 1, most, command.epochs);
  if (options.has("--steps")) {
    if (options.has("--epochs")) throw Error("--steps: it says how long the run is; --epochs has no place beside it");
    command.steps = options.whole<std::int64_t>("--steps", 1, most, 1);
  }
  command.curve = options.only("--curve").value_or("");
  command.checkpoint = options.only("--checkpoint").value_or("");
  command.every = options.whole<std::int64_t>("--every", 1, most, 0);
  if (command.checkpoint.empty() && (command.resume || command.every > 0))
    throw Error("which checkpoint? give --checkpoint FILE");
  if (!command.checkpoint.empty() && command.replicas.size() > 1)
    throw Error("--checkpoint: it is of one run; give one number to --R");
}

Net netFor(const Options& options, const Dataset& data) {
  const auto widths = options.list("--widths");
  if (const auto name = options.only("--net")) return findNet(*name).make();
  PlainPattern pattern{"plain", "", data.image, {}, 2, 64, data.classes};
  for (const std::string& width : widths) pattern.widths.push_back(wholeIn("--widths", width));
  pattern.convolutions = options.whole("--convolutions", 1, 100, pattern.convolutions);
  pattern.head = options.whole<std::int64_t>("--head", 1, 1'000'000, pattern.head);
  pattern.name = "plain-" + *options.only("--widths");
  return plainNet(pattern);
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

class Progress {
 public:
  Progress(const TrainCommand& command, std::int64_t steps)
      : steps_(steps), batch_(command.training.batch), shown_(!command.quiet && command::isTerminal(STDERR_FILENO)) {}

  void show(const CurveRow& row) {
    ++taken_;
    if (!shown_) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    command::showProgress(fmt::format("step {}/{}, epoch {:.1f}, loss {:.3f}, {} right, {:.0f} examples/s", row.step,
                                      steps_, row.epoch, row.trainLoss, percent(row.trainAccuracy),
                                      static_cast<double>(taken_ * batch_) / seconds));
  }

 private:
  std::int64_t steps_, batch_, taken_ = 0;
  bool shown_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Ready to take steps: whatever does not fit is refused here, before anything is printed or written.
std::unique_ptr<Training> prepared(const TrainCommand& command, const Net& net, const TrainAndTest& data,
                                   std::int64_t replicas) {
  TrainOptions options = command.training;
  options.replicas = replicas;
  const std::int64_t perEpoch = std::max<std::int64_t>(1, data.train.examples() / options.batch);
  options.schedule.steps = command.steps.value_or(command.epochs * perEpoch);
  auto training = Training::make(net, data, options);
  if (command.resume) training->resume(command.checkpoint);
  return training;
}

void run(const TrainCommand& command, Training& training, std::int64_t replicas) {
  Progress progress(command, training.steps());
  while (!training.finished()) {
    const CurveRow row = training.step();
    progress.show(row);
    if (command.every > 0 && row.step % command.every == 0) training.save(command.checkpoint);
    if (!row.testAccuracy) continue;
    command::clearProgress();
    command::print(fmt::format("R {:<3} step {:<6} epoch {:<6.2f} loss {:<8.4f} test {}\n", replicas, row.step,
                               row.epoch, row.trainLoss, percent(*row.testAccuracy)));
  }
  command::clearProgress();
  if (!command.checkpoint.empty()) training.save(command.checkpoint);
}

std::string tableFile(const TrainCommand& command, std::int64_t replicas) {
  return command.curve + (command.replicas.size() == 1 ? "" : "-R" + std::to_string(replicas)) + ".csv";
}
std::string drawingFile(const TrainCommand& command) { return command.curve + ".svg"; }

/// What the run reads and writes, each file its own.
void requireOutputs(const TrainCommand& command) {
  std::vector<FileUse> read{{"the images", command.data}}, written;
  std::error_code status;
  for (std::filesystem::directory_iterator entry(command.data, status), end; !status && entry != end;
       entry.increment(status))
    if (entry->path().extension() == ".bin") read.push_back({"the images", entry->path().string()});
  if (!command.checkpoint.empty()) written.push_back({"the checkpoint", command.checkpoint});
  if (!command.curve.empty()) {
    for (const std::int64_t replicas : command.replicas) written.push_back({"a curve", tableFile(command, replicas)});
    written.push_back({"a curve", drawingFile(command)});
  }
  requireOwnFiles(read, written);
}

void writeCurves(const TrainCommand& command, const Net& net, const std::vector<Curve>& curves) {
  if (command.curve.empty()) return;
  for (std::size_t i = 0; i < curves.size(); ++i) writeFile(tableFile(command, command.replicas[i]), toCsv(curves[i]));
  writeFile(drawingFile(command), toSvg(curves, net.name));
}

}  // namespace

int train(int argc, const char* const* argv) {
  Options options({"golden train", "Trains a network of batch normalisation on images, with replicas in lockstep.",
                   "train a network in lockstep over replicas", "--data PATH --net NAME [OPTIONS]", examples});
  TrainCommand command;
  declare(options, command);
  if (const auto instead = options.parse(argc, argv, "the images are named by --data PATH")) {
    command::print(*instead);
    return done;
  }
  read(options, command);
  const TrainAndTest data = readDataset(command.data);
  const Net net = netFor(options, data.train);
  std::vector<std::unique_ptr<Training>> trainings;
  for (const std::int64_t replicas : command.replicas) trainings.push_back(prepared(command, net, data, replicas));
  requireOutputs(command);
  command::print(fmt::format("{}: {} parameters; {} images {} to train on, {} to test on\n", net.name,
                             net.parameterCells(), data.train.examples(), toString(data.train.image),
                             data.test.examples()));
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < trainings.size(); ++i) {
    run(command, *trainings[i], command.replicas[i]);
    curves.push_back(trainings[i]->curve());
  }
  writeCurves(command, net, curves);
  return done;
}

}  // namespace shardlaw::golden
