// Memory for the cells of tensors.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace shardlaw {

/// Blocks from here on ask the system for huge pages, where it has them: a training step otherwise spends a fifth of
/// its time on page faults.
inline constexpr std::size_t largeBlock = std::size_t{1} << 22;

/// At least largeBlock bytes. Throws std::bad_alloc.
void* allocateLarge(std::size_t bytes);
void releaseLarge(void* block) noexcept;

/// std::allocator, but that large blocks are allocateLarge's, and that plain values made from nothing are left
/// unwritten: a large tensor's pages are then first touched by the threads that compute it.
template <class S>
struct CellAllocator {
  using value_type = S;

  CellAllocator() = default;
  template <class U>
  CellAllocator(const CellAllocator<U>&) {}  // NOLINT(google-explicit-constructor): as every allocator

  S* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(S)) throw std::bad_array_new_length();
    if (count * sizeof(S) < largeBlock) return std::allocator<S>().allocate(count);
    return static_cast<S*>(allocateLarge(count * sizeof(S)));
  }
  void deallocate(S* cells, std::size_t count) noexcept {
    if (count * sizeof(S) < largeBlock) std::allocator<S>().deallocate(cells, count);
    else releaseLarge(cells);
  }
  template <class U, class... Arguments>
  void construct(U* cell, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) > 0 || !std::is_trivially_copyable_v<U>)
      ::new (static_cast<void*>(cell)) U(std::forward<Arguments>(arguments)...);
  }
  friend bool operator==(const CellAllocator&, const CellAllocator&) { return true; }
};

}  // namespace shardlaw
