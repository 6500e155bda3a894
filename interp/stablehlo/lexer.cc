#include "interp/stablehlo/lexer.h"

namespace shardlaw::stablehlo {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool isWordStart(char c) { return isLetter(c) || c == '_'; }
bool isWord(char c) { return isWordStart(c) || isDigit(c) || c == '$' || c == '.'; }
bool isSuffix(char c) { return isWord(c) || c == '-'; }

int hexDigit(char c) { return isDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10; }

}  // namespace

std::string unescaped(std::string_view string) {
  std::string bytes;
  bytes.reserve(string.size());
  for (std::size_t i = 0; i < string.size(); ++i) {
    if (string[i] != '\\' || i + 1 == string.size()) {
      bytes += string[i];
      continue;
    }
    const char c = string[++i];
    if (i + 1 < string.size() && isHex(c) && isHex(string[i + 1])) {
      bytes += static_cast<char>(hexDigit(c) * 16 + hexDigit(string[++i]));
    } else {
      bytes += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
  }
  return bytes;
}

std::string shown(const Token& token) {
  constexpr std::size_t most = 40;
  const auto with = [&](const char* before, const char* after = "") {
    return "'" + (before + excerpt(token.text, most)) + after + "'";
  };
  switch (token.kind) {
    case TokenKind::end: return "the end of the text";
    case TokenKind::value: return with("%");
    case TokenKind::symbol: return with("@");
    case TokenKind::hash: return with("#");
    case TokenKind::block: return with("^");
    case TokenKind::type: return with("!");
    case TokenKind::string: return with("\"", "\"");
    default: return with("");
  }
}

Lexer::Lexer(std::string_view text, std::string file) : text_(text), file_(std::move(file)) { next(); }

void Lexer::fail(Position position, const std::string& message) const {
  throw Error(Location{file_, position.line, position.column, std::string(operation)}, message);
}

void Lexer::failExpected(std::string_view what) const {
  fail(token_.position, "expected " + std::string(what) + ", found " + shown(token_));
}

void Lexer::skipBlanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      lineStart_ = ++at_;
      ++line_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      const std::size_t newline = text_.find('\n', at_);
      at_ = newline == std::string_view::npos ? text_.size() : newline;
    } else {
      return;
    }
  }
}

void Lexer::next() {
  skipBlanks();
  token_ = {TokenKind::end, {}, {line_, column(at_)}};
  if (at_ == text_.size()) return;
  const char c = text_[at_];
  if (isWordStart(c)) {
    const std::size_t end = endOfRun(at_, isWord);
    token_.kind = TokenKind::identifier;
    token_.text = text_.substr(at_, end - at_);
    at_ = end;
    return;
  }
  if (isDigit(c)) return number();
  switch (c) {
    case '%': return sigil(TokenKind::value);
    case '@': return sigil(TokenKind::symbol);
    case '#': return sigil(TokenKind::hash);
    case '^': return sigil(TokenKind::block);
    case '!': return sigil(TokenKind::type);
    case '"': return quoted(TokenKind::string);
    default: break;
  }
  const std::size_t length = c == '-' && at_ + 1 < text_.size() && text_[at_ + 1] == '>' ? 2 : 1;
  token_.kind = TokenKind::punctuation;
  token_.text = text_.substr(at_, length);
  if (std::string_view("(){}[]<>,:=?*+-|/").find(c) == std::string_view::npos) failExpected("a token");
  at_ += length;
}

void Lexer::sigil(TokenKind kind) {
  const std::size_t first = at_ + 1;
  const char c = first < text_.size() ? text_[first] : ' ';
  if (kind == TokenKind::symbol && c == '"') {
    ++at_;
    return quoted(kind);
  }
  // A name that begins with a digit is a number.
  std::size_t end = isDigit(c) ? endOfRun(first, isDigit) : endOfRun(first, isSuffix);
  if (text_.substr(end - 1, 2) == "->") --end;
  token_.kind = kind;
  token_.text = text_.substr(first, end - first);
  if (end == first) failExpected("a name");
  at_ = end;
}

void Lexer::number() {
  const std::size_t first = at_;
  token_.kind = TokenKind::integer;
  std::size_t end = endOfRun(first, isDigit);
  const auto at = [&](std::size_t i) { return i < text_.size() ? text_[i] : ' '; };
  if (end == first + 1 && text_[first] == '0' && at(end) == 'x' && isHex(at(end + 1))) {
    end = endOfRun(end + 1, isHex);
  } else {
    if (at(end) == '.') {
      token_.kind = TokenKind::decimal;
      end = endOfRun(end + 1, isDigit);
    }
    const std::size_t sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0;
    if ((at(end) == 'e' || at(end) == 'E') && isDigit(at(end + 1 + sign))) {
      token_.kind = TokenKind::decimal;
      end = endOfRun(end + 1 + sign, isDigit);
    }
  }
  token_.text = text_.substr(first, end - first);
  at_ = end;
}

void Lexer::quoted(TokenKind kind) {
  const std::size_t first = at_ + 1;
  std::size_t end = first;
  while (true) {
    end = text_.find_first_of("\"\\\n", end);
    if (end == std::string_view::npos || text_[end] == '\n')
      fail(token_.position, "expected a closing '\"', found the end of the line");
    if (text_[end] == '"') break;
    end = std::min(end + 2, text_.size());
  }
  token_.kind = kind;
  token_.text = text_.substr(first, end - first);
  at_ = end + 1;
}

}  // namespace shardlaw::stablehlo
