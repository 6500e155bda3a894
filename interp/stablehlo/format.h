// The pretty forms of operations, each one line that the parser reads text by and the printer writes it by.
//
// The language, a subset of MLIR's declarative assembly formats:
//
//   %0 %1      one operand                       %*      all operands that are left, with commas
//   $name      an attribute by its type: 3, 0.5, EQ, [1, 0], [[1, 1], [0, 2]], dense<…>
//   [ … ]?     left out where the first attribute in it is left out
//   'text'     that text
//   ::same     ": T", the type of every operand and result
//   ::function ": (T, …) -> T" (several results: "-> (T, …)"); read as ::same, too, where all types are one
//   ::results  ": T, …", the types of the results
//   ::operands ": T, …", the types of the operands (select's short form: the predicate's type, then the others')
//   ::custom   a form of its own, in custom_form.cc (convolution, slice, reduce, while, …)
//
// Whatever the form, an attribute dictionary {…} may stand before the types, and the generic form
//   %r = "stablehlo.name"(%a, %b) <{…}> ({regions}) {…} : (T, T) -> T
// is read for every operation.
#pragma once
