#include "props/rendered.h"

#include <map>

#include "interp/stablehlo/printer.h"
#include "interp/stablehlo/reader.h"

namespace shardlaw {

namespace {

std::string edited(std::string text, const TextEdit& edit) {
  for (auto at = text.find(edit.from); at != std::string::npos; at = text.find(edit.from, at + edit.to.size()))
    text.replace(at, edit.from.size(), edit.to);
  return text;
}

}  // namespace

std::string renderedText(const Side& side) {
  return stablehlo::print(stablehlo::lower(side.program, side.replicas).module);
}

Rendered renderedAndRead(const Side& side) {
  const stablehlo::Lowered lowered = stablehlo::lower(side.program, side.replicas);
  std::string text = stablehlo::print(lowered.module);
  for (const TextEdit& edit : side.edits) text = edited(std::move(text), edit);
  Rendered rendered;
  rendered.module = stablehlo::parseModule(text, "rendered text");
  std::map<std::string, stablehlo::ValueId> named;
  const stablehlo::Function& read = rendered.module.entry();
  for (std::size_t id = 0; id < read.values.size(); ++id)
    named[read.values[id].name] = static_cast<stablehlo::ValueId>(id);
  for (const stablehlo::ValueId id : lowered.values)
    rendered.values.push_back(named.at(lowered.module.entry().value(id).name));
  return rendered;
}

}  // namespace shardlaw
