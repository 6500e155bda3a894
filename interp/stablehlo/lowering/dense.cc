// Dense layers, pointwise nodes, pools and the loss (SEMANTICS 2.2).
#include "interp/stablehlo/lowering/lowering.h"

namespace shardlaw::stablehlo {
namespace {

ValueId zeros(Lowering& at) { return at.emit.constant(0, at.emit.type(at.flat(0))); }

Attributes windowAttributes(std::int64_t size, std::int64_t pad) {
  Attributes attributes;
  attributes.set("window_dimensions", std::vector<std::int64_t>{1, 1, size, size});
  attributes.set("window_strides", std::vector<std::int64_t>{1, 1, 2, 2});
  attributes.set("padding", Matrix{2, {0, 0, 0, 0, pad, pad, pad, pad}});
  return attributes;
}

ValueId pool(Lowering& at, std::int64_t size, std::int64_t pad) {
  const ValueId x = at.in(0), least = at.emit.minusInfinity();
  std::vector<Region> regions;
  regions.push_back(at.emit.body(operations::maximum));
  return at.emit.apply(operations::reduce_window, {x, least}, {DType::f32, at.shape()}, windowAttributes(size, pad),
                       std::move(regions));
}

/// The first cell of a window that none exceeds: the selection keeps a cell that is at least the next.
ValueId poolBack(Lowering& at, std::int64_t size, std::int64_t pad) {
  const ValueId x = at.in(0), dy = at.in(1), zero = at.emit.constant(0, Shape{});
  Attributes atLeast;
  atLeast.set("comparison_direction", std::string("GE"));
  atLeast.set("compare_type", std::string("FLOAT"));
  std::vector<Region> regions;
  regions.push_back(at.emit.body(operations::compare, std::move(atLeast)));
  regions.push_back(at.emit.body(operations::add));
  return at.emit.apply(operations::select_and_scatter, {x, dy, zero}, {DType::f32, at.shape()},
                       windowAttributes(size, pad), std::move(regions));
}

/// softmax of [N, K].
ValueId softmaxOf(Lowering& at, ValueId z) {
  const ValueId e = at.emit.unary(operations::exponential, z);
  return at.emit.divide(e, at.emit.broadcast(at.emit.sum(e, {1}), at.emit.shape(z), {0}));
}

}  // namespace

namespace lowerings {

ValueId dense(Lowering& at) {
  const ValueId y = at.emit.dot(at.in(2), at.in(0), 1, 0);
  return at.emit.add(y, at.emit.broadcastChannels(at.in(1), at.emit.shape(y)));
}
ValueId denseBack(Lowering& at) { return at.emit.dot(at.in(1), at.in(0), 1, 1); }
ValueId denseWeightGrad(Lowering& at) { return at.emit.dot(at.in(0), at.in(1), 0, 0); }
ValueId denseBiasGrad(Lowering& at) { return at.emit.sum(at.in(0), {0}); }
ValueId flatten(Lowering& at) { return at.flat(0); }
ValueId unflatten(Lowering& at) { return at.flat(0); }

ValueId relu(Lowering& at) { return at.emit.binary(operations::maximum, at.flat(0), zeros(at)); }
ValueId selectPos(Lowering& at) {
  const ValueId zero = zeros(at);
  return at.emit.select(at.emit.compare("GT", at.flat(0), zero), at.flat(1), zero);
}
ValueId relu6(Lowering& at) {
  const ValueId positive = at.emit.binary(operations::maximum, at.flat(0), zeros(at));
  return at.emit.binary(operations::minimum, positive, at.emit.constant(6, at.emit.type(positive)));
}
ValueId selectMid(Lowering& at) {
  const ValueId zero = zeros(at), six = at.emit.constant(6, at.emit.type(at.flat(0)));
  const ValueId above = at.emit.compare("GT", at.flat(0), zero), below = at.emit.compare("LT", at.flat(0), six);
  return at.emit.select(at.emit.binary(operations::and_, above, below), at.flat(1), zero);
}
ValueId scale(Lowering& at) { return at.emit.multiplyConstant(at.flat(0), at.rational("by")); }
ValueId shift(Lowering& at) { return at.emit.addConstant(at.flat(0), at.rational("by")); }
ValueId divConst(Lowering& at) { return at.emit.divideConstant(at.flat(0), at.rational("by")); }
ValueId add(Lowering& at) { return at.emit.add(at.flat(0), at.flat(1)); }
ValueId sub(Lowering& at) { return at.emit.subtract(at.flat(0), at.flat(1)); }
ValueId mul(Lowering& at) { return at.emit.multiply(at.flat(0), at.flat(1)); }
ValueId scaleBy(Lowering& at) {
  const ValueId x = at.flat(1);
  return at.emit.multiply(at.emit.broadcast(at.in(0), at.emit.shape(x), {}), x);
}

ValueId maxPool2(Lowering& at) { return pool(at, 2, 0); }
ValueId maxPool2Back(Lowering& at) { return poolBack(at, 2, 0); }
ValueId maxPool3(Lowering& at) { return pool(at, 3, 1); }
ValueId maxPool3Back(Lowering& at) { return poolBack(at, 3, 1); }
ValueId gap(Lowering& at) {
  return at.emit.divideConstant(at.emit.sum(at.in(0), {2, 3}), at.shape(0)[2] * at.shape(0)[3]);
}
ValueId gapBack(Lowering& at) {
  const ValueId share = at.emit.divideConstant(at.in(0), at.shape()[2] * at.shape()[3]);
  return at.emit.broadcast(share, at.shape(), {0, 1});
}

ValueId softmax(Lowering& at) { return softmaxOf(at, at.in(0)); }
ValueId softmaxBack(Lowering& at) {
  const ValueId s = at.in(0), dy = at.in(1);
  const ValueId inner = at.emit.sum(at.emit.multiply(s, dy), {1});
  return at.emit.multiply(s, at.emit.subtract(dy, at.emit.broadcast(inner, at.shape(), {0})));
}
ValueId crossEntropyCotangent(Lowering& at) {
  const ValueId difference = at.emit.subtract(softmaxOf(at, at.in(0)), at.in(1));
  return at.emit.multiplyConstant(difference, ratio(1, at.integer("batch")));
}
ValueId crossEntropySmoothedCotangent(Lowering& at) {
  const Rational alpha = at.rational("alpha");
  const ValueId s = softmaxOf(at, at.in(0));
  const ValueId kept = at.emit.multiplyConstant(at.in(1), Rational(1 - alpha));
  const ValueId target = at.emit.addConstant(kept, Rational(alpha / at.shape()[1]));
  return at.emit.divideConstant(at.emit.subtract(s, target), at.integer("batch"));
}
ValueId crossEntropyLoss(Lowering& at) {
  const ValueId logs = at.emit.unary(operations::log, softmaxOf(at, at.in(0)));
  const ValueId sum = at.emit.sum(at.emit.multiply(at.in(1), logs), {0, 1});
  return at.emit.unary(operations::negate, at.emit.multiplyConstant(sum, ratio(1, at.integer("batch"))));
}

ValueId allReduceMean(Lowering& at) {
  if (at.replicas == 1) return at.in(0);
  return at.emit.divideConstant(at.emit.allReduceSum(at.in(0), at.replicas), at.replicas);
}

}  // namespace lowerings
}  // namespace shardlaw::stablehlo
