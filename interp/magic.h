// What a file is, by its first bytes: for errors about files that are something else.
#pragma once

#include <string>
#include <string_view>

namespace shardlaw {

/// "a gzip file", "a Python pickle", "a PNG image", …; "an empty file"; or, where the beginning is no known format's,
/// that beginning: `a file that begins with "hello"`. The first 16 bytes are enough.
std::string describeFormat(std::string_view bytes);

}  // namespace shardlaw
