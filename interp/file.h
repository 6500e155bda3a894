// Files: read whole, written whole or not at all.
#pragma once

#include <string>
#include <vector>

namespace shardlaw {

/// The bytes of a file. Throws Error where it cannot be read, or is larger than `most` bytes. A named pipe that
/// nobody writes to is empty rather than waited for.
std::string readFile(const std::string& path, std::size_t most = std::size_t{1} << 31);

/// Writes beside the target and renames, so that nobody sees half a file. Throws Error and leaves nothing
/// behind where it cannot, nor where the target is a pipe or a device, which a rename would do away with.
void writeFile(const std::string& path, const std::string& bytes);

/// Removes what a writeFile in progress has written beside its target. Safe to call from a signal handler, after
/// which the process should end.
void abandonWrite() noexcept;

/// Whether writeFile can write there, tried with an empty file beside the target, whose folder is made where there is
/// none: before a long run rather than after it. Throws Error, also where the path is of a folder, a pipe or a device.
void requireWritable(const std::string& path);

/// Makes the folder where there is none, and tries to write in it: before a long run rather than after it.
/// Throws Error.
void requireWritableFolder(const std::string& folder);

/// A file that a run reads or writes, and what it is: "the inputs".
struct FileUse {
  std::string what, path;
};

/// Every file that is written can be written (requireWritable), and is none that is read or another that is written, by
/// whatever name. Throws Error, which says what is found there.
void requireOwnFiles(const std::vector<FileUse>& read, const std::vector<FileUse>& written);

}  // namespace shardlaw
