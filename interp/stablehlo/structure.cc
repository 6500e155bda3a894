#include "interp/stablehlo/structure.h"

#include <algorithm>
#include <array>

#include "interp/stablehlo/format.h"

namespace shardlaw::stablehlo {
namespace {

using Names = std::string_view;

constexpr Names dotParts[] = {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                              "rhs_contracting_dimensions"};
constexpr Names convParts[] = {
    "input_batch_dimension",          "input_feature_dimension",         "input_spatial_dimensions",
    "kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions",
    "output_batch_dimension",         "output_feature_dimension",        "output_spatial_dimensions"};
constexpr Names gatherParts[] = {"offset_dims",           "collapsed_slice_dims",
                                 "operand_batching_dims", "start_indices_batching_dims",
                                 "start_index_map",       "index_vector_dim"};
constexpr Names scatterParts[] = {"update_window_dims",           "inserted_window_dims",
                                  "input_batching_dims",          "scatter_indices_batching_dims",
                                  "scatter_dims_to_operand_dims", "index_vector_dim"};

constexpr Structure structures[] = {{"dot_dimension_numbers", "dot", dotParts},
                                    {"dimension_numbers", "conv", convParts},
                                    {"dimension_numbers", "gather", gatherParts},
                                    {"scatter_dimension_numbers", "scatter", scatterParts}};

}  // namespace

const Structure* structureOf(const OperationInfo& info) {
  for (const Structure& s : structures)
    if (findSpec(info, s.parts[0]) != nullptr) return &s;
  return nullptr;
}

Spelling spellingOf(std::string_view attribute) {
  struct Named {
    std::string_view attribute;
    Spelling spelling;
  };
  static constexpr std::array<Named, 14> all{{{"is_stable", Spelling::boolean},
                                              {"indices_are_sorted", Spelling::boolean},
                                              {"unique_indices", Spelling::boolean},
                                              {"is_host_transfer", Spelling::boolean},
                                              {"has_side_effect", Spelling::boolean},
                                              {"lower", Spelling::boolean},
                                              {"window_reversal", Spelling::booleans},
                                              {"use_global_device_ids", Spelling::unit},
                                              {"exponent_bits", Spelling::i32},
                                              {"mantissa_bits", Spelling::i32},
                                              {"channel_id", Spelling::channelHandle},
                                              {"comparison_direction", Spelling::direction},
                                              {"compare_type", Spelling::comparison},
                                              {"rng_algorithm", Spelling::algorithm}}};
  const auto* found = std::find_if(all.begin(), all.end(), [&](const Named& n) { return n.attribute == attribute; });
  return found == all.end() ? Spelling::plain : found->spelling;
}

bool isHint(std::string_view attribute) {
  static constexpr std::array<std::string_view, 9> hints{"precision_config", "precision",      "algorithm",
                                                         "result_accuracy",  "unique_indices", "indices_are_sorted",
                                                         "backend_config",   "no_inline",      "sharding"};
  // Those of a dialect are discardable: mhlo.sharding, mhlo.frontend_attributes, xla.…
  return attribute.find('.') != std::string_view::npos ||
         std::find(hints.begin(), hints.end(), attribute) != hints.end();
}

}  // namespace shardlaw::stablehlo
