// Bodies of evaluate.h; included only where a domain is instantiated.
#pragma once

#include <utility>

#include "interp/error.h"
#include "interp/exec/evaluate.h"
#include "interp/exec/parallel.h"
#include "interp/kernel/kernel.h"

namespace shardlaw {
namespace detail {

/// Below this many cells an operation is not worth waking threads for.
constexpr std::int64_t parallelCells = 4096;

/// The last few values that were given up, to hold values of the same size: fresh memory costs more than most nodes
/// spend on it.
template <class S>
class Storage {
 public:
  /// Cells of no particular value: a node writes every cell of its result.
  Tensor<S> take(const Shape& shape) {
    for (auto spare = spares_.begin(); spare != spares_.end(); ++spare)
      if (spare->cells() == shape.cells()) {
        Tensor<S> taken = std::move(*spare).reshaped(shape);
        spares_.erase(spare);
        return taken;
      }
    return Tensor<S>::unwritten(shape);
  }
  void give(Tensor<S> spare) {
    if (spare.cells() < parallelCells) return;
    if (spares_.size() == most) spares_.erase(spares_.begin());
    spares_.push_back(std::move(spare));
  }

 private:
  static constexpr std::size_t most = 4;
  std::vector<Tensor<S>> spares_;
};

template <class D>
class Lockstep {
  using Scalar = typename D::Scalar;
  using Values = ReplicaValues<D>;

 public:
  Lockstep(const D& domain, const Program& program, Values& values, bool kernels)
      : domain_(domain),
        program_(program),
        values_(values),
        kernels_(kernels),
        replicas_(static_cast<std::int64_t>(values.size())) {}

  /// Computes a value on every replica.
  void run(ValueId id) {
    const Value& value = program_.value(id);
    for (std::int64_t r = 0; r < replicas_; ++r) target(r, id) = storage_.take(value.type.shape);
    const Operation& operation = *value.operation;
    const bool parallel = replicas_ * value.type.shape.cells() >= parallelCells;
    if (const auto kernel = kernels_ ? kernelOf<D>(*operation.node) : nullptr)
      return runKernel(id, operation, value.type.shape, kernel);
    switch (operation.node->kind) {
      case NodeKind::perExample: return runPerExample(id, operation, value.type.shape, parallel);
      case NodeKind::pointwise: return runPointwise(id, operation, value.type.shape);
      case NodeKind::wholeBatch: return runWholeBatch(id, operation);
      case NodeKind::collective: return runCollective(id, operation);
    }
  }

  /// Gives up a value that nothing reads any more.
  void release(ValueId id) {
    for (std::int64_t r = 0; r < replicas_; ++r) storage_.give(std::exchange(target(r, id), Tensor<Scalar>()));
  }

 private:
  const Tensor<Scalar>& operand(std::int64_t replica, ValueId id) const {
    return values_[static_cast<std::size_t>(replica)][static_cast<std::size_t>(id)];
  }
  Tensor<Scalar>& target(std::int64_t replica, ValueId id) {
    return values_[static_cast<std::size_t>(replica)][static_cast<std::size_t>(id)];
  }
  void denote(const Operation& operation, std::span<const View<const Scalar>> operands, View<Scalar> out) const {
    operation.node->denotation<D>()(Call<D>{domain_, operands, out, operation.attributes});
  }

  /// batchMap, and batchMapAux for operands saved per example: example n meets slice n of each operand.
  void runPerExample(ValueId id, const Operation& operation, const Shape& shape, bool parallel) {
    const std::int64_t examples = shape[0];
    parallelFor(replicas_ * examples, parallel, [&](std::int64_t task) {
      const std::int64_t r = task / examples;
      const std::int64_t n = task % examples;
      std::vector<View<const Scalar>> views;
      views.reserve(operation.operands.size());
      for (std::size_t i = 0; i < operation.operands.size(); ++i) {
        const View<const Scalar> whole = operand(r, operation.operands[i]).view();
        views.push_back(operation.node->operands[i].batched ? whole.slice(n) : whole);
      }
      denote(operation, views, target(r, id).view().slice(n));
    });
  }

  /// Cell by cell, hence in ranges of cells as well.
  void runPointwise(ValueId id, const Operation& operation, const Shape& shape) {
    const std::int64_t cells = shape.cells(), ranges = std::max<std::int64_t>(1, cells / parallelCells);
    parallelFor(replicas_ * ranges, replicas_ * cells >= parallelCells, [&](std::int64_t task) {
      const std::int64_t r = task / ranges, range = task % ranges;
      const std::int64_t first = cells * range / ranges, count = cells * (range + 1) / ranges - first;
      const Shape part{count};
      std::vector<View<const Scalar>> views;
      for (const ValueId source : operation.operands)
        views.emplace_back(operand(r, source).view().data() + first, part);
      denote(operation, views, View<Scalar>(target(r, id).view().data() + first, part));
    });
  }

  void runWholeBatch(ValueId id, const Operation& operation) {
    const std::int64_t work = operandCells(operation);
    parallelFor(replicas_, replicas_ * work >= parallelCells, [&](std::int64_t r) {
      std::vector<View<const Scalar>> views;
      for (const ValueId source : operation.operands) views.push_back(operand(r, source).view());
      denote(operation, views, target(r, id).view());
    });
  }

  /// Threads share the work of one replica where that is enough for them, else they share the replicas.
  void runKernel(ValueId id, const Operation& operation, const Shape& shape, KernelFunction<D> kernel) {
    const std::int64_t work = shape.cells() + operandCells(operation);
    const bool inside = work >= parallelCells;
    parallelFor(replicas_, !inside && replicas_ * work >= parallelCells, [&](std::int64_t r) {
      std::vector<View<const Scalar>> views;
      for (const ValueId source : operation.operands) views.push_back(operand(r, source).view());
      kernel(Call<D>{domain_, views, target(r, id).view(), operation.attributes}, inside);
    });
  }
  std::int64_t operandCells(const Operation& operation) const {
    std::int64_t cells = 0;
    for (const ValueId source : operation.operands) cells += operand(0, source).cells();
    return cells;
  }

  /// The one place where a replica sees another: collectives of other transports replace this function.
  void runCollective(ValueId id, const Operation& operation) {
    std::vector<View<const Scalar>> contributions;
    for (std::int64_t r = 0; r < replicas_; ++r) contributions.push_back(operand(r, operation.operands[0]).view());
    denote(operation, contributions, target(0, id).view());
    for (std::int64_t r = 1; r < replicas_; ++r) target(r, id) = target(0, id);
  }

  const D& domain_;
  const Program& program_;
  Values& values_;
  bool kernels_;
  std::int64_t replicas_;
  Storage<Scalar> storage_;
};

}  // namespace detail

template <class D>
ReplicaValues<D> evaluate(const D& domain, const Program& program,
                          std::vector<std::vector<Tensor<typename D::Scalar>>> inputs, const EvaluateOptions& options) {
  if (inputs.empty()) throw Error("an evaluation needs at least one replica");
  ReplicaValues<D> values(inputs.size());
  for (std::size_t r = 0; r < inputs.size(); ++r) {
    if (inputs[r].size() != program.inputs().size())
      throw Error("expected " + std::to_string(program.inputs().size()) + " inputs, found " +
                  std::to_string(inputs[r].size()));
    values[r].resize(program.values().size());
    for (std::size_t i = 0; i < inputs[r].size(); ++i) {
      const Value& input = program.value(program.inputs()[i]);
      if (!(inputs[r][i].shape() == input.type.shape))
        throw Error("input '" + input.name + "': expected " + toString(input.type.shape) + ", found " +
                    toString(inputs[r][i].shape()));
      values[r][static_cast<std::size_t>(program.inputs()[i])] = std::move(inputs[r][i]);
    }
  }
  const std::vector<ValueId> last = program.lastUses();
  detail::Lockstep<D> lockstep(domain, program, values, options.kernels);
  if (!options.keepAll)
    for (const ValueId input : program.inputs())
      if (last[static_cast<std::size_t>(input)] < 0) lockstep.release(input);
  for (std::size_t i = 0; i < program.values().size(); ++i) {
    const auto id = static_cast<ValueId>(i);
    const auto& operation = program.value(id).operation;
    if (!operation) continue;
    lockstep.run(id);
    if (options.after) options.after(id);
    if (options.keepAll) continue;
    if (last[i] < 0) lockstep.release(id);
    for (const ValueId operand : operation->operands)
      if (last[static_cast<std::size_t>(operand)] == id) lockstep.release(operand);
  }
  return values;
}

}  // namespace shardlaw
