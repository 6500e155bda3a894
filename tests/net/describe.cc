// describe DATASET: what readDataset makes of it, as JSON, for data_test.py.
#include <cstdio>

#include "interp/error.h"
#include "net/host/dataset.h"

namespace {

using namespace shardlaw;

void print(const char* name, const Dataset& set) {
  std::printf("\"%s\": {\"image\": %s, \"classes\": %d, \"labels\": [", name, toString(set.image).c_str(), set.classes);
  for (std::size_t i = 0; i < set.labels.size(); ++i) std::printf("%s%d", i == 0 ? "" : ", ", set.labels[i]);
  std::printf("], \"sums\": [");
  // Of each example the sum of position times pixel: a pixel out of place changes it.
  const std::int64_t cells = set.image.cells();
  for (std::int64_t n = 0; n < set.examples(); ++n) {
    double sum = 0;
    for (std::int64_t i = 0; i < cells; ++i) sum += static_cast<double>(i + 1) * double{set.pixel(n * cells + i)};
    std::printf("%s%.17g", n == 0 ? "" : ", ", sum);
  }
  std::printf("]}");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw Error("usage: describe DATASET");
    const TrainAndTest both = readDataset(argv[1]);
    std::printf("{");
    print("train", both.train);
    std::printf(", ");
    print("test", both.test);
    std::printf("}\n");
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return 0;
}
