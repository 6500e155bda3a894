#include "interp/stablehlo/operation/convolution.h"

namespace shardlaw::stablehlo {
namespace {

constexpr WindowNames names{"window_strides", "padding", "lhs_dilation", "rhs_dilation"};

/// Which axes of a tensor are which: batch and feature, or output and input feature of a kernel.
struct Layout {
  std::int64_t batch, feature;
  std::vector<std::int64_t> spatial;
};

Layout layoutOf(const Attributes& attributes, const std::string& of, const std::string& batch,
                const std::string& feature) {
  return {attributes.integer(of + batch), attributes.integer(of + feature),
          attributes.integers(of + "_spatial_dimensions")};
}
Layout inputLayout(const Attributes& a) { return layoutOf(a, "input", "_batch_dimension", "_feature_dimension"); }
Layout kernelLayout(const Attributes& a) {
  return layoutOf(a, "kernel", "_output_feature_dimension", "_input_feature_dimension");
}
Layout outputLayout(const Attributes& a) { return layoutOf(a, "output", "_batch_dimension", "_feature_dimension"); }

std::int64_t extent(const Shape& shape, std::int64_t axis) { return shape[static_cast<int>(axis)]; }

std::vector<std::int64_t> spatialExtents(const Shape& shape, const Layout& layout) {
  std::vector<std::int64_t> extents;
  for (const std::int64_t axis : layout.spatial) extents.push_back(extent(shape, axis));
  return extents;
}

ConvolutionPlan::Side sideOf(const Shape& shape, const Layout& layout) {
  const std::vector<std::int64_t> strides = stridesOf(shape);
  ConvolutionPlan::Side side{strides[index(layout.batch)], strides[index(layout.feature)], {}};
  for (const std::int64_t axis : layout.spatial) side.spatial.push_back(strides[index(axis)]);
  return side;
}

void requireLayout(const TypeRule& rule, std::string_view of, const Layout& layout, int rank) {
  std::vector<std::int64_t> axes{layout.batch, layout.feature};
  axes.insert(axes.end(), layout.spatial.begin(), layout.spatial.end());
  const std::string attribute = std::string(of) + " dimensions";
  rule.requireCount(attribute, axes.size(), index(rank));
  rule.requireAxes(attribute, axes, rank);
}

void requireDivides(const TypeRule& rule, const std::string& groups, std::int64_t count, const std::string& what,
                    std::int64_t extent) {
  rule.require(count >= 1 && extent % count == 0, groups + ": expected a divisor of " + what + ", " +
                                                      std::to_string(extent) + ", found " + std::to_string(count));
}

}  // namespace

ConvolutionPlan::ConvolutionPlan(const Attributes& attributes, const Shape& inputShape, const Shape& kernelShape,
                                 const Shape& outputShape)
    : featureGroups(attributes.integer("feature_group_count")), batchGroups(attributes.integer("batch_group_count")) {
  const Layout ofInput = inputLayout(attributes), ofKernel = kernelLayout(attributes),
               ofOutput = outputLayout(attributes);
  input = sideOf(inputShape, ofInput);
  kernel = sideOf(kernelShape, ofKernel);
  output = sideOf(outputShape, ofOutput);
  const auto sizes = spatialExtents(kernelShape, ofKernel);
  axes = windowAxes(attributes, names, spatialExtents(inputShape, ofInput), sizes);
  for (const std::int64_t flag : attributes.integers("window_reversal", std::vector<std::int64_t>(sizes.size(), 0)))
    reversed.push_back(flag != 0);
  positions = Shape(spatialExtents(outputShape, ofOutput));
  batch = extent(outputShape, ofOutput.batch);
  features = extent(outputShape, ofOutput.feature);
  channels = extent(kernelShape, ofKernel.feature);
}

std::int64_t Convolution::tapsAt(const ConvolutionPlan& plan, std::int64_t position, std::vector<Tap>& taps) {
  taps.assign(1, {0, 0});
  std::int64_t offset = 0, rest = position;
  std::array<std::int64_t, Shape::maxRank> window{};
  for (int axis = plan.positions.rank() - 1; axis >= 0; --axis) {
    const auto a = index(axis);
    window[a] = rest % plan.positions[axis];
    rest /= plan.positions[axis];
    offset += window[a] * plan.output.spatial[a];
  }
  // Axis by axis, every term so far is continued by all cells of the next axis.
  std::vector<Tap> longer;
  for (std::size_t a = 0; a < plan.axes.size(); ++a) {
    const WindowAxis& axis = plan.axes[a];
    longer.clear();
    for (const Tap& tap : taps) {
      for (std::int64_t k = 0; k < axis.size; ++k) {
        const std::int64_t at = axis.position(window[a], k);
        longer.push_back({at < 0 || tap.input < 0 ? -1 : tap.input + at * plan.input.spatial[a],
                          tap.kernel + (plan.reversed[a] ? axis.size - 1 - k : k) * plan.kernel.spatial[a]});
      }
    }
    std::swap(taps, longer);
  }
  return offset;
}

void Convolution::check(const TypeRule& rule) {
  requireFactors(rule);
  const TensorType &input = rule.operand(0), &kernel = rule.operand(1);
  const int rank = input.shape.rank();
  rule.require(rank >= 2, "operand 0: expected at least a batch and a feature axis, found " + toString(input));
  rule.requireRank(1, rank);
  const Attributes& attributes = rule.attributes();
  const Layout ofInput = inputLayout(attributes), ofKernel = kernelLayout(attributes),
               ofOutput = outputLayout(attributes);
  requireLayout(rule, "input", ofInput, rank);
  requireLayout(rule, "kernel", ofKernel, rank);
  requireLayout(rule, "output", ofOutput, rank);
  if (attributes.has("window_reversal"))
    rule.requireCount("window_reversal", attributes.integers("window_reversal").size(), index(rank - 2));
  const std::int64_t featureGroups = attributes.integer("feature_group_count"),
                     batchGroups = attributes.integer("batch_group_count");
  const std::int64_t batch = extent(input.shape, ofInput.batch), channels = extent(input.shape, ofInput.feature),
                     features = extent(kernel.shape, ofKernel.batch);
  requireDivides(rule, "batch_group_count", batchGroups, "the input's batch", batch);
  requireDivides(rule, "feature_group_count", featureGroups, "the input's features", channels);
  requireDivides(rule, "batch_group_count", batchGroups, "the kernel's output features", features);
  requireDivides(rule, "feature_group_count", featureGroups, "the kernel's output features", features);
  rule.require(batchGroups == 1 || featureGroups == 1,
               "expected feature_group_count or batch_group_count to be 1, found " + std::to_string(featureGroups) +
                   " and " + std::to_string(batchGroups));
  rule.require(extent(kernel.shape, ofKernel.feature) == channels / featureGroups,
               "operand 1: expected " + std::to_string(channels / featureGroups) + " input features on axis " +
                   std::to_string(ofKernel.feature) + " for " + toString(input) + " in " +
                   std::to_string(featureGroups) + " groups, found " + toString(kernel));
  const auto counts =
      windowCounts(rule, names, spatialExtents(input.shape, ofInput), spatialExtents(kernel.shape, ofKernel));
  std::vector<std::int64_t> extents(index(rank));
  extents[index(ofOutput.batch)] = batch / batchGroups;
  extents[index(ofOutput.feature)] = features;
  for (std::size_t i = 0; i < counts.size(); ++i) extents[index(ofOutput.spatial[i])] = counts[i];
  rule.result(0, {rule.stated(0).element, shapeOf(rule, extents)});
}

}  // namespace shardlaw::stablehlo
