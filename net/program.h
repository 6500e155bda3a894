// Programs of a net: fwd, fwd_eval and train_step (SEMANTICS 4), built from nodes and their adjoints.
#pragma once

#include <string>
#include <vector>

#include "interp/ir/builder.h"
#include "net/net.h"

namespace shardlaw {

/// Conventions of SEMANTICS 4, each an explicit constant.
struct NetConstants {
  Rational eps = decimal("1e-5");  ///< of every batch normalisation
  Rational momentum = decimal("0.9");
  Rational beta1 = decimal("0.9"), oneMinusBeta1 = decimal("0.1");
  Rational beta2 = decimal("0.999"), oneMinusBeta2 = decimal("0.001");
  Rational adamEps = decimal("1e-8"), decay = decimal("1e-4");
};

enum class Optimizer { sgd, mom, adam };
inline constexpr std::string_view optimizerNames[] = {"sgd", "mom", "adam"};
/// Ignores case. Throws Error where there is none of that name.
Optimizer findOptimizer(std::string_view name);

struct StepOptions {
  Optimizer optimizer = Optimizer::sgd;
  bool bf16 = false;          ///< convolutions by their bf16 twins
  std::int64_t replicas = 1;  ///< above 1: synchronised BN, and an all-reduce for every gradient
  /// What the loss cotangent is divided by; 0 for the batch of the program, which is right: then the average of the
  /// replicas' gradients is the global gradient.
  std::int64_t divisor = 0;
  NetConstants constants{};
};

/// How a value of a data-parallel program compares with its namesake in the program at the global batch.
enum class Agrees {
  shard,      ///< a shard of it
  cotangent,  ///< a shard of it, times the replicas: each replica divides its loss by its own batch
  replicated  ///< equal on every replica
};

/// A value with a name that is the same at every number of replicas: "conv3", "bn3.dx", "gradient of W3", "W3'".
struct Landmark {
  std::string name;
  ValueId value;
  Agrees agrees;
};

/// The inputs of a train step: x [B, C·H·W], onehot [B, classes], rank-0 lr, bc1, bc2, and the packed state [θ | m |
/// v], each in the order of Net::parameters.
struct StepInputs {
  ValueId x, onehot, lr, bc1, bc2;
  std::vector<ValueId> theta, m, v;
};

struct StepValues {
  std::vector<ValueId> theta, m, v;  ///< θ', m', v'
  ValueId logits, loss;
  std::vector<ValueId> statistics;  ///< of this batch, in the order of Net::statistics
  std::vector<Landmark> landmarks;  ///< in the order in which the program computes them
};

/// Adds a train step to the builder. Throws Error where bf16 is asked for and a layer has no bf16 twin.
StepValues addTrainStep(Builder& builder, const Net& net, const StepOptions& options, const StepInputs& inputs);

/// Inputs x and θ; result `logits` [batch, classes]. BN at the batch's own statistics.
Program fwd(const Net& net, std::int64_t batch, const StepOptions& options = {});
/// Inputs x, θ and the statistics; result `logits`. Every BN is frozen, no convolution rounds: f32 also for nets
/// trained in bf16.
Program fwdEval(const Net& net, std::int64_t batch, const NetConstants& constants = {});
enum class Outputs { asSpecified, logitsToo };

/// Inputs x, θ, m, v, lr, bc1, bc2, the statistics (unused; named with the suffix i) and onehot; results θ', m', v',
/// loss, bc1, bc2, and the statistics of this batch; one more, `logits`, where the host wants to count what is right.
/// `batch` is that of one replica. At one replica it begins with the operations of `fwd`.
Program trainStep(const Net& net, std::int64_t batch, const StepOptions& options,
                  Outputs outputs = Outputs::asSpecified);

}  // namespace shardlaw
