#include "props/mutant/nodes.h"

#include "interp/node/families.h"

namespace shardlaw::mutant_nodes {
namespace {

/// Cell (u, v) is a maximum of window (i, j), wherever it stands in it.
template <class Window, class D, class V>
typename D::Truth isMaximum(const D& domain, const V& x, std::int64_t c, std::int64_t i, std::int64_t j, std::int64_t u,
                            std::int64_t v) {
  return !domain.less(x(c, u, v), Window::maximum(domain, x, c, i, j));
}

/// As isFirstMaximum with the order of the window reversed.
template <class Window, class D, class V>
typename D::Truth isLastMaximum(const D& domain, const V& x, std::int64_t c, std::int64_t i, std::int64_t j,
                                std::int64_t u, std::int64_t v) {
  typename D::Truth last = isMaximum<Window>(domain, x, c, i, j, u, v);
  for (std::int64_t s = 2 * i - Window::before; s < 2 * i - Window::before + Window::size; ++s)
    for (std::int64_t t = 2 * j - Window::before; t < 2 * j - Window::before + Window::size; ++t) {
      const bool later = s > u || (s == u && t > v);
      if (!later || s < 0 || s >= x.extent(1) || t < 0 || t >= x.extent(2)) continue;
      last = last & domain.less(x(c, s, t), x(c, u, v));
    }
  return last;
}

template <class Right>
struct BackLast : Right {
  static constexpr std::string_view name = "maxPoolBackLast";
  template <class D>
  static void denote(const Call<D>& call) {
    poolBack<typename Right::Window>(call, [&](const auto& x, auto c, auto i, auto j, auto u, auto v) {
      return isLastMaximum<typename Right::Window>(call.domain, x, c, i, j, u, v);
    });
  }
};

template <class Right>
struct BackAll : Right {
  static constexpr std::string_view name = "maxPoolBackAll";
  template <class D>
  static void denote(const Call<D>& call) {
    poolBack<typename Right::Window>(call, [&](const auto& x, auto c, auto i, auto j, auto u, auto v) {
      return isMaximum<typename Right::Window>(call.domain, x, c, i, j, u, v);
    });
  }
};

struct SelectPosAtZero : SelectPos {
  static constexpr std::string_view name = "selectPosAtZero";
  template <class D>
  static void denote(const Call<D>& call) {
    const typename D::Scalar zero{};
    for (std::int64_t i = 0; i < call.out.cells(); ++i)
      call.out[i] = call.domain.select(!call.domain.less(call.in(0)[i], zero), call.in(1)[i], zero);
  }
};

struct SelectMidAtSix : SelectMid {
  static constexpr std::string_view name = "selectMidAtSix";
  template <class D>
  static void denote(const Call<D>& call) {
    const typename D::Scalar zero{};
    const auto six = call.domain.literal(6);
    for (std::int64_t i = 0; i < call.out.cells(); ++i) {
      const auto p = call.in(0)[i];
      call.out[i] = call.domain.select(call.domain.less(zero, p) & !call.domain.less(six, p), call.in(1)[i], zero);
    }
  }
};

struct BatchHelper : WholeBatchNode {
  static constexpr std::string_view formula = "";
  static constexpr bool batchedResult = true;
  static constexpr OperandSpec operands[] = {{"v", true}};
  static Sample sample(const SampleSize& s) { return {{Shape{s.C}}}; }
  static Shape shape(const ShapeRule& rule) { return rule.operand(0); }
};

struct RotateExamples : BatchHelper {
  static constexpr std::string_view name = "rotateExamples";
  template <class D>
  static void denote(const Call<D>& call) {
    const std::int64_t cells = call.out.cells(), example = call.out.shape().tail().cells();
    for (std::int64_t i = 0; i < cells; ++i) call.out[i] = call.in(0)[(i + example) % cells];
  }
};

struct FirstExampleOnly : BatchHelper {
  static constexpr std::string_view name = "firstExampleOnly";
  template <class D>
  static void denote(const Call<D>& call) {
    const std::int64_t example = call.out.shape().tail().cells();
    for (std::int64_t i = 0; i < call.out.cells(); ++i)
      call.out[i] = i < example ? call.in(0)[i] : typename D::Scalar{};
  }
};

struct ConvPadsSwapped : Conv {
  static constexpr std::string_view name = "convPadsSwapped";
  template <class D>
  static void denote(const Call<D>& call) {
    const auto &w = call.in(0), &x = call.in(2);
    const std::int64_t rows = padding(w.extent(2)) - padding(w.extent(3)), columns = -rows;
    fillMap(call.out, [&](auto o, auto i, auto j) { return convAt<D>(w, call.in(1)(o), x, o, i + rows, j + columns); });
  }
};

struct MaxPool3ZeroPadded : MaxPool3 {
  static constexpr std::string_view name = "maxPool3ZeroPadded";
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& x = call.in(0);
    for (std::int64_t c = 0; c < call.out.extent(0); ++c)
      for (std::int64_t i = 0; i < call.out.extent(1); ++i)
        for (std::int64_t j = 0; j < call.out.extent(2); ++j) {
          auto best = Window::maximum(call.domain, x, c, i, j);
          const bool edge = i == 0 || j == 0 || 2 * i + 1 >= x.extent(1) || 2 * j + 1 >= x.extent(2);
          if (edge) best = call.domain.max(typename D::Scalar{}, best);
          call.out(c, i, j) = best;
        }
  }
};

struct EpsOutside {
  template <class D, class S = typename D::Scalar>
  static S istd(const D& domain, S var, S eps) {
    return domain.literal(1) / (domain.sqrt(var) + eps);
  }
};
struct EpsMissing {
  template <class D, class S = typename D::Scalar>
  static S istd(const D& domain, S var, S) {
    return domain.rsqrt(var);
  }
};
struct EpsFloor {
  template <class D, class S = typename D::Scalar>
  static S istd(const D& domain, S var, S eps) {
    return domain.rsqrt(domain.max(var, eps));
  }
};

template <class Rule>
struct BnSyncWith : BnSync {
  static constexpr std::string_view name = "bnSyncWithAnotherEps";
  template <class D>
  static void denote(const Call<D>& call) {
    const auto& x = call.in(0);
    const PackedStatistics<typename D::Scalar> st{call.in(3), x.extent(0)};
    for (std::int64_t c = 0; c < x.extent(0); ++c) {
      const auto istd = Rule::istd(call.domain, st.var(c), call.literal("eps"));
      for (std::int64_t i = 0; i < x.extent(1); ++i)
        for (std::int64_t j = 0; j < x.extent(2); ++j)
          call.out(c, i, j) = call.in(1)(c) * ((x(c, i, j) - st.mean(c)) * istd) + call.in(2)(c);
    }
  }
};

struct AdamwEpsInside : Adamw {
  static constexpr std::string_view name = "adamwEpsInside";
  template <class D>
  static void denote(const Call<D>& call) {
    const auto lr = call.in(3)[0], decay = call.literal("decay") * lr;
    for (std::int64_t i = 0; i < call.out.cells(); ++i) {
      const auto root = call.domain.sqrt(call.in(2)[i] / call.in(5)[0] + call.literal("eps"));
      call.out[i] = call.in(0)[i] - lr * (call.in(1)[i] / call.in(4)[0] / root) - decay * call.in(0)[i];
    }
  }
};

struct AdamwDecayWithoutRate : Adamw {
  static constexpr std::string_view name = "adamwDecayWithoutRate";
  template <class D>
  static void denote(const Call<D>& call) {
    const auto lr = call.in(3)[0], decay = call.literal("decay");
    for (std::int64_t i = 0; i < call.out.cells(); ++i) {
      const auto root = call.domain.sqrt(call.in(2)[i] / call.in(5)[0]) + call.literal("eps");
      call.out[i] = call.in(0)[i] - lr * (call.in(1)[i] / call.in(4)[0] / root) - decay * call.in(0)[i];
    }
  }
};

}  // namespace

const Node adamwEpsInside = makeNode<AdamwEpsInside>();
const Node adamwDecayWithoutRate = makeNode<AdamwDecayWithoutRate>();
const Node maxPool2BackLast = makeNode<BackLast<MaxPool2Back>>();
const Node maxPool3BackLast = makeNode<BackLast<MaxPool3Back>>();
const Node maxPool2BackAll = makeNode<BackAll<MaxPool2Back>>();
const Node maxPool3BackAll = makeNode<BackAll<MaxPool3Back>>();
const Node selectPosAtZero = makeNode<SelectPosAtZero>();
const Node selectMidAtSix = makeNode<SelectMidAtSix>();
const Node rotateExamples = makeNode<RotateExamples>();
const Node firstExampleOnly = makeNode<FirstExampleOnly>();
const Node convPadsSwapped = makeNode<ConvPadsSwapped>();
const Node maxPool3ZeroPadded = makeNode<MaxPool3ZeroPadded>();
const Node bnSyncEpsOutside = makeNode<BnSyncWith<EpsOutside>>();
const Node bnSyncEpsMissing = makeNode<BnSyncWith<EpsMissing>>();
const Node bnSyncEpsFloor = makeNode<BnSyncWith<EpsFloor>>();

std::span<const Node* const> all() {
  static const Node* const table[] = {&maxPool2BackLast, &maxPool3BackLast,   &maxPool2BackAll,      &maxPool3BackAll,
                                      &selectPosAtZero,  &selectMidAtSix,     &rotateExamples,       &firstExampleOnly,
                                      &bnSyncEpsOutside, &bnSyncEpsMissing,   &bnSyncEpsFloor,       &convPadsSwapped,
                                      &adamwEpsInside,   &maxPool3ZeroPadded, &adamwDecayWithoutRate};
  return table;
}

}  // namespace shardlaw::mutant_nodes
