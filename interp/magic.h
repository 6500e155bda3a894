// What a file is, by its first bytes: for errors about files that are something else.
#pragma once

#include <string>
#include <string_view>

namespace shardlaw {

/// "a gzip file", "a Python pickle", "a PNG image", …; "" where the beginning is no known format's. The first 16 bytes
/// are enough. A short magic number can also be the beginning of something else.
std::string_view knownFormat(std::string_view bytes);

/// The same; "an empty file"; or, where the beginning is unknown, that: `a file that begins with "hello"`.
std::string describeFormat(std::string_view bytes);

}  // namespace shardlaw
