#include "net/host/run_memory.h"

#include <algorithm>

#include "interp/available_memory.h"

namespace shardlaw {

double peakCells(const Program& program) {
  const std::vector<ValueId> last = program.lastUses();
  const auto cells = [&](ValueId id) { return static_cast<double>(program.value(id).type.shape.cells()); };
  double held = 0;
  for (const ValueId input : program.inputs()) held += cells(input);
  double peak = held;
  for (const ValueId input : program.inputs())
    if (last[static_cast<std::size_t>(input)] < 0) held -= cells(input);
  for (std::size_t i = 0; i < last.size(); ++i) {
    const auto id = static_cast<ValueId>(i);
    const auto& operation = program.value(id).operation;
    if (!operation) continue;
    held += cells(id);
    peak = std::max(peak, held);
    if (last[i] < 0) held -= cells(id);
    std::vector<ValueId> operands = operation->operands;
    std::sort(operands.begin(), operands.end());
    operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
    for (const ValueId operand : operands)
      if (last[static_cast<std::size_t>(operand)] == id) held -= cells(operand);
  }
  return peak;
}

void requireRunFits(const Net& net, const Program& step, std::int64_t replicas, double bytes) {
  // [θ | m | v] of the host, beside what each replica is handed.
  double state = 0;
  for (const Parameter& parameter : net.parameters) state += 3 * static_cast<double>(parameter.shape.cells());
  requireMemory(bytes * (state + static_cast<double>(replicas) * peakCells(step)),
                "net " + net.name + " at this batch and number of replicas");
}

}  // namespace shardlaw
