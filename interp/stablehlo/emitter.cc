#include "interp/stablehlo/emitter.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace shardlaw::stablehlo {
namespace {

std::int64_t axisOf(std::string_view form, char axis) { return static_cast<std::int64_t>(form.find(axis)); }
std::vector<std::int64_t> spatialOf(std::string_view form) { return {axisOf(form, '0'), axisOf(form, '1')}; }

/// Whether a short decimal is exactly q: its denominator divides a power of ten, and its digits are few.
bool isDecimal(const Rational& q) { return shardlaw::toString(q).find('/') == std::string::npos; }

}  // namespace

Emitter::Emitter(std::string name) { function_.name = std::move(name); }

ValueId Emitter::value(TensorType type) {
  function_.values.push_back({prefix_ + "_" + std::to_string(next_++), type});
  return static_cast<ValueId>(function_.values.size() - 1);
}

ValueId Emitter::argument(const std::string& name, const TensorType& type) {
  function_.values.push_back({name, type});
  function_.body.arguments.push_back(static_cast<ValueId>(function_.values.size() - 1));
  return function_.body.arguments.back();
}

void Emitter::result(const std::string& name, ValueId value) {
  function_.body.results.push_back(value);
  function_.resultNames.push_back(name);
}

void Emitter::startNames(const std::string& prefix) {
  prefix_ = prefix;
  next_ = 0;
}

ValueId Emitter::apply(const OperationInfo& info, std::vector<ValueId> operands, TensorType type, Attributes attributes,
                       std::vector<Region> regions) {
  Operation operation;
  operation.info = &info;
  operation.operands = std::move(operands);
  operation.attributes = std::move(attributes);
  operation.regions = std::move(regions);
  operation.results = {value(type)};
  const ValueId result = operation.results[0];
  function_.body.operations.push_back(std::move(operation));
  return result;
}

ValueId Emitter::constant(const Rational& q, TensorType type) {
  if (!isDecimal(q)) {
    const ValueId numerator = constant(q.get_num(), type), denominator = constant(q.get_den(), type);
    return divide(numerator, denominator);
  }
  Attributes attributes;
  attributes.set("value", Literal(type, Number(q)));
  return apply(operations::constant, {}, type, std::move(attributes));
}

ValueId Emitter::minusInfinity() {
  Attributes attributes;
  const TensorType scalar{DType::f32, {}};
  attributes.set("value", Literal(scalar, Number(-std::numeric_limits<double>::infinity())));
  return apply(operations::constant, {}, scalar, std::move(attributes));
}

ValueId Emitter::compare(std::string_view direction, ValueId a, ValueId b) {
  Attributes attributes;
  attributes.set("comparison_direction", std::string(direction));
  attributes.set("compare_type", std::string("FLOAT"));
  return apply(operations::compare, {a, b}, {DType::boolean, shape(a)}, std::move(attributes));
}

ValueId Emitter::reshape(ValueId a, const Shape& to) {
  return shape(a) == to ? a : apply(operations::reshape, {a}, {type(a).element, to});
}

ValueId Emitter::broadcast(ValueId a, const Shape& to, std::vector<std::int64_t> dims) {
  Attributes attributes;
  attributes.set("broadcast_dimensions", std::move(dims));
  return apply(operations::broadcast_in_dim, {a}, {type(a).element, to}, std::move(attributes));
}

ValueId Emitter::reverse(ValueId a, std::vector<std::int64_t> axes) {
  Attributes attributes;
  attributes.set("dimensions", std::move(axes));
  return apply(operations::reverse, {a}, type(a), std::move(attributes));
}

ValueId Emitter::slice(ValueId a, std::int64_t first, std::int64_t last) {
  Attributes attributes;
  attributes.set("start_indices", std::vector<std::int64_t>{first});
  attributes.set("limit_indices", std::vector<std::int64_t>{last});
  attributes.set("strides", std::vector<std::int64_t>{1});
  return apply(operations::slice, {a}, {type(a).element, Shape{last - first}}, std::move(attributes));
}

ValueId Emitter::concatenate(std::vector<ValueId> parts) {
  std::int64_t cells = 0;
  for (const ValueId part : parts) cells += shape(part).cells();
  const DType element = type(parts[0]).element;
  Attributes attributes;
  attributes.set("dimension", std::int64_t{0});
  return apply(operations::concatenate, std::move(parts), {element, Shape{cells}}, std::move(attributes));
}

ValueId Emitter::sum(ValueId a, std::vector<std::int64_t> axes) {
  const ValueId zero = constant(0, Shape{});
  std::vector<std::int64_t> kept;
  for (int axis = 0; axis < shape(a).rank(); ++axis)
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) kept.push_back(shape(a)[axis]);
  Attributes attributes;
  attributes.set("dimensions", std::move(axes));
  std::vector<Region> regions;
  regions.push_back(body(operations::add));
  return apply(operations::reduce, {a, zero}, {type(a).element, Shape(kept)}, std::move(attributes),
               std::move(regions));
}

ValueId Emitter::dot(ValueId a, ValueId b, std::int64_t lhs, std::int64_t rhs) {
  Attributes attributes;
  attributes.set("lhs_contracting_dimensions", std::vector<std::int64_t>{lhs});
  attributes.set("rhs_contracting_dimensions", std::vector<std::int64_t>{rhs});
  const Shape result{shape(a)[static_cast<int>(1 - lhs)], shape(b)[static_cast<int>(1 - rhs)]};
  return apply(operations::dot_general, {a, b}, {type(a).element, result}, std::move(attributes));
}

ValueId Emitter::convolution(ValueId a, ValueId kernel, const ConvolutionForm& form, const TensorType& result) {
  Attributes attributes;
  attributes.set("window_strides", form.strides);
  attributes.set("padding", form.padding);
  attributes.set("lhs_dilation", form.lhsDilation);
  attributes.set("rhs_dilation", form.rhsDilation);
  attributes.set("input_batch_dimension", axisOf(form.lhs, 'b'));
  attributes.set("input_feature_dimension", axisOf(form.lhs, 'f'));
  attributes.set("input_spatial_dimensions", spatialOf(form.lhs));
  attributes.set("kernel_input_feature_dimension", axisOf(form.rhs, 'i'));
  attributes.set("kernel_output_feature_dimension", axisOf(form.rhs, 'o'));
  attributes.set("kernel_spatial_dimensions", spatialOf(form.rhs));
  attributes.set("output_batch_dimension", axisOf(form.output, 'b'));
  attributes.set("output_feature_dimension", axisOf(form.output, 'f'));
  attributes.set("output_spatial_dimensions", spatialOf(form.output));
  attributes.set("feature_group_count", form.featureGroups);
  attributes.set("batch_group_count", form.batchGroups);
  return apply(operations::convolution, {a, kernel}, result, std::move(attributes));
}

ValueId Emitter::allReduceSum(ValueId a, std::int64_t replicas) {
  Matrix groups{replicas, std::vector<std::int64_t>(static_cast<std::size_t>(replicas))};
  std::iota(groups.cells.begin(), groups.cells.end(), 0);
  Attributes attributes;
  attributes.set("replica_groups", std::move(groups));
  std::vector<Region> regions;
  regions.push_back(body(operations::add));
  return apply(operations::all_reduce, {a}, type(a), std::move(attributes), std::move(regions));
}

Region Emitter::body(const OperationInfo& info, Attributes attributes) {
  const TensorType scalar{DType::f32, {}};
  const bool compares = &info == &operations::compare;
  Region region;
  region.arguments = {value(scalar), value(scalar)};
  Operation operation;
  operation.info = &info;
  operation.operands = region.arguments;
  operation.attributes = std::move(attributes);
  operation.results = {value(compares ? TensorType{DType::boolean, {}} : scalar)};
  region.results = operation.results;
  region.operations.push_back(std::move(operation));
  return region;
}

}  // namespace shardlaw::stablehlo
