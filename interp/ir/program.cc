#include "interp/ir/program.h"

#include <algorithm>
#include <limits>

#include "interp/error.h"

namespace shardlaw {

ValueId Program::find(std::string_view name) const {
  for (const Result& result : results_)
    if (result.name == name) return result.value;
  for (std::size_t id = 0; id < values_.size(); ++id)
    if (values_[id].name == name) return static_cast<ValueId>(id);
  throw Error("the program has no value named '" + std::string(name) + "'");
}

std::int64_t Program::cells() const {
  std::int64_t total = 0;
  for (const Value& value : values_)
    if (__builtin_add_overflow(total, value.type.shape.cells(), &total))
      return std::numeric_limits<std::int64_t>::max();
  return total;
}

std::vector<ValueId> Program::lastUses() const {
  std::vector<ValueId> last(values_.size(), -1);
  for (std::size_t id = 0; id < values_.size(); ++id) {
    if (!values_[id].operation) continue;
    for (const ValueId operand : values_[id].operation->operands)
      last[static_cast<std::size_t>(operand)] = static_cast<ValueId>(id);
  }
  for (const Result& result : results_)
    last[static_cast<std::size_t>(result.value)] = static_cast<ValueId>(values_.size());
  return last;
}

std::string Program::text() const {
  std::string text;
  for (const Value& value : values_) {
    text += value.name + " = ";
    if (!value.operation) {
      text += "input";
    } else {
      text += std::string(value.operation->node->name) + "(";
      for (std::size_t i = 0; i < value.operation->operands.size(); ++i) {
        if (i > 0) text += ", ";
        text += this->value(value.operation->operands[i]).name;
      }
      text += ")";
      for (const auto& [name, attribute] : value.operation->attributes) text += " " + name + "=" + toString(attribute);
    }
    text += " : " + toString(value.type.shape) + (value.type.batched ? " batched" : "") + "\n";
  }
  for (const Result& result : results_) text += "result " + result.name + " = " + value(result.value).name + "\n";
  return text;
}

}  // namespace shardlaw
