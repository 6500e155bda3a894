// Holds kernels against definitions: every instruction set of this CPU, one thread and two, to the bit.
#pragma once

#include <omp.h>

#include <cmath>
#include <limits>
#include <optional>

#include "interp/kernel/contraction.h"
#include "interp/kernel/kernel.h"
#include "tests/interp/against.h"

namespace shardlaw::test {

/// Leaves the instruction set and the number of threads as they were.
class Machine {
 public:
  Machine() : isa_(kernel::isa()), threads_(omp_get_max_threads()) {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() {
    kernel::limitIsa(isa_);
    omp_set_num_threads(threads_);
  }

 private:
  kernel::Isa isa_;
  int threads_;
};

inline std::vector<kernel::Isa> isasHere() {
  std::vector<kernel::Isa> here;
  for (const kernel::Isa isa : kernel::allIsas)
    if (isa <= kernel::bestIsa()) here.push_back(isa);
  return here;
}

/// Equal to the bit, but that a NaN is a NaN: which payload a sum of two NaNs has is up to the compiler.
template <class S>
bool sameCell(S a, S b) {
  if constexpr (!std::is_same_v<S, Field>)
    if (a != a && b != b) return true;
  return sameBits(a, b);
}

template <class D>
Tensor<typename D::Scalar> valueOf(const D& domain, const Program& program, const Tensors<D>& operands, bool kernels) {
  auto values = evaluate(domain, program, {operands}, {.keepAll = false, .kernels = kernels});
  return std::move(values[0][static_cast<std::size_t>(program.find("y"))]);
}

/// As valueOf; nothing where that throws Undefined.
template <class D>
std::optional<Tensor<typename D::Scalar>> outcome(const D& domain, const Program& program, const Tensors<D>& operands,
                                                  bool kernels) {
  try {
    return valueOf(domain, program, operands, kernels);
  } catch (const Undefined&) {
    return std::nullopt;
  }
}

/// Empty where the node's kernel gives what its definition gives; else the first difference and where it was found.
template <class D>
std::string kernelDifference(const D& domain, const Node& node, const Tensors<D>& operands,
                             const Attributes& attributes = {}) {
  const Machine restore;
  std::vector<Shape> shapes;
  for (const auto& operand : operands) shapes.push_back(operand.shape());
  const Program program = oneNode(node, shapes, attributes);
  const auto expected = outcome(domain, program, operands, false);
  for (const kernel::Isa isa : isasHere())
    for (const int threads : {1, 2}) {
      kernel::limitIsa(isa);
      omp_set_num_threads(threads);
      const auto found = outcome(domain, program, operands, true);
      std::string d = found.has_value() == expected.has_value() ? "" : found ? "defined" : "undefined";
      if (d.empty() && found) d = difference(*found, *expected, sameCell<typename D::Scalar>);
      if (d.empty()) continue;
      std::string where = std::string(node.name) + " in " + D::name + ", set " + std::to_string(static_cast<int>(isa)) +
                          ", threads " + std::to_string(threads) + ", shapes";
      for (const Shape& shape : shapes) where += " " + toString(shape);
      return where + ": " + d;
    }
  return "";
}

/// A value of a float that sums and products treat in a way of its own, or a field element near the ends.
template <class S>
S special(Random& random) {
  if constexpr (std::is_same_v<S, Field>) {
    return Field::fromSigned(random.between(-2, 2));
  } else {
    using L = std::numeric_limits<S>;
    const S values[] = {S(0),         -S(0),         S(1),           -S(1),           L::min(),
                        -L::min(),    L::max(),      -L::max(),      L::denorm_min(), -3 * L::denorm_min(),
                        L::epsilon(), L::infinity(), -L::infinity(), L::quiet_NaN()};
    return values[random.between(0, 13)];
  }
}

/// Operands of the node at the given size; a share of their cells special.
template <class D>
Tensors<D> drawOperands(const Node& node, const SampleSize& size, Random& random, int percentSpecial = 0) {
  const shardlaw::Sample sample = node.sample(size);
  Tensors<D> operands;
  for (std::size_t i = 0; i < sample.operands.size(); ++i) {
    const bool batched = node.operands[i].batched;
    auto tensor = random.tensor<typename D::Scalar>(batched ? sample.operands[i].batchOf(size.N) : sample.operands[i]);
    for (std::int64_t k = 0; k < tensor.cells(); ++k)
      if (random.chance(percentSpecial)) tensor[k] = special<typename D::Scalar>(random);
    operands.push_back(std::move(tensor));
  }
  return operands;
}

/// The nodes that have kernels.
inline std::vector<const Node*> nodesWithKernels() {
  std::vector<const Node*> with;
  for (const Node* node : allNodes())
    if (kernelOf<F64>(*node) != nullptr) with.push_back(node);
  return with;
}

/// kernelDifference at one size in each domain that has kernels.
inline std::string kernelDifferences(const Node& node, const SampleSize& size, Random& random, int percentSpecial = 0) {
  const Attributes attributes = node.sample(size).attributes;
  std::string d = kernelDifference(F64{}, node, drawOperands<F64>(node, size, random, percentSpecial), attributes);
  if (d.empty()) d = kernelDifference(F32{}, node, drawOperands<F32>(node, size, random, percentSpecial), attributes);
  if (d.empty())
    d = kernelDifference(Exact(5), node, drawOperands<Exact>(node, size, random, percentSpecial), attributes);
  return d;
}

}  // namespace shardlaw::test
