// Synchronised batch normalisation of SEMANTICS 2.3: the nodes between the collectives.
#pragma once

#include "interp/node/batchnorm.h"

namespace shardlaw {

/// Reads of packed statistics [μ ‖ σ² ‖ …] of C channels.
template <class S>
struct PackedStatistics {
  View<const S> packed;
  std::int64_t channels;

  S mean(std::int64_t c) const { return packed(c); }
  S var(std::int64_t c) const { return packed(channels + c); }
  S mdy(std::int64_t c) const { return packed(2 * channels + c); }
  S mdyx(std::int64_t c) const { return packed(3 * channels + c); }
};

struct BnBatchMean : WholeBatchNode {
  static constexpr std::string_view name = "bnBatchMean";
  static constexpr std::string_view formula = "row mean";
  static constexpr OperandSpec operands[] = {{"x", true}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}}}; }

  static Shape shape(const ShapeRule& rule) {
    requireBatch(rule, 0);
    return Shape{rule.operand(0)[1]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& x = call.in(0);
    for (std::int64_t c = 0; c < call.out.extent(0); ++c)
      call.out(c) = rowMean(call.domain, x, [&](auto n, auto i, auto j) { return x(n, c, i, j); });
  }
};

struct BnBatchVar : WholeBatchNode {
  static constexpr std::string_view name = "bnBatchVar";
  static constexpr std::string_view formula = "row biased variance";
  static constexpr OperandSpec operands[] = {{"x", true}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}}}; }

  static Shape shape(const ShapeRule& rule) { return BnBatchMean::shape(rule); }
  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t c = 0; c < call.out.extent(0); ++c) call.out(c) = rowStatistics(call.domain, call.in(0), c).var;
  }
};

struct BnBatchVarAt : WholeBatchNode {
  static constexpr std::string_view name = "bnBatchVarAt";
  static constexpr std::string_view formula = "var_r + (mean_r − μ_c)², x's own two-pass statistics";
  static constexpr OperandSpec operands[] = {{"x", true}, {"μ", false}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}, Shape{s.C}}}; }

  static Shape shape(const ShapeRule& rule) {
    requireBatch(rule, 0);
    rule.require(1, Shape{rule.operand(0)[1]});
    return rule.operand(1);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t c = 0; c < call.out.extent(0); ++c) {
      const auto row = rowStatistics(call.domain, call.in(0), c);
      const auto offset = row.mean - call.in(1)(c);
      call.out(c) = row.var + offset * offset;
    }
  }
};

struct BnPack : WholeBatchNode {
  static constexpr std::string_view name = "bnPack";
  static constexpr std::string_view formula = "a then b";
  static constexpr OperandSpec operands[] = {{"a", false}, {"b", false}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.C}, Shape{s.C}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 1, "[C]");
    rule.requireRank(1, 1, "[C]");
    return Shape{rule.operand(0)[0] + rule.operand(1)[0]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const std::int64_t first = call.in(0).cells();
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = i < first ? call.in(0)[i] : call.in(1)[i - first];
  }
};

/// A packed vector of even length, as one of its halves.
inline Shape requireHalves(const ShapeRule& rule) {
  rule.requireRank(0, 1, "[2C]");
  if (rule.operand(0)[0] % 2 != 0) rule.refuse(0, "[2C], an even length");
  return Shape{rule.operand(0)[0] / 2};
}

struct BnStatsMean : WholeBatchNode {
  static constexpr std::string_view name = "bnStatsMean";
  static constexpr std::string_view formula = "the first half of packed statistics";
  static constexpr OperandSpec operands[] = {{"st", false}};
  static Sample sample(const SampleSize& s) { return {{Shape{2 * s.C}}}; }

  static Shape shape(const ShapeRule& rule) { return requireHalves(rule); }
  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = call.in(0)[i];
  }
};

struct BnStatsVar : WholeBatchNode {
  static constexpr std::string_view name = "bnStatsVar";
  static constexpr std::string_view formula = "the second half of packed statistics";
  static constexpr OperandSpec operands[] = {{"st", false}};
  static Sample sample(const SampleSize& s) { return {{Shape{2 * s.C}}}; }

  static Shape shape(const ShapeRule& rule) { return requireHalves(rule); }
  template <class D>
  static void denote(const Call<D>& call) {
    for (std::int64_t i = 0; i < call.out.cells(); ++i) call.out[i] = call.in(0)[call.out.cells() + i];
  }
};

struct BnSync : PerExampleNode {
  static constexpr std::string_view name = "bnSync";
  static constexpr std::string_view formula = "γ_c·(x − st.μ_c)/√(st.σ²_c + ε) + β_c: pointwise once st is given";
  static constexpr OperandSpec operands[] = {{"x", true}, {"γ", false}, {"β", false}, {"st", false}};
  static constexpr std::span<const AttributeSpec> attributes = epsAttribute;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.C, s.H, s.W}, Shape{s.C}, Shape{s.C}, Shape{2 * s.C}}, epsSample(s)};
  }

  static Shape shape(const ShapeRule& rule) {
    requireMap(rule, 0);
    const std::int64_t channels = rule.operand(0)[0];
    rule.require(1, Shape{channels});
    rule.require(2, Shape{channels});
    rule.require(3, Shape{2 * channels});
    return rule.operand(0);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& x = call.in(0);
    const PackedStatistics<typename D::Scalar> st{call.in(3), x.extent(0)};
    for (std::int64_t c = 0; c < x.extent(0); ++c) {
      const auto istd = call.domain.rsqrt(st.var(c) + call.literal("eps"));
      for (std::int64_t i = 0; i < x.extent(1); ++i)
        for (std::int64_t j = 0; j < x.extent(2); ++j)
          call.out(c, i, j) = call.in(1)(c) * ((x(c, i, j) - st.mean(c)) * istd) + call.in(2)(c);
    }
  }
};

struct BnSyncDyStats : WholeBatchNode {
  static constexpr std::string_view name = "bnSyncDyStats";
  static constexpr std::string_view formula =
      "[st ‖ mean(g) ‖ mean(x̂·g)], g = γ_c·dy, x̂ at st, over the replica's cells";
  static constexpr OperandSpec operands[] = {{"x", true}, {"γ", false}, {"dy", true}, {"st", false}};
  static constexpr std::span<const AttributeSpec> attributes = epsAttribute;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.C, s.H, s.W}, Shape{s.C}, Shape{s.C, s.H, s.W}, Shape{2 * s.C}}, epsSample(s)};
  }

  static Shape shape(const ShapeRule& rule) {
    requireBatch(rule, 0);
    const std::int64_t channels = rule.operand(0)[1];
    rule.require(1, Shape{channels});
    rule.requireSame(0, 2);
    rule.require(3, Shape{2 * channels});
    return Shape{4 * channels};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto &x = call.in(0), &dy = call.in(2);
    const std::int64_t channels = x.extent(1);
    const PackedStatistics<typename D::Scalar> st{call.in(3), channels};
    for (std::int64_t c = 0; c < channels; ++c) {
      const auto istd = call.domain.rsqrt(st.var(c) + call.literal("eps"));
      const auto g = [&](auto n, auto i, auto j) { return call.in(1)(c)*dy(n, c, i, j); };
      const auto xhat = [&](auto n, auto i, auto j) { return (x(n, c, i, j) - st.mean(c)) * istd; };
      call.out(c) = st.mean(c);
      call.out(channels + c) = st.var(c);
      call.out(2 * channels + c) = rowMean(call.domain, x, g);
      call.out(3 * channels + c) =
          rowMean(call.domain, x, [&](auto n, auto i, auto j) { return xhat(n, i, j) * g(n, i, j); });
    }
  }
};

struct BnSyncBack : PerExampleNode {
  static constexpr std::string_view name = "bnSyncBack";
  static constexpr std::string_view formula = "istd·(g_k − mdy_c − x̂_k·mdyx_c), g = γ_c·dy, istd and x̂ from ds";
  static constexpr OperandSpec operands[] = {{"x", true}, {"γ", false}, {"dy", true}, {"ds", false}};
  static constexpr std::span<const AttributeSpec> attributes = epsAttribute;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.C, s.H, s.W}, Shape{s.C}, Shape{s.C, s.H, s.W}, Shape{4 * s.C}}, epsSample(s)};
  }

  static Shape shape(const ShapeRule& rule) {
    requireMap(rule, 0);
    const std::int64_t channels = rule.operand(0)[0];
    rule.require(1, Shape{channels});
    rule.requireSame(0, 2);
    rule.require(3, Shape{4 * channels});
    return rule.operand(0);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto &x = call.in(0), &dy = call.in(2);
    const PackedStatistics<typename D::Scalar> ds{call.in(3), x.extent(0)};
    for (std::int64_t c = 0; c < x.extent(0); ++c) {
      const auto istd = call.domain.rsqrt(ds.var(c) + call.literal("eps"));
      for (std::int64_t i = 0; i < x.extent(1); ++i)
        for (std::int64_t j = 0; j < x.extent(2); ++j) {
          const auto xhat = (x(c, i, j) - ds.mean(c)) * istd;
          call.out(c, i, j) = istd * (call.in(1)(c)*dy(c, i, j) - ds.mdy(c) - xhat * ds.mdyx(c));
        }
    }
  }
};

struct BnSyncGammaGrad : WholeBatchNode {
  static constexpr std::string_view name = "bnSyncGammaGrad";
  static constexpr std::string_view formula = "Σ_k dy_k·x̂_k, x̂ at st: a sum over the replica's cells";
  static constexpr OperandSpec operands[] = {{"x", true}, {"dy", true}, {"st", false}};
  static constexpr std::span<const AttributeSpec> attributes = epsAttribute;
  static constexpr int cotangent = 1;
  static constexpr bool sumsExamples = true;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.C, s.H, s.W}, Shape{s.C, s.H, s.W}, Shape{2 * s.C}}, epsSample(s)};
  }

  static Shape shape(const ShapeRule& rule) {
    requireBatch(rule, 0);
    rule.requireSame(0, 1);
    rule.require(2, Shape{2 * rule.operand(0)[1]});
    return Shape{rule.operand(0)[1]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto &x = call.in(0), &dy = call.in(1);
    const PackedStatistics<typename D::Scalar> st{call.in(2), x.extent(1)};
    for (std::int64_t c = 0; c < call.out.extent(0); ++c) {
      const auto istd = call.domain.rsqrt(st.var(c) + call.literal("eps"));
      typename D::Sum sum;
      forRow(x, [&](auto n, auto i, auto j) { sum.addProduct(dy(n, c, i, j), (x(n, c, i, j) - st.mean(c)) * istd); });
      call.out(c) = sum.total();
    }
  }
};

}  // namespace shardlaw
