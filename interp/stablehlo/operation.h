// What a StableHLO operation is: name, text form, typing rule, and denotation in every domain.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interp/error.h"
#include "interp/stablehlo/module.h"
#include "interp/stablehlo/value.h"

namespace shardlaw::stablehlo {

/// What a typing rule sees; it checks the operands and says the types of the results. A refusal is an Error that names
/// file, line, column and operation.
class TypeRule {
 public:
  /// `function` holds the operation's values, those of its regions included.
  TypeRule(const Module& module, const Function& function, const Operation& operation)
      : module_(module), function_(function), operation_(operation) {}

  std::size_t operands() const { return operation_.operands.size(); }
  const TensorType& operand(std::size_t i) const { return function_.type(operation_.operands.at(i)); }
  /// As the text states it; for operations whose result type does not follow from their operands.
  std::size_t results() const { return operation_.results.size(); }
  const TensorType& stated(std::size_t i) const {
    if (i >= results()) refuseResults(i + 1);
    typedResults_ = std::max(typedResults_, i + 1);
    return function_.type(operation_.results[i]);
  }
  const Attributes& attributes() const { return operation_.attributes; }
  std::size_t regions() const { return operation_.regions.size(); }
  const Region& region(std::size_t i) const { return operation_.regions[i]; }
  /// The type of a value of one of the regions.
  const TensorType& type(ValueId id) const { return function_.type(id); }
  const Module& module() const { return module_; }
  const OperationInfo& info() const { return *operation_.info; }

  /// Result i has exactly this type, or the program is refused. A rule says this of all results: those beyond are
  /// refused.
  void result(std::size_t i, const TensorType& expected) const;
  /// How many results the rule has looked at, by stated or result. There must be no more.
  std::size_t typedResults() const { return typedResults_; }

  /// The refusals that most rules need.
  void requireSameType(std::size_t i, std::size_t j) const;
  void requireRank(std::size_t i, int rank) const;
  void requireElement(std::size_t i, DType element) const;
  /// Region k has arguments and results of these types.
  void requireRegion(std::size_t k, std::span<const TensorType> arguments, std::span<const TensorType> results) const;
  /// A list attribute names axes of a tensor of this rank, each at most once.
  void requireAxes(std::string_view attribute, std::span<const std::int64_t> axes, int rank) const;
  /// A list attribute has one entry per axis.
  void requireCount(std::string_view attribute, std::size_t found, std::size_t expected) const;
  /// "stablehlo.pad: " is put in front.
  [[noreturn]] void refuse(const std::string& message) const;
  void require(bool holds, const std::string& message) const {
    if (!holds) refuse(message);
  }

 private:
  [[noreturn]] void refuseResults(std::size_t expected) const;

  const Module& module_;
  const Function& function_;
  const Operation& operation_;
  mutable std::size_t typedResults_ = 0;
};

/// "stablehlo.add", "func.call".
std::string fullName(const OperationInfo& info);

/// The position of an operation as an Error's location.
Location locationOf(const Module& module, const Operation& operation);

/// Runs a region on arguments, in the evaluator that calls the denotation.
template <class D>
using RegionRunner = std::function<std::vector<Cells<D>>(std::vector<Cells<D>> arguments)>;

/// One evaluation of an operation on one replica.
template <class D>
struct Call {
  using Scalar = typename D::Scalar;

  const D& domain;
  const Operation& operation;
  const Function& function;
  std::span<const Cells<D>* const> operands;
  /// Of the results' types, unwritten: the denotation writes every cell.
  std::span<Cells<D>> results;
  /// One per region of the operation.
  std::span<const RegionRunner<D>> regions;
  /// May use OpenMP's threads; the result does not depend on how many there are.
  bool parallel = true;
  std::int64_t replica = 0, partition = 0;

  const Cells<D>& in(std::size_t i) const { return *operands[i]; }
  Cells<D>& out(std::size_t i = 0) const { return results[i]; }
  const TensorType& type(std::size_t operand) const { return function.type(operation.operands[operand]); }
  const TensorType& resultType(std::size_t i = 0) const { return function.type(operation.results[i]); }
  const Attributes& attributes() const { return operation.attributes; }
};

/// One evaluation of a collective on one group of processes: member m's operand i is operands[m][i].
template <class D>
struct GroupCall {
  const D& domain;
  const Operation& operation;
  const Function& function;
  std::span<const std::vector<const Cells<D>*>> operands;
  /// results[m][i] of member m, unwritten.
  std::span<std::vector<Cells<D>>> results;
  std::span<const RegionRunner<D>> regions;
  /// The group's replicas (or partitions), in the group's order.
  std::span<const std::int64_t> processes;

  std::int64_t members() const { return static_cast<std::int64_t>(operands.size()); }
};

template <class D>
using DenoteFunction = void (*)(const Call<D>&);
template <class D>
using DenoteGroupFunction = void (*)(const GroupCall<D>&);

/// The denotation of an operation in a domain: the first of a pointwise or local one, the second of a collective,
/// neither of one that the evaluator knows by name.
template <class D>
struct Denotation {
  DenoteFunction<D> local = nullptr;
  DenoteGroupFunction<D> group = nullptr;
};

/// One per row of the table. Each domain's are compiled in a translation unit of their own.
template <class D>
std::span<const Denotation<D>> denotations();
#define SHARDLAW_DECLARE_DENOTATIONS(DOMAIN, ...) \
  template <>                                     \
  std::span<const Denotation<DOMAIN>> denotations();
SHARDLAW_STABLEHLO_DOMAINS(SHARDLAW_DECLARE_DENOTATIONS)
#undef SHARDLAW_DECLARE_DENOTATIONS

/// How the evaluator treats an operation.
enum class OperationKind {
  pointwise,   ///< cell by cell, operands and result of one shape
  local,       ///< on one replica
  collective,  ///< on a group of replicas
  control,     ///< chooses what runs: while, if, case, call. The evaluator knows it by name
};

/// What an operation does to degrees, for false-pass bounds.
enum class Degrees {
  byDefinition,  ///< its denotation on one-cell operands shows it (pointwise operations)
  selects,       ///< every cell of a result is a cell of an operand, or an index
  sums,          ///< reduces with its region
  products,      ///< sums of products of one cell of each of the first two operands
  unknown,       ///< no bound is known: the program is not decided exactly
};

/// Which element types an operation accepts, for the table of the README. The typing rule refuses all others.
struct ElementTypes {
  bool floats = true, integers = false, booleans = false;
  bool unsignedIntegers = integers;

  constexpr bool accept(DType element) const {
    if (isFloat(element)) return floats;
    if (isBoolean(element)) return booleans;
    return isUnsigned(element) ? unsignedIntegers : integers;
  }
};
/// "floats, integers", "floats, signed integers", "any".
std::string toString(const ElementTypes& types);

/// The domains in which an operation, or a part of it, is refused: its denotation throws Error there.
struct RefusedIn {
  bool exact = false, wide = false, bounded = false, degree = false;
  std::string_view what = "all of it";  ///< "floats to integers"
};

struct OperationInfo {
  std::string_view name;     ///< without "stablehlo.": "broadcast_in_dim"
  std::string_view formula;  ///< one line, in our own words
  /// The pretty form, in the language of format.h; empty where there is only the generic one.
  std::string_view format;
  std::span<const AttributeSpec> attributes;
  int least, most;  ///< operands; most is −1 for any number
  int regions;      ///< −1 for any number
  OperationKind kind;
  Degrees degrees;
  ElementTypes types;
  /// Floats of the result are rounded to their element type: bf16 in every domain, all of them in `native`.
  bool rounds;
  /// Cell k of the result is made of the k-th cells of operands, in row-major order: it may lie where an operand does.
  bool cellwise;
  RefusedIn refused;
  void (*check)(const TypeRule&);
  std::size_t row;  ///< in the table, and in denotations()

  template <class D>
  const Denotation<D>& denotation() const {
    return denotations<D>()[row];
  }
};

/// The whole rule of an operation: its first operand (without operands, its first result) is of an element type that it
/// accepts, its own check, and no results beyond those that the check types.
void checkOperation(const TypeRule& rule);

/// Defaults that an operation's struct inherits.
struct LocalOperation {
  static constexpr std::string_view format{};
  static constexpr std::span<const AttributeSpec> attributes{};
  static constexpr int regions = 0;
  static constexpr OperationKind kind = OperationKind::local;
  static constexpr Degrees degrees = Degrees::selects;
  static constexpr ElementTypes types{true, true, true};
  static constexpr bool rounds = false;
  static constexpr bool cellwise = false;
  static constexpr RefusedIn refused{};
};
struct PointwiseOperation : LocalOperation {
  static constexpr OperationKind kind = OperationKind::pointwise;
  static constexpr Degrees degrees = Degrees::byDefinition;
  static constexpr bool rounds = true;
  static constexpr bool cellwise = true;
};
struct CollectiveOperation : LocalOperation {
  static constexpr OperationKind kind = OperationKind::collective;
};
struct ControlOperation : LocalOperation {
  static constexpr OperationKind kind = OperationKind::control;
};

template <class T>
constexpr OperationInfo makeOperation(std::size_t row) {
  return OperationInfo{.name = T::name,
                       .formula = T::formula,
                       .format = T::format,
                       .attributes = T::attributes,
                       .least = T::least,
                       .most = T::most,
                       .regions = T::regions,
                       .kind = T::kind,
                       .degrees = T::degrees,
                       .types = T::types,
                       .rounds = T::rounds,
                       .cellwise = T::cellwise,
                       .refused = T::refused,
                       .check = &T::check,
                       .row = row};
}

template <class T, class D>
constexpr Denotation<D> makeDenotation() {
  if constexpr (T::kind == OperationKind::collective) return {nullptr, &T::template denoteGroup<D>};
  else if constexpr (T::kind == OperationKind::control) return {};
  else return {&T::template denote<D>, nullptr};
}

}  // namespace shardlaw::stablehlo
