#include "props/law/common.h"

namespace shardlaw::laws {

SampleSize sampleSizeOf(const Case& c) {
  return {.N = c[N],
          .C = c[C],
          .H = c[H],
          .W = c[W],
          .K = c[K],
          .kH = c[kH],
          .kW = c[kW],
          .odd = c[phase] == 1,
          .eps = c.eps()};
}

std::vector<Use> mapUses(std::vector<Use> more) {
  std::vector<Use> uses{R, N, C, H, W, Dimension::data, scale};
  uses.insert(uses.end(), more.begin(), more.end());
  return uses;
}

std::vector<Use> networkUses(std::vector<Use> more) {
  std::vector<Use> uses{{R, {1, 8}},  N,   {C, {1, 4}},     {H, {1, 3}}, {W, {1, 3}},     {K, {1, 4}},    {kH, {1, 3}},
                        {kW, {1, 3}}, eps, {depth, {1, 8}}, graph,       Dimension::data, {scale, {0, 2}}};
  uses.insert(uses.end(), more.begin(), more.end());
  return uses;
}

BnInputs bnInputs(ClaimBuilder& claim, const Case& c) {
  return {claim.batched("x", Role::activation, mapOf(c)), claim.shared("γ", Role::weight, channelsOf(c)),
          claim.shared("β", Role::weight, channelsOf(c)), claim.batched("dy", Role::cotangent, mapOf(c))};
}

std::vector<const Node*> nodesWhere(bool (*predicate)(const Node&)) {
  std::vector<const Node*> found;
  for (const Node* node : allNodes())
    if (predicate(*node)) found.push_back(node);
  return found;
}

std::vector<std::string> namesOf(const std::vector<const Node*>& nodes) {
  std::vector<std::string> names;
  for (const Node* node : nodes) names.emplace_back(node->name);
  return names;
}

std::vector<Pair> sampleInputs(ClaimBuilder& claim, const Node& node, const Sample& sample, int skip) {
  std::vector<Pair> inputs;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const OperandSpec& spec = node.operands[i];
    if (static_cast<int>(i) == skip) {
      inputs.push_back({-1, -1});
    } else if (spec.batched) {
      inputs.push_back(claim.batched(std::string(spec.name), roleOf(spec.name), sample.operands[i]));
    } else {
      inputs.push_back(claim.shared(std::string(spec.name), roleOf(spec.name), sample.operands[i]));
    }
  }
  return inputs;
}

void sameValue(ClaimBuilder& claim, const std::string& what, Pair value, Agreement agreement) {
  if (claim.left.type(value.left).batched) claim.shard(what, value, agreement);
  else claim.everywhere(what, value, agreement);
}

}  // namespace shardlaw::laws
