// Bodies of evaluate.h; included only where a domain is instantiated.
#pragma once

#include "interp/error.h"
#include "interp/exec/evaluate.h"
#include "interp/exec/parallel.h"
#include "interp/kernel/kernel.h"

namespace shardlaw {
namespace detail {

/// Below this many cells an operation is not worth waking threads for.
constexpr std::int64_t parallelCells = 4096;

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

  void run(ValueId id) {
    const Value& value = program_.value(id);
    const Operation& operation = *value.operation;
    const bool parallel = replicas_ * value.type.shape.cells() >= parallelCells;
    if (const auto kernel = kernels_ ? kernelOf<D>(*operation.node) : nullptr)
      return runKernel(id, operation, value.type.shape, kernel);
    switch (operation.node->kind) {
      case NodeKind::perExample: return runPerExample(id, operation, value.type.shape, parallel);
      case NodeKind::pointwise: return runPointwise(id, operation, value.type.shape);
      case NodeKind::wholeBatch: return runWholeBatch(id, operation, value.type.shape);
      case NodeKind::collective: return runCollective(id, operation, value.type.shape);
    }
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
    for (std::int64_t r = 0; r < replicas_; ++r) target(r, id) = Tensor<Scalar>(shape);
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
    for (std::int64_t r = 0; r < replicas_; ++r) target(r, id) = Tensor<Scalar>(shape);
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

  void runWholeBatch(ValueId id, const Operation& operation, const Shape& shape) {
    const std::int64_t work = operandCells(operation);
    parallelFor(replicas_, replicas_ * work >= parallelCells, [&](std::int64_t r) {
      std::vector<View<const Scalar>> views;
      for (const ValueId source : operation.operands) views.push_back(operand(r, source).view());
      target(r, id) = Tensor<Scalar>(shape);
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
      target(r, id) = Tensor<Scalar>(shape);
      kernel(Call<D>{domain_, views, target(r, id).view(), operation.attributes}, inside);
    });
  }
  std::int64_t operandCells(const Operation& operation) const {
    std::int64_t cells = 0;
    for (const ValueId source : operation.operands) cells += operand(0, source).cells();
    return cells;
  }

  /// The one place where a replica sees another: collectives of other transports replace this function.
  void runCollective(ValueId id, const Operation& operation, const Shape& shape) {
    std::vector<View<const Scalar>> contributions;
    for (std::int64_t r = 0; r < replicas_; ++r) contributions.push_back(operand(r, operation.operands[0]).view());
    Tensor<Scalar> combined(shape);
    denote(operation, contributions, combined.view());
    for (std::int64_t r = 0; r < replicas_; ++r) target(r, id) = combined;
  }

  const D& domain_;
  const Program& program_;
  Values& values_;
  bool kernels_;
  std::int64_t replicas_;
};

}  // namespace detail

template <class D>
ReplicaValues<D> evaluate(const D& domain, const Program& program,
                          std::vector<std::vector<Tensor<typename D::Scalar>>> inputs, const EvaluateOptions& options) {
  using Scalar = typename D::Scalar;
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
  if (!options.keepAll)
    for (const ValueId input : program.inputs())
      if (last[static_cast<std::size_t>(input)] < 0)
        for (auto& replica : values) replica[static_cast<std::size_t>(input)] = Tensor<Scalar>();
  detail::Lockstep<D> lockstep(domain, program, values, options.kernels);
  for (std::size_t id = 0; id < program.values().size(); ++id) {
    const auto& operation = program.values()[id].operation;
    if (!operation) continue;
    lockstep.run(static_cast<ValueId>(id));
    if (options.keepAll) continue;
    if (last[id] < 0)
      for (auto& replica : values) replica[id] = Tensor<Scalar>();
    for (const ValueId operand : operation->operands) {
      if (last[static_cast<std::size_t>(operand)] != static_cast<ValueId>(id)) continue;
      for (auto& replica : values) replica[static_cast<std::size_t>(operand)] = Tensor<Scalar>();
    }
  }
  return values;
}

}  // namespace shardlaw
