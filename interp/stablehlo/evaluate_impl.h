// Bodies of evaluate.h; included only where a domain is instantiated.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "interp/available_memory.h"
#include "interp/exec/parallel.h"
#include "interp/stablehlo/evaluate.h"
#include "interp/stablehlo/groups.h"
#include "interp/stablehlo/kernel.h"
#include "interp/stablehlo/liveness.h"
#include "interp/stablehlo/operations.h"
#include "interp/stablehlo/round.h"
#include "interp/stablehlo/store.h"

namespace shardlaw::stablehlo {
namespace detail {

/// Below this many cells an operation is not worth waking threads for.
constexpr std::int64_t parallelCells = 4096;
/// Calls may nest so deep: functions that call themselves are refused rather than run until the stack ends.
constexpr int deepestCall = 200;

inline bool decided(bool truth) { return truth; }
inline bool decided(BoundedTruth truth) {
  if (!truth.certain) throw Error("what runs depends on a comparison that rounding can turn");
  return truth.value;
}

/// An evaluation in progress. Every process of an activation has a frame; `active` names those that run.
template <class D>
class Lockstep {
  using Active = std::vector<std::int64_t>;
  using Frames = std::vector<Frame<D>>;

 public:
  Lockstep(const D& domain, const Module& module, Processes processes, const EvaluateOptions<D>& options)
      : domain_(domain), module_(module), processes_(processes), options_(options), liveness_(module) {}

  std::vector<std::vector<Cells<D>>> call(const Function& function, std::vector<std::vector<Cells<D>>> arguments,
                                          const Active& active) {
    Frames frames(static_cast<std::size_t>(processes_.count));
    for (const std::int64_t process : active) frames[at(process)].resize(function.values.size());
    return run({function, frames}, function.body, std::move(arguments), active);
  }
  const Peak& peak() const { return store_.peak(); }
  void hold(const Cells<D>& cells) { store_.hold(cells); }

 private:
  struct Activation {
    const Function& function;
    Frames& frames;
  };
  static std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }
  static Cells<D>& value(const Activation& in, std::int64_t process, ValueId id) {
    return in.frames[at(process)][at(id)];
  }
  void release(const Activation& in, std::int64_t process, ValueId id) {
    store_.give(std::exchange(value(in, process, id), Cells<D>()));
  }

  /// Runs a region on held arguments, one list per process, and hands out its results, held.
  std::vector<std::vector<Cells<D>>> run(const Activation& in, const Region& region,
                                         std::vector<std::vector<Cells<D>>> arguments, const Active& active) {
    const RegionLiveness& liveness = liveness_.of(region);
    for (const std::int64_t process : active) {
      for (std::size_t i = 0; i < region.arguments.size(); ++i)
        value(in, process, region.arguments[i]) = std::move(arguments[at(process)][i]);
      for (const ValueId unused : liveness.unused) release(in, process, unused);
    }
    for (std::size_t i = 0; i < region.operations.size(); ++i) {
      step(in, region.operations[i], liveness.dead[i], active);
      for (const std::int64_t process : active)
        for (const ValueId dead : liveness.dead[i]) release(in, process, dead);
    }
    std::vector<std::vector<Cells<D>>> results(at(processes_.count));
    for (const std::int64_t process : active)
      for (std::size_t i = 0; i < region.results.size(); ++i) {
        Cells<D>& from = value(in, process, region.results[i]);
        if (!liveness.last[i]) store_.hold(from);
        results[at(process)].push_back(liveness.last[i] ? std::exchange(from, Cells<D>()) : from);
      }
    return results;
  }

  void step(const Activation& in, const Operation& operation, const std::vector<ValueId>& dead, const Active& active) {
    try {
      switch (operation.info->kind) {
        case OperationKind::pointwise:
        case OperationKind::local: local(in, operation, dead, active); break;
        case OperationKind::collective: collective(in, operation, active); break;
        case OperationKind::control: control(in, operation, active); break;
      }
      if (options_.after)
        for (const std::int64_t process : active) {
          std::vector<const Cells<D>*> results;
          for (const ValueId id : operation.results) results.push_back(&value(in, process, id));
          options_.after(process, in.function, operation, results);
        }
    } catch (const std::bad_alloc&) {
      throw Error(locationOf(module_, operation), "out of memory");
    } catch (const std::length_error&) {
      throw Error(locationOf(module_, operation), "out of memory: a value has more cells than there are addresses");
    } catch (const Undefined& error) {
      if (error.where().line > 0 || !error.where().operation.empty()) throw;
      throw Undefined(locationOf(module_, operation), error.what());
    } catch (const Error& error) {
      if (error.where().line > 0 || !error.where().operation.empty()) throw;
      throw Error(locationOf(module_, operation), error.what());
    }
  }

  std::vector<const Cells<D>*> operandsOf(const Activation& in, const Operation& operation, std::int64_t process) {
    std::vector<const Cells<D>*> operands;
    for (const ValueId id : operation.operands) operands.push_back(&value(in, process, id));
    return operands;
  }
  RegionRunner<D> runner(const Activation& in, const Region& region, std::int64_t process) {
    return [this, in, &region, process](std::vector<Cells<D>> arguments) {
      std::vector<std::vector<Cells<D>>> all(at(processes_.count));
      for (const Cells<D>& argument : arguments) store_.hold(argument);
      all[at(process)] = std::move(arguments);
      auto results = run(in, region, std::move(all), {process});
      for (const Cells<D>& result : results[at(process)]) store_.drop(result);
      return std::move(results[at(process)]);
    };
  }
  void roundResult(const TensorType& type, const Operation& operation, Cells<D>& cells) {
    if (operation.info->rounds && isFloat(type.element)) roundTo(domain_, type.element, cells.floats());
  }

  /// Refuses results that do not fit: systems hand out memory that they do not have, and stop who writes to it.
  void requireRoom(const Activation& in, const Operation& operation, std::size_t count) const {
    double bytes = 0;
    for (const ValueId id : operation.results)
      bytes +=
          static_cast<double>(in.function.type(id).shape.cells()) * static_cast<double>(sizeof(typename D::Scalar));
    bytes *= static_cast<double>(count);
    if (bytes > worthAsking) requireMemory(bytes, "the result");
  }

  /// An operand that dies and whose cells can hold the result; −1 for none.
  ValueId inPlace(const Activation& in, const Operation& operation, const std::vector<ValueId>& dead) const {
    if (!operation.info->cellwise || operation.results.size() != 1) return -1;
    const TensorType& result = in.function.type(operation.results[0]);
    for (const ValueId operand : operation.operands) {
      const TensorType& type = in.function.type(operand);
      const bool same = type.shape.cells() == result.shape.cells() && isFloat(type.element) && isFloat(result.element);
      if (same && std::find(dead.begin(), dead.end(), operand) != dead.end()) return operand;
    }
    return -1;
  }

  void local(const Activation& in, const Operation& operation, const std::vector<ValueId>& dead, const Active& active) {
    const auto kernel = options_.kernels ? kernelOf<D>(*operation.info) : nullptr;
    const auto denote = kernel != nullptr ? kernel : operation.info->denotation<D>().local;
    const ValueId reused = inPlace(in, operation, dead);
    const std::size_t results = operation.results.size();
    std::vector<std::vector<Cells<D>>> made(active.size());
    if (reused < 0) requireRoom(in, operation, active.size());
    for (std::size_t a = 0; a < active.size(); ++a)
      for (std::size_t i = 0; reused < 0 && i < results; ++i)
        made[a].push_back(store_.take(in.function.type(operation.results[i])));
    std::int64_t work = 0;
    for (const ValueId id : operation.operands) work += in.function.type(id).shape.cells();
    for (const ValueId id : operation.results) work += in.function.type(id).shape.cells();
    const auto count = static_cast<std::int64_t>(active.size());
    // Threads share the work of one replica where that is enough for them, else they share the replicas. Bodies that
    // the evaluator runs use the store, which is one thread's.
    const bool inside = work >= parallelCells;
    const bool across = !inside && count * work >= parallelCells && operation.regions.empty();
    parallelFor(count, across, [&](std::int64_t a) {
      const std::int64_t process = active[at(a)];
      std::vector<const Cells<D>*> operands = operandsOf(in, operation, process);
      std::vector<RegionRunner<D>> runners;
      for (const Region& region : operation.regions) runners.push_back(runner(in, region, process));
      Cells<D>* first = reused < 0 ? nullptr : &value(in, process, reused);
      const std::span<Cells<D>> out =
          first != nullptr ? std::span<Cells<D>>(first, 1) : std::span<Cells<D>>(made[at(a)]);
      denote(Call<D>{domain_, operation, in.function, operands, out, runners, inside, processes_.replicaOf(process),
                     processes_.partitionOf(process)});
      for (std::size_t i = 0; i < results; ++i) roundResult(in.function.type(operation.results[i]), operation, out[i]);
    });
    for (std::size_t a = 0; a < active.size(); ++a)
      for (std::size_t i = 0; i < results; ++i) {
        Cells<D>& to = value(in, active[a], operation.results[i]);
        if (reused < 0) to = std::move(made[a][i]);
        else
          to = std::exchange(value(in, active[a], reused), Cells<D>())
                   .reshaped(in.function.type(operation.results[i]).shape);
      }
  }

  /// The one place where a replica sees another.
  void collective(const Activation& in, const Operation& operation, const Active& active) {
    const auto denote = operation.info->denotation<D>().group;
    requireRoom(in, operation, active.size());
    std::vector<bool> reaches(at(processes_.count));
    for (const std::int64_t process : active) reaches[at(process)] = true;
    for (const Group& group : groupsOf(module_, operation, processes_)) {
      Group missing;
      for (const std::int64_t process : group)
        if (!reaches[at(process)]) missing.push_back(process);
      if (missing.size() == group.size()) continue;
      if (!missing.empty())
        throw Error("replica " + std::to_string(missing.front()) +
                    " does not reach this collective, for which the others wait");
      std::vector<std::vector<const Cells<D>*>> operands;
      std::vector<std::vector<Cells<D>>> results(group.size());
      std::vector<RegionRunner<D>> runners;
      for (const Region& region : operation.regions) runners.push_back(runner(in, region, group.front()));
      for (std::size_t m = 0; m < group.size(); ++m) {
        operands.push_back(operandsOf(in, operation, group[m]));
        for (const ValueId id : operation.results) results[m].push_back(store_.take(in.function.type(id)));
      }
      denote(GroupCall<D>{domain_, operation, in.function, operands, results, runners, group});
      for (std::size_t m = 0; m < group.size(); ++m)
        for (std::size_t i = 0; i < operation.results.size(); ++i) {
          roundResult(in.function.type(operation.results[i]), operation, results[m][i]);
          value(in, group[m], operation.results[i]) = std::move(results[m][i]);
        }
    }
  }

  void control(const Activation& in, const Operation& operation, const Active& active) {
    if (operation.info == &operations::while_) return loop(in, operation, active);
    if (operation.info == &operations::call) return callFunction(in, operation, active);
    branch(in, operation, active);
  }

  /// Copies of the operands, held.
  std::vector<std::vector<Cells<D>>> copiesOf(const Activation& in, const std::vector<ValueId>& ids,
                                              const Active& active) {
    std::vector<std::vector<Cells<D>>> copies(at(processes_.count));
    for (const std::int64_t process : active)
      for (const ValueId id : ids) {
        copies[at(process)].push_back(value(in, process, id));
        store_.hold(copies[at(process)].back());
      }
    return copies;
  }
  void setResults(const Activation& in, const Operation& operation, std::vector<std::vector<Cells<D>>> results,
                  const Active& active) {
    for (const std::int64_t process : active)
      for (std::size_t i = 0; i < operation.results.size(); ++i)
        value(in, process, operation.results[i]) = std::move(results[at(process)][i]);
  }

  void loop(const Activation& in, const Operation& operation, const Active& active) {
    auto carried = copiesOf(in, operation.operands, active);
    Active running = active;
    for (std::int64_t turn = 0; !running.empty(); ++turn) {
      if (turn == options_.mostTurns) throw Error("the loop has not ended after " + std::to_string(turn) + " turns");
      std::vector<std::vector<Cells<D>>> seen(at(processes_.count));
      for (const std::int64_t process : running)
        for (const Cells<D>& cells : carried[at(process)]) {
          seen[at(process)].push_back(cells);
          store_.hold(cells);
        }
      const auto holds = run(in, operation.regions[0], std::move(seen), running);
      Active next;
      for (const std::int64_t process : running) {
        store_.drop(holds[at(process)][0]);
        if (decided(holds[at(process)][0].bits()[0].truth)) next.push_back(process);
      }
      running = std::move(next);
      std::vector<std::vector<Cells<D>>> arguments(at(processes_.count));
      for (const std::int64_t process : running) arguments[at(process)] = std::move(carried[at(process)]);
      auto results = run(in, operation.regions[1], std::move(arguments), running);
      for (const std::int64_t process : running) carried[at(process)] = std::move(results[at(process)]);
    }
    setResults(in, operation, std::move(carried), active);
  }

  /// if takes its first region where the predicate holds; case the region of the index, the last for any other.
  std::size_t branchOf(const Activation& in, const Operation& operation, std::int64_t process) {
    const Cells<D>& index = value(in, process, operation.operands[0]);
    if (operation.info == &operations::if_) return decided(index.bits()[0].truth) ? 0 : 1;
    const std::int64_t last = static_cast<std::int64_t>(operation.regions.size()) - 1;
    const std::int64_t chosen = index.integers()[0];
    return at(chosen < 0 || chosen > last ? last : chosen);
  }
  void branch(const Activation& in, const Operation& operation, const Active& active) {
    for (std::size_t k = 0; k < operation.regions.size(); ++k) {
      Active taking;
      for (const std::int64_t process : active)
        if (branchOf(in, operation, process) == k) taking.push_back(process);
      if (taking.empty()) continue;
      auto results = run(in, operation.regions[k], std::vector<std::vector<Cells<D>>>(at(processes_.count)), taking);
      setResults(in, operation, std::move(results), taking);
    }
  }

  void callFunction(const Activation& in, const Operation& operation, const Active& active) {
    const Function* callee = module_.find(operation.attributes.keyword("callee", ""));
    if (callee == nullptr) throw std::logic_error("the reader lets no unknown function pass");
    if (++depth_ > deepestCall) throw Error("calls are nested more than " + std::to_string(deepestCall) + " deep");
    setResults(in, operation, call(*callee, copiesOf(in, operation.operands, active), active), active);
    --depth_;
  }

  const D& domain_;
  const Module& module_;
  Processes processes_;
  const EvaluateOptions<D>& options_;
  Liveness liveness_;
  Store<D> store_;
  int depth_ = 0;
};

}  // namespace detail

template <class D>
Evaluation<D> evaluate(const D& domain, const Module& module, std::vector<std::vector<Cells<D>>> arguments,
                       const EvaluateOptions<D>& options) {
  const Function& entry = module.entry();
  if (arguments.empty()) throw Error("an evaluation needs at least one replica");
  const Processes processes = processesOf(module, static_cast<std::int64_t>(arguments.size()));
  detail::Lockstep<D> lockstep(domain, module, processes, options);
  std::vector<std::int64_t> all;
  for (std::size_t r = 0; r < arguments.size(); ++r) {
    all.push_back(static_cast<std::int64_t>(r));
    if (arguments[r].size() != entry.body.arguments.size())
      throw Error("expected " + std::to_string(entry.body.arguments.size()) + " arguments, found " +
                  std::to_string(arguments[r].size()));
    for (std::size_t i = 0; i < arguments[r].size(); ++i) {
      const Value& argument = entry.value(entry.body.arguments[i]);
      if (!(arguments[r][i].shape() == argument.type.shape))
        throw Error("argument '" + argument.name + "': expected " + toString(argument.type.shape) + ", found " +
                    toString(arguments[r][i].shape()));
      lockstep.hold(arguments[r][i]);
    }
  }
  Evaluation<D> evaluation;
  evaluation.results = lockstep.call(entry, std::move(arguments), all);
  evaluation.peak = lockstep.peak();
  return evaluation;
}

}  // namespace shardlaw::stablehlo
