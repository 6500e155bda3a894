// Evaluation in a domain that is no row of domains.h. Instantiates every denotation: include it once.
#pragma once

#include <stdexcept>
#include <vector>

#include "interp/ir/program.h"
#include "interp/node/families.h"

namespace shardlaw::test {

template <class D>
DenoteFunction<D> denotationIn(const Node& node) {
#define SHARDLAW_NODE(Type, id) \
  if (&node == &nodes::id) return &Type::denote<D>;
#include "interp/node/table.def"
#undef SHARDLAW_NODE
  throw std::logic_error("a node that is not in the table");
}

/// All values of a program, [replica][value], as `evaluate` has them: the same denotations, one after the
/// other.
template <class D, class S = typename D::Scalar>
std::vector<std::vector<Tensor<S>>> evaluateIn(const D& domain, const Program& program,
                                               const std::vector<std::vector<Tensor<S>>>& inputs) {
  std::vector<std::vector<Tensor<S>>> values(inputs.size(), std::vector<Tensor<S>>(program.values().size()));
  for (std::size_t r = 0; r < inputs.size(); ++r)
    for (std::size_t i = 0; i < inputs[r].size(); ++i)
      values[r][static_cast<std::size_t>(program.inputs()[i])] = inputs[r][i];
  for (std::size_t id = 0; id < program.values().size(); ++id) {
    const Value& value = program.values()[id];
    if (!value.operation) continue;
    const Operation& operation = *value.operation;
    const auto denote = denotationIn<D>(*operation.node);
    for (auto& replica : values) replica[id] = Tensor<S>(value.type.shape);
    if (operation.node->kind == NodeKind::collective) {
      std::vector<View<const S>> views;
      for (const auto& replica : values)
        views.push_back(replica[static_cast<std::size_t>(operation.operands[0])].view());
      denote(Call<D>{domain, views, values[0][id].view(), operation.attributes});
      for (auto& replica : values) replica[id] = values[0][id];
      continue;
    }
    const bool lifted = operation.node->kind == NodeKind::perExample;
    for (auto& replica : values)
      for (std::int64_t n = 0; n < (lifted ? value.type.shape[0] : 1); ++n) {
        std::vector<View<const S>> views;
        for (std::size_t i = 0; i < operation.operands.size(); ++i) {
          const Tensor<S>& operand = replica[static_cast<std::size_t>(operation.operands[i])];
          views.push_back(lifted && operation.node->operands[i].batched ? operand.view().slice(n) : operand.view());
        }
        denote(Call<D>{domain, views, lifted ? replica[id].view().slice(n) : replica[id].view(), operation.attributes});
      }
  }
  return values;
}

}  // namespace shardlaw::test
