// Evaluation of a StableHLO module in a domain, for R replicas in lockstep.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interp/stablehlo/operation.h"

namespace shardlaw::stablehlo {

/// What an evaluation held at its worst moment, in bytes of cells.
struct Peak {
  std::int64_t live = 0;   ///< the largest set of values that some operation still had to read or had just made
  std::int64_t taken = 0;  ///< the most that was allocated for cells, spare storage included
};

template <class D>
struct Evaluation {
  std::vector<std::vector<Cells<D>>> results;  ///< [replica][result of the entry function]
  Peak peak;
};

template <class D>
struct EvaluateOptions {
  /// Called after each operation that has results, of the entry function's own body and of functions it calls, for each
  /// replica that ran it, in lockstep order.
  std::function<void(std::int64_t replica, const Function& function, const Operation& operation,
                     std::span<const Cells<D>* const> results)>
      after{};
  /// Take kernels where there are some: the same values, sooner.
  bool kernels = true;
  /// Stop a while loop after so many turns.
  std::int64_t mostTurns = std::int64_t{1} << 32;
};

/// Evaluates the module's entry function on one list of arguments per replica (Cells of the arguments' types).
/// Operations run one after the other on all replicas that reach them; only collectives see across. Replicas that take
/// different branches run them one after the other; a collective that some member of a group does not reach is refused,
/// as a backend would wait forever. A value is freed after its last use.
///
/// A module with one replica and P partitions runs as P processes, which are its partitions.
///
/// Throws Error, which names file, line, column and operation, also where a result does not fit into memory.
template <class D>
Evaluation<D> evaluate(const D& domain, const Module& module, std::vector<std::vector<Cells<D>>> arguments,
                       const EvaluateOptions<D>& options = {});

#define SHARDLAW_EXTERN_EVALUATE(DOMAIN, ...)                                                                        \
  extern template Evaluation<DOMAIN> evaluate(const DOMAIN&, const Module&, std::vector<std::vector<Cells<DOMAIN>>>, \
                                              const EvaluateOptions<DOMAIN>&);
SHARDLAW_STABLEHLO_DOMAINS(SHARDLAW_EXTERN_EVALUATE)
#undef SHARDLAW_EXTERN_EVALUATE

}  // namespace shardlaw::stablehlo
