// The header of an .npy file: a dictionary, written as Python would.
#pragma once

#include <string_view>

#include "interp/tensor/array.h"

namespace shardlaw {

/// What the header says of the bytes after it.
struct NpyHeader {
  DType type = DType::f64;
  bool bigEndian = false;
  bool fortran = false;  // the first axis varies fastest
  Shape shape;
};

/// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }, with blanks and one line end around it: these
/// three keys, in any order, each once. Extents may end in L, as Python 2 wrote them. `bf16` is what '<V2' means;
/// without it V2 is refused, since the format has no code for bf16.
///
/// Throws Error, without a location, for anything else; it holds no more memory than its message.
NpyHeader parseNpyHeader(std::string_view text, bool bf16);

/// The dictionary as numpy writes it, without padding; little-endian and row-major.
std::string formatNpyHeader(DType type, const Shape& shape);

}  // namespace shardlaw
