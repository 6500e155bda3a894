// .npy and .npz: whatever is read takes little memory, and is the same when it is written and read again.
#include "interp/error.h"
#include "interp/tensor/npz.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace shardlaw;

bool same(const Array& a, const Array& b) { return a.type == b.type && a.shape == b.shape && a.bytes == b.bytes; }

/// What a refusal says, or nothing.
template <class F>
void refusing(F run, const std::string& input) {
  try {
    run();
  } catch (const Error& error) {
    const std::string message = error.what();
    fuzz::require(message.starts_with("input: "), "a refusal names the file", input);
    fuzz::require(oneLine(message) == message, "a refusal is one line", input);
    fuzz::require(message.size() < 1000, "a refusal is short", input);
  }
}

void readArray(const std::string& input, const NpyOptions& options) {
  const Array array = parseNpy(input, "input", options);
  fuzz::require(array.bytes.size() == static_cast<std::size_t>(array.cells()) * cellBytes(array.type),
                "bytes fill the shape", input);
  fuzz::require(array.bytes.size() <= input.size(), "an array is no larger than its file", input);
  fuzz::require(same(parseNpy(formatNpy(array), "written", options), array), "an array is read as it was written",
                input);
}

void readArchive(const std::string& input, const NpyOptions& options) {
  const NpzFile file = NpzFile::ofBytes(input, "input");
  std::vector<NamedArray> arrays;
  for (const std::string& name : file.names())
    refusing([&] { arrays.push_back({name, file.read(name, options)}); }, input);
  for (const Packing packing : {Packing::stored, Packing::deflated}) {
    std::string bytes;
    try {
      bytes = formatNpz(arrays, packing);
    } catch (const Error&) {
      return;  // a name that other programs may write and this one does not
    }
    const NpzFile again = NpzFile::ofBytes(bytes, "written");
    fuzz::require(again.names().size() == arrays.size(), "an archive keeps its members", input);
    for (const NamedArray& each : arrays)
      fuzz::require(same(again.read(each.name, options), each.array), "a member is read as it was written", input);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(fuzz::textOf(data, size));
  const NpyOptions options{true, 1 << 20};
  refusing([&] { readArray(input, options); }, input);
  refusing([&] { readArchive(input, options); }, input);
  return 0;
}
