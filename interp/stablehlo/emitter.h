// Writes operations into a function, one after the other.
#pragma once

#include <string>
#include <vector>

#include "interp/stablehlo/operations.h"

namespace shardlaw::stablehlo {

/// The numbers of a convolution on two spatial axes; lhs, rhs and output name their axes as the pretty form does: 'b'
/// and 'f' or 'i' and 'o', and the spatial axes '0' and '1'.
struct ConvolutionForm {
  std::string_view lhs = "bf01", rhs = "oi01", output = "bf01";
  std::vector<std::int64_t> strides{1, 1}, lhsDilation{1, 1}, rhsDilation{1, 1};
  Matrix padding{2, {0, 0, 0, 0}};
  std::int64_t featureGroups = 1, batchGroups = 1;
};

/// A function in the making. Types of results are worked out here, for the operations that lowering needs; a value's
/// name is `prefix` and a running number until someone names it.
class Emitter {
 public:
  explicit Emitter(std::string name);

  ValueId argument(const std::string& name, const TensorType& type);
  void result(const std::string& name, ValueId value);
  /// Checks nothing: the printed text is checked when it is read.
  Function finish() && { return std::move(function_); }

  /// By value: values that are made later move those that are there.
  TensorType type(ValueId id) const { return function_.type(id); }
  Shape shape(ValueId id) const { return type(id).shape; }
  /// Values made from now on are named prefix_0, prefix_1, …
  void startNames(const std::string& prefix);
  void name(ValueId id, const std::string& name) { function_.values[static_cast<std::size_t>(id)].name = name; }

  /// One operation with one result of that type.
  ValueId apply(const OperationInfo& info, std::vector<ValueId> operands, TensorType type, Attributes attributes = {},
                std::vector<Region> regions = {});

  /// `q` in every cell. What no decimal is becomes the quotient of two.
  ValueId constant(const Rational& q, TensorType type);
  ValueId constant(const Rational& q, const Shape& shape) { return constant(q, {DType::f32, shape}); }
  ValueId minusInfinity();
  /// Cell by cell, of the first operand's type.
  ValueId unary(const OperationInfo& info, ValueId a) { return apply(info, {a}, type(a)); }
  ValueId binary(const OperationInfo& info, ValueId a, ValueId b) { return apply(info, {a, b}, type(a)); }
  ValueId add(ValueId a, ValueId b) { return binary(operations::add, a, b); }
  ValueId subtract(ValueId a, ValueId b) { return binary(operations::subtract, a, b); }
  ValueId multiply(ValueId a, ValueId b) { return binary(operations::multiply, a, b); }
  ValueId divide(ValueId a, ValueId b) { return binary(operations::divide, a, b); }
  /// With a constant in every cell.
  ValueId addConstant(ValueId a, const Rational& q) { return add(a, constant(q, type(a))); }
  ValueId multiplyConstant(ValueId a, const Rational& q) { return multiply(a, constant(q, type(a))); }
  ValueId divideConstant(ValueId a, const Rational& q) { return divide(a, constant(q, type(a))); }
  ValueId convert(ValueId a, DType element) { return apply(operations::convert, {a}, {element, shape(a)}); }
  ValueId compare(std::string_view direction, ValueId a, ValueId b);
  ValueId select(ValueId predicate, ValueId a, ValueId b) {
    return apply(operations::select, {predicate, a, b}, type(a));
  }

  /// The value itself where it has that shape.
  ValueId reshape(ValueId a, const Shape& to);
  /// Axis i becomes axis dims[i].
  ValueId broadcast(ValueId a, const Shape& to, std::vector<std::int64_t> dims);
  /// A [C] value along axis 1.
  ValueId broadcastChannels(ValueId a, const Shape& to) { return broadcast(a, to, {1}); }
  ValueId reverse(ValueId a, std::vector<std::int64_t> axes);
  /// Cells [first, last) of a value of rank 1.
  ValueId slice(ValueId a, std::int64_t first, std::int64_t last);
  ValueId concatenate(std::vector<ValueId> parts);
  /// Σ over the axes.
  ValueId sum(ValueId a, std::vector<std::int64_t> axes);
  /// Contracts axis lhs of a with axis rhs of b, both of rank 2.
  ValueId dot(ValueId a, ValueId b, std::int64_t lhs, std::int64_t rhs);
  ValueId convolution(ValueId a, ValueId kernel, const ConvolutionForm& form, const TensorType& result);
  ValueId allReduceSum(ValueId a, std::int64_t replicas);

  /// A body on two scalars of f32: the result of one operation on both.
  Region body(const OperationInfo& info, Attributes attributes = {});

 private:
  ValueId value(TensorType type);

  Function function_;
  std::string prefix_ = "t";
  int next_ = 0;
};

}  // namespace shardlaw::stablehlo
