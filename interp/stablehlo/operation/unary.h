// Functions of one cell.
#pragma once

#include "interp/stablehlo/operation/functions.h"
#include "interp/stablehlo/operation/pointwise.h"

namespace shardlaw::stablehlo {

struct Abs : UnaryOperation {
  static constexpr std::string_view name = "abs";
  static constexpr std::string_view formula = "|a|: a or −a, whichever is greater";
  static constexpr ElementTypes types{true, true, false, false};
  static constexpr bool rounds = false;

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return absolute(call.domain, a); });
    mapIntegers(call, [](std::int64_t a) { return a < 0 ? wrappingSubtract(0, a) : a; });
  }
};

struct Negate : UnaryOperation {
  static constexpr std::string_view name = "negate";
  static constexpr std::string_view formula = "−a; modulo 2^bits for integers";
  static constexpr ElementTypes types{true, true, false};
  static constexpr bool rounds = false;

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return -a; });
    mapIntegers(call, [](std::int64_t a) { return wrappingSubtract(0, a); });
  }
};

struct Sign : UnaryOperation {
  static constexpr std::string_view name = "sign";
  static constexpr std::string_view formula = "1 above 0, −1 below 0, else a itself";
  static constexpr ElementTypes types{true, true, false, false};
  static constexpr bool rounds = false;

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return signOf(call.domain, a); });
    mapIntegers(call, [](std::int64_t a) {
      return a > 0 ? std::int64_t{1} : a < 0 ? std::int64_t{-1} : std::int64_t{0};
    });
  }
};

struct Sqrt : UnaryOperation {
  static constexpr std::string_view name = "sqrt";
  static constexpr std::string_view formula = "√a";
  static constexpr ElementTypes types{true, false, false};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return call.domain.sqrt(a); });
  }
};

struct Rsqrt : UnaryOperation {
  static constexpr std::string_view name = "rsqrt";
  static constexpr std::string_view formula = "1/√a";
  static constexpr ElementTypes types{true, false, false};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return call.domain.rsqrt(a); });
  }
};

struct Cbrt : UnaryOperation {
  static constexpr std::string_view name = "cbrt";
  static constexpr std::string_view formula = "the real cube root of a";
  static constexpr ElementTypes types{true, false, false};
  static constexpr RefusedIn refused{.bounded = true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return elementary<Elementary::cbrt>(call.domain, a); });
  }
};

struct Exponential : UnaryOperation {
  static constexpr std::string_view name = "exponential";
  static constexpr std::string_view formula = "e^a";
  static constexpr ElementTypes types{true, false, false};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return call.domain.exp(a); });
  }
};

struct ExponentialMinusOne : UnaryOperation {
  static constexpr std::string_view name = "exponential_minus_one";
  static constexpr std::string_view formula = "e^a − 1";
  static constexpr ElementTypes types{true, false, false};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return exponentialMinusOne(call.domain, a); });
  }
};

struct Log : UnaryOperation {
  static constexpr std::string_view name = "log";
  static constexpr std::string_view formula = "the natural logarithm of a";
  static constexpr ElementTypes types{true, false, false};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return call.domain.log(a); });
  }
};

struct LogPlusOne : UnaryOperation {
  static constexpr std::string_view name = "log_plus_one";
  static constexpr std::string_view formula = "the natural logarithm of 1 + a";
  static constexpr ElementTypes types{true, false, false};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return logPlusOne(call.domain, a); });
  }
};

struct Logistic : UnaryOperation {
  static constexpr std::string_view name = "logistic";
  static constexpr std::string_view formula = "1/(1 + e^−a)";
  static constexpr ElementTypes types{true, false, false};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return logistic(call.domain, a); });
  }
};

struct Tanh : UnaryOperation {
  static constexpr std::string_view name = "tanh";
  static constexpr std::string_view formula = "the hyperbolic tangent of a";
  static constexpr ElementTypes types{true, false, false};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return call.domain.tanh(a); });
  }
};

struct Sine : UnaryOperation {
  static constexpr std::string_view name = "sine";
  static constexpr std::string_view formula = "sin a";
  static constexpr ElementTypes types{true, false, false};
  static constexpr RefusedIn refused{.bounded = true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return elementary<Elementary::sine>(call.domain, a); });
  }
};

struct Cosine : UnaryOperation {
  static constexpr std::string_view name = "cosine";
  static constexpr std::string_view formula = "cos a";
  static constexpr ElementTypes types{true, false, false};
  static constexpr RefusedIn refused{.bounded = true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return elementary<Elementary::cosine>(call.domain, a); });
  }
};

struct Tan : UnaryOperation {
  static constexpr std::string_view name = "tan";
  static constexpr std::string_view formula = "sin a / cos a";
  static constexpr ElementTypes types{true, false, false};
  static constexpr RefusedIn refused{.bounded = true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return tangent(call.domain, a); });
  }
};

struct Floor : UnaryOperation {
  static constexpr std::string_view name = "floor";
  static constexpr std::string_view formula = "the largest whole number up to a";
  static constexpr ElementTypes types{true, false, false};
  static constexpr RefusedIn refused{.bounded = true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return elementary<Elementary::floor>(call.domain, a); });
  }
};

struct Ceil : UnaryOperation {
  static constexpr std::string_view name = "ceil";
  static constexpr std::string_view formula = "the least whole number from a on";
  static constexpr ElementTypes types{true, false, false};
  static constexpr RefusedIn refused{.bounded = true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return elementary<Elementary::ceil>(call.domain, a); });
  }
};

struct RoundNearestEven : UnaryOperation {
  static constexpr std::string_view name = "round_nearest_even";
  static constexpr std::string_view formula = "the nearest whole number, of two the even one";
  static constexpr ElementTypes types{true, false, false};
  static constexpr RefusedIn refused{.bounded = true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return elementary<Elementary::roundToEven>(call.domain, a); });
  }
};

struct RoundNearestAfz : UnaryOperation {
  static constexpr std::string_view name = "round_nearest_afz";
  static constexpr std::string_view formula = "the nearest whole number, of two the one farther from 0";
  static constexpr ElementTypes types{true, false, false};
  static constexpr RefusedIn refused{.bounded = true};

  template <class D>
  static void denote(const Call<D>& call) {
    mapFloats(call, [&](const auto& a) { return elementary<Elementary::roundAwayFromZero>(call.domain, a); });
  }
};

struct IsFinite : PointwiseOperation {
  static constexpr std::string_view name = "is_finite";
  static constexpr std::string_view formula = "whether a is neither an infinity nor a NaN";
  static constexpr std::string_view format = "%0 ::function";
  static constexpr ElementTypes types{true, false, false};
  static constexpr int least = 1, most = 1;
  static constexpr bool rounds = false;

  static void check(const TypeRule& rule) { rule.result(0, {DType::boolean, rule.operand(0).shape}); }

  template <class D>
  static void denote(const Call<D>& call) {
    mapTensors(
        call.parallel, call.out().bits(), [&](const auto& a) { return Bit<D>{isFinite(call.domain, a)}; },
        call.in(0).floats());
  }
};

}  // namespace shardlaw::stablehlo
