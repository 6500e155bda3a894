// numpy's .npy files (NEP 1; numpy/lib/format.py documents versions 1 to 3).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "interp/tensor/array.h"

namespace shardlaw {

struct NpyOptions {
  /// The array is known to be bf16 where its file says V2, two raw bytes: the format has no code for bf16.
  bool bf16 = false;
  /// The largest array that is read, in bytes.
  std::uint64_t most = std::uint64_t{1} << 31;
};

/// Reads an .npy file. Versions 1, 2 and 3; both byte orders, Fortran order; f2 to f8, i1 to i8, u1 to u8, b1, and bf16
/// where it is declared. Everything else is refused by name, as is a file with a byte too many or too few. Whatever
/// the header claims, memory stays within a small multiple of the file's size and of `most`.
///
/// Throws Error that names the file, what was expected, and what was found.
Array readNpy(const std::string& path, const NpyOptions& options = {});

/// The same of a file's bytes; `name` stands for it in errors.
Array parseNpy(std::string_view bytes, const std::string& name, const NpyOptions& options = {});

/// Fills the span with the next bytes of a file, and returns how many it had; fewer than asked at the end only.
using ByteReader = std::function<std::size_t(std::span<std::uint8_t>)>;

/// The same of a stream that claims to hold `size` bytes. It is read to its end, and its claim is not believed. Its
/// errors have no location.
Array readNpyFrom(const ByteReader& read, std::uint64_t size, const NpyOptions& options = {});

/// The bytes of an .npy file: version 1, little-endian, row-major, data at a multiple of 64 bytes. bf16 is written as
/// '<V2'. The same bytes under every locale. Throws Error where `bytes` does not fill the shape.
std::string formatNpy(const Array& array);

/// Writes them, whole or not at all. Throws Error.
void writeNpy(const std::string& path, const Array& array);

}  // namespace shardlaw
