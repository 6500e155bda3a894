// Batch normalization: ε inside the root, biased variances.
#pragma once

#include "interp/stablehlo/operation/rules.h"
#include "interp/stablehlo/operation/walk.h"
#include "interp/stablehlo/round.h"

namespace shardlaw::stablehlo {

namespace detail {

/// The cells of a feature lie in `outer` blocks of `inner` neighbours.
struct FeatureRows {
  std::int64_t outer = 1, features = 1, inner = 1;

  FeatureRows(const Shape& shape, std::int64_t axis) : features(shape[static_cast<int>(axis)]) {
    for (int a = 0; a < shape.rank(); ++a) {
      if (a < axis) outer *= shape[a];
      if (a > axis) inner *= shape[a];
    }
  }
  std::int64_t cells() const { return outer * inner; }
  /// f(position) for the cells of feature c, in row-major order.
  template <class F>
  void each(std::int64_t c, const F& f) const {
    for (std::int64_t o = 0; o < outer; ++o)
      for (std::int64_t i = 0; i < inner; ++i) f((o * features + c) * inner + i);
  }
  /// The mean over feature c of term(position).
  template <class D, class F>
  typename D::Scalar mean(const D& domain, std::int64_t c, const F& term) const {
    typename D::Sum sum;
    each(c, [&](std::int64_t at) { sum.add(term(at)); });
    return sum.total() / domain.literal(Rational(static_cast<long>(cells())));
  }
};

}  // namespace detail

struct NormalizationOperation : LocalOperation {
  static constexpr AttributeSpec specs[] = {{"epsilon", AttributeType::rational, true},
                                            {"feature_index", AttributeType::integer, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr ElementTypes types{true, false, false};
  static constexpr Degrees degrees = Degrees::unknown;
  static constexpr bool rounds = true;

  /// All operands of one element type; operands `features` are vectors of one cell per feature of operand 0, operands
  /// `alike` have its type.
  static void check(const TypeRule& rule, std::span<const std::size_t> features, std::span<const std::size_t> alike);

 protected:
  template <class D>
  static detail::FeatureRows rowsOf(const Call<D>& call) {
    return {call.type(0).shape, call.attributes().integer("feature_index")};
  }
  /// An f32 of the program's.
  template <class D>
  static typename D::Scalar epsilon(const Call<D>& call) {
    return roundTo(call.domain, DType::f32, call.domain.literal(call.attributes().rational("epsilon")));
  }
  /// f(c) for every feature.
  template <class D, class F>
  static void eachFeature(const Call<D>& call, const detail::FeatureRows& rows, const F& f) {
    parallelFor(rows.features, call.parallel && call.in(0).cells() >= parallelCells, f);
  }
};

struct BatchNormTraining : NormalizationOperation {
  static constexpr std::string_view name = "batch_norm_training";
  static constexpr std::string_view formula =
      "γ·(x − μ)/√(σ² + ε) + β with mean μ and biased variance σ² of each feature; μ; σ²";
  static constexpr int least = 3, most = 3;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    using Scalar = typename D::Scalar;
    const D& domain = call.domain;
    const auto rows = rowsOf(call);
    const Scalar eps = epsilon(call);
    const auto &x = call.in(0).floats(), &scale = call.in(1).floats(), &offset = call.in(2).floats();
    auto &out = call.out(0).floats(), &means = call.out(1).floats(), &variances = call.out(2).floats();
    eachFeature(call, rows, [&](std::int64_t c) {
      const Scalar mean = rows.mean(domain, c, [&](std::int64_t at) { return x[at]; });
      // In floats the mean rounds, and on a row far from 0 that error would enter squared: so the deviations give up
      // their own mean, which is 0 in the reals.
      const Scalar residue = rows.mean(domain, c, [&](std::int64_t at) { return x[at] - mean; });
      const Scalar variance = rows.mean(domain, c, [&](std::int64_t at) {
        const Scalar deviation = (x[at] - mean) - residue;
        return deviation * deviation;
      });
      means[c] = mean;
      variances[c] = variance;
      const Scalar istd = domain.rsqrt(variance + eps);
      rows.each(c, [&](std::int64_t at) { out[at] = scale[c] * ((x[at] - mean) * istd) + offset[c]; });
    });
  }
};

struct BatchNormInference : NormalizationOperation {
  static constexpr std::string_view name = "batch_norm_inference";
  static constexpr std::string_view formula = "γ·(x − μ)/√(σ² + ε) + β with mean and variance given";
  static constexpr int least = 5, most = 5;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    using Scalar = typename D::Scalar;
    const auto rows = rowsOf(call);
    const Scalar eps = epsilon(call);
    const auto &x = call.in(0).floats(), &scale = call.in(1).floats(), &offset = call.in(2).floats(),
               &mean = call.in(3).floats(), &variance = call.in(4).floats();
    auto& out = call.out().floats();
    eachFeature(call, rows, [&](std::int64_t c) {
      const Scalar istd = call.domain.rsqrt(variance[c] + eps);
      rows.each(c, [&](std::int64_t at) { out[at] = scale[c] * ((x[at] - mean[c]) * istd) + offset[c]; });
    });
  }
};

struct BatchNormGrad : NormalizationOperation {
  static constexpr std::string_view name = "batch_norm_grad";
  static constexpr std::string_view formula =
      "the derivative of batch_norm_training: γ/√(σ² + ε)·(dy − mean(dy) − x̂·mean(x̂·dy)); Σ dy·x̂; Σ dy";
  static constexpr int least = 5, most = 5;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    using Scalar = typename D::Scalar;
    const D& domain = call.domain;
    const auto rows = rowsOf(call);
    const Scalar eps = epsilon(call), count = domain.literal(Rational(static_cast<long>(rows.cells())));
    const auto &x = call.in(0).floats(), &scale = call.in(1).floats(), &mean = call.in(2).floats(),
               &variance = call.in(3).floats(), &dy = call.in(4).floats();
    auto &dx = call.out(0).floats(), &dScale = call.out(1).floats(), &dOffset = call.out(2).floats();
    eachFeature(call, rows, [&](std::int64_t c) {
      const Scalar istd = domain.rsqrt(variance[c] + eps);
      const auto xhat = [&](std::int64_t at) { return (x[at] - mean[c]) * istd; };
      typename D::Sum ofScale, ofOffset;
      rows.each(c, [&](std::int64_t at) {
        ofScale.addProduct(dy[at], xhat(at));
        ofOffset.add(dy[at]);
      });
      dScale[c] = ofScale.total();
      dOffset[c] = ofOffset.total();
      if (rows.cells() == 0) return;
      const Scalar meanDy = dOffset[c] / count, meanDyX = dScale[c] / count, factor = scale[c] * istd;
      rows.each(c, [&](std::int64_t at) { dx[at] = factor * (dy[at] - meanDy - xhat(at) * meanDyX); });
    });
  }
};

}  // namespace shardlaw::stablehlo
