#include "interp/tensor/memory.h"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace shardlaw {
namespace {

/// The size of a huge page on x86-64 and on most others.
constexpr std::size_t hugePage = std::size_t{1} << 21;

}  // namespace

void* allocateLarge(std::size_t bytes) {
  void* const block = ::operator new (bytes, std::align_val_t{hugePage});
#ifdef MADV_HUGEPAGE
  // Whole huge pages only. A refusal is of no consequence.
  static_cast<void>(madvise(block, bytes / hugePage * hugePage, MADV_HUGEPAGE));
#endif
  return block;
}

void releaseLarge(void* block) noexcept { ::operator delete (block, std::align_val_t{hugePage}); }

}  // namespace shardlaw
