// Truths of a domain and plain ones.
#pragma once

#include <string>
#include <type_traits>

#include "interp/error.h"
#include "interp/stablehlo/value.h"

namespace shardlaw::stablehlo {

template <class D>
inline constexpr bool isIeee = std::is_floating_point_v<typename D::Scalar>;
template <class D>
inline constexpr bool isBounded = std::is_same_v<typename D::Truth, BoundedTruth>;
template <class D>
inline constexpr bool isWide = std::is_same_v<typename D::Scalar, WideScalar>;
template <class D>
inline constexpr bool isDegree = std::is_same_v<D, Degree> || std::is_same_v<D, SharedDegree>;

template <class D>
typename D::Truth truthOf(bool value) {
  if constexpr (isBounded<D>) return {value, true};
  else return value;
}

/// For what has no bound of its own, as an index has none: throws Error where the truth is uncertain.
template <class D>
bool certainly(const typename D::Truth& truth, const char* what) {
  if constexpr (isBounded<D>) {
    if (!truth.certain) throw Error(std::string(what) + " depends on a comparison that is uncertain in " + D::name);
    return truth.value;
  } else {
    return truth;
  }
}

[[noreturn]] inline void refuseIn(const std::string& domain, const std::string& what) {
  throw Error(what + " has no meaning in the domain " + domain);
}

}  // namespace shardlaw::stablehlo
