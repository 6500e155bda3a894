// rewrite IN OUT [--deflate] [--bf16]: reads an .npy or .npz file and writes what it holds, for npz_numpy_test.py.
#include <cstdio>
#include <string_view>

#include "interp/error.h"
#include "interp/tensor/npz.h"

namespace {

using namespace shardlaw;

void rewrite(const std::string& from, const std::string& to, Packing packing, const NpyOptions& options) {
  if (from.ends_with(".npy")) return writeNpy(to, readNpy(from, options));
  const NpzFile file = NpzFile::open(from);
  std::vector<NamedArray> arrays;
  for (const std::string& name : file.names()) arrays.push_back({name, file.read(name, options)});
  writeNpz(to, arrays, packing);
}

}  // namespace

int main(int argc, char** argv) {
  Packing packing = Packing::stored;
  NpyOptions options;
  for (int i = 3; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--deflate") packing = Packing::deflated;
    if (std::string_view(argv[i]) == "--bf16") options.bf16 = true;
  }
  try {
    if (argc < 3) throw Error("usage: rewrite IN OUT [--deflate] [--bf16]");
    rewrite(argv[1], argv[2], packing, options);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return 0;
}
