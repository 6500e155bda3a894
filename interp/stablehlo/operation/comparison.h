// compare, and what chooses by comparisons: select, clamp.
#pragma once

#include <bit>
#include <optional>

#include "interp/stablehlo/operation/functions.h"
#include "interp/stablehlo/operation/pointwise.h"

namespace shardlaw::stablehlo {

enum class Direction { eq, ne, ge, gt, le, lt };

/// Of "EQ", …; nothing for another word.
std::optional<Direction> directionOf(std::string_view word);
/// Of a region that is one comparison of its first two arguments, in that order or turned round; nothing for another
/// region, or for the total order.
std::optional<Direction> comparisonOf(const Region& region);

/// Whether it holds of values, some of which follow from less() alone.
template <Direction direction, class T>
bool holds(const T& a, const T& b) {
  switch (direction) {
    case Direction::eq: return a == b;
    case Direction::ne: return a != b;
    case Direction::ge: return a >= b;
    case Direction::gt: return a > b;
    case Direction::le: return a <= b;
    case Direction::lt: return a < b;
  }
}

/// a and b compared as floats. A NaN is unequal to everything, and no other comparison holds of it.
template <Direction direction, class D>
typename D::Truth compareFloats(const D& domain, const typename D::Scalar& a, const typename D::Scalar& b) {
  if constexpr (isIeee<D>) return holds<direction>(a, b);
  else if constexpr (isBounded<D>) return {holds<direction>(a.value, b.value), domain.less(a, b).certain};
  else if constexpr (direction == Direction::lt) return domain.less(a, b);
  else if constexpr (direction == Direction::gt) return domain.less(b, a);
  else if constexpr (isWide<D>) {
    if constexpr (direction == Direction::eq) return a == b;
    else if constexpr (direction == Direction::ne) return !(a == b);
    else if constexpr (direction == Direction::le) return domain.less(a, b) || a == b;
    else return domain.less(b, a) || a == b;
  } else if constexpr (direction == Direction::ge) return !domain.less(a, b);
  else if constexpr (direction == Direction::le) return !domain.less(b, a);
  else {
    const bool equal = !domain.less(a, b) && !domain.less(b, a);
    return equal == (direction == Direction::eq);
  }
}

/// In the total order of IEEE 754-2019, 5.10: −NaN, −∞, …, −0, +0, …, ∞, NaN.
template <Direction direction, class D>
typename D::Truth compareTotally(const D&, const typename D::Scalar& a, const typename D::Scalar& b) {
  if constexpr (isIeee<D>) {
    using Bits = std::conditional_t<sizeof(typename D::Scalar) == 8, std::int64_t, std::int32_t>;
    const auto key = [](typename D::Scalar x) {
      const auto bits = std::bit_cast<Bits>(x);
      return bits < 0 ? static_cast<Bits>(bits ^ std::numeric_limits<Bits>::max()) : bits;
    };
    return holds<direction>(key(a), key(b));
  } else {
    refuseIn(D::name, "comparison in the total order of floats");
  }
}

template <Direction direction, class Truth>
Truth compareBits(const Truth& a, const Truth& b) {
  const Truth notA = !a, notB = !b;
  const Truth below = static_cast<Truth>(notA & b), above = static_cast<Truth>(a & notB);
  switch (direction) {
    case Direction::eq: return !static_cast<Truth>(below | above);
    case Direction::ne: return static_cast<Truth>(below | above);
    case Direction::ge: return !below;
    case Direction::gt: return above;
    case Direction::le: return !above;
    case Direction::lt: return below;
  }
}

/// Calls f(std::integral_constant<Direction, direction>).
template <class F>
decltype(auto) withDirection(Direction direction, const F& f) {
  switch (direction) {
    case Direction::eq: return f(std::integral_constant<Direction, Direction::eq>());
    case Direction::ne: return f(std::integral_constant<Direction, Direction::ne>());
    case Direction::ge: return f(std::integral_constant<Direction, Direction::ge>());
    case Direction::gt: return f(std::integral_constant<Direction, Direction::gt>());
    case Direction::le: return f(std::integral_constant<Direction, Direction::le>());
    default: return f(std::integral_constant<Direction, Direction::lt>());
  }
}

struct Compare : PointwiseOperation {
  static constexpr std::string_view name = "compare";
  static constexpr std::string_view formula = "whether a = b, a ≠ b, a ≥ b, a > b, a ≤ b or a < b";
  static constexpr std::string_view format = "$comparison_direction %0 %1 [ $compare_type ]? ::function";
  static constexpr AttributeSpec specs[] = {{"comparison_direction", AttributeType::keyword, true},
                                            {"compare_type", AttributeType::keyword}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr ElementTypes types{true, true, true};
  static constexpr RefusedIn refused{
      .exact = true, .wide = true, .bounded = true, .degree = true, .what = "the total order of floats"};
  static constexpr int least = 2, most = 2;
  static constexpr bool rounds = false;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    const auto direction = *directionOf(call.attributes().keyword("comparison_direction", "EQ"));
    const bool total = call.attributes().keyword("compare_type", "") == "TOTALORDER";
    withDirection(direction, [&](auto constant) { withType<constant()>(call, total); });
  }

 private:
  template <Direction direction, class D>
  static void withType(const Call<D>& call, bool total) {
    const DType element = call.type(0).element;
    const auto map = [&](const auto& a, const auto& b, const auto& f) {
      mapTensors(
          call.parallel, call.out().bits(), [&](const auto& x, const auto& y) { return Bit<D>{f(x, y)}; }, a, b);
    };
    if (isBoolean(element)) {
      map(call.in(0).bits(), call.in(1).bits(),
          [](const auto& a, const auto& b) { return compareBits<direction>(a.truth, b.truth); });
    } else if (isUnsigned(element)) {
      map(call.in(0).integers(), call.in(1).integers(), [](std::int64_t a, std::int64_t b) {
        return truthOf<D>(holds<direction>(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
      });
    } else if (isInteger(element)) {
      map(call.in(0).integers(), call.in(1).integers(),
          [](std::int64_t a, std::int64_t b) { return truthOf<D>(holds<direction>(a, b)); });
    } else if (total) {
      map(call.in(0).floats(), call.in(1).floats(),
          [&](const auto& a, const auto& b) { return compareTotally<direction>(call.domain, a, b); });
    } else {
      map(call.in(0).floats(), call.in(1).floats(),
          [&](const auto& a, const auto& b) { return compareFloats<direction>(call.domain, a, b); });
    }
  }
};

struct Select : PointwiseOperation {
  static constexpr std::string_view name = "select";
  static constexpr std::string_view formula =
      "a where the predicate holds, else b; the predicate may be one cell for all";
  static constexpr std::string_view format = "%0 %1 %2 ::operands";
  static constexpr int least = 3, most = 3;
  static constexpr bool rounds = false;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    if (call.in(1).isFloats()) {
      choose(call, call.out().floats(), call.in(1).floats(), call.in(2).floats(),
             [&](const auto& t, const auto& a, const auto& b) { return call.domain.select(t.truth, a, b); });
    } else if (isBoolean(call.type(1).element)) {
      choose(call, call.out().bits(), call.in(1).bits(), call.in(2).bits(),
             [](const auto& t, const auto& a, const auto& b) {
               const auto otherwise = !t.truth;
               return Bit<D>{static_cast<typename D::Truth>((t.truth & a.truth) | (otherwise & b.truth))};
             });
    } else {
      choose(call, call.out().integers(), call.in(1).integers(), call.in(2).integers(),
             [](const auto& t, std::int64_t a, std::int64_t b) {
               return a == b || certainly<D>(t.truth, "the choice of an integer") ? a : b;
             });
    }
  }

 private:
  template <class D, class T, class F>
  static void choose(const Call<D>& call, T& out, const T& a, const T& b, const F& f) {
    const auto& predicate = call.in(0).bits();
    if (predicate.cells() == out.cells()) return mapTensors(call.parallel, out, f, predicate, a, b);
    mapTensors(
        call.parallel, out, [&](const auto& x, const auto& y) { return f(predicate[0], x, y); }, a, b);
  }
};

struct Clamp : PointwiseOperation {
  static constexpr std::string_view name = "clamp";
  static constexpr std::string_view formula = "min(max(x, lowest), highest); both limits may be one cell for all";
  static constexpr std::string_view format = "%0 %1 %2 ::function";
  static constexpr ElementTypes types{true, true, true};
  static constexpr int least = 3, most = 3;
  static constexpr bool rounds = false;

  static void check(const TypeRule& rule);

  template <class D>
  static void denote(const Call<D>& call) {
    const DType element = call.type(1).element;
    if (call.in(1).isFloats()) {
      limit(call, call.out().floats(), call.in(0).floats(), call.in(1).floats(), call.in(2).floats(),
            [&](const auto& low, const auto& x, const auto& high) {
              return call.domain.min(call.domain.max(x, low), high);
            });
    } else if (isBoolean(element)) {
      limit(call, call.out().bits(), call.in(0).bits(), call.in(1).bits(), call.in(2).bits(),
            [](const auto& low, const auto& x, const auto& high) {
              return Bit<D>{static_cast<typename D::Truth>((x.truth | low.truth) & high.truth)};
            });
    } else {
      limit(call, call.out().integers(), call.in(0).integers(), call.in(1).integers(), call.in(2).integers(),
            [&](std::int64_t low, std::int64_t x, std::int64_t high) {
              const std::int64_t raised = lessThan(element, x, low) ? low : x;
              return lessThan(element, high, raised) ? high : raised;
            });
    }
  }

 private:
  template <class D, class T, class F>
  static void limit(const Call<D>& call, T& out, const T& low, const T& x, const T& high, const F& f) {
    const std::int64_t lowStep = low.shape().rank() == 0 ? 0 : 1, highStep = high.shape().rank() == 0 ? 0 : 1;
    parallelBlocks(out.cells(), call.parallel && out.cells() >= parallelCells,
                   [&](std::int64_t first, std::int64_t last) {
                     for (std::int64_t i = first; i < last; ++i) out[i] = f(low[i * lowStep], x[i], high[i * highStep]);
                   });
  }
};

}  // namespace shardlaw::stablehlo
