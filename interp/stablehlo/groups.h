// Which processes a collective joins.
#pragma once

#include <cstdint>
#include <vector>

#include "interp/stablehlo/module.h"

namespace shardlaw::stablehlo {

/// The processes that evaluate a module: either `count` replicas, or, where the module has one replica and more than
/// one partition, that many partitions.
struct Processes {
  std::int64_t count = 1;
  bool partitions = false;

  std::int64_t replicaOf(std::int64_t process) const { return partitions ? 0 : process; }
  std::int64_t partitionOf(std::int64_t process) const { return partitions ? process : 0; }
};

/// For `count` processes. Throws Error where the module asks for another number, or for replicas and partitions at
/// once.
Processes processesOf(const Module& module, std::int64_t count);

using Group = std::vector<std::int64_t>;

/// The groups of a collective, each with its processes in order; every process is in exactly one.
///
/// A collective without a channel joins replicas, so that each of several partitions is alone. One with a channel joins
/// partitions: as flattened ids with use_global_device_ids, all partitions of each replica in a group without; of
/// all_to_all and collective_broadcast, the partitions that the groups name. No groups, or none with members, means
/// everyone. An entry of −1 fills up a row. collective_permute has everyone in one group.
///
/// Throws Error where an id is not that of a process, comes twice, or is missing.
std::vector<Group> groupsOf(const Module& module, const Operation& operation, const Processes& processes);

}  // namespace shardlaw::stablehlo
