// Pooling of SEMANTICS 2.2.
#pragma once

#include "interp/ir/builder.h"
#include "interp/node/convolution.h"
#include "interp/node/nodes.h"

namespace shardlaw {

/// A square pooling window of stride 2: window i covers cells 2i−before … 2i−before+size−1.
template <int Size, int Before>
struct PoolWindow {
  static constexpr int size = Size;
  static constexpr int before = Before;

  /// The maximum over window (i, j) of channel c; cells outside the map are −∞.
  template <class D, class S = typename D::Scalar>
  static S maximum(const D& domain, View<const S> x, std::int64_t c, std::int64_t i, std::int64_t j) {
    S best = domain.lowest();
    for (std::int64_t u = 2 * i - before; u < 2 * i - before + size; ++u)
      for (std::int64_t v = 2 * j - before; v < 2 * j - before + size; ++v)
        best = domain.max(inside(x, u, v) ? x(c, u, v) : domain.lowest(), best);
    return best;
  }

  /// Whether (u, v) is the first maximum of window (i, j) in row-major order: it exceeds every cell before
  /// it, and no cell after it exceeds it.
  template <class D, class S = typename D::Scalar>
  static typename D::Truth isFirstMaximum(const D& domain, View<const S> x, std::int64_t c, std::int64_t i,
                                          std::int64_t j, std::int64_t u, std::int64_t v) {
    typename D::Truth first{true};
    for (std::int64_t s = 2 * i - before; s < 2 * i - before + size; ++s)
      for (std::int64_t t = 2 * j - before; t < 2 * j - before + size; ++t) {
        if (!inside(x, s, t) || (s == u && t == v)) continue;
        const bool earlier = s < u || (s == u && t < v);
        first = first & (earlier ? domain.exceeds(x(c, u, v), x(c, s, t)) : !domain.exceeds(x(c, s, t), x(c, u, v)));
      }
    return first;
  }

  /// The windows along one axis that hold the cell at u: the first, and one past the last.
  static std::int64_t firstWindow(std::int64_t u) { return std::max<std::int64_t>(0, (u + before - size + 2) / 2); }
  static std::int64_t endWindow(std::int64_t u, std::int64_t windows) {
    return std::min(windows, (u + before) / 2 + 1);
  }

 private:
  template <class S>
  static bool inside(View<S> x, std::int64_t u, std::int64_t v) {
    return u >= 0 && u < x.extent(1) && v >= 0 && v < x.extent(2);
  }
};

/// dx[c,u,v] = Σ over the windows that hold (u, v) of dy where (u, v) is the window's chosen cell.
template <class Window, class D, class Chosen>
void poolBack(const Call<D>& call, const Chosen& chosen) {
  using S = typename D::Scalar;
  const auto &x = call.in(0), &dy = call.in(1);
  for (std::int64_t c = 0; c < x.extent(0); ++c)
    for (std::int64_t u = 0; u < x.extent(1); ++u)
      for (std::int64_t v = 0; v < x.extent(2); ++v) {
        typename D::Sum sum;
        for (std::int64_t i = Window::firstWindow(u); i < Window::endWindow(u, dy.extent(1)); ++i)
          for (std::int64_t j = Window::firstWindow(v); j < Window::endWindow(v, dy.extent(2)); ++j)
            sum.add(call.domain.select(chosen(x, c, i, j, u, v), dy(c, i, j), S{}));
        call.out(c, u, v) = sum.total();
      }
}

template <class Window, class D>
void poolForward(const Call<D>& call) {
  fillMap(call.out, [&](auto c, auto i, auto j) { return Window::maximum(call.domain, call.in(0), c, i, j); });
}

template <class Window, class D>
void firstMaximumBack(const Call<D>& call) {
  poolBack<Window>(call, [&](const auto& x, auto c, auto i, auto j, auto u, auto v) {
    return Window::isFirstMaximum(call.domain, x, c, i, j, u, v);
  });
}

struct MaxPool2 : PerExampleNode {
  using Window = PoolWindow<2, 0>;
  static constexpr std::string_view name = "maxPool2";
  static constexpr std::string_view formula = "max of cells (2i..2i+1, 2j..2j+1)";
  static constexpr OperandSpec operands[] = {{"x", true}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, 2 * s.H, 2 * s.W}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 3, "[C,2h,2w]");
    requireEvenMap(rule, 0);
    return Shape{rule.operand(0)[0], rule.operand(0)[1] / 2, rule.operand(0)[2] / 2};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    poolForward<Window>(call);
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::maxPool2Back, {rule.operand(0), rule.dy()}));
  }
};

struct MaxPool2Back : PerExampleNode {
  using Window = MaxPool2::Window;
  static constexpr std::string_view name = "maxPool2Back";
  static constexpr std::string_view formula = "each window adds its dy to its first maximum in row-major order";
  static constexpr OperandSpec operands[] = {{"x", true}, {"dy", true}};
  static constexpr int cotangent = 1;
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, 2 * s.H, 2 * s.W}, Shape{s.C, s.H, s.W}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.require(1, MaxPool2::shape(rule));
    return rule.operand(0);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    firstMaximumBack<Window>(call);
  }
};

struct MaxPool3 : PerExampleNode {
  using Window = PoolWindow<3, 1>;
  static constexpr std::string_view name = "maxPool3";
  static constexpr std::string_view formula = "max of cells (2i−1..2i+1, 2j−1..2j+1), −∞ outside the map";
  static constexpr OperandSpec operands[] = {{"x", true}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 3, "[C,H,W]");
    return Shape{rule.operand(0)[0], (rule.operand(0)[1] + 1) / 2, (rule.operand(0)[2] + 1) / 2};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    poolForward<Window>(call);
  }
  static void adjoint(AdjointRule& rule) {
    rule.set(0, rule.builder.apply(nodes::maxPool3Back, {rule.operand(0), rule.dy()}));
  }
};

struct MaxPool3Back : PerExampleNode {
  using Window = MaxPool3::Window;
  static constexpr std::string_view name = "maxPool3Back";
  static constexpr std::string_view formula =
      "each window adds its dy to its first maximum in row-major order; windows overlap";
  static constexpr OperandSpec operands[] = {{"x", true}, {"dy", true}};
  static constexpr int cotangent = 1;
  static Sample sample(const SampleSize& s) {
    return {{Shape{s.C, s.H, s.W}, Shape{s.C, (s.H + 1) / 2, (s.W + 1) / 2}}};
  }

  static Shape shape(const ShapeRule& rule) {
    rule.require(1, MaxPool3::shape(rule));
    return rule.operand(0);
  }
  template <class D>
  static void denote(const Call<D>& call) {
    firstMaximumBack<Window>(call);
  }
};

struct Gap : PerExampleNode {
  static constexpr std::string_view name = "gap";
  static constexpr std::string_view formula = "mean over h·w";
  static constexpr OperandSpec operands[] = {{"x", true}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.C, s.H, s.W}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 3, "[C,H,W]");
    if (rule.operand(0)[1] * rule.operand(0)[2] == 0) rule.refuse(0, "a map with at least one cell");
    return Shape{rule.operand(0)[0]};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& x = call.in(0);
    const auto cells = call.domain.literal(x.extent(1) * x.extent(2));
    for (std::int64_t c = 0; c < x.extent(0); ++c) {
      typename D::Sum sum;
      for (std::int64_t i = 0; i < x.extent(1); ++i)
        for (std::int64_t j = 0; j < x.extent(2); ++j) sum.add(x(c, i, j));
      call.out(c) = sum.total() / cells;
    }
  }
  static void adjoint(AdjointRule& rule) {
    const Shape x = rule.shape(0);
    rule.set(0, rule.builder.apply(nodes::gapBack, {rule.dy()}, {{"H", Attribute{x[2]}}, {"W", Attribute{x[3]}}}));
  }
};

struct GapBack : PerExampleNode {
  static constexpr std::string_view name = "gapBack";
  static constexpr std::string_view formula = "dg/(h·w) at every cell";
  static constexpr OperandSpec operands[] = {{"dg", true}};
  static constexpr AttributeSpec extents[] = {{"H", AttributeType::integer}, {"W", AttributeType::integer}};
  static constexpr std::span<const AttributeSpec> attributes = extents;
  static constexpr int cotangent = 0;
  static Sample sample(const SampleSize& s) { return {{Shape{s.C}}, {{"H", Attribute{s.H}}, {"W", Attribute{s.W}}}}; }

  static Shape shape(const ShapeRule& rule) {
    rule.requireRank(0, 1, "[C]");
    return Shape{rule.operand(0)[0], positive(rule, "H"), positive(rule, "W")};
  }
  template <class D>
  static void denote(const Call<D>& call) {
    const auto cells = call.domain.literal(call.out.extent(1) * call.out.extent(2));
    fillMap(call.out, [&](auto c, auto, auto) { return call.in(0)(c) / cells; });
  }
};

}  // namespace shardlaw
