// numpy's .npz files: zip archives of .npy files.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interp/tensor/npy.h"

namespace shardlaw {

/// An .npz file that is open for reading. Members are unpacked one by one, when they are asked for. For one thread at
/// a time.
///
/// Stored and deflated members are read, ZIP64 as well; other compression, encryption, and two members of one name are
/// refused. Whatever an archive claims, memory stays within a small multiple of what the array asked for needs, and
/// that within `NpyOptions::most`. Every Error names the file and the member.
class NpzFile {
 public:
  /// Opens a file, and reads its directory. Throws Error where it is no zip archive.
  static NpzFile open(const std::string& path);
  /// The same of a file's bytes; `name` stands for it in errors.
  static NpzFile ofBytes(std::string bytes, const std::string& name);

  NpzFile(NpzFile&&) noexcept;
  NpzFile& operator=(NpzFile&&) noexcept;
  ~NpzFile();

  /// The names of the arrays in the archive's order, without ".npy".
  const std::vector<std::string>& names() const;
  bool contains(std::string_view name) const;

  /// Unpacks and checks one array. Throws Error; where there is none of that name, one that lists the names there are.
  Array read(std::string_view name, const NpyOptions& options = {}) const;

 private:
  struct Archive;
  explicit NpzFile(std::unique_ptr<Archive> archive);

  std::unique_ptr<Archive> archive_;
};

struct NamedArray {
  std::string name;
  Array array;
};

enum class Packing { stored, deflated };

/// The bytes of an .npz file: the arrays in the order given, dated 1980-01-01 as numpy dates them. The same arrays give
/// the same bytes; deflated, with the same zlib. Throws Error where a name is empty, not UTF-8, holds a control
/// character, is longer than 65000 bytes, or comes twice.
std::string formatNpz(const std::vector<NamedArray>& arrays, Packing packing = Packing::stored);

/// Writes them, whole or not at all. Throws Error.
void writeNpz(const std::string& path, const std::vector<NamedArray>& arrays, Packing packing = Packing::stored);

}  // namespace shardlaw
