// Cells of a domain as the micro kernels read them, and the copies that put them where a product needs them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "interp/number/exact.h"
#include "interp/number/ieee.h"

namespace shardlaw::kernel {

/// A float as it is; a field element as its residue.
template <class D>
using Cell = std::conditional_t<std::is_same_v<D, Exact>, std::uint64_t, typename D::Scalar>;

/// Copies cells, and notices lowest() among them: a product that read it would be arithmetic on it.
class Copier {
 public:
  template <class F>
  void copy(F* to, const F* from, std::int64_t count) {
    std::copy_n(from, count, to);
  }
  void copy(std::uint64_t* to, const Field* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) seen_ |= to[i] = from[i].residue();
  }
  template <class F>
  F cell(F from) {
    return from;
  }
  std::uint64_t cell(Field from) {
    seen_ |= from.residue();
    return from.residue();
  }
  /// Throws Undefined if lowest() was among the cells.
  void requireNumbers() const {
    if (seen_ >> 52 != 0) Field::refuseLowest();
  }

 private:
  std::uint64_t seen_ = 0;
};

/// Copies results back.
template <class F>
void store(F* to, const F* from, std::int64_t count) {
  std::copy_n(from, count, to);
}
inline void store(Field* to, const std::uint64_t* from, std::int64_t count) {
  static_assert(sizeof(Field) == sizeof(std::uint64_t) && std::is_trivially_copyable_v<Field>);
  if (count > 0) std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(count) * sizeof(Field));
}

}  // namespace shardlaw::kernel
