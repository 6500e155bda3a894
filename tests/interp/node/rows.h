// Channel rows of a batch, and their statistics by another formula than the nodes'.
#pragma once

#include <vector>

#include "interp/tensor/tensor.h"
#include "tests/interp/support.h"

namespace shardlaw::test {

/// The linear positions of each row of [N,C,H,W]: C rows of the whole batch, or N·C rows of one example
/// each; row i belongs to channel i mod C.
inline std::vector<std::vector<std::int64_t>> rowsOf(const Shape& batch, bool perExample = false) {
  const std::int64_t channels = batch[1], map = batch[2] * batch[3];
  std::vector<std::vector<std::int64_t>> rows(static_cast<std::size_t>(perExample ? batch[0] * channels : channels));
  for (std::int64_t k = 0; k < batch.cells(); ++k) {
    const std::int64_t row = perExample ? k / map : k / map % channels;
    rows[static_cast<std::size_t>(row)].push_back(k);
  }
  return rows;
}

template <class S>
struct Moments {
  S mean{}, var{};
};

/// mean = E x, var = E x² − (E x)²: exact arithmetic only.
template <class Numbers, class S = typename Numbers::S>
Moments<S> moments(const Numbers& numbers, const Tensor<S>& x, const std::vector<std::int64_t>& row) {
  S sum{}, squares{};
  for (const std::int64_t k : row) {
    sum = sum + x[k];
    squares = squares + x[k] * x[k];
  }
  const S count = numbers.literal(static_cast<long>(row.size()));
  Moments<S> m;
  m.mean = sum / count;
  m.var = squares / count - m.mean * m.mean;
  return m;
}

/// Cells that are polynomials in r = 1/√radicand of their row: `powers[p]` holds the coefficients of r^p,
/// worked by hand, and row k/(H·W) has radicand `radicands[row mod their number]`.
template <class D>
Tensor<typename D::Scalar> inRoots(const D& domain, const Shape& shape, const std::vector<Number>& radicands,
                                   const std::vector<std::vector<Number>>& powers) {
  using S = typename D::Scalar;
  const std::int64_t map = shape.rank() == 4 ? shape[2] * shape[3] : 1;
  Tensor<S> cells(shape);
  for (std::int64_t k = 0; k < cells.cells(); ++k) {
    const S root = domain.rsqrt(domain.literal(radicands[static_cast<std::size_t>(k / map) % radicands.size()].value));
    for (std::size_t p = powers.size(); p-- > 0;)
      cells[k] = cells[k] * root + domain.literal(powers[p][static_cast<std::size_t>(k)].value);
  }
  return cells;
}

/// Empty where the node's value is this polynomial in `exact` and, with radicands that are even powers of
/// two so that nothing rounds, in f64 and f32.
inline std::string differenceInRoots(const Node& node, const std::vector<Literal>& operands,
                                     const Attributes& attributes, const Shape& shape,
                                     const std::vector<Number>& radicands,
                                     const std::vector<std::vector<Number>>& powers) {
  const auto in = [&](const auto& domain) {
    return difference(apply(domain, node, operands, attributes), inRoots(domain, shape, radicands, powers));
  };
  if (auto d = in(Exact(9)); !d.empty()) return "exact: " + d;
  if (auto d = in(F64{}); !d.empty()) return "f64: " + d;
  if (auto d = in(F32{}); !d.empty()) return "f32: " + d;
  return "";
}

}  // namespace shardlaw::test
