// The tokens of MLIR's text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interp/error.h"
#include "interp/stablehlo/module.h"

namespace shardlaw::stablehlo {

enum class TokenKind : std::uint8_t {
  end,
  identifier,   ///< stablehlo.add, dense, x
  value,        ///< %name, without the %
  symbol,       ///< @name, @"name", without the @ and quotes
  hash,         ///< #stablehlo.conv, #loc, #0, without the #
  block,        ///< ^bb0, without the ^
  type,         ///< !stablehlo.token, without the !
  string,       ///< without quotes, escapes as they are
  integer,      ///< 12, 0x1F; signs are punctuation
  decimal,      ///< 1.5, 1.0e-5
  punctuation,  ///< one character, or ->
};

/// Points into the text.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  Position position;

  bool is(TokenKind k) const { return kind == k; }
  /// That punctuation or identifier.
  bool is(std::string_view word) const {
    return (kind == TokenKind::punctuation || kind == TokenKind::identifier) && text == word;
  }
};

/// The bytes that a string token stands for: \n, \t, \\, \" and \hh.
std::string unescaped(std::string_view string);

/// One token ahead. Comments are skipped, whatever bytes they hold.
class Lexer {
 public:
  /// The text must outlive the lexer and its tokens. `file` is for errors.
  Lexer(std::string_view text, std::string file);

  const Token& token() const { return token_; }
  Token take() {
    const Token taken = token_;
    next();
    return taken;
  }
  void next();

  /// The text behind the current token, for what is no sequence of tokens: the extents of tensor<2x3xf32>.
  std::string_view rest() const { return text_.substr(at_); }
  /// Skips bytes of rest(), none of them a newline; `next` reads on from there.
  void skipRaw(std::size_t bytes) { at_ += bytes; }
  Position positionOfRest() const { return {line_, column(at_)}; }

  /// Where the lexer is, to come back to.
  struct Mark {
    std::size_t at, lineStart;
    int line;
    Token token;
  };
  Mark mark() const { return {at_, lineStart_, line_, token_}; }
  void restore(const Mark& mark) {
    at_ = mark.at;
    lineStart_ = mark.lineStart;
    line_ = mark.line;
    token_ = mark.token;
  }

  const std::string& file() const { return file_; }
  /// The operation that errors name.
  std::string_view operation;
  [[noreturn]] void fail(Position position, const std::string& message) const;
  /// "expected X, found Y" at the current token.
  [[noreturn]] void failExpected(std::string_view what) const;

 private:
  int column(std::size_t at) const { return static_cast<int>(at - lineStart_) + 1; }
  void skipBlanks();
  void sigil(TokenKind kind);
  void number();
  void quoted(TokenKind kind);
  /// The end of the run of characters from `at` that `belongs` accepts.
  template <class F>
  std::size_t endOfRun(std::size_t at, const F& belongs) const {
    while (at < text_.size() && belongs(text_[at])) ++at;
    return at;
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0, lineStart_ = 0;
  int line_ = 1;
  Token token_;
};

/// A token as a message shows it.
std::string shown(const Token& token);

}  // namespace shardlaw::stablehlo
