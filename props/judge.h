// Judging one case of a law in one domain. Verdicts are values; nothing is printed here.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "props/claim.h"

namespace shardlaw {

/// The cells of a tensor as text, for people.
struct ShownTensor {
  static constexpr std::int64_t most = 24;  ///< cells shown

  std::string name;
  Shape shape;
  std::int64_t shards = 1;         ///< replicas over which the leading axis is cut
  std::vector<std::string> cells;  ///< row-major; at most `most`

  bool complete() const { return static_cast<std::int64_t>(cells.size()) == shape.cells(); }
};

/// The first cell at which two sides differ.
struct Mismatch {
  std::string what;   ///< the equation
  std::string value;  ///< the node that made the left value; empty for a pairing
  std::int64_t replica = 0;
  std::vector<std::int64_t> index;  ///< in the replica's value
  Shape shape;                      ///< of the replica's value
  bool batched = false;             ///< whether its first axis is that of examples
  std::string left, right;          ///< both values
  double error = 0, bound = 0;      ///< in floats
  std::int64_t differing = 0;       ///< cells that differ, over all equations
  std::int64_t compared = 0;
  std::vector<ShownTensor> inputs;    ///< of the claim
  std::vector<ShownTensor> operands;  ///< of the left operation on that replica
  /// The value on that replica and its counterpart, where there is one.
  std::optional<ShownTensor> leftValue, rightValue;
};

/// How error over bound is distributed over cells, in powers of two: bin k holds ratios in (2^-k-1, 2^-k].
class RatioHistogram {
 public:
  void add(double ratio);
  void add(const RatioHistogram& other);
  /// An upper bound of the median, a power of two; 0 where at least half of the cells have no error.
  double median() const;

 private:
  static constexpr int bins = 64;  ///< the last one for ratios of 0 and below 2^-63
  std::array<std::int64_t, bins> counts_{};
};

struct Outcome {
  enum class Kind { holds, fails, undefined };
  Kind kind = Kind::holds;
  std::string reason;  ///< why undefined
  /// No compared cell could have shown a difference: all are zero, or indistinguishable from it.
  bool vacuous = false;
  std::int64_t compared = 0;
  std::int64_t kinks = 0;      ///< comparisons that a bound could not decide
  std::int64_t unbounded = 0;  ///< floats: cells of which nothing is known, so that they cannot disagree
  double falsePassLog2 = -std::numeric_limits<double>::infinity();
  double worstError = 0;
  double worstOverBound = 0;
  RatioHistogram overBound;
  /// Floats: the largest difference of an equation's sides, relative to the largest cell of its right side.
  double residual = 0;
  /// Floats: what customary checks would have measured over all compared cells.
  struct Customary {
    double relativeError = 0;  ///< ‖left − right‖ / ‖right‖
    double cosine = 1;         ///< of the angle between the sides
    double afterAdamW = 0;     ///< largest difference of first AdamW updates, g/(|g| + 1e-8)
  } customary;
  std::optional<Mismatch> mismatch;
};

struct JudgeOptions {
  long bits = 256;  ///< of the domain `wide`
};

/// A number system in which claims can be judged.
struct JudgeDomain {
  std::string_view name;
  std::string_view meaning;
  bool exact;  ///< agreement is identity up to a false-pass probability
  Outcome (*judge)(const Claim&, const Case&, const JudgeOptions&);
};

/// exact, f64, f32, wide.
std::span<const JudgeDomain> judgeDomains();
/// Ignores case. Throws Error, with the names there are.
const JudgeDomain& findJudgeDomain(std::string_view name);

/// A case of `exact` is repeated at fresh random points until its false-pass probability is below this.
inline constexpr double falsePassTarget = -60;

Outcome judgeExact(const Claim& claim, const Case& c, const JudgeOptions& options = {});
/// Floats are judged by the bound of their own evaluation: |left − right| ≤ the sum of both sides' bounds.
Outcome judgeF64(const Claim& claim, const Case& c, const JudgeOptions& options = {});
Outcome judgeF32(const Claim& claim, const Case& c, const JudgeOptions& options = {});
/// A running error bound grows at least in proportion to the unit roundoff, so the bound of the f64
/// evaluation, scaled to the roundoff of `bits`, bounds this one; not where f64 met an undecided comparison,
/// whose jump does not shrink: there the f64 bound is kept as it is. Of a whole network f64 often bounds nothing; its
/// data stand at no kink, so there both sides must agree in half of the bits, relative to the largest cell or to 1.
Outcome judgeWide(const Claim& claim, const Case& c, const JudgeOptions& options = {});

/// The residuals of one case in f32, f64 and wide: of a true law they fall with the unit roundoff.
struct Ladder {
  double f32 = 0, f64 = 0, wide = 0;
  bool failsInWide = false;
  /// Whether the last rung lies where rounding alone would put it.
  bool falls() const { return wide <= f64 * 0x1p-64 || wide == 0; }
};
Ladder ladderOf(const Claim& claim, const Case& c, const JudgeOptions& options = {});

/// Text of a field element: the fraction with the smallest terms that it can be, else its residue.
std::string showField(std::uint64_t residue);

}  // namespace shardlaw
