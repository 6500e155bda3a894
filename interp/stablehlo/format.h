// The pretty forms of operations, each one line that the parser reads text by and the printer writes it by.
//
// The language, a subset of MLIR's declarative assembly formats:
//
//   %0 %1      one operand                       %*      all operands that are left, with commas
//   $name      an attribute by its type: 3, 0.5, EQ, [1, 0], [[1, 1], [0, 2]], dense<…>
//   [ … ]?     left out where the first attribute in it is left out
//   'text ='   that text, in front of what comes next
//   'text'     that text, between two things that no comma parts: [0] x [1]
//   ::same     ": T", the type of every operand and result
//   ::function ": (T, …) -> T" (several results: "-> (T, …)"); read as ::same, too, where all types are one
//   ::results  ": T, …", the types of the results
//   ::operands ": T, …", the types of the operands (select's short form: the predicate's type, then the others'); the
//              result is of the last one
//   ::custom   a form of its own, in custom_form.cc (convolution, slice, reduce, while, …)
//
// Commas stand between operands, attributes and texts that end in "=".
//
// Whatever the form, an attribute dictionary {…} may stand before the types, and the generic form
//   %r = "stablehlo.name"(%a, %b) <{…}> ({regions}) {…} : (T, T) -> T
// is read for every operation.
#pragma once

#include <string_view>
#include <vector>

#include "interp/stablehlo/operation.h"

namespace shardlaw::stablehlo {

enum class FormatKind { operand, operands, attribute, text, groupBegin, groupEnd };

struct FormatItem {
  FormatKind kind;
  std::string_view text;  ///< name of the attribute, or the text
  bool comma;             ///< a comma stands before it, unless it is the first
};

enum class FormatTypes { generic, same, function, results, operands, custom };

struct Format {
  std::vector<FormatItem> items;
  FormatTypes types = FormatTypes::generic;
};

/// A format string, taken apart. Throws std::logic_error where it is none.
Format compileFormat(std::string_view format);

/// The format of an operation of the table.
const Format& formatOf(const OperationInfo& info);

/// The specification of that attribute, or null.
const AttributeSpec* findSpec(const OperationInfo& info, std::string_view name);

}  // namespace shardlaw::stablehlo
