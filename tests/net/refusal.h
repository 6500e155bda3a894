// The message with which something is refused.
#pragma once

#include <string>

#include "interp/error.h"

namespace shardlaw::test {

/// "accepted" where it is not.
template <class F>
std::string refusalOf(const F& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace shardlaw::test
