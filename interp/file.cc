#include "interp/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>

#include "interp/error.h"

namespace shardlaw {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what, int code = 0) {
  throw Error(Location{path, 0, 0, {}}, what + (code == 0 ? "" : std::string(": ") + std::strerror(code)));
}

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  /// The error of close(), at which some file systems report a full disk.
  int close() { return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno; }

 private:
  int number_;
};

/// The file beside a target, while it is written: one at a time, and its name where a signal handler finds it.
/// Errors are about the path that the user asked for.
class Part {
 public:
  Part(const std::string& target, const std::string& asked) : lock_(guard) {
    for (int attempt = 0; attempt < 100; ++attempt) {
      const std::string name = target + ".part" + std::to_string(getpid()) + "-" + std::to_string(attempt);
      if (name.size() >= sizeof path) refuse(asked, "cannot be written", ENAMETOOLONG);
      std::memcpy(path, name.c_str(), name.size() + 1);
      exists.store(true);  // first, lest a signal in between leave the file
      descriptor = ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor >= 0) return;
      const int code = errno;
      exists.store(false);
      // One that a killed process of the same number has left is not ours to remove.
      if (code != EEXIST) refuse(asked, "cannot be written", code);
    }
    refuse(asked, "cannot be written", EEXIST);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() { abandonWrite(); }
  void renameTo(const std::string& target) {
    if (::rename(path, target.c_str()) != 0) refuse(target, "cannot be written", errno);
    exists.store(false);
  }

  int descriptor = -1;
  static char path[4096];
  static std::atomic<bool> exists;
  static_assert(std::atomic<bool>::is_always_lock_free);

 private:
  static std::mutex guard;
  std::lock_guard<std::mutex> lock_;
};

char Part::path[4096];
std::atomic<bool> Part::exists{false};
std::mutex Part::guard;

/// What is renamed over is gone.
void requireReplaceable(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return;
  refuse(path, std::string("expected a file, found a ") + (S_ISDIR(status.st_mode) ? "folder" : "pipe or a device"));
}

void writeAll(const std::string& target, int descriptor, const std::string& bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = ::write(descriptor, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno != EINTR) refuse(target, "cannot be written", errno);
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  // A crash must not leave the name with nothing behind it; not every file system can promise that.
  if (::fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EINTR)
    refuse(target, "cannot be written", errno);
}

}  // namespace

std::string readFile(const std::string& path, std::size_t most) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) refuse(path, "cannot be read", errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) refuse(path, "cannot be read", errno);
  if (S_ISDIR(status.st_mode)) refuse(path, "expected a file, found a folder");
  // Only opening must not wait; a pipe that is being written is read to its end.
  if (::fcntl(file.number(), F_SETFL, 0) != 0) refuse(path, "cannot be read", errno);
  const auto refuseMore = [&] { refuse(path, "expected at most " + std::to_string(most) + " bytes, found more"); };
  std::string bytes;
  if (S_ISREG(status.st_mode)) {
    if (static_cast<std::uint64_t>(status.st_size) > most) refuseMore();
    bytes.reserve(static_cast<std::size_t>(status.st_size));
  }
  char block[1 << 16];
  while (true) {
    const ssize_t count = ::read(file.number(), block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(path, "reading broke off", errno);
    if (count == 0) return bytes;
    bytes.append(block, static_cast<std::size_t>(count));
    if (bytes.size() > most) refuseMore();
  }
}

void writeFile(const std::string& path, const std::string& bytes) {
  requireReplaceable(path);
  Part part(path, path);
  Descriptor file(part.descriptor);
  writeAll(path, file.number(), bytes);
  if (const int code = file.close(); code != 0) refuse(path, "cannot be written", code);
  part.renameTo(path);
}

void requireWritable(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  requireWritableFolder(folder.empty() ? "." : folder);
  requireReplaceable(path);
  const Part part(path, path);
  ::close(part.descriptor);
}

void requireOwnFiles(const std::vector<FileUse>& read, const std::vector<FileUse>& written) {
  std::map<std::filesystem::path, std::string> used;
  const auto use = [&](const FileUse& file) {
    std::error_code status;
    return used.try_emplace(std::filesystem::weakly_canonical(file.path, status), file.what);
  };
  for (const FileUse& file : read) use(file);
  for (const FileUse& file : written) {
    requireWritable(file.path);
    const auto [other, isNew] = use(file);
    if (!isNew) throw Error(excerpt(file.path) + ": expected a file of its own, found " + other->second + " there");
  }
}

void abandonWrite() noexcept {
  if (Part::exists.exchange(false)) ::unlink(Part::path);
}

void requireWritableFolder(const std::string& folder) {
  std::error_code status;
  std::filesystem::create_directories(folder, status);
  if (status) refuse(folder, "cannot be made a folder: " + status.message());
  if (!std::filesystem::is_directory(folder, status)) refuse(folder, "expected a folder, found a file");
  const std::string trial = (std::filesystem::path(folder) / ".writable").string();
  const Part part(trial, folder);
  ::close(part.descriptor);
}

}  // namespace shardlaw
