#include "interp/error.h"

namespace shardlaw {
namespace {

std::string prefixed(const Location& where, const std::string& message) {
  std::string text;
  if (!where.file.empty()) {
    text += where.file;
    if (where.line > 0) text += ":" + std::to_string(where.line);
    if (where.column > 0) text += ":" + std::to_string(where.column);
    text += ": ";
  }
  if (!where.operation.empty()) text += where.operation + ": ";
  return text + message;
}

}  // namespace

Error::Error(Location where, const std::string& message)
    : std::runtime_error(prefixed(where, message)), where_(std::move(where)) {}

}  // namespace shardlaw
