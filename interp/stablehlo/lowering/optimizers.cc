// Optimizers (SEMANTICS 2.4).
#include "interp/stablehlo/lowering/lowering.h"

namespace shardlaw::stablehlo {
namespace {

/// A value of rank 0 in every cell of the result.
ValueId everywhere(Lowering& at, ValueId scalar) { return at.emit.broadcast(scalar, at.shape(), {}); }

}  // namespace

namespace lowerings {

ValueId sgd(Lowering& at) { return at.emit.subtract(at.in(0), at.emit.multiply(everywhere(at, at.in(2)), at.in(1))); }
ValueId nesterovVelocity(Lowering& at) {
  return at.emit.add(at.emit.multiplyConstant(at.in(0), at.rational("momentum")), at.in(1));
}
ValueId nesterov(Lowering& at) {
  const ValueId ahead = at.emit.add(at.in(1), at.emit.multiplyConstant(at.in(2), at.rational("momentum")));
  return at.emit.subtract(at.in(0), at.emit.multiply(everywhere(at, at.in(3)), ahead));
}
ValueId adamwMoment(Lowering& at) {
  const ValueId kept = at.emit.multiplyConstant(at.in(0), at.rational("beta"));
  return at.emit.add(kept, at.emit.multiplyConstant(at.in(1), at.rational("oneMinusBeta")));
}
ValueId adamwSquare(Lowering& at) {
  const ValueId kept = at.emit.multiplyConstant(at.in(0), at.rational("beta"));
  const ValueId square = at.emit.multiply(at.in(1), at.in(1));
  return at.emit.add(kept, at.emit.multiplyConstant(square, at.rational("oneMinusBeta")));
}
ValueId adamw(Lowering& at) {
  const ValueId theta = at.in(0), lr = everywhere(at, at.in(3));
  const ValueId moment = at.emit.divide(at.in(1), everywhere(at, at.in(4)));
  const ValueId square = at.emit.divide(at.in(2), everywhere(at, at.in(5)));
  const ValueId root = at.emit.addConstant(at.emit.unary(operations::sqrt, square), at.rational("eps"));
  const ValueId step = at.emit.multiply(lr, at.emit.divide(moment, root));
  const ValueId decay =
      at.emit.multiply(everywhere(at, at.emit.multiplyConstant(at.in(3), at.rational("decay"))), theta);
  return at.emit.subtract(at.emit.subtract(theta, step), decay);
}

}  // namespace lowerings
}  // namespace shardlaw::stablehlo
