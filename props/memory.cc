#include "props/memory.h"

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <limits>
#include <mutex>

#include "interp/error.h"

namespace shardlaw {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The number after "key" at the start of a line; the first number of the file for an empty key. Infinite where
/// there is none: control groups write "max".
double numberIn(const std::string& path, const std::string& key = {}) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    if (key.empty() || word == key) {
      if (!key.empty() && !(file >> word)) break;
      const bool number = word.find_first_not_of("0123456789") == std::string::npos;
      return number ? std::stod(word) : unlimited;
    }
  }
  return unlimited;
}

/// What a control group leaves: its limit less what is in use, of which cached files can be dropped.
double leftIn(const std::string& folder, const char* limit, const char* usage, const char* cached) {
  const double most = numberIn(folder + "/" + limit), used = numberIn(folder + "/" + usage);
  if (most == unlimited || used == unlimited) return unlimited;
  const double files = numberIn(folder + "/memory.stat", cached);
  return most - used + (files == unlimited ? 0 : std::min(files, used));
}

/// The least that the control groups from `path` upwards leave.
double leftInGroups(const std::string& mount, std::string path, const char* limit, const char* usage,
                    const char* cached) {
  double least = unlimited;
  while (true) {
    least = std::min(least, leftIn(mount + path, limit, usage, cached));
    const auto parent = path.rfind('/');
    if (parent == std::string::npos || path == "/") return least;
    path.erase(parent);
  }
}

/// Lines "4:memory:/path" name a group of version 1, "0::/path" one of version 2.
double controlGroups() {
  std::ifstream groups("/proc/self/cgroup");
  double least = unlimited;
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (controllers.empty())
      least = std::min(least, leftInGroups("/sys/fs/cgroup", path, "memory.max", "memory.current", "inactive_file"));
    if (("," + controllers + ",").find(",memory,") != std::string::npos)
      least = std::min(least, leftInGroups("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes",
                                           "memory.usage_in_bytes", "total_inactive_file"));
  }
  return least;
}

/// Cases below this are not counted: no machine runs out of memory by them.
constexpr double counted = 0x1p25;

std::mutex guard;
std::condition_variable released;
double held = 0;

long long mebibytes(double bytes) { return static_cast<long long>(std::min(bytes / 0x1p20, 1e15)); }

}  // namespace

double availableMemory() {
  const double machine = numberIn("/proc/meminfo", "MemAvailable:") * 1024;
  return std::min(machine, std::max(0.0, controlGroups()));
}

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
  // Other processes want some as well.
  constexpr double fraction = 0.8;
  std::unique_lock lock(guard);
  // What others hold is counted even where they have it by now: better to wait than to be killed.
  released.wait(lock, [&] { return held == 0 || held + bytes_ <= fraction * availableMemory(); });
  const double available = availableMemory();
  if (held == 0 && bytes_ > fraction * available)
    throw Error("a case of this shape needs about " + std::to_string(mebibytes(bytes_)) + " MiB, and " +
                std::to_string(mebibytes(available)) + " MiB are free");
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
