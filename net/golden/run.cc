// golden run: a StableHLO program on arrays, at R replicas, in any number system.
#include "interp/stablehlo/run.h"

#include <fmt/format.h>

#include <filesystem>

#include "interp/command/options.h"
#include "interp/command/terminal.h"
#include "interp/file.h"
#include "interp/names.h"
#include "interp/stablehlo/reader.h"
#include "net/golden/golden.h"

namespace shardlaw::golden {
namespace {

using command::Options;
using stablehlo::RunOptions;
using stablehlo::RunResult;

constexpr const char* examples = R"(Examples:
  golden run step.mlir --inputs in.npz --outputs out.npz
  golden run dp.mlir --R 4 --inputs in.npz --outputs out.npz --trace every.npz
                                 arrays four times as long as an argument along one axis are cut along it
  golden run step.mlir --inputs in.npz --outputs out.npz --domain bounded32 --bounds bounds.npz

At R > 1 every output has a leading axis of replicas. The exact domain writes elements of its field as u64.

Exit status: 0 done, 2 usage or bad input.)";

void declare(Options& options) {
  options.argument("PROGRAM", "StableHLO text");
  options.text("--inputs", "Arguments by name, or as arr_0, arr_1, …", "FILE.npz");
  options.text("--outputs", "Results by name", "FILE.npz");
  options.text("--R", "Replicas (what the program states, or 1)", "N");
  options.text("--domain", "native, exact, f64, f32, wide, bounded64 or bounded32 (native)", "NAME");
  options.text("--bits", "Precision of wide (256)", "N");
  options.text("--seed", "Seed of the functions that exact leaves uninterpreted (1)", "N");
  options.text("--shard", "Arguments that are cut along an axis, whatever their shapes say", "NAMES");
  options.text("--replicate", "Arguments that every replica gets whole", "NAMES");
  options.text("--trace", "Save every value of the program, too", "FILE.npz");
  options.text("--bounds", "Save the bounds of the results, too; of a bounded domain", "FILE.npz");
  options.text("--literals", "exact, or simplest: f32 literals as the simplest rationals that round to them (exact)",
               "NAME");
}

/// All of them or none.
void writeAll(const std::vector<std::pair<std::string, const std::vector<NamedArray>*>>& files) {
  std::vector<std::string> done;
  try {
    for (const auto& [path, arrays] : files) {
      writeNpz(path, *arrays);
      done.push_back(path);
    }
  } catch (...) {
    std::error_code status;
    for (const std::string& path : done) std::filesystem::remove(path, status);
    throw;
  }
}

std::string megabytes(std::int64_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); }

}  // namespace

int run(int argc, const char* const* argv) {
  Options options({"golden run", "Runs a StableHLO program on arrays, at any number of replicas, in any number system.",
                   "run a StableHLO program", "PROGRAM --outputs FILE.npz [OPTIONS]", examples});
  declare(options);
  if (const auto instead = options.parse(argc, argv, "one program is run at a time")) {
    command::print(*instead);
    return done;
  }
  const auto outputs = options.required("--outputs", "where to write the results");
  const auto trace = options.only("--trace"), bounds = options.only("--bounds");
  const bool simplest = options.oneOf<bool>("--literals", {{"exact", false}, {"simplest", true}}, false);
  const stablehlo::Module module = stablehlo::readModule(options.required("PROGRAM", "which program"), {simplest});
  RunOptions how;
  how.domain = lowerCase(options.only("--domain").value_or("native"));
  how.replicas = options.whole<std::int64_t>("--R", 1, 1'000'000, stablehlo::statedReplicas(module));
  how.bits = options.whole<long>("--bits", 64, 1 << 20, how.bits);
  how.seed = options.whole<std::uint64_t>("--seed", 0, UINT64_MAX, how.seed);
  how.sharding = {options.each("--shard", true), options.each("--replicate", true)};
  how.trace = trace.has_value();
  how.bounds = bounds.has_value();
  if (how.domain != "wide") options.requireNone("--domain", "it is not wide", {"--bits"});
  if (how.domain != "exact") options.requireNone("--domain", "it is not exact", {"--seed"});
  const auto inputs = options.only("--inputs");
  std::vector<FileUse> read{{"the program", module.file}}, written{{"the results", outputs}};
  if (inputs) read.push_back({"the inputs", *inputs});
  if (trace) written.push_back({"the trace", *trace});
  if (bounds) written.push_back({"the bounds", *bounds});
  requireOwnFiles(read, written);
  const RunResult result = inputs ? stablehlo::run(module, NpzFile::open(*inputs), how) : stablehlo::run(module, how);
  std::vector<std::pair<std::string, const std::vector<NamedArray>*>> files{{outputs, &result.outputs}};
  if (trace) files.emplace_back(*trace, &result.trace);
  if (bounds) files.emplace_back(*bounds, &result.bounds);
  writeAll(files);
  command::print(fmt::format("{} results in {} at R = {}; values took {} at most, {} of them live\n",
                             result.outputs.size(), how.domain, how.replicas, megabytes(result.peak.taken),
                             megabytes(result.peak.live)));
  return done;
}

}  // namespace shardlaw::golden
