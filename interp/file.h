// Files: read whole, written whole or not at all.
#pragma once

#include <string>

namespace shardlaw {

/// The bytes of a file. Throws Error where it cannot be read, or is larger than `most` bytes. A named pipe that
/// nobody writes to is empty rather than waited for.
std::string readFile(const std::string& path, std::size_t most = std::size_t{1} << 31);

/// Writes beside the target and renames, so that nobody sees half a file. Throws Error and leaves nothing
/// behind where it cannot.
void writeFile(const std::string& path, const std::string& bytes);

/// Removes what a writeFile in progress has written beside its target. Safe to call from a signal handler, after
/// which the process should end.
void abandonWrite() noexcept;

/// Makes the folder where there is none, and tries to write in it: before a long run rather than after it.
/// Throws Error.
void requireWritableFolder(const std::string& folder);

}  // namespace shardlaw
