#include "props/memory.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "interp/available_memory.h"

namespace shardlaw {
namespace {

/// Cases below this are not counted: no machine runs out of memory by them.
constexpr double counted = 0x1p25;

std::mutex guard;
std::condition_variable released;
double held = 0;

}  // namespace

double memoryOf(const Claim& claim, const JudgeDomain& domain, const JudgeOptions& options) {
  // Bounded scalars have 16 bytes, and so have degrees. `wide` holds them as well as its own, of which each is a
  // pointer to a counted block with the number's header and its limbs.
  constexpr double small = 16, pointer = 16, block = 96;
  const bool wide = domain.name == "wide";
  const double scalar = wide ? small + pointer + block + static_cast<double>(options.bits) / 8 : small;
  // Of each value a replica has a tensor, and lists of views while it is made.
  constexpr double tensor = 256;
  double largest = 0;
  const auto side = [&](const Side& s, double perCell) {
    for (const Value& value : s.program.values())
      largest = std::max(largest, static_cast<double>(value.type.shape.cells()));
    const auto replicas = static_cast<double>(s.replicas);
    return replicas *
           (static_cast<double>(s.program.cells()) * perCell + static_cast<double>(s.program.values().size()) * tensor);
  };
  for (const ClaimInput& input : claim.inputs)
    largest = std::max(largest, static_cast<double>(input.global.shape.cells()));
  const double dual = claim.pairings.empty() ? 1 : 2;
  const double sides = side(claim.left, dual * scalar) + side(claim.right, scalar);
  // Copies: an input before it is cut into shards, the result of a collective before it is handed out.
  // What the sides are compared with: `wide` keeps a bound for each.
  return sides + 2 * dual * scalar * largest + (wide ? side(claim.left, 8) : 0);
}

MemoryShare::MemoryShare(double bytes) : bytes_(bytes < counted ? 0 : bytes) {
  if (bytes_ == 0) return;
  std::unique_lock lock(guard);
  // What others hold is counted even where they have it by now: better to wait than to be killed.
  released.wait(lock, [&] { return held == 0 || held + bytes_ <= usableShare * availableMemory(); });
  if (held == 0) requireMemory(bytes_, "a case of this shape");
  held += bytes_;
}

MemoryShare::~MemoryShare() {
  if (bytes_ == 0) return;
  const std::lock_guard lock(guard);
  held -= bytes_;
  if (held < 1) held = 0;  // sums of doubles
  released.notify_all();
}

}  // namespace shardlaw
