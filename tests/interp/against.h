// Holds a node against a second, independent evaluation on random data: in `exact` to the bit, and in f64
// within the bound that the domain `bounded` derives, the second evaluation then being made at 512 bits.
#pragma once

#include "tests/interp/support.h"
#include "tests/interp/wide.h"

namespace shardlaw::test {

/// What a random operand holds.
enum class Draw {
  any,       ///< reals of several magnitudes; field elements
  positive,  ///< in f64, away from 0 (a variance)
  small,     ///< integers −2…2, so that cells tie and many are 0
};

/// A counter-based generator: the same draws on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : key_(streamKey(seed, "test")) {}

  std::uint64_t bits() { return mix64(key_, ++drawn_); }
  /// Uniform on [least, most].
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(most - least + 1));
  }
  Field field() { return Field::fromUnsigned(bits()); }
  /// A full significand on [−1, 1), times a power of two of a few binades.
  double real() {
    const double unit = static_cast<double>(static_cast<std::int64_t>(bits() >> 10)) * 0x1p-53 - 1;
    return std::ldexp(unit, static_cast<int>(between(-3, 3)));
  }
  bool chance(int percent) { return between(0, 99) < percent; }

  template <class S>
  S draw(Draw kind) {
    const std::int64_t n = between(-2, 2);
    if constexpr (std::is_same_v<S, Field>) return kind == Draw::small ? Field::fromSigned(n) : field();
    else if (kind == Draw::small) return static_cast<S>(n);
    else return static_cast<S>(kind == Draw::positive ? std::abs(real()) + 0.125 : real());
  }
  template <class S>
  Tensor<S> tensor(const Shape& shape, Draw kind = Draw::any) {
    Tensor<S> drawn(shape);
    for (std::int64_t i = 0; i < drawn.cells(); ++i) drawn[i] = draw<S>(kind);
    return drawn;
  }

 private:
  std::uint64_t key_, drawn_ = 0;
};

/// The arithmetic that a second evaluation is written in.
struct ExactNumbers {
  using S = Field;
  const Exact& domain;
  S literal(const Rational& q) const { return domain.literal(q); }
  S rsqrt(const S& a) const { return domain.rsqrt(a); }
  S exp(const S& a) const { return domain.exp(a); }
  S log(const S& a) const { return domain.log(a); }
  bool less(const S& a, const S& b) const { return domain.less(a, b); }
};
struct WideNumbers {
  using S = Wide;
  S literal(const Rational& q) const { return wide(q); }
  S rsqrt(const S& a) const { return 1 / S(sqrt(a)); }
  S exp(const S& a) const { return wideExp(a); }
  S log(const S& a) const { return wideLog(a); }
  bool less(const S& a, const S& b) const { return a < b; }
};

inline Tensor<Wide> widened(const Tensor<double>& narrow) {
  Tensor<Wide> cells(narrow.shape());
  for (std::int64_t i = 0; i < narrow.cells(); ++i) cells[i] = wide(narrow[i]);
  return cells;
}
inline Tensor<BoundedScalar<double>> exactly(const Tensor<double>& inputs) {
  Tensor<BoundedScalar<double>> cells(inputs.shape());
  for (std::int64_t i = 0; i < inputs.cells(); ++i) cells[i] = {inputs[i], 0};
  return cells;
}

/// Empty where the f64 evaluation is the bounded one's value and the real value lies within its bound.
inline std::string outsideBound(const Tensor<double>& f64, const Tensor<BoundedScalar<double>>& bounded,
                                const Tensor<Wide>& real) {
  if (!(f64.shape() == real.shape())) return "shape " + toString(f64.shape()) + ", expected " + toString(real.shape());
  for (std::int64_t i = 0; i < real.cells(); ++i) {
    const std::string cell = "cell " + std::to_string(i) + " is " + print(f64[i]);
    if (!sameBits(f64[i], bounded[i].value)) return cell + ", in bounded64 " + print(bounded[i].value);
    if (!std::isfinite(bounded[i].bound) || !std::isfinite(f64[i])) return cell + ", bound " + print(bounded[i].bound);
    const Wide off = abs(wide(f64[i]) - real[i]), allowed = wide(bounded[i].bound) + abs(real[i]) * wideError;
    if (off > allowed) return cell + ", expected " + print(real[i].get_d()) + " ± " + print(bounded[i].bound);
  }
  return "";
}

/// A node in a reference's numbers. The wide one goes through f64, so it is for evaluations that round
/// nothing there: unit vectors pushed through a linear map.
inline Tensor<Field> forward(const ExactNumbers& numbers, const Node& node, const Tensors<Exact>& operands,
                             const Attributes& attributes) {
  return apply(numbers.domain, node, operands, attributes);
}
inline Tensor<Wide> forward(const WideNumbers&, const Node& node, const std::vector<Tensor<Wide>>& operands,
                            const Attributes& attributes) {
  Tensors<F64> narrow;
  for (const Tensor<Wide>& operand : operands) {
    narrow.emplace_back(operand.shape());
    for (std::int64_t i = 0; i < operand.cells(); ++i) narrow.back()[i] = operand[i].get_d();
  }
  return widened(apply(F64{}, node, narrow, attributes));
}

/// Jᵀ·dy for a node that is linear in operand i: column k of J is the node at the k-th unit vector.
template <class Numbers, class S = typename Numbers::S>
Tensor<S> transposed(const Numbers& numbers, const Node& node, std::vector<Tensor<S>> operands, std::size_t i,
                     const Tensor<S>& dy, const Attributes& attributes = {}) {
  Tensor<S> result(operands[i].shape());
  for (std::int64_t k = 0; k < result.cells(); ++k) {
    operands[i] = Tensor<S>(result.shape());
    operands[i][k] = numbers.literal(1);
    const Tensor<S> column = forward(numbers, node, operands, attributes);
    for (std::int64_t o = 0; o < dy.cells(); ++o) result[k] = result[k] + column[o] * dy[o];
  }
  return result;
}

struct RandomOperand {
  Shape shape;
  Draw draw = Draw::any;
};

/// Draws operands, evaluates the node, and compares it with `reference(numbers, operands)`, which returns a
/// tensor of `numbers`' scalar. Empty where both domains agree.
template <class Reference>
std::string disagreement(const Node& node, const std::vector<RandomOperand>& operands, const Attributes& attributes,
                         Random& random, const Reference& reference) {
  const Exact exact(random.bits());
  Tensors<Exact> fields;
  Tensors<F64> reals;
  Tensors<Bounded64> bounded;
  std::vector<Tensor<Wide>> wides;
  for (const RandomOperand& operand : operands) {
    fields.push_back(random.tensor<Field>(operand.shape, operand.draw));
    reals.push_back(random.tensor<double>(operand.shape, operand.draw));
    bounded.push_back(exactly(reals.back()));
    wides.push_back(widened(reals.back()));
  }
  const auto expected = reference(ExactNumbers{exact}, fields);
  if (auto d = difference(apply(exact, node, fields, attributes), expected); !d.empty()) return "exact: " + d;
  if (auto d = outsideBound(apply(F64{}, node, reals, attributes), apply(Bounded64{}, node, bounded, attributes),
                            reference(WideNumbers{}, wides));
      !d.empty())
    return "f64: " + d;
  return "";
}

}  // namespace shardlaw::test
