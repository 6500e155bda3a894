// Memory: a case is refused, or waits for others to end, before the machine runs out of it.
#pragma once

#include "interp/available_memory.h"
#include "props/judge.h"

namespace shardlaw {

/// Bytes that judging the claim in the domain takes: an estimate from above, but for what the allocator wastes.
double memoryOf(const Claim& claim, const JudgeDomain& domain, const JudgeOptions& options = {});

/// A share of that memory, held while a case is judged, so that laws which run side by side do not each count on
/// all of it. Waits while others hold too much; throws Error where the bytes would not fit even alone.
class MemoryShare {
 public:
  explicit MemoryShare(double bytes);
  MemoryShare(const MemoryShare&) = delete;
  MemoryShare& operator=(const MemoryShare&) = delete;
  ~MemoryShare();

 private:
  double bytes_;
};

}  // namespace shardlaw
