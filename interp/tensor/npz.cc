#include "interp/tensor/npz.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "interp/error.h"
#include "interp/file.h"
#include "interp/magic.h"

namespace shardlaw {
namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& message) {
  throw Error(Location{file, 0, 0, {}}, message);
}

std::string quoted(std::string_view name) { return "'" + excerpt(name) + "'"; }

/// A libzip error that frees itself.
class ZipError {
 public:
  ZipError() { zip_error_init(&error_); }
  explicit ZipError(int code) { zip_error_init_with_code(&error_, code); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  ~ZipError() { zip_error_fini(&error_); }
  zip_error_t* get() { return &error_; }
  std::string text() { return zip_error_strerror(&error_); }

 private:
  zip_error_t error_;
};

/// Discards rather than closes: closing would write.
struct Discard {
  void operator()(zip_t* zip) const { zip_discard(zip); }
};
using Zip = std::unique_ptr<zip_t, Discard>;
struct CloseMember {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Member = std::unique_ptr<zip_file_t, CloseMember>;
struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Source = std::unique_ptr<zip_source_t, FreeSource>;

/// The archive in a source, which it then owns.
Zip openSource(Source source, int flags, const std::string& name) {
  ZipError error;
  Zip zip(zip_open_from_source(source.get(), flags, error.get()));
  if (!zip) refuse(name, "cannot be read as a zip archive: " + error.text());
  static_cast<void>(source.release());
  return zip;
}

Source memorySource(const void* bytes, std::size_t size, const std::string& name) {
  ZipError error;
  Source source(zip_source_buffer_create(bytes, size, 0, error.get()));
  if (!source) refuse(name, error.text());
  return source;
}

std::string withoutSuffix(std::string_view name) {
  return std::string(name.ends_with(".npy") ? name.substr(0, name.size() - 4) : name);
}

/// An archive is told by its first bytes, so that anything else is called what it is.
void requireZip(std::string_view start, const std::string& name) {
  if (!start.starts_with("PK")) refuse(name, "expected an .npz file, found " + describeFormat(start));
}

/// deflate makes no byte out of less than 1/1032 (zlib's documentation), so that a larger claim is a lie.
constexpr std::uint64_t deflatesAtMost = 1032;

void checkClaims(const zip_stat_t& status, std::uint64_t archiveBytes) {
  constexpr zip_uint64_t needed =
      ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((status.valid & needed) != needed) throw Error("a directory entry without sizes");
  if (status.encryption_method != ZIP_EM_NONE) throw Error("encrypted; expected an archive without passwords");
  if (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE)
    throw Error("packed by method " + std::to_string(status.comp_method) + ": expected 0 (stored) or 8 (deflated)");
  if (status.comp_size > archiveBytes)
    throw Error("expected " + std::to_string(status.comp_size) + " packed bytes in an archive of " +
                std::to_string(archiveBytes));
  const bool stored = status.comp_method == ZIP_CM_STORE;
  if (stored ? status.size != status.comp_size : status.size / deflatesAtMost > status.comp_size + 1)
    throw Error("claims to unpack " + std::to_string(status.comp_size) + " bytes to " + std::to_string(status.size));
}

Array readMember(zip_t* zip, std::uint64_t index, std::uint64_t archiveBytes, const NpyOptions& options) {
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_stat_index(zip, index, 0, &status) != 0) throw Error(zip_strerror(zip));
  checkClaims(status, archiveBytes);
  const Member member(zip_fopen_index(zip, index, 0));
  if (!member) throw Error(std::string("cannot be unpacked: ") + zip_strerror(zip));
  const ByteReader read = [&](std::span<std::uint8_t> into) {
    std::size_t filled = 0;
    while (filled < into.size()) {
      const zip_int64_t count = zip_fread(member.get(), into.data() + filled, into.size() - filled);
      if (count < 0) throw Error(std::string("cannot be unpacked: ") + zip_file_strerror(member.get()));
      if (count == 0) break;
      filled += static_cast<std::size_t>(count);
    }
    return filled;
  };
  return readNpyFrom(read, status.size, options);
}

}  // namespace

struct NpzFile::Archive {
  std::string file;
  std::string bytes;  // of an archive in memory; libzip reads them where they are
  std::uint64_t size = 0;
  Zip zip;
  std::vector<std::string> names;

  void list() {
    const zip_int64_t entries = zip_get_num_entries(zip.get(), 0);
    std::set<std::string> seen;
    for (zip_int64_t i = 0; i < entries; ++i) {
      const char* const stored = zip_get_name(zip.get(), static_cast<zip_uint64_t>(i), ZIP_FL_ENC_GUESS);
      if (stored == nullptr) refuse(file, "member " + std::to_string(i) + ": " + zip_strerror(zip.get()));
      names.push_back(withoutSuffix(stored));
      if (!seen.insert(names.back()).second)
        refuse(file, "member " + quoted(names.back()) + ": expected one array of a name, found two");
    }
  }
};

NpzFile::NpzFile(std::unique_ptr<Archive> archive) : archive_(std::move(archive)) {}
NpzFile::NpzFile(NpzFile&&) noexcept = default;
NpzFile& NpzFile::operator=(NpzFile&&) noexcept = default;
NpzFile::~NpzFile() = default;

NpzFile NpzFile::open(const std::string& path) {
  // As readFile: opening a named pipe must not wait.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) refuse(path, std::string("cannot be read: ") + std::strerror(errno));
  const auto giveUp = [&](const std::string& why) {
    ::close(descriptor);
    refuse(path, why);
  };
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) giveUp(std::string("cannot be read: ") + std::strerror(errno));
  if (S_ISDIR(status.st_mode)) giveUp("expected a file, found a folder");
  if (!S_ISREG(status.st_mode)) giveUp("expected a file, found a pipe or a device: an archive is read from its end");
  char start[16];
  const ssize_t count = ::pread(descriptor, start, sizeof start, 0);
  if (count < 0) giveUp(std::string("cannot be read: ") + std::strerror(errno));
  try {
    requireZip({start, static_cast<std::size_t>(count)}, path);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  auto archive = std::make_unique<Archive>();
  archive->file = path;
  archive->size = static_cast<std::uint64_t>(status.st_size);
  int code = 0;
  // Takes the descriptor where it succeeds.
  archive->zip.reset(zip_fdopen(descriptor, 0, &code));
  if (!archive->zip) giveUp("cannot be read as a zip archive: " + ZipError(code).text());
  archive->list();
  return NpzFile(std::move(archive));
}

NpzFile NpzFile::ofBytes(std::string bytes, const std::string& name) {
  requireZip(bytes, name);
  auto archive = std::make_unique<Archive>();
  archive->file = name;
  archive->bytes = std::move(bytes);
  archive->size = archive->bytes.size();
  archive->zip = openSource(memorySource(archive->bytes.data(), archive->bytes.size(), name), ZIP_RDONLY, name);
  archive->list();
  return NpzFile(std::move(archive));
}

const std::vector<std::string>& NpzFile::names() const { return archive_->names; }

bool NpzFile::contains(std::string_view name) const {
  return std::find(names().begin(), names().end(), name) != names().end();
}

Array NpzFile::read(std::string_view name, const NpyOptions& options) const {
  const auto found = std::find(names().begin(), names().end(), name);
  if (found == names().end()) {
    std::string known;
    for (const std::string& other : names()) known += (known.empty() ? "" : ", ") + other;
    refuse(archive_->file,
           "no array " + quoted(name) + "; found " + (known.empty() ? "no arrays" : excerpt(known, 200)));
  }
  try {
    return readMember(archive_->zip.get(), static_cast<std::uint64_t>(found - names().begin()), archive_->size,
                      options);
  } catch (const Error& error) {
    refuse(archive_->file, "member " + quoted(name) + ": " + error.what());
  }
}

namespace {

void checkNames(const std::vector<NamedArray>& arrays) {
  std::set<std::string_view> seen;
  for (const NamedArray& each : arrays) {
    if (each.name.empty()) throw Error("an array without a name cannot be written");
    if (oneLine(each.name) != each.name)
      throw Error("an array named " + quoted(each.name) +
                  " cannot be written: expected UTF-8 without control characters");
    // The format has 16 bits for it, and libzip does not look.
    if (each.name.size() > 65000)
      throw Error("an array with a name of " + std::to_string(each.name.size()) + " bytes cannot be written");
    if (!seen.insert(each.name).second) throw Error("two arrays named " + quoted(each.name) + " cannot be written");
  }
}

void addMember(zip_t* zip, const std::string& name, const std::string& bytes, Packing packing) {
  const auto check = [&](bool holds) {
    if (!holds) throw Error("array " + quoted(name) + " cannot be packed: " + zip_strerror(zip));
  };
  Source source(zip_source_buffer(zip, bytes.data(), bytes.size(), 0));
  check(source != nullptr);
  const zip_int64_t index = zip_file_add(zip, (name + ".npy").c_str(), source.get(), ZIP_FL_ENC_UTF_8);
  check(index >= 0);
  static_cast<void>(source.release());
  const auto at = static_cast<zip_uint64_t>(index);
  // 1980-01-01 in DOS's format: day 1 of month 1 of year 0.
  check(zip_file_set_dostime(zip, at, 0, 1 << 5 | 1, 0) == 0);
  check(zip_set_file_compression(zip, at, packing == Packing::stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 6) == 0);
}

/// Everything in a source, once the archive in it is closed.
std::string contentsOf(zip_source_t* source) {
  zip_stat_t status;
  zip_stat_init(&status);
  const auto check = [&](bool holds) {
    if (!holds) throw Error("cannot be packed: " + std::string(zip_error_strerror(zip_source_error(source))));
  };
  check(zip_source_stat(source, &status) == 0 && zip_source_open(source) == 0);
  std::string bytes(static_cast<std::size_t>(status.size), '\0');
  const zip_int64_t count = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  check(count == static_cast<zip_int64_t>(bytes.size()));
  return bytes;
}

}  // namespace

std::string formatNpz(const std::vector<NamedArray>& arrays, Packing packing) {
  using namespace std::string_literals;
  checkNames(arrays);
  // libzip writes no archive without members: the end of a directory, of nothing.
  if (arrays.empty()) return "PK\x05\x06"s + std::string(18, '\0');
  Source source = memorySource(nullptr, 0, "");
  zip_source_keep(source.get());  // to outlive the archive
  const Source kept(source.get());
  Zip zip = openSource(std::move(source), ZIP_CREATE | ZIP_TRUNCATE, "");
  std::vector<std::string> members;  // libzip reads them when the archive is closed
  members.reserve(arrays.size());
  for (const NamedArray& each : arrays) {
    members.push_back(formatNpy(each.array));
    addMember(zip.get(), each.name, members.back(), packing);
  }
  if (zip_close(zip.get()) != 0) throw Error(std::string("cannot be packed: ") + zip_strerror(zip.get()));
  static_cast<void>(zip.release());
  return contentsOf(kept.get());
}

void writeNpz(const std::string& path, const std::vector<NamedArray>& arrays, Packing packing) {
  std::string bytes;
  try {
    bytes = formatNpz(arrays, packing);
  } catch (const Error& error) {
    refuse(path, error.what());
  }
  writeFile(path, bytes);
}

}  // namespace shardlaw
