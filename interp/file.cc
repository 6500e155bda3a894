#include "interp/file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "interp/error.h"

namespace shardlaw {

std::string readFile(const std::string& path, std::size_t most) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status))
    throw Error(Location{path, 0, 0, {}}, "expected a file, found a folder");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(Location{path, 0, 0, {}}, std::string("cannot be read: ") + std::strerror(errno));
  std::string bytes;
  char block[1 << 16];
  while (in.read(block, sizeof block), in.gcount() > 0) {
    bytes.append(block, static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > most)
      throw Error(Location{path, 0, 0, {}}, "expected at most " + std::to_string(most) + " bytes, found more");
  }
  if (in.bad()) throw Error(Location{path, 0, 0, {}}, "reading broke off");
  return bytes;
}

void writeFile(const std::string& path, const std::string& bytes) {
  const std::string beside = path + ".part" + std::to_string(getpid());
  std::error_code status;
  const auto refuse = [&](const std::string& why) {
    std::filesystem::remove(beside, status);
    throw Error(Location{path, 0, 0, {}}, "cannot be written: " + why);
  };
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    if (!out) refuse(std::strerror(errno));
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) refuse(std::strerror(errno));
  }
  std::filesystem::rename(beside, path, status);
  if (status) refuse(status.message());
}

}  // namespace shardlaw
