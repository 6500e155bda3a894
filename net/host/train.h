// Training a net on a data set, with R replicas in lockstep; it can be stopped and gone on with, to the byte.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/host/curve.h"
#include "net/host/dataset.h"
#include "net/host/protocol.h"
#include "net/program.h"

namespace shardlaw {

enum class Precision { f32, f64 };

struct TrainOptions {
  Optimizer optimizer = Optimizer::sgd;
  bool bf16 = false;
  Precision precision = Precision::f32;
  std::int64_t replicas = 1;
  std::int64_t batch = 128;  ///< of all replicas together
  Schedule schedule;         ///< its `steps` is the length of the run
  std::uint64_t seed = 1;
  NetConstants constants{};
};

/// A run of training. Each step takes the next `batch` examples of the epoch's order (the rest of an epoch that does
/// not fill a batch is left out), cuts x and onehot contiguously over the replicas, and hands everything else to all of
/// them. Deterministic: the same options and data give the same bytes at any number of threads.
class Training {
 public:
  virtual ~Training() = default;

  /// Throws Error where the data do not fit the net, the batch is not a multiple of the replicas or larger than the
  /// training set, or the run has no steps.
  static std::unique_ptr<Training> make(const Net& net, const TrainAndTest& data, const TrainOptions& options);

  /// The length of the run.
  virtual std::int64_t steps() const = 0;
  virtual bool finished() const = 0;
  /// One optimizer step; at the end of an epoch and of the run the test set is measured as well. Throws Error where the
  /// loss, a parameter, a moment or a statistic is not finite: it names the step and what was found, and the run stays
  /// at the step before.
  virtual const CurveRow& step() = 0;
  /// Share of the test set that the net with its running statistics gets right.
  virtual double testAccuracy() const = 0;
  virtual const Curve& curve() const = 0;

  /// An .npz: θ, m and v under the names of Net::parameters with the suffixes "", m and v, the running statistics, the
  /// curve [rows, 6] and, as text, what the run was started with. Written by rename.
  virtual void save(const std::string& path) const = 0;
  /// Goes on from a checkpoint. Throws Error where it belongs to a run with other options, or is damaged.
  virtual void resume(const std::string& path) = 0;
};

}  // namespace shardlaw
