// The nodes by name: nodes::conv, nodes::bnSync, …
#pragma once

#include <span>
#include <string_view>

#include "interp/ir/node.h"

namespace shardlaw {

namespace nodes {
#define SHARDLAW_NODE(Type, id) extern const Node id;
#include "interp/node/table.def"
#undef SHARDLAW_NODE
}  // namespace nodes

/// Every node, in the order of the table.
std::span<const Node* const> allNodes();

/// The node of that name, or null.
const Node* findNode(std::string_view name);

}  // namespace shardlaw
