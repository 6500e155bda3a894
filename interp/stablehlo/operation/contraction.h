// dot_general and dot.
#pragma once

#include "interp/stablehlo/operation/products.h"
#include "interp/stablehlo/operation/rules.h"
#include "interp/stablehlo/operation/walk.h"

namespace shardlaw::stablehlo {

/// Which axes of two tensors go together.
struct Contraction {
  std::vector<std::int64_t> leftBatch, rightBatch, left, right;
};

/// Checks the axes; the shape of the result.
Shape contractedShape(const TypeRule& rule, const Contraction& contraction);

/// Every cell of the result (map 0 in the left operand, map 1 in the right one), and the terms of its sum from there.
struct ContractionWalks {
  Walks<2> cells, terms;
};
ContractionWalks walksOf(const Contraction& contraction, const Shape& left, const Shape& right, const Shape& result);

template <class D>
void contract(const Call<D>& call, const Contraction& contraction) {
  const ContractionWalks walks = walksOf(contraction, call.type(0).shape, call.type(1).shape, call.resultType().shape);
  withProducts(call, [&](const auto& left, const auto& right, auto& out, const auto& maker) {
    const auto* const a = left.view().data();
    const auto* const b = right.view().data();
    auto* const to = out.view().data();
    const std::int64_t terms = walks.terms.shape.cells();
    const bool large = out.cells() >= parallelCells || left.cells() + right.cells() >= parallelCells;
    parallelBlocks(out.cells(), call.parallel && large, [&](std::int64_t first, std::int64_t last) {
      walks.cells.runs(first, last, [&](std::int64_t cell, const auto& start, std::int64_t length) {
        for (std::int64_t i = 0; i < length; ++i) {
          const auto* const fromLeft = a + start[0] + i * walks.cells.step(0);
          const auto* const fromRight = b + start[1] + i * walks.cells.step(1);
          auto sum = maker();
          eachPair(walks.terms, 0, terms,
                   [&](std::int64_t l, std::int64_t r) { sum.addProduct(fromLeft[l], fromRight[r]); });
          to[cell + i] = sum.total();
        }
      });
    });
  });
}

struct DotGeneral : LocalOperation {
  static constexpr std::string_view name = "dot_general";
  static constexpr std::string_view formula =
      "Σ a·b over the contracting axes; axes of the result: batching, left over of a, left over of b";
  static constexpr std::string_view format = "::custom";
  static constexpr AttributeSpec specs[] = {{"lhs_batching_dimensions", AttributeType::integers},
                                            {"rhs_batching_dimensions", AttributeType::integers},
                                            {"lhs_contracting_dimensions", AttributeType::integers},
                                            {"rhs_contracting_dimensions", AttributeType::integers}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 2, most = 2;
  static constexpr Degrees degrees = Degrees::products;
  static constexpr bool rounds = true;

  static void check(const TypeRule& rule) {
    requireFactors(rule);
    rule.result(0, {rule.stated(0).element, contractedShape(rule, axesOf(rule.attributes()))});
  }

  static Contraction axesOf(const Attributes& attributes) {
    return {attributes.integers("lhs_batching_dimensions"), attributes.integers("rhs_batching_dimensions"),
            attributes.integers("lhs_contracting_dimensions"), attributes.integers("rhs_contracting_dimensions")};
  }

  template <class D>
  static void denote(const Call<D>& call) {
    contract(call, axesOf(call.attributes()));
  }
};

struct Dot : LocalOperation {
  static constexpr std::string_view name = "dot";
  static constexpr std::string_view formula = "the product of vectors and matrices: Σ over a's last and b's first axis";
  static constexpr std::string_view format = "%0 %1 ::function";
  static constexpr int least = 2, most = 2;
  static constexpr Degrees degrees = Degrees::products;
  static constexpr bool rounds = true;

  static void check(const TypeRule& rule) {
    requireFactors(rule);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      const int rank = rule.operand(i).shape.rank();
      rule.require(rank == 1 || rank == 2, "operand " + std::to_string(i) + ": expected a vector or a matrix, found " +
                                               toString(rule.operand(i)));
    }
    rule.result(0, {rule.stated(0).element, contractedShape(rule, axesOf(rule.operand(0).shape))});
  }

  static Contraction axesOf(const Shape& left) { return {{}, {}, {left.rank() - 1}, {0}}; }

  template <class D>
  static void denote(const Call<D>& call) {
    contract(call, axesOf(call.type(0).shape));
  }
};

}  // namespace shardlaw::stablehlo
