#include "props/programs/analysis.h"

#include <algorithm>
#include <map>

#include "interp/stablehlo/operation/fold.h"
#include "interp/stablehlo/operations.h"

namespace shardlaw::programs {
namespace {

using stablehlo::Cells;
using stablehlo::Degrees;
using stablehlo::Function;
using stablehlo::Operation;
using stablehlo::TensorType;
using stablehlo::ValueId;
using Scalar = SharedDegreeScalar;

constexpr Family familyOf(Opaque f) {
  switch (f) {
    case Opaque::sqrt:
    case Opaque::rsqrt: return Family::roots;
    case Opaque::exp: return Family::exp;
    case Opaque::log: return Family::log;
    case Opaque::tanh: return Family::tanh;
    case Opaque::round: return Family::round;
    case Opaque::other: return Family::other;
  }
  return Family::other;
}

class Analyser {
 public:
  explicit Analyser(const Function& function) : function_(function) {
    made_.degree.resize(function.values.size());
    made_.source.resize(function.values.size());
    behind_.resize(function.values.size());
    for (std::size_t id = 0; id < function.values.size(); ++id) made_.source[id] = static_cast<ValueId>(id);
  }

  Analysis run() {
    for (const ValueId argument : function_.body.arguments)
      if (isFloats(argument)) degree(argument) = {1, 0, 0, 0, nullptr};
    for (const Operation& operation : function_.body.operations) {
      if (!made_.unknown.empty()) break;
      inheritDivisors(operation);
      step(operation);
    }
    for (const ValueId result : function_.body.results) made_.results.include(degree(result), divisorsBehind(result));
    return std::move(made_);
  }

 private:
  Scalar& degree(ValueId id) { return made_.degree[static_cast<std::size_t>(id)]; }
  ValueId& source(ValueId id) { return made_.source[static_cast<std::size_t>(id)]; }
  bool isFloats(ValueId id) const { return stablehlo::isFloat(function_.type(id).element); }
  double cells(ValueId id) const { return static_cast<double>(function_.type(id).shape.cells()); }
  bool isConstant(ValueId id) { return degree(id).isConstant(); }
  void unknown(const Operation& operation, const std::string& why) {
    made_.unknown = "no bound is known for stablehlo." + std::string(operation.info->name) + why;
  }

  void step(const Operation& operation) {
    if (operation.info->kind == stablehlo::OperationKind::control) return unknown(operation, "");
    switch (operation.info->degrees) {
      case Degrees::byDefinition: return byDefinition(operation);
      case Degrees::selects: return selects(operation);
      case Degrees::sums: return sums(operation);
      case Degrees::products: return products(operation);
      case Degrees::unknown: return unknown(operation, "");
    }
  }

  void site(const Operation& operation, Family family, std::vector<ValueId> values) {
    double applications = 0;
    for (ValueId& value : values) {
      applications += cells(value);
      if (family != Family::compared) value = source(value);
    }
    made_.sites.push_back({family, &operation, std::move(values), applications});
    for (const ValueId value : made_.sites.back().values)
      made_.arguments[static_cast<std::size_t>(family)].include(degree(value), divisorsBehind(value));
  }
  std::vector<ValueId> floatsOf(const Operation& operation) const {
    std::vector<ValueId> floats;
    for (const ValueId operand : operation.operands)
      if (isFloats(operand)) floats.push_back(operand);
    return floats;
  }
  Scalar largest(const std::vector<ValueId>& values) {
    Scalar most;
    for (const ValueId value : values) most = larger(most, degree(value));
    return most;
  }
  void setResults(const Operation& operation, Scalar to) {
    for (const ValueId result : operation.results)
      if (isFloats(result)) degree(result) = to;
  }

  /// Every cell of the result is one of an operand's.
  void selects(const Operation& operation) {
    const auto floats = floatsOf(operation);
    setResults(operation, largest(floats));
    if (operation.info == &stablehlo::operations::concatenate) packed(operation);
    if (operation.info == &stablehlo::operations::slice) unpacked(operation);
    if (operation.info == &stablehlo::operations::sort) site(operation, Family::compared, floats);
    if (floats.size() == 1 && operation.results.size() == 1 && isFloats(operation.results[0]))
      source(operation.results[0]) = source(floats[0]);
  }

  void sums(const Operation& operation) {
    const auto floats = floatsOf(operation);
    if (floats.empty()) return;
    const stablehlo::Combiner combiner = stablehlo::combinerOf(operation.regions.back());
    const bool compares = combiner == stablehlo::Combiner::maximum || combiner == stablehlo::Combiner::minimum;
    if (!compares && combiner != stablehlo::Combiner::add) return unknown(operation, " with this body");
    setResults(operation, largest(floats));
    if (operation.info == &stablehlo::operations::all_reduce && operation.operands.size() == 1)
      setParts(operation.results[0], partsOf(operation.operands[0]));
    // select_and_scatter compares what it selects among; a maximum's cells are the operand's.
    if (operation.regions.size() == 2) site(operation, Family::compared, {operation.operands[0]});
    if (!compares) return;
    site(operation, Family::compared, {operation.operands[0]});
    if (operation.results.size() == 1) source(operation.results[0]) = source(operation.operands[0]);
  }

  void products(const Operation& operation) {
    Scalar product = degree(operation.operands[0]) * degree(operation.operands[1]);
    setResults(operation, product);
  }

  /// Statistics are packed into one value of rank 1 to be reduced together. Its parts have degrees of their own: else
  /// what is unpacked again would have the largest of all, and degrees would double with every layer.
  struct Part {
    std::int64_t cells;
    Scalar degree;
  };
  using Parts = std::vector<Part>;

  Parts partsOf(ValueId id) {
    const auto found = parts_.find(id);
    return found != parts_.end() ? found->second : Parts{{function_.type(id).shape.cells(), degree(id)}};
  }
  void setParts(ValueId id, const Parts& parts) {
    if (parts.size() > 1) parts_[id] = parts;
  }
  void packed(const Operation& operation) {
    if (function_.type(operation.results[0]).shape.rank() != 1) return;
    Parts parts;
    for (const ValueId operand : operation.operands)
      for (const Part& part : partsOf(operand)) parts.push_back(part);
    setParts(operation.results[0], parts);
  }
  void unpacked(const Operation& operation) {
    if (function_.type(operation.results[0]).shape.rank() != 1) return;
    const std::int64_t first = operation.attributes.integers("start_indices")[0];
    const std::int64_t last = operation.attributes.integers("limit_indices")[0];
    Scalar most;
    std::int64_t start = 0;
    for (const Part& part : partsOf(operation.operands[0])) {
      if (start < last && start + part.cells > first) most = larger(most, part.degree);
      start += part.cells;
    }
    setResults(operation, most);
  }

  /// Part by part where one operand of a pointwise operation has parts and the others are constant.
  void byDefinition(const Operation& operation) {
    const auto hasParts = [&](ValueId id) { return parts_.count(id) > 0; };
    const auto packedOperand = std::find_if(operation.operands.begin(), operation.operands.end(), hasParts);
    const auto varies = [&](ValueId id) { return isFloats(id) && !isConstant(id); };
    const bool alone = std::count_if(operation.operands.begin(), operation.operands.end(), varies) == 1;
    if (packedOperand == operation.operands.end() || !alone ||
        operation.info->kind != stablehlo::OperationKind::pointwise)
      return define(operation);
    define(operation);
    Parts parts = partsOf(*packedOperand);
    const Scalar whole = degree(*packedOperand), ofWhole = degree(operation.results[0]);
    for (Part& part : parts) {
      degree(*packedOperand) = part.degree;
      evaluate(operation, SharedDegree());
      part.degree = degree(operation.results[0]);
    }
    degree(*packedOperand) = whole;
    degree(operation.results[0]) = ofWhole;
    setParts(operation.results[0], parts);
  }

  void define(const Operation& operation) {
    const SharedDegree domain;
    evaluate(operation, domain);
    note(operation, domain.counts());
  }

  /// Runs the denotation on operands of one cell each, whose degrees are those of the operands.
  void evaluate(const Operation& operation, const SharedDegree& domain) {
    Function scratch;
    Operation one;
    one.info = operation.info;
    one.attributes = operation.attributes;
    std::vector<Cells<SharedDegree>> operands, results;
    const auto scalar = [&](ValueId id) {
      const TensorType& type = function_.type(id);
      const std::vector<std::int64_t> ones(static_cast<std::size_t>(type.shape.rank()), 1);
      scratch.values.push_back({"", {type.element, Shape(ones)}});
      return static_cast<ValueId>(scratch.values.size() - 1);
    };
    for (const ValueId operand : operation.operands) {
      one.operands.push_back(scalar(operand));
      operands.push_back(cellOf(scratch.type(one.operands.back()), degree(operand), domain));
    }
    for (const ValueId result : operation.results) {
      one.results.push_back(scalar(result));
      results.push_back(cellOf(scratch.type(one.results.back()), {}, domain));
    }
    std::vector<const Cells<SharedDegree>*> pointers;
    for (const auto& operand : operands) pointers.push_back(&operand);
    operation.info->denotation<SharedDegree>().local({domain, one, scratch, pointers, results, {}, false});
    for (std::size_t i = 0; i < operation.results.size(); ++i)
      if (isFloats(operation.results[i])) degree(operation.results[i]) = rounded(operation, i, results[i].floats()[0]);
  }

  /// What the evaluator rounds after the operation: the result is a fresh variable.
  Scalar rounded(const Operation& operation, std::size_t i, Scalar result) {
    const bool narrow = function_.type(operation.results[i]).element == DType::bf16;
    if (!operation.info->rounds || !narrow) return result;
    made_.arguments[static_cast<std::size_t>(Family::round)].include(result, divisorsBehind(operation.results[i]));
    return {1, 0, 0, 0, nullptr};
  }

  static Cells<SharedDegree> cellOf(const TensorType& type, Scalar degree, const SharedDegree& domain) {
    Cells<SharedDegree> cells = Cells<SharedDegree>::unwritten(type);
    degree.domain = &domain;
    cells.visit([](auto& tensor) { tensor[0] = {}; });
    if (cells.isFloats()) cells.floats()[0] = degree;
    return cells;
  }

  /// Numbers a divisor: of a quotient the value that its divisor is copied from, which may have divided before.
  std::size_t divisorOf(const Operation& operation, double perCell, double cellsOfLargest) {
    const bool quotient = operation.info == &stablehlo::operations::divide;
    const ValueId of = quotient ? source(operation.operands[1]) : operation.results[0];
    const auto [entry, isNew] = divisors_.try_emplace(of, divisorCells_.size());
    if (isNew) divisorCells_.push_back(quotient ? cells(of) : perCell * cellsOfLargest);
    return entry->second;
  }
  /// The divisors that a value depends on, by their numbers.
  std::vector<bool>& behind(ValueId id) { return behind_[static_cast<std::size_t>(id)]; }
  double divisorsBehind(ValueId id) {
    double count = 0;
    for (std::size_t d = 0; d < behind(id).size(); ++d)
      if (behind(id)[d]) count += divisorCells_[d];
    return count;
  }
  void inheritDivisors(const Operation& operation) {
    for (const ValueId result : operation.results) {
      std::vector<bool>& all = behind(result);
      for (const ValueId operand : operation.operands) {
        const std::vector<bool>& from = behind(operand);
        if (all.size() < from.size()) all.resize(from.size());
        for (std::size_t d = 0; d < from.size(); ++d)
          if (from[d]) all[d] = true;
      }
    }
  }

  void note(const Operation& operation, const SharedDegree::Counts& counts) {
    double most = 0;
    for (const ValueId id : operation.operands) most = std::max(most, cells(id));
    for (const ValueId id : operation.results) most = std::max(most, cells(id));
    if (counts.divisions > 0) {
      const std::size_t divisor = divisorOf(operation, counts.divisions, most);
      for (const ValueId result : operation.results) {
        if (behind(result).size() <= divisor) behind(result).resize(divisor + 1);
        behind(result)[divisor] = true;
      }
    }
    made_.divisor = std::max(made_.divisor, counts.divisor);
    made_.divisorRoots = std::max(made_.divisorRoots, counts.divisorRoots);
    made_.nested = made_.nested || counts.nested;
    const auto floats = floatsOf(operation);
    const auto varies = [&](ValueId id) { return !isConstant(id); };
    const bool any = std::any_of(floats.begin(), floats.end(), varies);
    if (!counts.compared.isConstant() && any) {
      site(operation, Family::compared, floats);
      // A maximum with a constant, as relu is one, gives cells of its other operand or that constant.
      const auto variable = std::find_if(floats.begin(), floats.end(), varies);
      const bool chooses = operation.info == &stablehlo::operations::maximum ||
                           operation.info == &stablehlo::operations::minimum ||
                           operation.info == &stablehlo::operations::clamp;
      if (chooses && std::count_if(floats.begin(), floats.end(), varies) == 1)
        source(operation.results[0]) = source(*variable);
    }
    for (std::size_t i = 0; i < opaqueCount; ++i) {
      const Scalar& argument = counts.arguments[static_cast<Opaque>(i)];
      if (argument.isConstant()) continue;
      const Family family = familyOf(static_cast<Opaque>(i));
      made_.arguments[static_cast<std::size_t>(family)].include(argument, divisorsBehind(operation.results[0]));
      if (operation.operands.size() == 1) site(operation, family, floats);
    }
  }

  const Function& function_;
  Analysis made_;
  std::map<ValueId, std::size_t> divisors_;
  std::vector<double> divisorCells_;
  std::vector<std::vector<bool>> behind_;
  std::map<ValueId, Parts> parts_;
};

}  // namespace

Analysis analysed(const stablehlo::Module& module) { return Analyser(module.entry()).run(); }

}  // namespace shardlaw::programs
