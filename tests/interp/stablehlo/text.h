// Programs as text, for tests.
#pragma once

#include <string>
#include <string_view>

#include "interp/error.h"
#include "interp/stablehlo/reader.h"

namespace shardlaw::stablehlo::test {

inline Module read(std::string_view text, const ReadOptions& options = {}) {
  return parseModule(text, "a.mlir", options);
}

/// A function of these arguments around some operations; it returns nothing.
inline std::string body(const std::string& arguments, const std::string& operations) {
  return "func.func @main(" + arguments + ") {\n" + operations + "\nreturn\n}\n";
}

/// The constant `dense<…> : tensor<…>`, read from a program.
inline Literal constant(const std::string& text, const ReadOptions& options = {}) {
  const Module module = read(body("", "%0 = stablehlo.constant " + text), options);
  return module.functions[0].body.operations[0].attributes.literal("value");
}

/// The attributes of the only operation of a function of these arguments.
inline Attributes attributesOf(const std::string& arguments, const std::string& operation) {
  return read(body(arguments, operation)).functions[0].body.operations[0].attributes;
}

/// The message with which the text is refused; "accepted" where it is not.
inline std::string refusal(std::string_view text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace shardlaw::stablehlo::test
