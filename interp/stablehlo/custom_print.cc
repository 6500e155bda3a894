// The custom forms, written. custom_form.cc reads them.
#include <array>

#include "interp/stablehlo/operation/fold.h"
#include "interp/stablehlo/print_context.h"

namespace shardlaw::stablehlo {
namespace {

void constant(Printer& printer, const Operation& operation) {
  printer.out += " " + toString(operation.attributes.literal("value"));
}

void call(Printer& printer, const Operation& operation) {
  printer.out += " " + symbolText(operation.attributes.keyword("callee", "")) + "(";
  printer.operands(operation);
  printer.out += ")";
  printer.functionType(operation);
}

void slice(Printer& printer, const Operation& operation) {
  const auto start = operation.attributes.integers("start_indices"),
             limit = operation.attributes.integers("limit_indices"), strides = operation.attributes.integers("strides");
  printer.out += " ";
  printer.operands(operation);
  printer.out += " [";
  for (std::size_t i = 0; i < start.size(); ++i) {
    printer.out += (i > 0 ? ", " : "") + std::to_string(start[i]) + ":" + std::to_string(limit[i]);
    if (strides[i] != 1) printer.out += ":" + std::to_string(strides[i]);
  }
  printer.out += "]";
  printer.functionType(operation);
}

void reducePrecision(Printer& printer, const Operation& operation) {
  printer.out += " ";
  printer.operands(operation);
  printer.out += ", format = e" + std::to_string(operation.attributes.integer("exponent_bits")) + "m" +
                 std::to_string(operation.attributes.integer("mantissa_bits")) + " : ";
  printer.types(operation.results);
}

void whileLoop(Printer& printer, const Operation& operation) {
  const Region &condition = operation.regions[0], &body = operation.regions[1];
  printer.out += "(";
  for (std::size_t i = 0; i < operation.operands.size(); ++i) {
    printer.out += (i > 0 ? ", " : "") + printer.name(body.arguments[i]) + " = " + printer.name(operation.operands[i]);
    printer.alias(condition.arguments[i], body.arguments[i]);
  }
  printer.out += ")";
  if (!operation.operands.empty()) {
    printer.out += " : ";
    printer.types(operation.operands);
  }
  printer.newline();
  printer.out += "cond {";
  printer.regionOperations(condition, "stablehlo.return");
  printer.out += "} do {";
  printer.regionOperations(body, "stablehlo.return");
  printer.out += "}";
}

/// The operation that "applies" names: of the two arguments in their order, alone in the body, and one that commutes.
const Operation* applied(const Region& body) {
  if (combinerOf(body) == Combiner::general) return nullptr;
  return body.operations[0].operands == body.arguments ? &body.operations[0] : nullptr;
}

void reduce(Printer& printer, const Operation& operation) {
  const std::size_t inputs = operation.operands.size() / 2;
  for (std::size_t i = 0; i < inputs; ++i)
    printer.out += (i > 0 ? ", (" : "(") + printer.name(operation.operands[i]) +
                   " init: " + printer.name(operation.operands[inputs + i]) + ")";
  const Region& body = operation.regions[0];
  const Operation* known = inputs == 1 ? applied(body) : nullptr;
  if (known != nullptr) printer.out += " applies " + fullName(*known->info);
  printer.out += " across dimensions = [" + listText(operation.attributes.integers("dimensions"), false) + "]";
  printer.functionType(operation);
  if (known != nullptr) return;
  printer.newline();
  printer.out += "reducer";
  for (std::size_t i = 0; i < inputs; ++i) {
    const ValueId a = body.arguments[i], b = body.arguments[inputs + i];
    printer.out += (i > 0 ? " (" : "(") + printer.name(a) + ": " + toString(printer.type(a)) + ", " + printer.name(b) +
                   ": " + toString(printer.type(b)) + ")";
  }
  printer.out += " {";
  printer.regionOperations(body, "stablehlo.return");
  printer.out += "}";
}

/// "[b, 0, 1, f]".
std::string layout(const Attributes& attributes, std::string_view first, char firstLetter, std::string_view second,
                   char secondLetter, std::string_view spatial) {
  const auto axes = attributes.integers(spatial);
  std::vector<std::string> at(axes.size() + 2);
  at.at(static_cast<std::size_t>(attributes.integer(first))) = firstLetter;
  at.at(static_cast<std::size_t>(attributes.integer(second))) = secondLetter;
  for (std::size_t i = 0; i < axes.size(); ++i) at.at(static_cast<std::size_t>(axes[i])) = std::to_string(i);
  std::string text;
  for (const std::string& axis : at) text += (text.empty() ? "[" : ", ") + axis;
  return text + "]";
}

void convolution(Printer& printer, const Operation& operation) {
  static constexpr std::array<std::string_view, 9> dimensions{
      "input_batch_dimension",          "input_feature_dimension",         "input_spatial_dimensions",
      "kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions",
      "output_batch_dimension",         "output_feature_dimension",        "output_spatial_dimensions"};
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> window{
      {{"stride", "window_strides"},
       {"pad", "padding"},
       {"lhs_dilate", "lhs_dilation"},
       {"rhs_dilate", "rhs_dilation"},
       {"reverse", "window_reversal"}}};
  const Attributes& attributes = operation.attributes;
  printer.out += "(";
  printer.operands(operation);
  printer.out += ") dim_numbers = " + layout(attributes, dimensions[0], 'b', dimensions[1], 'f', dimensions[2]) + "x" +
                 layout(attributes, dimensions[3], 'i', dimensions[4], 'o', dimensions[5]) + "->" +
                 layout(attributes, dimensions[6], 'b', dimensions[7], 'f', dimensions[8]) + ", window = {";
  std::vector<std::string_view> shown(dimensions.begin(), dimensions.end());
  bool first = true;
  for (const auto& [word, attribute] : window) {
    shown.push_back(attribute);
    const Attribute* value = attributes.find(attribute);
    if (value == nullptr) continue;
    printer.out += (first ? "" : ", ") + std::string(word) + " = ";
    printer.prettyAttribute(*findSpec(*operation.info, attribute), *value);
    first = false;
  }
  printer.out += "}";
  printer.dictionary(operation, shown);
  printer.functionType(operation);
}

}  // namespace

CustomWriter customWriter(std::string_view operation) {
#define SHARDLAW_CUSTOM_FORM(name, function) \
  if (operation == (name)) return function;
#include "interp/stablehlo/custom_forms.def"
#undef SHARDLAW_CUSTOM_FORM
  return nullptr;
}

}  // namespace shardlaw::stablehlo
