// Runs a fuzz target on its corpus and on a number of mutations of it that a seed determines: for compilers without
// libFuzzer, and for tests that must end.
//   driver CORPUS RUNS SEED [ONLY]    ONLY: the one mutation to run
#include <algorithm>
#include <cinttypes>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "interp/number/hash.h"
#include "tests/fuzz/fuzz.h"

/// Present where a sanitizer is linked in.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace shardlaw::fuzz {
namespace {

std::uint64_t atRun = 0, atSeed = 0;

/// Which input it was, on the way down.
void sayWhere() { std::fprintf(stderr, "fuzz: run %" PRIu64 " of seed %" PRIu64 "\n", atRun, atSeed); }
extern "C" void onAbort(int signal) {
  sayWhere();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::vector<std::string> readCorpus(const char* folder) {
  std::vector<std::string> paths, corpus;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());  // folders have no order of their own
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

/// The words of the corpus, from which mutations are put together.
std::vector<std::string> wordsOf(const std::vector<std::string>& corpus) {
  std::vector<std::string> words{"0", "-1", "9223372036854775808", "1e-5", "..", "[", "]", "\"", std::string(1, '\0')};
  for (const std::string& text : corpus) {
    std::size_t from = 0;
    while (from < text.size()) {
      const std::size_t to = std::min(text.find_first_of(" \n,=[]\":{}./", from), text.size());
      if (to > from) words.push_back(text.substr(from, to - from));
      if (to < text.size()) words.push_back(text.substr(to, 1));
      from = to + 1;
    }
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& corpus) : corpus_(corpus), words_(wordsOf(corpus)) {}

  std::string operator()(std::uint64_t seed, std::uint64_t run) {
    key_ = mix64(seed, run);
    count_ = 0;
    std::string text = corpus_[below(corpus_.size())];
    // Numbers are changed more often than syntax, or little would get past the parsers.
    for (std::uint64_t steps = below(6); steps > 0; --steps) changeNumber(text);
    for (std::uint64_t steps = below(3); steps > 0; --steps) change(text);
    return text;
  }

 private:
  std::uint64_t below(std::size_t bound) { return mix64(key_, count_++) % std::max<std::size_t>(1, bound); }

  void changeNumber(std::string& text) {
    constexpr const char* digits = "0123456789";
    const std::size_t from = text.find_first_of(digits, below(text.size() + 1));
    if (from == std::string::npos) return;
    const std::size_t to = std::min(text.find_first_not_of(digits, from), text.size());
    const std::uint64_t kind = below(8), bits = mix64(key_, count_++);
    text.replace(from, to - from, std::to_string(kind < 5 ? bits % 4 : kind < 7 ? bits % 1001 : bits));
  }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min<std::size_t>(below(12), text.size() - at);
    switch (below(7)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1: text.insert(at, 1, static_cast<char>(below(256))); break;
      case 2: text.erase(at, length); break;
      case 3: text.insert(at, words_[below(words_.size())]); break;
      case 4: text.replace(at, length, words_[below(words_.size())]); break;
      case 5: text.insert(at, text.substr(at, length)); break;
      default: {
        const std::string& other = corpus_[below(corpus_.size())];
        text = text.substr(0, at) + other.substr(below(other.size()));
      }
    }
  }

  const std::vector<std::string>& corpus_;
  std::vector<std::string> words_;
  std::uint64_t key_ = 0, count_ = 0;
};

void runOne(const std::string& text) {
  // A copy of exactly this size, so that a sanitizer sees a read beyond it.
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

int runAll(const char* folder, std::uint64_t runs, std::uint64_t seed, const char* only) {
  const std::vector<std::string> corpus = readCorpus(folder);
  if (corpus.empty()) {
    std::fprintf(stderr, "fuzz: no corpus in %s\n", folder);
    return 2;
  }
  atSeed = seed;
  Mutator mutate(corpus);
  if (only != nullptr) {
    atRun = std::strtoull(only, nullptr, 10);
    const std::string text = atRun < corpus.size() ? corpus[atRun] : mutate(seed, atRun);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    runOne(text);
    return 0;
  }
  for (atRun = 0; atRun < runs; ++atRun) runOne(atRun < corpus.size() ? corpus[atRun] : mutate(seed, atRun));
  std::printf("%" PRIu64 " inputs, of them %zu from the corpus\n", runs, corpus.size());
  return 0;
}

}  // namespace
}  // namespace shardlaw::fuzz

int main(int argc, char** argv) {
  using namespace shardlaw::fuzz;
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s CORPUS RUNS SEED [ONLY]\n", argv[0]);
    return 2;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS}) std::signal(signal, onAbort);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(sayWhere);
  return runAll(argv[1], std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10),
                argc > 4 ? argv[4] : nullptr);
}
