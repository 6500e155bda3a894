// What a command does around its work: streams, signals, messages.
#pragma once

#include <string>
#include <string_view>

namespace shardlaw::command {

/// A descriptor that the caller closed would be given to the next file that is opened, and reports or messages would
/// end up in it. Standard output is opened such that writing fails: it must not be lost in silence.
void openStandardStreams();
/// The default for signals that end a process, but for half a file (interp/file.h); those that the caller ignores
/// (nohup) stay ignored.
void handleSignals();

/// A terminal that obeys escape sequences.
bool isTerminal(int descriptor);
/// The value of an environment variable; empty where there is none.
std::string_view environment(const char* name);

/// On a terminal a line at the bottom says what is going on; whatever else is written there takes its place.
void showProgress(const std::string& line);
void clearProgress();

/// One line on stderr, of which nobody may be in need: a stderr that cannot be written to changes nothing.
void say(std::string_view program, const std::string& message);
/// Throws Error where the text does not reach standard output as a whole: half a report must not look like one.
void print(const std::string& text);

}  // namespace shardlaw::command
