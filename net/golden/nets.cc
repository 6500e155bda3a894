// golden nets: the tables of parameters and statistics, as the programs have them.
#include <fmt/format.h>

#include "interp/command/options.h"
#include "interp/command/terminal.h"
#include "net/golden/golden.h"
#include "net/program.h"

namespace shardlaw::golden {
namespace {

constexpr const char* examples = R"(Examples:
  golden nets                    the networks by name
  golden nets --net cifar8-bn    its parameters and statistics, in the order of every program

Exit status: 0 done, 2 usage or bad input.)";

std::string listOfNets() {
  std::string text;
  for (const NamedNet& named : namedNets()) {
    const Net net = named.make();
    text += fmt::format("{:<17} {:>10} parameters in {:>3}, {:>3} statistics: {}\n", named.name, net.parameterCells(),
                        net.parameters.size(), net.statistics.size(), net.summary);
  }
  return text;
}

std::string tablesOf(const Net& net) {
  std::string text = fmt::format("{}: {}\nimage {}, {} classes, {} layers\n\nparameters\n", net.name, net.summary,
                                 toString(net.image), net.classes, net.layers.size());
  constexpr std::string_view starts[] = {"He normal", "zeros", "ones"};
  for (const Parameter& parameter : net.parameters)
    text += fmt::format("  {:<8} {:<15} {}\n", parameter.name, toString(parameter.shape),
                        starts[static_cast<std::size_t>(parameter.initial)]);
  text += "\nstatistics\n";
  for (const Statistic& statistic : net.statistics)
    text += fmt::format("  {:<8} {:<15} {}\n", statistic.name, toString(statistic.shape),
                        statistic.isVariance ? "variance" : "mean");
  return text;
}

}  // namespace

int nets(int argc, const char* const* argv) {
  command::Options options({"golden nets", "Lists the networks, or the tables of one.",
                            "list the networks that shardlaw knows", "[OPTIONS]", examples});
  options.text("--net", "Show the tables of this network", "NAME");
  if (const auto instead = options.parse(argc, argv, "a network is named by --net NAME")) {
    command::print(*instead);
    return done;
  }
  const auto name = options.only("--net");
  command::print(name ? tablesOf(findNet(*name).make()) : listOfNets());
  return done;
}

}  // namespace shardlaw::golden
