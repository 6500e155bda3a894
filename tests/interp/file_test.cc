#include "interp/file.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "interp/error.h"
#include "tests/folder.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

std::size_t entriesIn(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST_CASE("files are written whole, over what was there, with nothing beside them") {
  const Folder folder;
  writeFile(folder / "a", "first, and longer");
  writeFile(folder / "a", "second");
  CHECK(readFile(folder / "a") == "second");
  CHECK(entriesIn(folder.path()) == 1);
  CHECK_THROWS_WITH(readFile(folder / "a", 3), Contains("at most 3 bytes"));
}

TEST_CASE("a folder, a pipe or a device is not written over, for a rename would do away with it") {
  const Folder folder;
  std::filesystem::create_directory(folder / "folder");
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  for (const auto& [name, found] : {std::pair{"folder", "found a folder"}, {"pipe", "found a pipe"}}) {
    CHECK_THROWS_WITH(writeFile(folder / name, "x"), Contains(name) && Contains(found));
    CHECK_THROWS_WITH(requireWritable(folder / name), Contains(name) && Contains(found));
  }
  CHECK(std::filesystem::is_fifo(folder / "pipe"));
  CHECK(entriesIn(folder.path()) == 2);
}

TEST_CASE("whether a file can be written is tried beside it, and leaves it as it is") {
  const Folder folder;
  writeFile(folder / "a", "as it was");
  requireWritable(folder / "a");
  requireWritable(folder / "b");
  requireWritable(folder / "new/below/c");
  CHECK(readFile(folder / "a") == "as it was");
  CHECK(entriesIn(folder.path()) == 2);
  CHECK(entriesIn(folder / "new/below") == 0);
  CHECK_THROWS_WITH(requireWritable(folder / "a/below"), Contains("cannot be made a folder"));
  CHECK_THROWS_WITH(requireWritable(folder / std::string(255, 'a')), Contains("File name too long"));
}

}  // namespace
}  // namespace shardlaw::test
