// Convolutions (SEMANTICS 2.1) as stablehlo.convolution.
//
// With stride 1 the padding is [p, k−1−p], p = ⌊(k−1)/2⌋. A stride-2 convolution at phase s reads the stride-1 one at
// positions 2i+s, so that its low padding is p−s.
#include "interp/stablehlo/lowering/lowering.h"

namespace shardlaw::stablehlo {
namespace {

/// Extents of a kernel and of the phase of its stride; stride 1 where there is no phase.
struct Geometry {
  std::int64_t kernel[2];
  std::int64_t offset = 0;
  bool strided = false;

  std::int64_t pad(int axis) const { return padding(kernel[axis]); }
  Matrix paddings(std::int64_t (*low)(const Geometry&, int), std::int64_t (*high)(const Geometry&, int)) const {
    return {2, {low(*this, 0), high(*this, 0), low(*this, 1), high(*this, 1)}};
  }
};

Geometry geometryOf(const Lowering& at, std::int64_t kH, std::int64_t kW) {
  const auto* phase = at.attributes().find("phase");
  return {{kH, kW}, phase != nullptr ? phaseOffset(at.attributes()) : 0, phase != nullptr};
}
Geometry geometryOf(const Lowering& at) { return geometryOf(at, at.shape(0)[2], at.shape(0)[3]); }

/// y[i] reads x[stride·i + offset + a − p].
ConvolutionForm forwardForm(const Geometry& of) {
  ConvolutionForm form;
  const std::int64_t stride = of.strided ? 2 : 1;
  form.strides = {stride, stride};
  form.padding = of.paddings([](const Geometry& g, int axis) { return g.pad(axis) - g.offset; },
                             [](const Geometry& g, int axis) { return g.kernel[axis] - 1 - g.pad(axis); });
  return form;
}

/// dx[i] reads dy, spread out to the positions stride·u + offset, with the reversed kernel.
ConvolutionForm backForm(const Geometry& of) {
  ConvolutionForm form;
  const std::int64_t stride = of.strided ? 2 : 1;
  form.lhsDilation = {stride, stride};
  form.padding =
      of.paddings([](const Geometry& g, int axis) { return g.kernel[axis] - 1 - g.pad(axis) + g.offset; },
                  [](const Geometry& g, int axis) { return g.strided ? g.pad(axis) + 1 - g.offset : g.pad(axis); });
  return form;
}

/// dW[a] = Σ_i x[stride·i + offset + a − p]·dy[i]: dy, spread out, is the kernel.
ConvolutionForm weightForm(const Geometry& of) {
  ConvolutionForm form;
  const std::int64_t stride = of.strided ? 2 : 1;
  form.rhsDilation = {stride, stride};
  form.padding =
      of.paddings([](const Geometry& g, int axis) { return g.pad(axis) - g.offset; },
                  [](const Geometry& g, int axis) {
                    return g.strided ? g.kernel[axis] - 2 - g.pad(axis) + g.offset : g.kernel[axis] - 1 - g.pad(axis);
                  });
  form.lhs = "fb01";
  form.rhs = "io01";
  form.output = "fb01";
  return form;
}

TensorType f32(const Shape& shape) { return {DType::f32, shape}; }

ValueId biased(Lowering& at, ValueId y) {
  return at.emit.add(y, at.emit.broadcastChannels(at.in(1), at.emit.shape(y)));
}

ValueId forward(Lowering& at, std::int64_t groups) {
  ConvolutionForm form = forwardForm(geometryOf(at));
  form.featureGroups = groups;
  return biased(at, at.emit.convolution(at.in(2), at.in(0), form, f32(at.shape())));
}

/// The kernel's channels change places: its outputs are what is summed over.
ValueId back(Lowering& at, ValueId kernel, ValueId dy) {
  ConvolutionForm form = backForm(geometryOf(at));
  form.rhs = "io01";
  return at.emit.convolution(dy, at.emit.reverse(kernel, {2, 3}), form, f32(at.shape()));
}

ValueId depthwiseBackward(Lowering& at) {
  ConvolutionForm form = backForm(geometryOf(at));
  form.featureGroups = at.shape(0)[0];
  const ValueId dy = at.in(1), reversed = at.emit.reverse(at.in(0), {2, 3});
  return at.emit.convolution(dy, reversed, form, f32(at.shape()));
}

ValueId weightGradient(Lowering& at, ValueId x, ValueId dy) {
  return at.emit.convolution(x, dy, weightForm(geometryOf(at, at.integer("kH"), at.integer("kW"))), f32(at.shape()));
}

ValueId depthwiseWeights(Lowering& at) {
  const ValueId x = at.in(0), dy = at.in(1);
  ConvolutionForm form = weightForm(geometryOf(at, at.integer("kH"), at.integer("kW")));
  form.batchGroups = at.shape()[0];
  return at.emit.convolution(x, dy, form, f32(at.shape()));
}

ValueId toBf16(Lowering& at, ValueId v) { return at.emit.convert(v, DType::bf16); }
/// A f32 value rounded to bf16, as f32.
ValueId rounded(Lowering& at, ValueId v) { return at.emit.convert(toBf16(at, v), DType::f32); }

}  // namespace

namespace lowerings {

ValueId conv(Lowering& at) { return forward(at, 1); }
ValueId convBack(Lowering& at) { return back(at, at.in(0), at.in(1)); }
ValueId convWeightGrad(Lowering& at) {
  const ValueId x = at.in(0), dy = at.in(1);
  return weightGradient(at, x, dy);
}
ValueId convBiasGrad(Lowering& at) { return at.emit.sum(at.in(0), {0, 2, 3}); }
ValueId zeroBias(Lowering& at) { return at.emit.constant(0, at.shape()); }
ValueId convStrided(Lowering& at) { return forward(at, 1); }
ValueId convStridedBack(Lowering& at) { return back(at, at.in(0), at.in(1)); }
ValueId convStridedWeightGrad(Lowering& at) { return convWeightGrad(at); }

ValueId depthwise(Lowering& at) { return forward(at, at.shape(0)[0]); }
ValueId depthwiseBack(Lowering& at) { return depthwiseBackward(at); }
ValueId depthwiseWeightGrad(Lowering& at) { return depthwiseWeights(at); }
ValueId depthwiseStrided(Lowering& at) { return forward(at, at.shape(0)[0]); }
ValueId depthwiseStridedBack(Lowering& at) { return depthwiseBackward(at); }
ValueId depthwiseStridedWeightGrad(Lowering& at) { return depthwiseWeights(at); }

// Products of bf16 operands are summed in f32 and rounded once.
ValueId convBf16(Lowering& at) {
  const ValueId x = toBf16(at, at.in(2)), kernel = toBf16(at, at.in(0));
  const ValueId y = at.emit.convolution(x, kernel, forwardForm(geometryOf(at)), f32(at.shape()));
  return biased(at, rounded(at, y));
}
ValueId convBackBf16(Lowering& at) {
  const ValueId kernel = toBf16(at, at.in(0)), dy = toBf16(at, at.in(1));
  return rounded(at, back(at, kernel, dy));
}
ValueId convWeightGradBf16(Lowering& at) {
  const ValueId x = toBf16(at, at.in(0)), dy = toBf16(at, at.in(1));
  return rounded(at, weightGradient(at, x, dy));
}

}  // namespace lowerings
}  // namespace shardlaw::stablehlo
