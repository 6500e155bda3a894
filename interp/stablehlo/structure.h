// Structured attributes (dimension numbers), which shardlaw keeps as their parts.
#pragma once

#include <span>
#include <string_view>

#include "interp/stablehlo/operation.h"

namespace shardlaw::stablehlo {

struct Structure {
  std::string_view attribute;  ///< "dot_dimension_numbers"
  std::string_view mnemonic;   ///< "dot", of #stablehlo.dot<…>
  std::span<const std::string_view> parts;
};

/// The structure that an operation's attributes are parts of, by their names; null where there is none.
const Structure* structureOf(const OperationInfo& info);

/// How the generic form writes an attribute where its type does not say it.
enum class Spelling {
  plain,
  boolean,        ///< true, false
  booleans,       ///< array<i1: …>
  unit,           ///< the name alone
  i32,            ///< 8 : i32
  channelHandle,  ///< channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
  direction,      ///< #stablehlo<comparison_direction LT>
  comparison,     ///< #stablehlo<comparison_type FLOAT>
  algorithm,      ///< #stablehlo<rng_algorithm THREE_FRY>
};
Spelling spellingOf(std::string_view attribute);

/// Attributes that are read over: they guide a compiler and change no value that a program means.
bool isHint(std::string_view attribute);

}  // namespace shardlaw::stablehlo
