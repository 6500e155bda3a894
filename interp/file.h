// Files: read whole, written whole or not at all.
#pragma once

#include <string>

namespace shardlaw {

/// The bytes of a file. Throws Error where it cannot be read, or is larger than `most` bytes.
std::string readFile(const std::string& path, std::size_t most = std::size_t{1} << 31);

/// Writes beside the target and renames, so that nobody sees half a file. Throws Error and leaves nothing
/// behind where it cannot.
void writeFile(const std::string& path, const std::string& bytes);

}  // namespace shardlaw
