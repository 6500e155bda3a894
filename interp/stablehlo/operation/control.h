// Operations that choose what runs. The evaluator gives them their meaning; here are their types.
#pragma once

#include "interp/stablehlo/operation.h"

namespace shardlaw::stablehlo {

struct While : ControlOperation {
  static constexpr std::string_view name = "while";
  static constexpr std::string_view formula = "runs the body on the values while the condition holds for them";
  static constexpr std::string_view format = "::custom";
  static constexpr int least = 0, most = -1;
  static constexpr int regions = 2;
  static void check(const TypeRule& rule);
};

struct If : ControlOperation {
  static constexpr std::string_view name = "if";
  static constexpr std::string_view formula = "the first region's results if the predicate holds, else the second's";
  static constexpr int least = 1, most = 1;
  static constexpr int regions = 2;
  static void check(const TypeRule& rule);
};

struct Case : ControlOperation {
  static constexpr std::string_view name = "case";
  static constexpr std::string_view formula =
      "the results of the region of that number; of the last one for any other number";
  static constexpr int least = 1, most = 1;
  static constexpr int regions = -1;
  static void check(const TypeRule& rule);
};

/// The rule of a call, for a reader that looks functions up faster than Module::find does; null where there is none.
void checkCall(const TypeRule& rule, const Function* callee);

struct FuncCall : ControlOperation {
  static constexpr std::string_view name = "call";
  static constexpr std::string_view formula = "the results of a function of the module";
  static constexpr std::string_view format = "::custom";
  static constexpr AttributeSpec specs[] = {{"callee", AttributeType::keyword, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 0, most = -1;
  static void check(const TypeRule& rule);
};

}  // namespace shardlaw::stablehlo
