#include <algorithm>

#include "interp/node/families.h"

namespace shardlaw {

// The denotations are compiled once per domain, in the generated translation units.
#define SHARDLAW_EXTERN_DENOTE(DOMAIN, TYPE) extern template void TYPE::denote(const Call<DOMAIN>&);
#define SHARDLAW_NODE(Type, id) SHARDLAW_DOMAINS(SHARDLAW_EXTERN_DENOTE, Type)
#include "interp/node/table.def"
#undef SHARDLAW_NODE
#undef SHARDLAW_EXTERN_DENOTE

namespace nodes {
#define SHARDLAW_NODE(Type, id)     \
  static_assert(Type::name == #id); \
  constinit const Node id = makeNode<Type>();
#include "interp/node/table.def"
#undef SHARDLAW_NODE
}  // namespace nodes

std::span<const Node* const> allNodes() {
  static constexpr const Node* table[] = {
#define SHARDLAW_NODE(Type, id) &nodes::id,
#include "interp/node/table.def"
#undef SHARDLAW_NODE
  };
  return table;
}

const Node* findNode(std::string_view name) {
  const auto nodes = allNodes();
  const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const Node* node) { return node->name == name; });
  return found == nodes.end() ? nullptr : *found;
}

}  // namespace shardlaw
