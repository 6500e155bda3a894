#include "interp/available_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>

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

}  // namespace

double availableMemory() {
  const double machine = numberIn("/proc/meminfo", "MemAvailable:") * 1024;
  return std::min(machine, std::max(0.0, controlGroups()));
}

long long mebibytes(double bytes) { return static_cast<long long>(std::min(bytes / 0x1p20, 1e15)); }

void requireMemory(double bytes, const std::string& what) {
  const double available = availableMemory();
  if (bytes > usableShare * available)
    throw Error(what + " needs about " + std::to_string(mebibytes(bytes)) + " MiB, and " +
                std::to_string(mebibytes(available)) + " MiB are free");
}

}  // namespace shardlaw
