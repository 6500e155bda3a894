// Evaluating the two sides of a claim in a domain, and walking over the cells that must agree.
#pragma once

#include <algorithm>
#include <iterator>

#include "interp/error.h"
#include "interp/exec/evaluate.h"
#include "props/cell_index.h"
#include "props/gen/data.h"
#include "props/judge.h"
#include "props/rendered.h"

namespace shardlaw::detail {

/// Example n of shard r is global example n·R + r: a wrong version of batchShard.
template <class S>
Tensor<S> interleavedShard(const Tensor<S>& batch, std::int64_t r, std::int64_t replicas) {
  const std::int64_t examples = batch.shape()[0] / replicas;
  Tensor<S> shard(batch.shape().tail().batchOf(examples));
  const std::int64_t cells = batch.shape().tail().cells();
  for (std::int64_t n = 0; n < examples; ++n)
    for (std::int64_t i = 0; i < cells; ++i) shard[n * cells + i] = batch[(n * replicas + r) * cells + i];
  return shard;
}

/// The inputs of one side. `draw(input, shape)` makes the global tensor, or one cell row per replica.
template <class S, class Draw>
std::vector<std::vector<Tensor<S>>> inputsOf(const Claim& claim, const Side& side, bool isLeft, const Draw& draw) {
  std::vector<std::vector<Tensor<S>>> inputs(static_cast<std::size_t>(side.replicas));
  for (const ValueId id : side.program.inputs()) {
    const Value& value = side.program.value(id);
    const auto found = std::find_if(claim.inputs.begin(), claim.inputs.end(),
                                    [&](const ClaimInput& input) { return input.name == value.name; });
    if (found == claim.inputs.end()) throw std::logic_error("claim without a plan for input " + value.name);
    const bool perReplica = found->perReplica && side.replicas > 1;
    const Tensor<S> global = draw(*found, perReplica ? value.type.shape.batchOf(side.replicas) : found->global.shape);
    const bool interleave =
        isLeft && std::find(claim.interleaved.begin(), claim.interleaved.end(), value.name) != claim.interleaved.end();
    for (std::int64_t r = 0; r < side.replicas; ++r) {
      Tensor<S> part = perReplica            ? batchSlice(global, r)
                       : !value.type.batched ? global
                       : interleave          ? interleavedShard(global, r, side.replicas)
                                             : batchShard(global, r, side.replicas);
      inputs[static_cast<std::size_t>(r)].push_back(std::move(part));
    }
  }
  return inputs;
}

/// Both sides of a claim, evaluated. For an adjoint claim the left is in dual numbers.
template <class D>
struct Sides {
  using S = typename D::Scalar;
  ReplicaValues<D> left, right;
  ReplicaValues<Dual<D>> leftDual;
};

/// One side, not in dual numbers.
template <class D>
ReplicaValues<D> evaluateSide(const D& domain, const Claim& claim, const Side& side, const Case& c,
                              const Reader<D>& reader, const EvaluateOptions& options = {}) {
  const auto draw = [&](const ClaimInput& input, const Shape& shape) { return drawInput<D>(input, shape, c, reader); };
  const bool isLeft = &side == &claim.left;
  auto inputs = inputsOf<typename D::Scalar>(claim, side, isLeft, draw);
  if constexpr (hasStablehlo<D>)
    if (side.rendered) return evaluateRendered(domain, side, std::move(inputs));
  return evaluate(domain, side.program, std::move(inputs), options);
}

template <class D>
Sides<D> evaluateSides(const D& domain, const Claim& claim, const Case& c, const Reader<D>& reader) {
  using S = typename D::Scalar;
  Sides<D> sides;
  sides.right = evaluateSide(domain, claim, claim.right, c, reader);
  if (claim.pairings.empty()) {
    sides.left = evaluateSide(domain, claim, claim.left, c, reader);
    return sides;
  }
  const auto draw = [&](const ClaimInput& input, const Shape& shape) { return drawInput<D>(input, shape, c, reader); };
  const auto drawDual = [&](const ClaimInput& input, const Shape& shape) {
    const Tensor<S> primal = draw(input, shape);
    Tensor<DualScalar<S>> dual(shape);
    ClaimInput direction = input;
    direction.name += " tangent";
    direction.role = Role::cotangent;
    const Tensor<S> tangent = draw(direction, shape);
    for (std::int64_t i = 0; i < dual.cells(); ++i) dual[i] = {primal[i], input.differentiable ? tangent[i] : S{}};
    return dual;
  };
  sides.leftDual =
      evaluate(Dual<D>(domain), claim.left.program, inputsOf<DualScalar<S>>(claim, claim.left, true, drawDual));
  return sides;
}

/// One pair of scalars that must agree.
template <class S>
struct Compared {
  const Equation* equation = nullptr;  ///< null for a pairing
  std::int64_t replica = 0, cell = 0;
  S left{}, right{};
};

template <class D, class Visit>
void comparePairing(const Claim& claim, const Pairing& pairing, const Sides<D>& sides, const Visit& visit) {
  typename D::Sum forward, backward;
  const Program& right = claim.right.program;
  const auto dyId = static_cast<std::size_t>(right.find(pairing.cotangent));
  const auto yId = static_cast<std::size_t>(pairing.result);
  for (std::size_t r = 0; r < sides.leftDual.size(); ++r) {
    const auto& y = sides.leftDual[r][yId];
    const auto& dy = sides.right[r][dyId];
    for (std::int64_t i = 0; i < y.cells(); ++i) forward.addProduct(dy[i], y[i].tangent);
    for (const auto& [name, cotangent] : pairing.cotangents) {
      const auto& x = sides.leftDual[r][static_cast<std::size_t>(claim.left.program.find(name))];
      const auto& dx = sides.right[r][static_cast<std::size_t>(cotangent)];
      for (std::int64_t i = 0; i < x.cells(); ++i) backward.addProduct(dx[i], x[i].tangent);
    }
  }
  visit(Compared<typename D::Scalar>{nullptr, 0, 0, forward.total(), backward.total()});
}

/// Calls visit(Compared) for every pair of scalars, in a fixed order.
template <class D, class Visit>
void compareSides(const Claim& claim, const Sides<D>& sides, const Visit& visit) {
  for (const Equation& equation : claim.equations) {
    for (std::size_t r = 0; r < sides.left.size(); ++r) {
      const auto& left = sides.left[r][static_cast<std::size_t>(equation.left)];
      const auto& right =
          sides.right[sides.right.size() == sides.left.size() ? r : 0][static_cast<std::size_t>(equation.right)];
      const bool cut = equation.relation == Relation::shard && sides.right.size() != sides.left.size();
      const std::int64_t first = cut ? static_cast<std::int64_t>(r) * left.cells() : 0;
      if (first + left.cells() > right.cells())
        throw std::logic_error("equation '" + equation.what + "' compares values of different sizes");
      for (std::int64_t i = 0; i < left.cells(); ++i)
        visit(Compared<typename D::Scalar>{&equation, static_cast<std::int64_t>(r), i, left[i], right[first + i]});
    }
  }
  for (const Pairing& pairing : claim.pairings) comparePairing<D>(claim, pairing, sides, visit);
}

/// The first cells of a tensor, from `first` on, as text.
template <class S, class Show>
ShownTensor shown(const std::string& name, const Tensor<S>& tensor, const Shape& shape, std::int64_t first,
                  const Show& show) {
  ShownTensor text{name, shape, 1, {}};
  for (std::int64_t k = 0; k < std::min(shape.cells(), ShownTensor::most); ++k)
    text.cells.push_back(show(tensor[first + k]));
  return text;
}

/// The inputs of the claim as global tensors; none of a whole network, which has hundreds.
template <class D, class Show>
void describeInputs(const Claim& claim, const Sides<D>& sides, const Show& show, Mismatch& mismatch) {
  if (claim.skeleton) return;
  for (const ValueId id : claim.right.program.inputs()) {
    const Value& value = claim.right.program.value(id);
    const auto at = static_cast<std::size_t>(id);
    ShownTensor text = shown(value.name, sides.right[0][at], value.type.shape, 0, show);
    if (value.type.batched) {
      text.shards = claim.left.replicas;
      for (std::size_t r = 1; r < sides.right.size(); ++r) {
        const auto& part = sides.right[r][at];
        const bool room = static_cast<std::int64_t>(text.cells.size()) + part.cells() <= ShownTensor::most;
        if (room) std::ranges::move(shown({}, part, part.shape(), 0, show).cells, std::back_inserter(text.cells));
      }
      text.shape = value.type.shape.tail().batchOf(value.type.shape[0] * static_cast<std::int64_t>(sides.right.size()));
    }
    mismatch.inputs.push_back(std::move(text));
  }
}

/// Describes a differing cell. `show` turns a scalar into text.
template <class D, class Show>
Mismatch describeMismatch(const Claim& claim, const Sides<D>& sides, const Compared<typename D::Scalar>& at,
                          const Show& show) {
  Mismatch mismatch;
  mismatch.left = show(at.left);
  mismatch.right = show(at.right);
  mismatch.replica = at.replica;
  describeInputs(claim, sides, show, mismatch);
  if (at.equation == nullptr) {
    mismatch.what = "⟨dy, J·dx⟩ = ⟨VJP(dy), dx⟩";
    for (const Pairing& pairing : claim.pairings)
      for (const auto& [name, id] : pairing.cotangents) {
        const auto& cotangent = sides.right[0][static_cast<std::size_t>(id)];
        mismatch.operands.push_back(shown("VJP for " + name, cotangent, cotangent.shape(), 0, show));
      }
    return mismatch;
  }
  mismatch.what = at.equation->what;
  const Value& value = claim.left.program.value(at.equation->left);
  mismatch.shape = value.type.shape;
  mismatch.batched = value.type.batched;
  mismatch.index = indexOf(value.type.shape, at.cell);
  mismatch.value = value.operation ? std::string(value.operation->node->name) : value.name;
  const auto& replica = sides.left[static_cast<std::size_t>(at.replica)];
  const bool sameReplicas = sides.right.size() == sides.left.size();
  const auto& right =
      sides
          .right[sameReplicas ? static_cast<std::size_t>(at.replica) : 0][static_cast<std::size_t>(at.equation->right)];
  const bool cut = at.equation->relation == Relation::shard && !sameReplicas;
  mismatch.leftValue = shown("replica", replica[static_cast<std::size_t>(at.equation->left)], mismatch.shape, 0, show);
  mismatch.rightValue = shown("global", right, mismatch.shape, cut ? at.replica * mismatch.shape.cells() : 0, show);
  if (!value.operation) return mismatch;
  const auto& specs = value.operation->node->operands;
  for (std::size_t i = 0; i < value.operation->operands.size(); ++i) {
    const auto& operand = replica[static_cast<std::size_t>(value.operation->operands[i])];
    mismatch.operands.push_back(
        shown(std::string(specs[std::min(i, specs.size() - 1)].name), operand, operand.shape(), 0, show));
  }
  return mismatch;
}

}  // namespace shardlaw::detail
