// Reporting in time even where a single case takes longer than the time limit.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>

#include "props/report/report.h"

namespace shardlaw {

/// What a run has found so far: written by its threads, read by whoever has to report before it ends.
class Board {
 public:
  Board(const std::vector<Job>& jobs, const Mutant* mutant, std::optional<KillMatrix> matrix);

  void publish(const LawReport& soFar);
  void publish(std::size_t position, const MatrixEntry& entry);
  /// The reports as they stand; what is not decided yet is left undecided by the time limit.
  Reports cutOff() const;

 private:
  mutable std::mutex guard_;
  Reports reports_;
};

/// Runs `work`, on a thread of its own where there is a deadline; returns whether it ended before that. Where not,
/// the thread goes on, and `work` must own all that it uses: what is left to do is to report, and to end the process
/// by std::_Exit.
bool endsBefore(std::optional<std::chrono::steady_clock::time_point> deadline, const std::function<void()>& work);

}  // namespace shardlaw
