#include "interp/command/terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "interp/error.h"
#include "interp/file.h"

namespace shardlaw::command {
namespace {

std::atomic<bool> progressShown = false;

constexpr const char* clearLine = "\r\033[K";

extern "C" void endBySignal(int signal) {
  abandonWrite();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void openStandardStreams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
      ::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

void handleSignals() {
  // A limit on the size of files (ulimit -f) is then an error of write(), as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) std::signal(signal, endBySignal);
  }
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool isTerminal(int descriptor) { return isatty(descriptor) != 0 && environment("TERM") != "dumb"; }

void showProgress(const std::string& line) {
  std::fprintf(stderr, "%s%s", clearLine, line.c_str());
  std::fflush(stderr);
  progressShown = true;
}

void clearProgress() {
  if (progressShown.exchange(false)) std::fputs(clearLine, stderr);
  std::fflush(stderr);
}

void say(std::string_view program, const std::string& message) {
  clearProgress();
  const std::string line = std::string(program) + ": " + oneLine(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) != 0 || !written)
    throw Error(std::string("standard output cannot be written: ") + std::strerror(errno));
}

}  // namespace shardlaw::command
