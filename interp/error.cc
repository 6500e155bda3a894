#include "interp/error.h"

namespace shardlaw {
namespace {

/// Bytes of the UTF-8 character that `text` begins with (RFC 3629); 0 where it begins with none.
std::size_t characterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  for (std::size_t i = 1; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  // Neither overlong, nor a surrogate, nor beyond U+10FFFF.
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
      (first == 0xF4 && second > 0x8F))
    return 0;
  return length;
}

std::string escaped(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (c == '\n') return "\\n";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', digits[byte / 16], digits[byte % 16]};
}

std::string prefixed(const Location& where, const std::string& message) {
  std::string text;
  if (!where.file.empty()) {
    // As long as paths are; a longer one is no path but an attack.
    text += excerpt(where.file, 500);
    if (where.line > 0) text += ":" + std::to_string(where.line);
    if (where.column > 0) text += ":" + std::to_string(where.column);
    text += ": ";
  }
  if (!where.operation.empty()) text += excerpt(where.operation) + ": ";
  return text + message;
}

}  // namespace

std::string excerpt(std::string_view text, std::size_t most) {
  if (text.size() <= most) return oneLine(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return oneLine(text.substr(0, end)) + "…";
}

std::string oneLine(std::string_view message) {
  std::string line;
  while (!message.empty()) {
    const std::size_t length = characterLength(message);
    const auto first = static_cast<unsigned char>(message[0]);
    // U+0080 to U+009F are control characters as well.
    const bool control = first < 0x20 || first == 0x7F ||
                         (first == 0xC2 && length == 2 && static_cast<unsigned char>(message[1]) < 0xA0);
    if (length == 0 || control) {
      line += escaped(message[0]);
      message.remove_prefix(1);
    } else {
      line += message.substr(0, length);
      message.remove_prefix(length);
    }
  }
  return line;
}

Error::Error(Location where, const std::string& message)
    : std::runtime_error(prefixed(where, message)), where_(std::move(where)) {}

}  // namespace shardlaw
