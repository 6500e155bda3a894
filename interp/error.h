// The one exception type of the library.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace shardlaw {

/// Where a user's mistake is. Empty fields are unknown.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
  std::string operation;
};

/// A mistake of the user's: what was expected, what was found, and where. The library never prints or
/// exits; `main` turns an Error into one line and exit status 2.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
  Error(Location where, const std::string& message);

  const Location& where() const { return where_; }

 private:
  Location where_;
};

/// A value that the domain does not define (division by zero in a prime field, say). A property run
/// discards and counts the case; a single evaluation reports it.
class Undefined : public Error {
 public:
  using Error::Error;
};

/// A message as one line of UTF-8: control characters, which a terminal would obey, and bytes that are no
/// UTF-8 are written as \n or \x1b.
std::string oneLine(std::string_view message);

/// At most `most` bytes of a user's text, as one line, for a message; "…" stands for the rest.
std::string excerpt(std::string_view text, std::size_t most = 60);

}  // namespace shardlaw
