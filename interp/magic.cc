#include "interp/magic.h"

#include "interp/error.h"

namespace shardlaw {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  std::string_view name;
};

/// As the formats' own documents state them; gzip: RFC 1952, zip: APPNOTE 4.3, PNG: ISO 15948.
constexpr Magic known[] = {
    {"\x93NUMPY"sv, "a .npy file"},
    {"PK\x03\x04"sv, "a zip archive (.npz is one)"},
    {"PK\x05\x06"sv, "an empty zip archive"},
    {"\x1f\x8b"sv, "a gzip file"},
    {"BZh"sv, "a bzip2 file"},
    {"\xfd"
     "7zXZ\0"sv,
     "an xz file"},
    {"\x28\xb5\x2f\xfd"sv, "a zstd file"},
    {"\x89PNG\r\n\x1a\n"sv, "a PNG image"},
    {"\xff\xd8\xff"sv, "a JPEG image"},
    {"\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
    {"\0\0\x08\x03"sv, "an IDX file of images (MNIST's format)"},
    {"\0\0\x08\x01"sv, "an IDX file of labels (MNIST's format)"},
    {"%PDF"sv, "a PDF document"},
    {"MATLAB 5"sv, "a MATLAB file"},
    // A pickle of protocol 2 to 5 begins with its number.
    {"\x80\x02"sv, "a Python pickle"},
    {"\x80\x03"sv, "a Python pickle"},
    {"\x80\x04"sv, "a Python pickle"},
    {"\x80\x05"sv, "a Python pickle"},
};

}  // namespace

std::string_view knownFormat(std::string_view bytes) {
  for (const Magic& magic : known)
    if (bytes.starts_with(magic.bytes)) return magic.name;
  return "";
}

std::string describeFormat(std::string_view bytes) {
  if (bytes.empty()) return "an empty file";
  if (const std::string_view name = knownFormat(bytes); !name.empty()) return std::string(name);
  return "a file that begins with \"" + excerpt(bytes.substr(0, 16), 16) + "\"";
}

}  // namespace shardlaw
