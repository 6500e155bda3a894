// A claim: what a law says about one case, as two programs and equations between their values.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "interp/ir/builder.h"
#include "props/case.h"

namespace shardlaw {

/// What an input stands for, which decides how its cells are drawn.
enum class Role { activation, cotangent, weight, logit, mean, variance, statistics, dyStatistics, label };

/// An input of both sides, by name. A batched one is given for the global batch; a side at R replicas gets
/// its shards, a side at one replica the whole.
struct ClaimInput {
  std::string name;
  Role role;
  Type global;
  bool differentiable = false;  ///< carries a tangent in an adjoint claim
  bool perReplica = false;      ///< not batched, but drawn anew for each replica
  double size = 1;              ///< factor of its cells in floating-point domains
};

/// Every occurrence of a piece of text, and what takes its place.
struct TextEdit {
  std::string_view from, to;
};

struct Side {
  Program program;
  std::int64_t replicas = 1;
  bool rendered = false;          ///< evaluated from its StableHLO text (props/rendered.h)
  std::vector<TextEdit> edits{};  ///< made in the text before it is read: a wrong version of rendering
};

enum class Relation {
  shard,       ///< left on replica r = batchShard(right, r)
  everywhere,  ///< left on every replica = right
};

/// How closely floats must agree; in `exact` every agreement is identity.
enum class Agreement {
  bound,  ///< within the sum of both sides' error bounds
  equal,  ///< as numbers: +0 = −0
  bits,   ///< to the bit: both sides are the same per-example map
};

struct Equation {
  std::string what;
  ValueId left, right;
  Relation relation;
  Agreement agreement = Agreement::bound;
};

/// ⟨dy, J·dx⟩ = ⟨VJP(dy), dx⟩, summed over replicas. The left side is the forward program, evaluated with
/// dual numbers; the right side has dy as an input and yields a cotangent for each differentiable input.
struct Pairing {
  ValueId result;                                           ///< of the left program
  std::string cotangent;                                    ///< the input dy of the right program
  std::vector<std::pair<std::string, ValueId>> cotangents;  ///< input, and its cotangent in the right program
};

struct Claim {
  std::vector<ClaimInput> inputs;
  Side left, right;
  std::vector<Equation> equations;
  std::vector<Pairing> pairings;
  /// Cut the left side's batched inputs by stride (example n of shard r is global n·R + r) where named here:
  /// a wrong version of sharding.
  std::vector<std::string> interleaved;
  /// The same claim at the least sizes: the same operations, so that degrees can be read off it where the claim itself
  /// is too large; null where it is not. The bound is good where every compared value is part of an equation
  /// (areEquated in certificate.h).
  std::shared_ptr<const Claim> skeleton;
};

/// The same value on both sides of a claim.
struct Pair {
  ValueId left, right;
};

/// Builds a claim about a program at R replicas of N examples and its counterpart at one of R·N.
class ClaimBuilder {
 public:
  /// `replicas` on the left side, `rightReplicas` on the right.
  ClaimBuilder(std::int64_t replicas, std::int64_t examples, std::int64_t rightReplicas = 1);

  Builder left, right;

  /// An input with an example axis; `shape` is that of one example.
  Pair batched(const std::string& name, Role role, const Shape& shape);
  /// An input that every replica holds whole.
  Pair shared(const std::string& name, Role role, const Shape& shape);
  /// An input without an example axis that differs from replica to replica (a local statistic, say).
  Pair perReplica(const std::string& name, Role role, const Shape& shape);
  /// The input added last carries a tangent in an adjoint claim.
  void markDifferentiable() { claim_.inputs.back().differentiable = true; }
  /// Scales the cells of the input added last in floating-point domains.
  void scaleBy(double size) { claim_.inputs.back().size = size; }
  void pairing(Pairing p) { claim_.pairings.push_back(std::move(p)); }

  /// The same node on both sides.
  Pair apply(const Node& node, const std::vector<Pair>& operands, const Attributes& attributes = {});
  Pair applyLeftRight(const Node& node, const std::vector<Pair>& operands, const Attributes& leftAttributes,
                      const Attributes& rightAttributes);

  void shard(const std::string& what, Pair value, Agreement agreement = Agreement::bound);
  void everywhere(const std::string& what, Pair value, Agreement agreement = Agreement::bound);
  /// AR(left) = (1/R)·right for a gradient that each replica sums over its own examples.
  void averaged(const std::string& what, Pair gradient);
  Claim finish() &&;

  std::int64_t replicas() const { return replicas_; }

 private:
  std::int64_t replicas_, examples_, rightReplicas_;
  Claim claim_;
};

/// The role that an operand of that name plays in the field's notation.
Role roleOf(std::string_view operand);

/// A copy of the program in which `replace` may give another value for an operation (given its operands in
/// the new program), or nullopt to keep it. `map` receives the new id of every old value.
using Replacement =
    std::function<std::optional<ValueId>(Builder&, const Operation&, const std::vector<ValueId>& operands)>;
Program rewrite(const Program& program, const Replacement& replace, std::vector<ValueId>& map);

}  // namespace shardlaw
