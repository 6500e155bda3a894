// The host's part of training (SEMANTICS 4): rates, corrections, running averages, how parameters start, order of data.
#pragma once

#include <cstdint>
#include <vector>

#include "net/program.h"

namespace shardlaw {

enum class Decay { constant, cosine };

/// A linear warm-up from 0 over the first `warmup` steps, then the peak, or half a cosine from it down to 0 at `steps`.
struct Schedule {
  double peak = 1e-3;
  std::int64_t warmup = 0;
  std::int64_t steps = 1;  ///< of the whole run
  Decay decay = Decay::cosine;

  /// The rate of step t = 1, 2, …
  double rate(std::int64_t t) const;
};

/// bc1 = 1 − b1^t and bc2 = 1 − b2^t of step t = 1, 2, …, in double.
struct Corrections {
  double bc1, bc2;
};
Corrections corrections(const NetConstants& constants, std::int64_t t);

/// running' = (1 − a)·running + a·batch, with a = 0.01, and a = 1 at the first step; calculated in double and rounded
/// once. The variance stays biased.
template <class F>
void updateRunning(std::vector<Tensor<F>>& running, const std::vector<Tensor<F>>& batch, std::int64_t t);

/// Uniform words from a seed and a stream, one after the other; the same everywhere.
class RandomWords {
 public:
  RandomWords(std::uint64_t seed, std::string_view stream);
  std::uint64_t next();
  /// In [0, 1), a multiple of 2^-53.
  double uniform();
  /// In [0, n), each as likely to within 2^-64·n.
  std::int64_t below(std::int64_t n);

 private:
  std::uint64_t key_, count_ = 0;
};

/// One draw from the standard normal distribution, with comparisons and the four operations alone (Karney, 2016,
/// algorithm N): the same bits on every machine, which the logarithms of other methods do not promise.
double standardNormal(RandomWords& words);

/// Parameters as Parameter::initial says, each from a stream of its own name.
template <class F>
std::vector<Tensor<F>> initialParameters(const Net& net, std::uint64_t seed);

/// The order of n examples in an epoch: a shuffle (Fisher and Yates) from the seed and the epoch.
std::vector<std::int64_t> epochOrder(std::int64_t n, std::uint64_t seed, std::int64_t epoch);

}  // namespace shardlaw
