#include "interp/stablehlo/lexer.h"

#include <catch2/catch.hpp>
#include <vector>

namespace shardlaw::stablehlo::test {
namespace {

using Catch::Contains;

std::vector<std::string> tokens(std::string_view text) {
  std::vector<std::string> all;
  for (Lexer lexer(text, "a.mlir"); !lexer.token().is(TokenKind::end);) all.push_back(std::string(lexer.take().text));
  return all;
}
std::vector<TokenKind> kinds(std::string_view text) {
  std::vector<TokenKind> all;
  for (Lexer lexer(text, "a.mlir"); !lexer.token().is(TokenKind::end);) all.push_back(lexer.take().kind);
  return all;
}
std::string refusalOf(std::string_view text) {
  try {
    tokens(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}
using Tokens = std::vector<std::string>;

TEST_CASE("tokens of the text") {
  CHECK(tokens("%0:2 = stablehlo.add %a, %b#1 : tensor") ==
        Tokens{"0", ":", "2", "=", "stablehlo.add", "a", ",", "b", "1", ":", "tensor"});
  CHECK(tokens("@f @\"a b\" #stablehlo.conv<[b, 0]x[i]->[o]> ^bb0 !stablehlo.token") ==
        Tokens{"f", "a b", "stablehlo.conv", "<", "[", "b", ",", "0", "]", "x", "[", "i", "]", "->", "[", "o", "]",
               ">", "bb0", "stablehlo.token"});
  CHECK(tokens("1.5e-3 -0x1F 2. 7 1e5 0xg") == Tokens{"1.5e-3", "-", "0x1F", "2.", "7", "1e5", "0", "xg"});
  CHECK(kinds("1.5 0x1F 7 %a @b #c ^d !e \"f\" g (") ==
        std::vector{TokenKind::decimal, TokenKind::integer, TokenKind::integer, TokenKind::value, TokenKind::symbol,
                    TokenKind::hash, TokenKind::block, TokenKind::type, TokenKind::string, TokenKind::identifier,
                    TokenKind::punctuation});
  // A name that begins with a digit is a number; a dash may belong to a name, an arrow may not.
  CHECK(tokens("%0x %a-b->%c") == Tokens{"0", "x", "a-b", "->", "c"});
}

TEST_CASE("comments hold any bytes") {
  using namespace std::string_view_literals;
  CHECK(tokens("a // \xff\x00\" unclosed\nb//"sv) == Tokens{"a", "b"});
}

TEST_CASE("positions count lines and bytes from 1") {
  Lexer lexer("a\n  b // c\n\td", "a.mlir");
  const Token a = lexer.take(), b = lexer.take(), d = lexer.take();
  CHECK(a.position.line == 1);
  CHECK(a.position.column == 1);
  CHECK(b.position.line == 2);
  CHECK(b.position.column == 3);
  CHECK(d.position.line == 3);
  CHECK(d.position.column == 2);
}

TEST_CASE("strings with escapes") {
  CHECK(tokens(R"("a\"b" c)") == Tokens{R"(a\"b)", "c"});
  CHECK(unescaped(R"(a\"b\\c\n\t\41)") == "a\"b\\c\n\tA");
  CHECK_THAT(refusalOf("\"abc"), Contains("a.mlir:1:1: expected a closing '\"'"));
  CHECK_THAT(refusalOf("\"abc\n\""), Contains("expected a closing '\"'"));
  CHECK_THAT(refusalOf("\"abc\\"), Contains("expected a closing '\"'"));
}

TEST_CASE("bytes that begin no token") {
  CHECK_THAT(refusalOf("a \x01"), Contains("a.mlir:1:3: expected a token, found '\\x01'"));
  CHECK_THAT(refusalOf("% a"), Contains("expected a name"));
  CHECK_THAT(refusalOf("$"), Contains("expected a token, found '$'"));
}

}  // namespace
}  // namespace shardlaw::stablehlo::test
