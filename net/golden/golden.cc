// The command `golden`: the golden model, one subcommand after the other.
#include "net/golden/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string>

#include "interp/command/options.h"
#include "interp/command/terminal.h"
#include "interp/names.h"

namespace shardlaw::golden {
namespace {

struct Subcommand {
  std::string_view name, summary;
  int (*run)(int argc, const char* const* argv);
};

constexpr Subcommand subcommands[] = {
    {"render", "write a network's program as StableHLO text", render},
    {"run", "run a StableHLO program on arrays", run},
    {"train", "train a network, with any number of replicas", train},
    {"nets", "list the networks, or the tables of one", nets},
    {"operations", "list the StableHLO operations", operations},
};

std::string usage() {
  std::string text = "usage: golden COMMAND [OPTIONS]\n\n";
  for (const Subcommand& one : subcommands) text += fmt::format("  {:<10} {}\n", one.name, one.summary);
  return text + "\ngolden COMMAND --help shows the options of a command.\n";
}

std::string names() {
  std::string all;
  for (const Subcommand& one : subcommands) all += (all.empty() ? "" : ", ") + std::string(one.name);
  return all;
}

int dispatch(int argc, const char* const* argv) {
  if (argc < 2) throw Error(fmt::format("which command? there are {} (golden --help shows them)", names()));
  const std::string_view name = argv[1];
  if (name == "--help" || name == "-h") {
    command::print(usage());
    return done;
  }
  if (name == "--version") {
    command::print(fmt::format("golden (shardlaw) {}\n", command::version));
    return done;
  }
  const Subcommand* nearest = subcommands;
  for (const Subcommand& one : subcommands) {
    if (one.name == name) return one.run(argc - 1, argv + 1);
    if (editDistance(name, one.name) < editDistance(name, nearest->name)) nearest = &one;
  }
  throw Error(fmt::format("no command is named '{}'; did you mean {}? (golden --help shows them)", excerpt(name),
                          nearest->name));
}

}  // namespace
}  // namespace shardlaw::golden

int main(int argc, char** argv) {
  using namespace shardlaw;
  try {
    command::openStandardStreams();
    command::handleSignals();
    return golden::dispatch(argc, argv);
  } catch (const std::bad_alloc&) {
    command::say("golden", "out of memory");
  } catch (const std::exception& error) {
    command::say("golden", error.what());
  }
  return golden::badInput;
}
