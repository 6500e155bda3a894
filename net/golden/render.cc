// golden render: the programs of a network as StableHLO text.
#include <fmt/format.h>

#include <cmath>

#include "interp/command/options.h"
#include "interp/command/terminal.h"
#include "interp/file.h"
#include "interp/names.h"
#include "interp/stablehlo/lower.h"
#include "interp/stablehlo/printer.h"
#include "net/golden/golden.h"
#include "net/program.h"

namespace shardlaw::golden {
namespace {

using command::Options;

constexpr const char* examples = R"(Examples:
  golden render cifar8-bn --entry fwd -o fwd.mlir
  golden render cifar8-bn --entry train_step --optimizer adam --batch 32 --replicas 4 -o dp.mlir
  golden render cifar8-bn --entry train_step --optimizer adam --batch 128 -o one.mlir
  golden render cifar8-bn --head 64 --entry fwd_eval

Exit status: 0 done, 2 usage or bad input.)";

Net netOf(const Options& options) {
  const NamedNet& named = findNet(options.required("NET", "which network"));
  if (!options.has("--head")) return named.make();
  if (named.withHead == nullptr)
    throw Error(fmt::format("--head: the layers of {} are what its name says", named.name));
  return named.withHead(options.whole<std::int64_t>("--head", 1, 1'000'000, 0));
}

Program programOf(const Options& options, const Net& net, StepOptions& step) {
  const std::int64_t batch = options.whole<std::int64_t>("--batch", 1, 1'000'000, 128);
  const std::string entry = lowerCase(options.required("--entry", "which program"));
  if (entry != "train_step") options.requireNone("--entry", "it is not train_step", {"--optimizer"});
  if (entry == "train_step") return trainStep(net, batch, step);
  if (entry == "fwd") return fwd(net, batch, step);
  if (entry != "fwd_eval")
    throw Error(fmt::format("--entry: expected fwd, fwd_eval or train_step, found '{}'", excerpt(entry)));
  // Every batch normalisation is frozen, and no convolution rounds.
  if (step.replicas > 1) throw Error("--replicas: fwd_eval has no collectives; it is one program at any number");
  if (step.bf16) throw Error("--bf16: fwd_eval is f32, also of networks that were trained in bf16");
  return fwdEval(net, batch, step.constants);
}

}  // namespace

int render(int argc, const char* const* argv) {
  Options options({"golden render", "Writes a program of a network as StableHLO text.",
                   "write a network's program as StableHLO", "NET --entry NAME [OPTIONS]", examples});
  StepOptions step;
  options.argument("NET", "Network by name (golden nets lists them)");
  options.text("--entry", "fwd, fwd_eval or train_step", "NAME");
  options.text("--optimizer", "Of train_step: sgd, mom (Nesterov) or adam (AdamW) (adam)", "NAME");
  options.text("--replicas", "Replicas: above 1, with synchronised normalisation and all-reduces (1)", "R");
  options.text("--batch", "Examples on each replica (128)", "N");
  options.text("--head", "Units of the dense layers of cifar8-bn (512)", "N");
  options.text("-o", "File to write (standard output)", "FILE");
  options.flag("--bf16", step.bf16, "Convolutions by their bf16 twins");
  if (const auto instead = options.parse(argc, argv, "the network comes first")) {
    command::print(*instead);
    return done;
  }
  const Net net = netOf(options);
  step.optimizer = findOptimizer(options.only("--optimizer").value_or("adam"));
  step.replicas = options.whole<std::int64_t>("--replicas", 1, 1'000'000, 1);
  const Program program = programOf(options, net, step);
  const std::string text = stablehlo::print(stablehlo::lower(program, step.replicas).module);
  const auto file = options.only("-o");
  if (file) writeFile(*file, text);
  else command::print(text);
  return done;
}

}  // namespace shardlaw::golden
