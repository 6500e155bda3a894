// Batch normalisation of SEMANTICS 2.3 on one device. ε sits inside the root; variances are biased.
#pragma once

#include "interp/ir/builder.h"
#include "interp/node/convolution.h"
#include "interp/node/nodes.h"

namespace shardlaw {

inline constexpr AttributeSpec epsAttribute[] = {{"eps", AttributeType::rational}};

inline Attributes epsSample(const SampleSize& s) { return {{"eps", Attribute{s.eps}}}; }

/// The channel row c of a batch [N,C,H,W]: f(n, i, j) at its N·H·W cells, in row-major order.
template <class V, class F>
void forRow(const V& batch, const F& f) {
  for (std::int64_t n = 0; n < batch.extent(0); ++n)
    for (std::int64_t i = 0; i < batch.extent(2); ++i)
      for (std::int64_t j = 0; j < batch.extent(3); ++j) f(n, i, j);
}

template <class V>
std::int64_t rowCells(const V& batch) {
  return batch.extent(0) * batch.extent(2) * batch.extent(3);
}

/// The mean over the row of any f(n, i, j).
template <class D, class V, class F>
typename D::Scalar rowMean(const D& domain, const V& batch, const F& f) {
  typename D::Sum sum;
  forRow(batch, [&](auto n, auto i, auto j) { sum.add(f(n, i, j)); });
  return sum.total() / domain.literal(rowCells(batch));
}

template <class S>
struct RowStatistics {
  S mean{};
  S var{};
};

/// Two-pass statistics of row c: mean, then the biased variance Σ(x−mean)²/n. In floats the mean rounds, and
/// on a row far from 0 that error would enter squared: so the deviations give up their own mean, which is 0
/// in the reals (Chan, Golub and LeVeque 1983). A constant row then has variance 0.
template <class D, class V>
RowStatistics<typename D::Scalar> rowStatistics(const D& domain, const V& x, std::int64_t c) {
  RowStatistics<typename D::Scalar> row;
  row.mean = rowMean(domain, x, [&](auto n, auto i, auto j) { return x(n, c, i, j); });
  const auto residue = rowMean(domain, x, [&](auto n, auto i, auto j) { return x(n, c, i, j) - row.mean; });
  row.var = rowMean(domain, x, [&](auto n, auto i, auto j) {
    const auto deviation = (x(n, c, i, j) - row.mean) - residue;
    return deviation * deviation;
  });
  return row;
}

/// istd·(g − mean(g) − x̂·mean(x̂·g)) at every cell of row c, with g = γ·dy: the input VJP of a batch BN.
template <class D, class V, class Out>
void bnRowBack(const D& domain, const V& x, const V& dy, typename D::Scalar gamma, typename D::Scalar eps,
               std::int64_t c, const Out& out) {
  const auto row = rowStatistics(domain, x, c);
  const auto istd = domain.rsqrt(row.var + eps);
  const auto xhat = [&](auto n, auto i, auto j) { return (x(n, c, i, j) - row.mean) * istd; };
  const auto g = [&](auto n, auto i, auto j) { return gamma * dy(n, c, i, j); };
  const auto mdy = rowMean(domain, x, g);
  const auto mdyx = rowMean(domain, x, [&](auto n, auto i, auto j) { return xhat(n, i, j) * g(n, i, j); });
  forRow(x, [&](auto n, auto i, auto j) { out(n, c, i, j) = istd * (g(n, i, j) - mdy - xhat(n, i, j) * mdyx); });
}

/// γ·x̂ + β over row c with the row's own statistics.
template <class D, class V, class Out>
void bnRow(const D& domain, const V& x, typename D::Scalar gamma, typename D::Scalar beta, typename D::Scalar eps,
           std::int64_t c, const Out& out) {
  const auto row = rowStatistics(domain, x, c);
  const auto istd = domain.rsqrt(row.var + eps);
  forRow(x, [&](auto n, auto i, auto j) { out(n, c, i, j) = gamma * ((x(n, c, i, j) - row.mean) * istd) + beta; });
}

/// Adds Σ_k dy_k·x̂_k over row c of one batch to `sum`.
template <class D, class V>
void addGammaGrad(typename D::Sum& sum, const D& domain, const V& x, const V& dy, typename D::Scalar eps,
                  std::int64_t c) {
  const auto row = rowStatistics(domain, x, c);
  const auto istd = domain.rsqrt(row.var + eps);
  forRow(x, [&](auto n, auto i, auto j) { sum.addProduct(dy(n, c, i, j), (x(n, c, i, j) - row.mean) * istd); });
}

/// One example [C,H,W] as a batch of one, for the nodes whose statistics are per example.
template <class S>
View<S> asBatch(const View<S>& example) {
  return View<S>(example.data(), example.shape().batchOf(1));
}

/// ε is at least 0: 0 is allowed, since the laws hold there, and a negative one is a slip.
inline void requireEps(const ShapeRule& rule) {
  const Attribute* eps = rule.attributes().find("eps");
  if (eps != nullptr && std::get<Rational>(*eps) < 0)
    rule.refuse("attribute eps: expected at least 0, found " + toString(*eps));
}

inline void requireBatch(const ShapeRule& rule, std::size_t i) {
  requireEps(rule);
  rule.requireRank(i, 4, "[N,C,H,W]");
  if (rule.operand(i)[0] * rule.operand(i)[2] * rule.operand(i)[3] == 0)
    rule.refuse(i, "channel rows with at least one cell");
}
inline void requireMap(const ShapeRule& rule, std::size_t i) {
  requireEps(rule);
  rule.requireRank(i, 3, "[C,H,W]");
  if (rule.operand(i)[1] * rule.operand(i)[2] == 0) rule.refuse(i, "channel rows with at least one cell");
}

struct BnBatch : WholeBatchNode {
  static constexpr std::string_view name = "bnBatch";
  static constexpr std::string_view formula = "γ_c·x̂_k + β_c, statistics of the whole batch's row";
  static constexpr bool batchedResult = true;
  static constexpr OperandSpec operands[] = {{"x", true}, {"γ", false}, {"β", false}};
  static constexpr std::span<const AttributeSpec> attributes = epsAttribute;
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}, Shape{s.C}, Shape{s.C}}, epsSample(s)}; }

  static Shape shape(const ShapeRule& rule) {
    requireBatch(rule, 0);
    rule.require(1, Shape{rule.operand(0)[1]});
    rule.require(2, Shape{rule.operand(0)[1]});
    return rule.operand(0);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& x = call.in(0);
    for (std::int64_t c = 0; c < x.extent(1); ++c)
      bnRow(call.domain, x, call.in(1)(c), call.in(2)(c), call.literal("eps"), c, call.out);
  }
  static void adjoint(AdjointRule& rule) {
    const ValueId x = rule.operand(0);
    rule.set(2, rule.builder.apply(nodes::bnBetaGrad, {rule.dy()}));
    rule.set(1, rule.builder.apply(nodes::bnGammaGrad, {x, rule.dy()}, rule.attributes()));
    rule.set(0, rule.builder.apply(nodes::bnBatchBack, {x, rule.operand(1), rule.dy()}, rule.attributes()));
  }
};

struct BnBatchBack : WholeBatchNode {
  static constexpr std::string_view name = "bnBatchBack";
  static constexpr std::string_view formula = "istd·(g_k − mean(g) − x̂_k·mean(x̂·g)), g = γ_c·dy";
  static constexpr bool batchedResult = true;
  static constexpr OperandSpec operands[] = {{"x", true}, {"γ", false}, {"dy", true}};
  static constexpr std::span<const AttributeSpec> attributes = epsAttribute;
  static constexpr int cotangent = 2;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.C, s.H, s.W}, Shape{s.C}, Shape{s.C, s.H, s.W}}, epsSample(s)};
  }

  static Shape shape(const ShapeRule& rule) {
    requireBatch(rule, 0);
    rule.require(1, Shape{rule.operand(0)[1]});
    rule.requireSame(0, 2);
    return rule.operand(0);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& x = call.in(0);
    for (std::int64_t c = 0; c < x.extent(1); ++c)
      bnRowBack(call.domain, x, call.in(2), call.in(1)(c), call.literal("eps"), c, call.out);
  }
};

struct BnGammaGrad : WholeBatchNode {
  static constexpr std::string_view name = "bnGammaGrad";
  static constexpr std::string_view formula = "Σ_k dy_k·x̂_k";
  static constexpr OperandSpec operands[] = {{"x", true}, {"dy", true}};
  static constexpr std::span<const AttributeSpec> attributes = epsAttribute;
  static constexpr int cotangent = 1;
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}, Shape{s.C, s.H, s.W}}, epsSample(s)}; }

  static Shape shape(const ShapeRule& rule) {
    requireBatch(rule, 0);
    rule.requireSame(0, 1);
    return Shape{rule.operand(0)[1]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t c = 0; c < call.out.extent(0); ++c) {
      typename D::Sum sum;
      addGammaGrad<D>(sum, call.domain, call.in(0), call.in(1), call.literal("eps"), c);
      call.out(c) = sum.total();
    }
  }
};

struct BnBetaGrad : WholeBatchNode {
  static constexpr std::string_view name = "bnBetaGrad";
  static constexpr std::string_view formula = "Σ_k dy_k";
  static constexpr OperandSpec operands[] = {{"dy", true}};
  static constexpr int cotangent = 0;
  static constexpr bool sumsExamples = true;
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 4, "[N,C,H,W]");
    return Shape{rule.operand(0)[1]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& dy = call.in(0);
    for (std::int64_t c = 0; c < call.out.extent(0); ++c) {
      typename D::Sum sum;
      forRow(dy, [&](auto n, auto i, auto j) { sum.add(dy(n, c, i, j)); });
      call.out(c) = sum.total();
    }
  }
};

struct BnEval : PerExampleNode {
  static constexpr std::string_view name = "bnEval";
  static constexpr std::string_view formula = "γ_c·(x−μ_c)/√(var_c+ε) + β_c, statistics are inputs";
  static constexpr OperandSpec operands[] = {{"x", true}, {"γ", false}, {"β", false}, {"μ", false}, {"var", false}};
  static constexpr std::span<const AttributeSpec> attributes = epsAttribute;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.C, s.H, s.W}, Shape{s.C}, Shape{s.C}, Shape{s.C}, Shape{s.C}}, epsSample(s)};
  }

  static Shape shape(const ShapeRule& rule) {
    requireMap(rule, 0);
    for (std::size_t i = 1; i < 5; ++i) rule.require(i, Shape{rule.operand(0)[0]});
    return rule.operand(0);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& x = call.in(0);
    for (std::int64_t c = 0; c < x.extent(0); ++c) {
      const auto istd = call.domain.rsqrt(call.in(4)(c) + call.literal("eps"));
      for (std::int64_t i = 0; i < x.extent(1); ++i)
        for (std::int64_t j = 0; j < x.extent(2); ++j)
          call.out(c, i, j) = call.in(1)(c) * ((x(c, i, j) - call.in(3)(c)) * istd) + call.in(2)(c);
    }
  }
  /// Frozen statistics have no cotangent.
  static void adjoint(AdjointRule& rule) {
    const ValueId statistics = rule.builder.apply(nodes::bnPack, {rule.operand(3), rule.operand(4)});
    rule.set(0,
             rule.builder.apply(nodes::bnEvalBack, {rule.operand(1), rule.operand(4), rule.dy()}, rule.attributes()));
    rule.set(1,
             rule.builder.apply(nodes::bnSyncGammaGrad, {rule.operand(0), rule.dy(), statistics}, rule.attributes()));
    rule.set(2, rule.builder.apply(nodes::bnBetaGrad, {rule.dy()}));
  }
};

struct BnEvalBack : PerExampleNode {
  static constexpr std::string_view name = "bnEvalBack";
  static constexpr std::string_view formula = "γ_c·dy/√(var_c+ε)";
  static constexpr OperandSpec operands[] = {{"γ", false}, {"var", false}, {"dy", true}};
  static constexpr std::span<const AttributeSpec> attributes = epsAttribute;
  static constexpr int cotangent = 2;
  static Sample sample(const SampleSize& s) { return {{Shape{s.C}, Shape{s.C}, Shape{s.C, s.H, s.W}}, epsSample(s)}; }

  static Shape shape(const ShapeRule& rule) {
    requireMap(rule, 2);
    rule.require(0, Shape{rule.operand(2)[0]});
    rule.require(1, Shape{rule.operand(2)[0]});
    return rule.operand(2);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& dy = call.in(2);
    for (std::int64_t c = 0; c < dy.extent(0); ++c) {
      const auto istd = call.domain.rsqrt(call.in(1)(c) + call.literal("eps"));
      for (std::int64_t i = 0; i < dy.extent(1); ++i)
        for (std::int64_t j = 0; j < dy.extent(2); ++j) call.out(c, i, j) = call.in(0)(c)*dy(c, i, j) * istd;
    }
  }
};

struct BnPerChannel : PerExampleNode {
  static constexpr std::string_view name = "bnPerChannel";
  static constexpr std::string_view formula = "bnBatch with statistics per (n, c)";
  static constexpr auto operands = std::span<const OperandSpec>(BnBatch::operands);
  static constexpr std::span<const AttributeSpec> attributes = epsAttribute;
  static Sample sample(const SampleSize& s) { return BnBatch::sample(s); }

  static Shape shape(const ShapeRule& rule) {
    requireMap(rule, 0);
    rule.require(1, Shape{rule.operand(0)[0]});
    rule.require(2, Shape{rule.operand(0)[0]});
    return rule.operand(0);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto x = asBatch(call.in(0));
    for (std::int64_t c = 0; c < x.extent(1); ++c)
      bnRow(call.domain, x, call.in(1)(c), call.in(2)(c), call.literal("eps"), c, asBatch(call.out));
  }
  static void adjoint(AdjointRule& rule) {
    const ValueId x = rule.operand(0);
    rule.set(0, rule.builder.apply(nodes::bnPerChannelBack, {x, rule.operand(1), rule.dy()}, rule.attributes()));
    rule.set(1, rule.builder.apply(nodes::bnPerChannelGammaGrad, {x, rule.dy()}, rule.attributes()));
    rule.set(2, rule.builder.apply(nodes::bnBetaGrad, {rule.dy()}));
  }
};

struct BnPerChannelBack : PerExampleNode {
  static constexpr std::string_view name = "bnPerChannelBack";
  static constexpr std::string_view formula = "bnBatchBack with statistics and means per (n, c)";
  static constexpr auto operands = std::span<const OperandSpec>(BnBatchBack::operands);
  static constexpr std::span<const AttributeSpec> attributes = epsAttribute;
  static constexpr int cotangent = 2;
  static Sample sample(const SampleSize& s) { return BnBatchBack::sample(s); }

  static Shape shape(const ShapeRule& rule) {
    requireMap(rule, 0);
    rule.require(1, Shape{rule.operand(0)[0]});
    rule.requireSame(0, 2);
    return rule.operand(0);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto x = asBatch(call.in(0)), dy = asBatch(call.in(2));
    for (std::int64_t c = 0; c < x.extent(1); ++c)
      bnRowBack(call.domain, x, dy, call.in(1)(c), call.literal("eps"), c, asBatch(call.out));
  }
};

struct BnPerChannelGammaGrad : WholeBatchNode {
  static constexpr std::string_view name = "bnPerChannelGammaGrad";
  static constexpr std::string_view formula = "Σ_n Σ_k dy_{n,k}·x̂_{n,k}, x̂ at the statistics of (n, c)";
  static constexpr OperandSpec operands[] = {{"x", true}, {"dy", true}};
  static constexpr std::span<const AttributeSpec> attributes = epsAttribute;
  static constexpr int cotangent = 1;
  static constexpr bool sumsExamples = true;
  static Sample sample(const SampleSize& s) { return BnGammaGrad::sample(s); }

  static Shape shape(const ShapeRule& rule) { return BnGammaGrad::shape(rule); }
  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t c = 0; c < call.out.extent(0); ++c) {
      typename D::Sum sum;
      for (std::int64_t n = 0; n < call.in(0).extent(0); ++n)
        addGammaGrad<D>(sum, call.domain, asBatch(call.in(0).slice(n)), asBatch(call.in(1).slice(n)),
                        call.literal("eps"), c);
      call.out(c) = sum.total();
    }
  }
};

}  // namespace shardlaw
