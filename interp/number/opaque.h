// The functions that a field does not have.
#pragma once

#include <array>
#include <cstddef>

namespace shardlaw {

/// Arguments of one of them can only be mistaken for arguments of the same one, but for √ and 1/√, which are tied to
/// each other. `other` is all functions of StableHLO's that no node has, of one or two arguments.
enum class Opaque { sqrt, rsqrt, exp, log, tanh, round, other };
inline constexpr std::size_t opaqueCount = 7;

/// One entry per opaque function.
template <class T>
class PerOpaque {
 public:
  T& operator[](Opaque f) { return entries_[static_cast<std::size_t>(f)]; }
  const T& operator[](Opaque f) const { return entries_[static_cast<std::size_t>(f)]; }

 private:
  std::array<T, opaqueCount> entries_{};
};

}  // namespace shardlaw
