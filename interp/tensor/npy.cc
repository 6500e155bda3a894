#include "interp/tensor/npy.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "interp/error.h"
#include "interp/file.h"
#include "interp/magic.h"
#include "interp/tensor/npy_header.h"

namespace shardlaw {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
/// Ours need some hundred bytes; numpy itself refuses more than ten thousand.
constexpr std::uint64_t longestHeader = 1 << 16;

std::string bytesText(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

/// The bytes of one .npy file, in order.
class Stream {
 public:
  Stream(const ByteReader& read, std::uint64_t size) : read_(read), size_(size) {}

  std::uint64_t left() const { return size_ - at_; }

  /// The next bytes, or fewer at the end.
  std::string take(std::size_t count) {
    std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(count, left())), '\0');
    bytes.resize(read_({reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()}));
    at_ += bytes.size();
    return bytes;
  }

  /// All the data, `need` bytes. Memory grows with what arrives, since the size may be a lie.
  std::vector<std::uint8_t> takeData(std::uint64_t need) {
    if (left() != need) throw Error("the header promises " + bytesText(need) + " of data, found " + bytesText(left()));
    std::vector<std::uint8_t> data;
    while (data.size() < need) {
      const std::size_t have = data.size();
      data.resize(static_cast<std::size_t>(std::min<std::uint64_t>(need, std::max<std::size_t>(2 * have, 1 << 20))));
      const std::size_t count = read_(std::span(data).subspan(have));
      if (count < data.size() - have)
        throw Error("the header promises " + bytesText(need) + " of data, found " + bytesText(have + count));
    }
    std::uint8_t beyond = 0;
    if (read_({&beyond, 1}) != 0) throw Error("the header promises " + bytesText(need) + " of data, found more");
    return data;
  }

 private:
  const ByteReader& read_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;
};

NpyHeader readHeader(Stream& stream, const NpyOptions& options) {
  const std::string start = stream.take(8);
  if (start.substr(0, magic.size()) != magic)
    throw Error("expected an .npy file, found " + describeFormat(start + stream.take(8)));
  const int version = start.size() == 8 ? static_cast<unsigned char>(start[6]) : 0;
  const int minor = start.size() == 8 ? static_cast<unsigned char>(start[7]) : 0;
  if (start.size() == 8 && (version < 1 || version > 3 || minor != 0))
    throw Error("expected .npy version 1.0, 2.0 or 3.0, found " + std::to_string(version) + "." +
                std::to_string(minor));
  const std::string field = stream.take(version == 1 ? 2 : 4);
  if (field.size() < (version == 1 ? 2U : 4U))
    throw Error("expected the length of a header, found the end of the file");
  std::uint64_t length = 0;
  for (std::size_t i = field.size(); i-- > 0;) length = length << 8 | static_cast<unsigned char>(field[i]);
  if (length > stream.left())
    throw Error("a header of " + bytesText(length) + " where " + bytesText(stream.left()) + " are left");
  if (length > longestHeader)
    throw Error("a header of " + bytesText(length) + ": expected at most " + std::to_string(longestHeader));
  const std::string header = stream.take(static_cast<std::size_t>(length));
  if (header.size() < length)
    throw Error("a header of " + bytesText(length) + " where " + bytesText(header.size()) + " are left");
  return parseNpyHeader(header, options.bf16);
}

void reverseCells(std::vector<std::uint8_t>& bytes, std::size_t width) {
  for (std::size_t at = 0; at < bytes.size(); at += width)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + width));
}

/// From the first axis varying fastest to the last one: O(cells).
std::vector<std::uint8_t> rowMajor(const std::vector<std::uint8_t>& bytes, const Shape& shape, std::size_t width) {
  std::vector<std::uint8_t> ordered(bytes.size());
  std::array<std::int64_t, Shape::maxRank> index{}, stride{};
  std::int64_t step = static_cast<std::int64_t>(width);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    stride[static_cast<std::size_t>(axis)] = step;
    step *= shape[axis];
  }
  std::int64_t from = 0;
  for (std::size_t to = 0; to < ordered.size(); to += width) {
    std::memcpy(ordered.data() + to, bytes.data() + from, width);
    for (auto axis = static_cast<std::size_t>(shape.rank()); axis-- > 0;) {
      from += stride[axis];
      if (++index[axis] < shape[static_cast<int>(axis)]) break;
      from -= stride[axis] * index[axis];
      index[axis] = 0;
    }
  }
  return ordered;
}

Array readArray(Stream stream, const NpyOptions& options) {
  const NpyHeader header = readHeader(stream, options);
  const std::size_t width = cellBytes(header.type);
  std::uint64_t need = 0;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(header.shape.cells()), width, &need) || need > options.most)
    throw Error("an array " + toString(header.shape) + " of " + std::string(toString(header.type)) +
                ": expected at most " + bytesText(options.most));
  Array array{header.type, header.shape, stream.takeData(need)};
  if (header.bigEndian && width > 1) reverseCells(array.bytes, width);
  if (header.fortran && header.shape.rank() > 1) array.bytes = rowMajor(array.bytes, array.shape, width);
  if (header.type == DType::boolean)
    for (std::size_t i = 0; i < array.bytes.size(); ++i)
      if (array.bytes[i] > 1)
        throw Error("bool cell " + std::to_string(i) + " holds " + std::to_string(array.bytes[i]) +
                    ": expected 0 or 1");
  return array;
}

}  // namespace

Array readNpyFrom(const ByteReader& read, std::uint64_t size, const NpyOptions& options) {
  return readArray(Stream(read, size), options);
}

Array parseNpy(std::string_view bytes, const std::string& name, const NpyOptions& options) {
  std::string_view rest = bytes;
  const ByteReader read = [&](std::span<std::uint8_t> into) {
    const std::size_t count = std::min(into.size(), rest.size());
    std::copy_n(rest.begin(), count, into.begin());
    rest.remove_prefix(count);
    return count;
  };
  try {
    return readNpyFrom(read, bytes.size(), options);
  } catch (const Error& error) {
    throw Error(Location{name, 0, 0, {}}, error.what());
  }
}

Array readNpy(const std::string& path, const NpyOptions& options) {
  // The header comes on top; the sum must not wrap around.
  const std::uint64_t headers = longestHeader + 12;
  return parseNpy(readFile(path, std::max(options.most, options.most + headers)), path, options);
}

std::string formatNpy(const Array& array) {
  if (array.bytes.size() / cellBytes(array.type) != static_cast<std::uint64_t>(array.cells()) ||
      array.bytes.size() % cellBytes(array.type) != 0)
    throw Error(bytesText(array.bytes.size()) + " for an array " + toString(array.shape) + " of " +
                std::string(toString(array.type)));
  std::string header = formatNpyHeader(array.type, array.shape);
  const std::size_t before = magic.size() + 2 + 2;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes(magic);
  bytes.append({1, 0, static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)});
  bytes.reserve(bytes.size() + header.size() + array.bytes.size());
  bytes += header;
  return bytes.append(array.bytes.begin(), array.bytes.end());
}

void writeNpy(const std::string& path, const Array& array) { writeFile(path, formatNpy(array)); }

}  // namespace shardlaw
