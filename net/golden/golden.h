// The subcommands of `golden`: each gets the arguments from its own name on, and returns an exit status.
#pragma once

namespace shardlaw::golden {

enum ExitStatus { done = 0, badInput = 2 };

int operations(int argc, const char* const* argv);
int render(int argc, const char* const* argv);
int run(int argc, const char* const* argv);
int train(int argc, const char* const* argv);
int nets(int argc, const char* const* argv);

}  // namespace shardlaw::golden
