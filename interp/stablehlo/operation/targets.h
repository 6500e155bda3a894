// Contributions to the cells of a result, gathered per cell so that cells can be folded in parallel.
#pragma once

#include <cstdint>
#include <vector>

namespace shardlaw::stablehlo {

/// The entries for each target, in the order in which they came.
template <class Entry>
class Targets {
 public:
  /// `each(f)` calls f(target, entry) for every contribution, and the same ones whenever it is called.
  template <class Each>
  Targets(std::int64_t targets, const Each& each) : ends_(static_cast<std::size_t>(targets) + 1) {
    each([&](std::int64_t target, const Entry&) { ++ends_[static_cast<std::size_t>(target) + 1]; });
    for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
    entries_.resize(static_cast<std::size_t>(ends_.back()));
    // While it is filled, ends_[i] is where the next entry of target i goes; then it is the end of target i.
    each([&](std::int64_t target, const Entry& entry) {
      entries_[static_cast<std::size_t>(ends_[static_cast<std::size_t>(target)]++)] = entry;
    });
  }

  template <class F>
  void each(std::int64_t target, const F& f) const {
    const auto i = static_cast<std::size_t>(target);
    for (std::int64_t at = i == 0 ? 0 : ends_[i - 1]; at < ends_[i]; ++at) f(entries_[static_cast<std::size_t>(at)]);
  }

 private:
  std::vector<std::int64_t> ends_;
  std::vector<Entry> entries_;
};

}  // namespace shardlaw::stablehlo
