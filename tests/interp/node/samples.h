// For every node one set of operands that it accepts, so that a test can go through the whole table.
#pragma once

#include <map>
#include <string_view>

#include "tests/interp/support.h"

namespace shardlaw::test {

struct Sample {
  std::vector<Shape> shapes;
  Attributes attributes = {};
};

using SampleTable = std::map<std::string_view, Sample>;

// Three examples; C = 3, H ≠ W, kernels that are neither square nor odd throughout; every map is even.
inline SampleTable convolutionSamples() {
  using A = Attributes;
  const Shape x{3, 3, 2, 4}, y{3, 2, 2, 4}, half{3, 2, 1, 2}, xHalf{3, 3, 1, 2}, c{3}, o{2};
  const Shape w{2, 3, 3, 2}, depth{3, 1, 3, 2};
  const A k{integer("kH", 3), integer("kW", 2)};
  const auto phase = [](const char* p) { return A{word("phase", p)}; };
  const auto strided = [](const char* p) { return A{integer("kH", 3), integer("kW", 2), word("phase", p)}; };
  return {
      {"conv", {{w, o, x}}},
      {"convBack", {{w, y}}},
      {"convWeightGrad", {{x, y}, k}},
      {"convBiasGrad", {{y}}},
      {"convStrided", {{w, o, x}, phase("even")}},
      {"convStridedBack", {{w, half}, phase("odd")}},
      {"convStridedWeightGrad", {{x, half}, strided("even")}},
      {"depthwise", {{depth, c, x}}},
      {"depthwiseBack", {{depth, x}}},
      {"depthwiseWeightGrad", {{x, x}, k}},
      {"depthwiseStrided", {{depth, c, x}, phase("odd")}},
      {"depthwiseStridedBack", {{depth, xHalf}, phase("even")}},
      {"depthwiseStridedWeightGrad", {{x, xHalf}, strided("odd")}},
      {"convBf16", {{w, o, x}}},
      {"convBackBf16", {{w, y}}},
      {"convWeightGradBf16", {{x, y}, k}},
  };
}

inline SampleTable layerSamples() {
  const Shape map{3, 3, 2, 4}, half{3, 3, 1, 2}, row{3, 5};
  const Attributes by{number("by", "2.5")};
  return {
      {"dense", {{{5, 4}, {4}, row}}},
      {"denseBack", {{{5, 4}, {3, 4}}}},
      {"denseWeightGrad", {{row, {3, 4}}}},
      {"denseBiasGrad", {{{3, 4}}}},
      {"flatten", {{map}}},
      {"unflatten", {{{3, 24}}, {integer("C", 3), integer("H", 2), integer("W", 4)}}},
      {"relu", {{map}}},
      {"selectPos", {{map, map}}},
      {"relu6", {{map}}},
      {"selectMid", {{map, map}}},
      {"scale", {{map}, by}},
      {"shift", {{map}, by}},
      {"divConst", {{map}, by}},
      {"add", {{map, map}}},
      {"sub", {{map, map}}},
      {"mul", {{map, map}}},
      {"scaleBy", {{{}, map}}},
      {"maxPool2", {{map}}},
      {"maxPool2Back", {{map, half}}},
      {"maxPool3", {{map}}},
      {"maxPool3Back", {{map, half}}},
      {"gap", {{map}}},
      {"gapBack", {{{3, 3}}, {integer("H", 2), integer("W", 4)}}},
      {"softmax", {{row}}},
      {"softmaxBack", {{row, row}}},
      {"crossEntropyCotangent", {{row, row}, {integer("batch", 3)}}},
      {"crossEntropySmoothedCotangent", {{row, row}, {integer("batch", 3), number("alpha", "0.1")}}},
      {"crossEntropyLoss", {{row, row}, {integer("batch", 3)}}},
  };
}

inline SampleTable batchNormSamples() {
  const Shape x{3, 3, 2, 4}, c{3};
  const Attributes eps{number("eps", "1e-3")};
  return {
      {"bnBatch", {{x, c, c}, eps}},
      {"bnBatchBack", {{x, c, x}, eps}},
      {"bnGammaGrad", {{x, x}, eps}},
      {"bnBetaGrad", {{x}}},
      {"bnEval", {{x, c, c, c, c}, eps}},
      {"bnEvalBack", {{c, c, x}, eps}},
      {"bnPerChannel", {{x, c, c}, eps}},
      {"bnPerChannelBack", {{x, c, x}, eps}},
      {"bnPerChannelGammaGrad", {{x, x}, eps}},
      {"bnBatchMean", {{x}}},
      {"bnBatchVar", {{x}}},
      {"bnBatchVarAt", {{x, c}}},
      {"bnPack", {{c, c}}},
      {"bnStatsMean", {{{6}}}},
      {"bnStatsVar", {{{6}}}},
      {"bnSync", {{x, c, c, {6}}, eps}},
      {"bnSyncDyStats", {{x, c, x, {6}}, eps}},
      {"bnSyncBack", {{x, c, x, {12}}, eps}},
      {"bnSyncGammaGrad", {{x, x, {6}}, eps}},
      {"allReduceMean", {{{6}}}},
  };
}

inline const SampleTable& samples() {
  static const SampleTable table = [] {
    SampleTable all = convolutionSamples();
    all.merge(layerSamples());
    all.merge(batchNormSamples());
    return all;
  }();
  return table;
}

}  // namespace shardlaw::test
