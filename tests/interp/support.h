// Helpers of the interpreter's tests: tensors written by hand, one-node programs, comparisons.
#pragma once

#include <bit>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include "interp/error.h"
#include "interp/exec/evaluate.h"
#include "interp/ir/builder.h"
#include "interp/node/nodes.h"

namespace shardlaw::test {

/// A number as a test writes it: an integer, or a decimal or fraction as text.
struct Number {
  Rational value;
  Number(int n) : value(n) {}                         // NOLINT(google-explicit-constructor)
  Number(const char* text) : value(decimal(text)) {}  // NOLINT(google-explicit-constructor)
  Number(Rational q) : value(std::move(q)) {}         // NOLINT(google-explicit-constructor)
};

/// A tensor written by hand: what every domain reads as the same real numbers.
struct Literal {
  Shape shape;
  std::vector<Number> cells;

  template <class D>
  Tensor<typename D::Scalar> in(const D& domain) const {
    std::vector<typename D::Scalar> read;
    for (const Number& cell : cells) read.push_back(domain.literal(cell.value));
    if (static_cast<std::int64_t>(read.size()) != shape.cells()) throw std::logic_error("cells do not fill the shape");
    return Tensor<typename D::Scalar>(shape, std::move(read));
  }
};

/// `count` cells that all hold n.
inline std::vector<Number> all(std::int64_t count, const Number& n) {
  return std::vector<Number>(static_cast<std::size_t>(count), n);
}

/// first, first + 1, …: distinct integers for a whole tensor.
inline Literal counting(const Shape& shape, int first = 1) {
  Literal tensor{shape, {}};
  for (std::int64_t i = 0; i < shape.cells(); ++i) tensor.cells.emplace_back(first + static_cast<int>(i));
  return tensor;
}

/// The program of one node. Operands are batched where the node says so; of a pointwise node, those of
/// rank 1 and more.
inline Program oneNode(const Node& node, const std::vector<Shape>& shapes, const Attributes& attributes = {}) {
  Builder builder;
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const bool known = i < node.operands.size();
    const std::string name = known ? std::string(node.operands[i].name) : "extra" + std::to_string(i);
    operands.push_back(builder.input(name, {shapes[i], known && node.operands[i].batched && shapes[i].rank() > 0}));
  }
  builder.result("y", builder.apply(node, operands, attributes));
  return std::move(builder).finish();
}

template <class D>
using Tensors = std::vector<Tensor<typename D::Scalar>>;

/// The value named `name` of a program on every replica.
template <class D>
Tensors<D> evaluateAt(const D& domain, const Program& program, std::vector<Tensors<D>> inputs,
                      const std::string& name) {
  auto values = evaluate(domain, program, std::move(inputs));
  Tensors<D> results;
  for (auto& replica : values) results.push_back(std::move(replica[static_cast<std::size_t>(program.find(name))]));
  return results;
}

/// One node on one list of operands per replica.
template <class D>
Tensors<D> applyAt(const D& domain, const Node& node, std::vector<Tensors<D>> operands,
                   const Attributes& attributes = {}) {
  std::vector<Shape> shapes;
  for (const auto& operand : operands[0]) shapes.push_back(operand.shape());
  return evaluateAt(domain, oneNode(node, shapes, attributes), std::move(operands), "y");
}

template <class D>
Tensor<typename D::Scalar> apply(const D& domain, const Node& node, Tensors<D> operands,
                                 const Attributes& attributes = {}) {
  std::vector<Tensors<D>> replicas;
  replicas.push_back(std::move(operands));
  return applyAt(domain, node, std::move(replicas), attributes)[0];
}

template <class D>
Tensor<typename D::Scalar> apply(const D& domain, const Node& node, const std::vector<Literal>& operands,
                                 const Attributes& attributes = {}) {
  Tensors<D> read;
  for (const Literal& operand : operands) read.push_back(operand.in(domain));
  return apply(domain, node, std::move(read), attributes);
}

inline std::string print(Field f) { return f.isLowest() ? "lowest" : std::to_string(f.residue()); }
inline std::string print(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}
inline std::string print(float x) { return print(static_cast<double>(x)); }

/// Equal as numbers; a NaN equals a NaN.
inline bool same(Field a, Field b) { return a == b; }
template <class F>
bool same(F a, F b) {
  return a == b || (a != a && b != b);
}

/// Equal to the bit: −0 differs from +0.
inline bool sameBits(Field a, Field b) { return a == b; }
inline bool sameBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
inline bool sameBits(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

/// Empty where two tensors agree; else the first cell at which they do not.
template <class S, class Same>
std::string difference(const Tensor<S>& found, const Tensor<S>& expected, const Same& agree) {
  if (!(found.shape() == expected.shape()))
    return "shape " + toString(found.shape()) + ", expected " + toString(expected.shape());
  for (std::int64_t i = 0; i < found.cells(); ++i)
    if (!agree(found[i], expected[i]))
      return "cell " + std::to_string(i) + " is " + print(found[i]) + ", expected " + print(expected[i]);
  return "";
}
template <class S>
std::string difference(const Tensor<S>& found, const Tensor<S>& expected) {
  return difference(found, expected, [](const S& a, const S& b) { return same(a, b); });
}
template <class S>
std::string bitDifference(const Tensor<S>& found, const Tensor<S>& expected) {
  return difference(found, expected, [](const S& a, const S& b) { return sameBits(a, b); });
}

/// The message with which `f` refuses; "accepted" where it does not.
template <class F>
std::string refusal(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}
inline std::string refusal(const Node& node, const std::vector<Shape>& shapes, const Attributes& attributes = {}) {
  return refusal([&] { oneNode(node, shapes, attributes); });
}

/// Attributes in few words.
inline std::pair<std::string, Attribute> word(const char* name, const char* value) {
  return {name, Attribute{std::string(value)}};
}
inline std::pair<std::string, Attribute> integer(const char* name, std::int64_t value) {
  return {name, Attribute{value}};
}
inline std::pair<std::string, Attribute> number(const char* name, const Number& value) {
  return {name, Attribute{value.value}};
}

/// Empty where the node gives `expected` in `exact`, f64, f32 and bounded64, to the last bit; else the
/// domain and the first difference. The hand's numbers must be representable in f32.
inline std::string differenceByHand(const Node& node, const std::vector<Literal>& operands,
                                    const Attributes& attributes, const Literal& expected) {
  const Exact exact(7);
  if (auto d = difference(apply(exact, node, operands, attributes), expected.in(exact)); !d.empty())
    return "exact: " + d;
  if (auto d = difference(apply(F64{}, node, operands, attributes), expected.in(F64{})); !d.empty()) return "f64: " + d;
  if (auto d = difference(apply(F32{}, node, operands, attributes), expected.in(F32{})); !d.empty()) return "f32: " + d;
  const auto bounded = apply(Bounded64{}, node, operands, attributes);
  Tensor<double> value(bounded.shape());
  for (std::int64_t i = 0; i < bounded.cells(); ++i) value[i] = bounded[i].value;
  if (auto d = difference(value, expected.in(F64{})); !d.empty()) return "bounded64: " + d;
  return "";
}

}  // namespace shardlaw::test
