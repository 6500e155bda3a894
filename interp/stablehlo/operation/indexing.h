// gather and scatter: slices of a tensor at places that another tensor says.
#pragma once

#include "interp/stablehlo/operation/fold.h"
#include "interp/stablehlo/operation/rules.h"
#include "interp/stablehlo/operation/targets.h"
#include "interp/stablehlo/operation/walk.h"

namespace shardlaw::stablehlo {

/// What gather and scatter have in common. The "tensor" is gather's operand or scatter's inputs, the "slices" gather's
/// result or scatter's updates.
struct Indexing {
  std::vector<std::int64_t> window;     ///< axes of the slices along which one slice lies
  std::vector<std::int64_t> collapsed;  ///< axes of the tensor that slices do not have
  std::vector<std::int64_t> tensorBatch, indexBatch;
  std::vector<std::int64_t> map;    ///< component i of an index is along this axis of the tensor
  std::int64_t vectorAxis = 0;      ///< components lie along this axis of the indices
  std::vector<std::int64_t> sizes;  ///< of a slice along the tensor's axes
};

/// Follows the cells of the slices in row-major order and says which cell of the tensor each is.
class IndexWalk {
 public:
  IndexWalk(const Indexing& indexing, const Shape& tensor, const Shape& indices, const Shape& slices);

  /// f(cell of the slices, position in the tensor, or −1 where it lies outside) for the cells [first, last). `clamps`:
  /// slices are moved inside.
  template <class F>
  void each(const Tensor<std::int64_t>& indices, bool isUnsigned64, bool clamps, std::int64_t first, std::int64_t last,
            const F& f) const {
    for (std::int64_t cell = first; cell < last; ++cell)
      f(cell, positionOf(indices.view().data(), isUnsigned64, clamps, cell));
  }

 private:
  std::int64_t positionOf(const std::int64_t* indices, bool isUnsigned64, bool clamps, std::int64_t cell) const;

  Shape tensor_, slices_;
  std::vector<std::int64_t> tensorStrides_, map_, sizes_;
  /// Per axis of the slices: what it moves in the indices, and which axis of the tensor it runs along, or −1.
  Strides indexStride_{}, windowAxis_{}, batchAxis_{};
  std::int64_t componentStride_ = 0;
};

struct Gather : LocalOperation {
  static constexpr std::string_view name = "gather";
  static constexpr std::string_view formula =
      "slices of the operand that begin at the indices, moved so that all of their cells lie inside";
  static constexpr AttributeSpec specs[] = {
      {"offset_dims", AttributeType::integers},           {"collapsed_slice_dims", AttributeType::integers},
      {"operand_batching_dims", AttributeType::integers}, {"start_indices_batching_dims", AttributeType::integers},
      {"start_index_map", AttributeType::integers},       {"index_vector_dim", AttributeType::integer},
      {"slice_sizes", AttributeType::integers, true},     {"indices_are_sorted", AttributeType::integer}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 2, most = 2;

  static void check(const TypeRule& rule);
  static Indexing indexingOf(const Attributes& attributes);

  template <class D>
  static void denote(const Call<D>& call) {
    const IndexWalk walk(indexingOf(call.attributes()), call.type(0).shape, call.type(1).shape,
                         call.resultType().shape);
    const auto& indices = call.in(1).integers();
    call.in(0).visit([&](const auto& from) {
      auto& to = std::get<std::decay_t<decltype(from)>>(call.out().variant());
      parallelBlocks(to.cells(), call.parallel && to.cells() >= parallelCells,
                     [&](std::int64_t first, std::int64_t last) {
                       walk.each(indices, call.type(1).element == DType::u64, true, first, last,
                                 [&](std::int64_t cell, std::int64_t position) { to[cell] = from[position]; });
                     });
    });
  }
};

/// Updates are applied in row-major order; those that lie outside are left out.
struct Scatter : LocalOperation {
  static constexpr std::string_view name = "scatter";
  static constexpr std::string_view formula =
      "folds the cells of the updates into those of the inputs that the indices say, in row-major order; those outside "
      "are left out";
  static constexpr AttributeSpec specs[] = {{"update_window_dims", AttributeType::integers},
                                            {"inserted_window_dims", AttributeType::integers},
                                            {"input_batching_dims", AttributeType::integers},
                                            {"scatter_indices_batching_dims", AttributeType::integers},
                                            {"scatter_dims_to_operand_dims", AttributeType::integers},
                                            {"index_vector_dim", AttributeType::integer},
                                            {"indices_are_sorted", AttributeType::integer},
                                            {"unique_indices", AttributeType::integer}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 3, most = -1;
  static constexpr int regions = 1;
  static constexpr Degrees degrees = Degrees::sums;
  static constexpr bool rounds = true;

  static void check(const TypeRule& rule);
  static Indexing indexingOf(const Attributes& attributes);

  template <class D>
  static void denote(const Call<D>& call) {
    const std::size_t inputs = call.operands.size() / 2;
    const auto& indices = call.in(inputs).integers();
    const Shape& slices = call.type(inputs + 1).shape;
    const IndexWalk walk(indexingOf(call.attributes()), call.type(0).shape, call.type(inputs).shape, slices);
    const bool isUnsigned64 = call.type(inputs).element == DType::u64;
    const Targets<std::int64_t> targets(call.out().cells(), [&](const auto& to) {
      walk.each(indices, isUnsigned64, false, 0, slices.cells(), [&](std::int64_t cell, std::int64_t position) {
        if (position >= 0) to(position, cell);
      });
    });
    const Region& body = call.operation.regions[0];
    if (replaces(body)) return replace(call, targets);
    const Combiner combiner = inputs == 1 ? combinerOf(body) : Combiner::general;
    if (combiner == Combiner::general) return general(call, targets);
    withFold<D>(call.domain, combiner, call.type(0).element, call.in(2), call.in(0), call.out(),
                [&](const auto& updates, const auto& initials, auto& out, const auto& maker) {
                  parallelBlocks(out.cells(), call.parallel && out.cells() >= parallelCells,
                                 [&](std::int64_t first, std::int64_t last) {
                                   for (std::int64_t cell = first; cell < last; ++cell) {
                                     auto fold = maker(initials[cell]);
                                     targets.each(cell, [&](std::int64_t from) { fold.add(updates[from]); });
                                     out[cell] = fold.total();
                                   }
                                 });
                });
  }

 private:
  /// The body is (current…, update…) → update….
  static bool replaces(const Region& body);

  template <class D>
  static void replace(const Call<D>& call, const Targets<std::int64_t>& targets) {
    const std::size_t inputs = call.operands.size() / 2;
    for (std::size_t i = 0; i < inputs; ++i) {
      call.in(i).visit([&](const auto& from) {
        using T = std::decay_t<decltype(from)>;
        const T& updates = std::get<T>(call.in(inputs + 1 + i).variant());
        T& out = std::get<T>(call.out(i).variant());
        parallelBlocks(out.cells(), call.parallel && out.cells() >= parallelCells,
                       [&](std::int64_t first, std::int64_t last) {
                         for (std::int64_t cell = first; cell < last; ++cell) {
                           const auto* value = &from[cell];
                           targets.each(cell, [&](std::int64_t update) { value = &updates[update]; });
                           out[cell] = *value;
                         }
                       });
      });
    }
  }

  template <class D>
  static void general(const Call<D>& call, const Targets<std::int64_t>& targets) {
    const std::size_t inputs = call.operands.size() / 2;
    for (std::int64_t cell = 0; cell < call.out().cells(); ++cell) {
      std::vector<Cells<D>> totals;
      for (std::size_t i = 0; i < inputs; ++i) totals.push_back(cellAt(call.in(i), cell));
      targets.each(cell, [&](std::int64_t from) {
        for (std::size_t i = 0; i < inputs; ++i) totals.push_back(cellAt(call.in(inputs + 1 + i), from));
        totals = call.regions[0](std::move(totals));
      });
      for (std::size_t i = 0; i < inputs; ++i) setCell(call.out(i), cell, totals[i]);
    }
  }
};

}  // namespace shardlaw::stablehlo
