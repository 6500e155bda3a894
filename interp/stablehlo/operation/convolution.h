// convolution.
#pragma once

#include "interp/stablehlo/operation/products.h"
#include "interp/stablehlo/operation/window_axis.h"

namespace shardlaw::stablehlo {

/// A convolution by its extents and by the distances of neighbours, whatever the layouts.
struct ConvolutionPlan {
  struct Side {
    std::int64_t batch = 0, feature = 0;  ///< strides; of the kernel, output and input feature
    std::vector<std::int64_t> spatial;
  };
  Side input, kernel, output;
  std::vector<WindowAxis> axes;
  std::vector<bool> reversed;                          ///< the kernel's cells along an axis are taken from its end
  Shape positions;                                     ///< of the output's spatial axes
  std::int64_t batch = 0, features = 0, channels = 0;  ///< of the output, of the output, of the kernel
  std::int64_t featureGroups = 1, batchGroups = 1;

  ConvolutionPlan(const Attributes& attributes, const Shape& input, const Shape& kernel, const Shape& output);
};

struct Convolution : LocalOperation {
  static constexpr std::string_view name = "convolution";
  static constexpr std::string_view formula =
      "Σ input·kernel over the kernel's input features and then its cells in row-major order; padding and gaps are 0";
  static constexpr std::string_view format = "::custom";
  static constexpr AttributeSpec specs[] = {{"window_strides", AttributeType::integers},
                                            {"padding", AttributeType::matrix},
                                            {"lhs_dilation", AttributeType::integers},
                                            {"rhs_dilation", AttributeType::integers},
                                            {"window_reversal", AttributeType::integers},
                                            {"input_batch_dimension", AttributeType::integer, true},
                                            {"input_feature_dimension", AttributeType::integer, true},
                                            {"input_spatial_dimensions", AttributeType::integers, true},
                                            {"kernel_input_feature_dimension", AttributeType::integer, true},
                                            {"kernel_output_feature_dimension", AttributeType::integer, true},
                                            {"kernel_spatial_dimensions", AttributeType::integers, true},
                                            {"output_batch_dimension", AttributeType::integer, true},
                                            {"output_feature_dimension", AttributeType::integer, true},
                                            {"output_spatial_dimensions", AttributeType::integers, true},
                                            {"feature_group_count", AttributeType::integer, true},
                                            {"batch_group_count", AttributeType::integer, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 2, most = 2;
  static constexpr Degrees degrees = Degrees::products;
  static constexpr bool rounds = true;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    const ConvolutionPlan plan(call.attributes(), call.type(0).shape, call.type(1).shape, call.resultType().shape);
    if (call.out().cells() == 0) return;
    withProducts(call, [&](const auto& input, const auto& kernel, auto& output, const auto& maker) {
      const std::int64_t positions = plan.positions.cells();
      const bool large = output.cells() >= parallelCells || input.cells() + kernel.cells() >= parallelCells;
      parallelBlocks(plan.batch * positions, call.parallel && large, [&](std::int64_t first, std::int64_t last) {
        std::vector<Tap> taps;
        for (std::int64_t i = first; i < last; ++i) {
          const std::int64_t n = i / positions;
          const std::int64_t to = n * plan.output.batch + tapsAt(plan, i % positions, taps);
          for (std::int64_t f = 0; f < plan.features; ++f)
            output[to + f * plan.output.feature] = cell(plan, taps, n, f, input, kernel, maker);
        }
      });
    });
  }

  /// Where a term's factors lie, from the first of their example and feature; input is −1 in padding.
  struct Tap {
    std::int64_t input, kernel;
  };
  /// Fills in the terms of an output position in row-major order of the window; the position's offset in the output.
  static std::int64_t tapsAt(const ConvolutionPlan& plan, std::int64_t position, std::vector<Tap>& taps);

 private:
  template <class T, class Maker>
  static auto cell(const ConvolutionPlan& plan, const std::vector<Tap>& taps, std::int64_t n, std::int64_t f,
                   const T& input, const T& kernel, const Maker& maker) {
    auto sum = maker();
    using Scalar = std::decay_t<decltype(input[0])>;
    const Scalar zero{};
    const std::int64_t group = f / (plan.features / plan.featureGroups);
    const std::int64_t example = f / (plan.features / plan.batchGroups) * plan.batch + n;
    for (std::int64_t c = 0; c < plan.channels; ++c) {
      const std::int64_t from = example * plan.input.batch + (group * plan.channels + c) * plan.input.feature;
      const std::int64_t weights = f * plan.kernel.batch + c * plan.kernel.feature;
      for (const Tap& tap : taps)
        sum.addProduct(tap.input < 0 ? zero : input[from + tap.input], kernel[weights + tap.kernel]);
    }
    return sum.total();
  }
};

}  // namespace shardlaw::stablehlo
