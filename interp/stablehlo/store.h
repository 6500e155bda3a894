// The values that an evaluation holds, and what they take.
#pragma once

#include <algorithm>
#include <vector>

#include "interp/stablehlo/evaluate.h"

namespace shardlaw::stablehlo::detail {

/// The values of one activation of a function on one process.
template <class D>
using Frame = std::vector<Cells<D>>;

/// Counts the bytes of all values that are held, and keeps a few that were given up for others of the same size: fresh
/// memory costs more than most operations spend on it.
template <class D>
class Store {
 public:
  const Peak& peak() const { return peak_; }

  void hold(const Cells<D>& cells) {
    live_ += cells.bytes();
    note();
  }
  void drop(const Cells<D>& cells) { live_ -= cells.bytes(); }

  /// Cells of no particular value; they are held from now on.
  Cells<D> take(const TensorType& type) {
    for (auto spare = spares_.begin(); spare != spares_.end(); ++spare)
      if (spare->cells() == type.shape.cells() && kindOf(type.element) == spare->variant().index()) {
        Cells<D> taken = std::move(*spare);
        spares_.erase(spare);
        spare_ -= taken.bytes();
        taken = std::move(taken).reshaped(type.shape);
        hold(taken);
        return taken;
      }
    Cells<D> fresh = Cells<D>::unwritten(type);
    while (!spares_.empty() && live_ + spare_ + fresh.bytes() > allowed(fresh.bytes())) discard();
    hold(fresh);
    return fresh;
  }
  /// Gives a held value up.
  void give(Cells<D> cells) {
    const std::int64_t bytes = cells.bytes();
    live_ -= bytes;
    if (bytes < least) return;
    spares_.push_back(std::move(cells));
    spare_ += bytes;
    while (!spares_.empty() && (spares_.size() > most || live_ + spare_ > allowed(0))) discard();
  }

 private:
  static constexpr std::size_t most = 8;
  static constexpr std::int64_t least = 1 << 15;

  static std::size_t kindOf(DType element) { return isFloat(element) ? 0 : isBoolean(element) ? 2 : 1; }
  /// Spares may not raise the peak by more than a quarter.
  std::int64_t allowed(std::int64_t more) const {
    const std::int64_t live = std::max(peak_.live, live_ + more);
    return live + live / 4;
  }
  void discard() {
    spare_ -= spares_.front().bytes();
    spares_.erase(spares_.begin());
  }
  void note() {
    peak_.live = std::max(peak_.live, live_);
    peak_.taken = std::max(peak_.taken, live_ + spare_);
  }

  std::vector<Cells<D>> spares_;
  std::int64_t live_ = 0, spare_ = 0;
  Peak peak_;
};

}  // namespace shardlaw::stablehlo::detail
