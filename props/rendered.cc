#include "props/rendered.h"

#include <map>

#include "interp/stablehlo/printer.h"
#include "interp/stablehlo/reader.h"

namespace shardlaw {

Rendered renderedAndRead(const Program& program, std::int64_t replicas) {
  const stablehlo::Lowered lowered = stablehlo::lower(program, replicas);
  Rendered rendered;
  rendered.module = stablehlo::parseModule(stablehlo::print(lowered.module), "rendered text");
  std::map<std::string, stablehlo::ValueId> named;
  const stablehlo::Function& read = rendered.module.entry();
  for (std::size_t id = 0; id < read.values.size(); ++id)
    named[read.values[id].name] = static_cast<stablehlo::ValueId>(id);
  for (const stablehlo::ValueId id : lowered.values)
    rendered.values.push_back(named.at(lowered.module.entry().value(id).name));
  return rendered;
}

}  // namespace shardlaw
