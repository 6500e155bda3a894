#include "interp/stablehlo/groups.h"

#include <numeric>

#include "interp/error.h"
#include "interp/stablehlo/operations.h"

namespace shardlaw::stablehlo {
namespace {

Group everyone(const Processes& processes) {
  Group all(static_cast<std::size_t>(processes.count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<Group> eachAlone(const Processes& processes) {
  std::vector<Group> groups;
  for (std::int64_t process = 0; process < processes.count; ++process) groups.push_back({process});
  return groups;
}

/// The rows of the attribute, checked to have each id below `count` once.
std::vector<Group> rowsOf(const Module& module, const Operation& operation, std::int64_t count) {
  const auto refuse = [&](const std::string& message) { throw Error(locationOf(module, operation), message); };
  const Matrix matrix = operation.attributes.matrix("replica_groups");
  std::vector<bool> seen(static_cast<std::size_t>(count));
  std::vector<Group> groups;
  for (std::int64_t row = 0; row < matrix.rows(); ++row) {
    Group group;
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
      const std::int64_t id = matrix.at(row, column);
      if (id == -1) continue;
      if (id < 0 || id >= count)
        refuse("replica_groups: expected ids from 0 to " + std::to_string(count - 1) + ", found " + std::to_string(id));
      if (seen[static_cast<std::size_t>(id)]) refuse("replica_groups: " + std::to_string(id) + " comes twice");
      seen[static_cast<std::size_t>(id)] = true;
      group.push_back(id);
    }
    if (!group.empty()) groups.push_back(std::move(group));
  }
  if (groups.empty()) return groups;
  for (std::int64_t id = 0; id < count; ++id)
    if (!seen[static_cast<std::size_t>(id)]) refuse("replica_groups: " + std::to_string(id) + " is in no group");
  return groups;
}

/// all_to_all and collective_broadcast have no flattened ids: their groups name partitions.
bool namesPartitions(const Operation& operation) {
  return operation.info == &operations::all_to_all || operation.info == &operations::collective_broadcast ||
         operation.attributes.integer("use_global_device_ids", 0) != 0;
}

}  // namespace

Processes processesOf(const Module& module, std::int64_t count) {
  const auto refuse = [&](const std::string& message) { throw Error(Location{module.file, 0, 0, "module"}, message); };
  if (module.replicas > 1 && module.partitions > 1)
    refuse("replicas and partitions at once are not supported: mhlo.num_replicas is " +
           std::to_string(module.replicas) + " and mhlo.num_partitions " + std::to_string(module.partitions));
  const std::int64_t stated = std::max(module.replicas, module.partitions);
  if (stated > 1 && stated != count)
    refuse("the module is for " + std::to_string(stated) + (module.partitions > 1 ? " partitions" : " replicas") +
           ", found R = " + std::to_string(count));
  return {count, module.partitions > 1};
}

std::vector<Group> groupsOf(const Module& module, const Operation& operation, const Processes& processes) {
  if (!operation.attributes.has("replica_groups")) return {everyone(processes)};
  const bool channel = operation.attributes.integer("channel_id", 0) > 0;
  if (processes.partitions) {
    if (!channel) {
      rowsOf(module, operation, 1);
      return eachAlone(processes);
    }
    if (!namesPartitions(operation)) {
      rowsOf(module, operation, 1);
      return {everyone(processes)};
    }
  } else if (channel && operation.info == &operations::all_to_all) {
    rowsOf(module, operation, 1);
    return eachAlone(processes);
  }
  auto groups = rowsOf(module, operation, processes.count);
  return groups.empty() ? std::vector<Group>{everyone(processes)} : groups;
}

}  // namespace shardlaw::stablehlo
