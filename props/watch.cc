#include "props/watch.h"

#include <future>
#include <thread>

namespace shardlaw {

Board::Board(const std::vector<Job>& jobs, const Mutant* mutant, std::optional<KillMatrix> matrix) {
  for (const Job& job : jobs) {
    LawReport report;
    report.law = job.law;
    report.domain = job.domain;
    report.mutant = mutant;
    reports_.laws.push_back(std::move(report));
  }
  reports_.matrix = std::move(matrix);
}

void Board::publish(const LawReport& soFar) {
  const std::lock_guard lock(guard_);
  for (LawReport& report : reports_.laws)
    if (report.law == soFar.law && report.domain == soFar.domain) report = soFar;
}

void Board::publish(std::size_t position, const MatrixEntry& entry) {
  const std::lock_guard lock(guard_);
  reports_.matrix->entries[position] = entry;
}

Reports Board::cutOff() const {
  const std::lock_guard lock(guard_);
  Reports reports = reports_;
  for (LawReport& report : reports.laws) report = shardlaw::cutOff(std::move(report));
  if (reports.matrix) findProblems(*reports.matrix);
  return reports;
}

bool endsBefore(std::optional<std::chrono::steady_clock::time_point> deadline, const std::function<void()>& work) {
  if (!deadline) {
    work();
    return true;
  }
  std::packaged_task<void()> task(work);
  std::future<void> end = task.get_future();
  std::thread(std::move(task)).detach();
  if (end.wait_until(*deadline) == std::future_status::timeout) return false;
  end.get();  // rethrows
  return true;
}

}  // namespace shardlaw
