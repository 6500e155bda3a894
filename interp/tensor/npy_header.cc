#include "interp/tensor/npy_header.h"

#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <utility>

#include "interp/error.h"

namespace shardlaw {
namespace {

struct Code {
  std::string_view code;
  DType type;
};

/// numpy's type codes without the byte order, in the order of DType.
constexpr std::array<Code, 13> codes{{{"f8", DType::f64},
                                      {"f4", DType::f32},
                                      {"f2", DType::f16},
                                      {"V2", DType::bf16},
                                      {"i8", DType::i64},
                                      {"i4", DType::i32},
                                      {"i2", DType::i16},
                                      {"i1", DType::i8},
                                      {"u8", DType::u64},
                                      {"u4", DType::u32},
                                      {"u2", DType::u16},
                                      {"u1", DType::u8},
                                      {"b1", DType::boolean}}};

/// What a kind of dtype that is no number is called; empty for other letters.
std::string_view kindName(char kind) {
  switch (kind) {
    case 'O': return "Python objects";
    case 'S':
    case 'a': return "byte strings";
    case 'U': return "strings";
    case 'c': return "complex numbers";
    case 'M': return "dates";
    case 'm': return "time differences";
    case 'V': return "raw bytes";
    case 'f': return "floats of this width";
    default: return "";
  }
}

/// A reader of the one form of dictionary that there is. It does not recurse, so that nesting costs nothing.
class Parser {
 public:
  Parser(std::string_view text, bool bf16) : text_(text), bf16_(bf16) {}

  NpyHeader parse() {
    expect('{', "a dictionary");
    while (!accept('}')) {
      const std::string_view key = string("a key");
      expect(':', "':' after a key");
      value(key);
      if (accept('}')) break;
      expect(',', "',' or '}' after a value");
    }
    blanks();
    if (at_ != text_.size()) fail("the end of the header");
    if (!descr_) missing("descr");
    if (!fortran_) missing("fortran_order");
    if (!shape_) missing("shape");
    return {descr_->first, descr_->second, *fortran_, *shape_};
  }

 private:
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool accept(char c) {
    blanks();
    const bool found = at_ < text_.size() && text_[at_] == c;
    if (found) ++at_;
    return found;
  }
  void expect(char c, const char* what) {
    if (!accept(c)) fail(what);
  }
  bool acceptWord(std::string_view word) {
    blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  [[noreturn]] void fail(const std::string& expected) const {
    throw Error("header, byte " + std::to_string(at_) + ": expected " + expected + ", found " +
                (at_ < text_.size() ? "\"" + excerpt(text_.substr(at_, 40), 20) + "\"" : "the end of the header"));
  }
  [[noreturn]] static void missing(const std::string& key) { throw Error("header without the key '" + key + "'"); }

  [[noreturn]] static void refuseType(std::string_view name, const std::string& why) {
    throw Error("dtype '" + excerpt(name, 40) + "' " + why);
  }

  /// A string without escapes; numpy's codes need none.
  std::string_view string(const char* what) {
    blanks();
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail(std::string(what) + " in quotes");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a closing quote after this");
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (inside.find_first_of("\\\n") != std::string_view::npos) fail("a string without escapes");
    at_ = end + 1;
    return inside;
  }

  void value(std::string_view key) {
    if (key == "descr") once(descr_, key, [&] { return descr(); });
    else if (key == "fortran_order") once(fortran_, key, [&] { return boolean(); });
    else if (key == "shape") once(shape_, key, [&] { return shape(); });
    else throw Error("header with the key '" + excerpt(key) + "': expected descr, fortran_order and shape");
  }
  template <class T, class F>
  static void once(std::optional<T>& slot, std::string_view key, F read) {
    if (slot) throw Error("header with the key '" + std::string(key) + "' twice");
    slot = read();
  }

  bool boolean() {
    if (acceptWord("True")) return true;
    if (acceptWord("False")) return false;
    fail("True or False for fortran_order");
  }

  /// The type, and whether it is big-endian.
  std::pair<DType, bool> descr() {
    blanks();
    if (peek() == '[' || peek() == '(' || peek() == '{')
      throw Error("structured dtype " + excerpt(text_.substr(at_), 40) + ": expected numbers of one type");
    const std::string_view name = string("a dtype");
    if (name.size() < 2 || std::string_view("<>=|").find(name[0]) == std::string_view::npos)
      refuseType(name, "is not known: expected a byte order (<, >, = or |) and a type, such as '<f4'");
    const char order = name[0];
    for (const auto& [code, type] : codes) {
      if (name.substr(1) != code) continue;
      if (type == DType::bf16 && !bf16_)
        refuseType(name, "is two raw bytes: bf16 where whoever reads the array says so, and no number type otherwise");
      // numpy writes '|V2' where nobody told it of a byte order; it copies the bytes of the machine.
      if (order == '|' && cellBytes(type) > 1 && type != DType::bf16)
        refuseType(name, "has no byte order: expected < or >");
      const bool native = std::endian::native == std::endian::big;
      return {type, order == '>' || (native && (order == '=' || order == '|'))};
    }
    const std::string_view kind = kindName(name[1]);
    refuseType(name, (kind.empty() ? "is not known" : "holds " + std::string(kind)) +
                         ": expected f2, f4, f8, i1 to i8, u1 to u8, b1, or bf16 as V2");
  }

  Shape shape() {
    expect('(', "a tuple of extents");
    std::array<std::int64_t, Shape::maxRank> extents{};
    std::size_t rank = 0;
    bool comma = true;  // (3) is no tuple in Python
    while (!accept(')')) {
      if (!comma) fail(rank == 1 ? "',': a tuple of one extent is (n,)" : "',' or ')' after an extent");
      if (rank == extents.size())
        throw Error("shape of more than " + std::to_string(Shape::maxRank) +
                    " axes: " + std::to_string(Shape::maxRank) + " are supported");
      extents[rank++] = extent();
      comma = accept(',');
    }
    if (rank == 1 && !comma) fail("',': a tuple of one extent is (n,)");
    return Shape(std::span<const std::int64_t>(extents.data(), rank));
  }

  std::int64_t extent() {
    blanks();
    // A sign or a leading zero would be something that numpy does not write.
    if (!isDigit(peek())) fail("an extent, in decimal");
    std::int64_t extent = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), extent);
    if (status != std::errc{}) fail("an extent of at most 63 bits");
    if (*begin == '0' && end - begin > 1) fail("an extent without leading zeros");
    at_ += static_cast<std::size_t>(end - begin);
    if (peek() == 'L') ++at_;
    return extent;
  }

  std::string_view text_;
  bool bf16_;
  std::size_t at_ = 0;
  std::optional<std::pair<DType, bool>> descr_;
  std::optional<bool> fortran_;
  std::optional<Shape> shape_;
};

}  // namespace

NpyHeader parseNpyHeader(std::string_view text, bool bf16) { return Parser(text, bf16).parse(); }

std::string formatNpyHeader(DType type, const Shape& shape) {
  std::string extents;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    // to_chars: no locale puts its digit grouping into a file.
    char digits[20];
    extents.append(digits, std::to_chars(digits, digits + sizeof digits, shape[axis]).ptr);
    if (shape.rank() == 1) extents += ",";
    if (axis + 1 < shape.rank()) extents += ", ";
  }
  return "{'descr': '" + std::string(cellBytes(type) == 1 ? "|" : "<") +
         std::string(codes[static_cast<std::size_t>(type)].code) + "', 'fortran_order': False, 'shape': (" + extents +
         "), }";
}

}  // namespace shardlaw
