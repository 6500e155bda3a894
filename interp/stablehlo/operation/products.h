// Sums of products of cells of two tensors, of whichever kind.
#pragma once

#include "interp/stablehlo/operation/pointwise.h"

namespace shardlaw::stablehlo {

class IntegerProducts {
 public:
  explicit IntegerProducts(DType element) : element_(element) {}
  void addProduct(std::int64_t a, std::int64_t b) { total_ = wrappingAdd(total_, wrappingMultiply(a, b)); }
  std::int64_t total() const { return wrapped(total_, element_); }

 private:
  DType element_;
  std::int64_t total_ = 0;
};

/// On i1 a product is ∧ and a sum ∨.
template <class D>
class BitProducts {
 public:
  void addProduct(const Bit<D>& a, const Bit<D>& b) { total_.truth = total_.truth | (a.truth & b.truth); }
  Bit<D> total() const { return total_; }

 private:
  Bit<D> total_;
};

/// Calls use(left, right, out, maker) with the first two operands' tensors and a maker of sums of products.
template <class D, class F>
void withProducts(const Call<D>& call, const F& use) {
  const DType element = call.resultType().element;
  if (isBoolean(element)) use(call.in(0).bits(), call.in(1).bits(), call.out().bits(), [] { return BitProducts<D>(); });
  else if (isInteger(element))
    use(call.in(0).integers(), call.in(1).integers(), call.out().integers(),
        [element] { return IntegerProducts(element); });
  else use(call.in(0).floats(), call.in(1).floats(), call.out().floats(), [] { return typename D::Sum(); });
}

/// Operands of one element type, and a result of the same kind, perhaps a wider one.
void requireFactors(const TypeRule& rule);

}  // namespace shardlaw::stablehlo
