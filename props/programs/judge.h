// Whether a data-parallel program is the single-device program at the global batch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interp/number/rational.h"
#include "interp/stablehlo/module.h"
#include "props/programs/pairing.h"

namespace shardlaw::programs {

struct JudgeOptions {
  PairingOptions pairing;
  std::uint64_t seed = 1;
  /// Points are drawn until the chance of a false pass is below 2^-60, but at most so many.
  int mostPoints = 8;
  long bits = 256;       ///< of the wide evaluation that confirms a difference
  bool confirms = true;  ///< without, a difference in the field is left undecided
  std::function<void(const std::string&)> progress{};
};

/// A result that differs.
struct Difference {
  std::string name;
  stablehlo::Sharding sharding;
  std::int64_t cells = 0, differing = 0;  ///< on all replicas
  /// The first differing cell: replica, index on it, and both values in the field.
  std::int64_t replica = 0;
  std::vector<std::int64_t> index;
  std::string found, expected;
  /// Every cell is this multiple of the global program's.
  std::optional<Rational> ratio;
  /// The largest difference on random numbers over the largest value, in the numbers that `Judgement::numbers` names.
  std::optional<double> relative;
};

enum class Outcome { holds, refuted, undecided };

struct Judgement {
  Outcome outcome = Outcome::undecided;
  Pairing pairing;
  int points = 0;
  double falsePassLog2 = 0;  ///< of all points together
  std::int64_t comparedCells = 0;
  std::vector<Difference> differences;
  std::string numbers;  ///< "wide" or "f64": where differences were looked at again; empty where nowhere
  std::string reason;   ///< why it is undecided, or what else there is to say
  double seconds = 0;
};

/// Evaluates both programs in the prime field at random points: floats are random elements, integers small, booleans
/// random. Where all results agree, the programs are the same but for a chance that is worked out. Where some differ,
/// both are evaluated once more on random numbers (measure.h): a difference that is as small as the rounding of an f32
/// literal is not called a refutation. Where a program divides by zero at a point it is undecided.
///
/// Throws Error where the programs do not fit together; and what evaluate throws.
Judgement judge(const stablehlo::Module& replica, const stablehlo::Module& global, const JudgeOptions& options);

}  // namespace shardlaw::programs
