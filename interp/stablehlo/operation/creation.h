// Operations without operands.
#pragma once

#include "interp/stablehlo/operation/constant_cell.h"
#include "interp/stablehlo/operation/rules.h"
#include "interp/stablehlo/operation/walk.h"

namespace shardlaw::stablehlo {

struct Constant : LocalOperation {
  static constexpr std::string_view name = "constant";
  static constexpr std::string_view formula =
      "the literal: a decimal is that rational, rounded to bf16 and f16 in every domain and to its type in native";
  static constexpr std::string_view format = "::custom";
  static constexpr AttributeSpec specs[] = {{"value", AttributeType::literal, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 0, most = 0;

  static void check(const TypeRule& rule) { rule.result(0, rule.attributes().literal("value").type()); }

  template <class D>
  static void denote(const Call<D>& call) {
    const Literal& literal = call.attributes().literal("value");
    const DType element = call.resultType().element;
    if (isFloat(element)) {
      fill(call, literal, call.out().floats(),
           [&](const Number& number) { return floatCell(call.domain, element, number); });
    } else if (isBoolean(element)) {
      fill(call, literal, call.out().bits(),
           [](const Number& number) { return Bit<D>{truthOf<D>(std::get<std::int64_t>(number) != 0)}; });
    } else {
      fill(call, literal, call.out().integers(), [](const Number& number) { return std::get<std::int64_t>(number); });
    }
  }

 private:
  template <class D, class T, class F>
  static void fill(const Call<D>& call, const Literal& literal, T& out, const F& cell) {
    if (out.cells() == 0) return;
    auto* const data = out.view().data();
    if (literal.isSplat()) return std::fill(data, data + out.cells(), cell(literal.at(0)));
    parallelBlocks(out.cells(), call.parallel && out.cells() >= parallelCells,
                   [&](std::int64_t first, std::int64_t last) {
                     for (std::int64_t i = first; i < last; ++i) data[i] = cell(literal.at(i));
                   });
  }
};

struct Iota : LocalOperation {
  static constexpr std::string_view name = "iota";
  static constexpr std::string_view formula = "the index along an axis";
  static constexpr std::string_view format = "'dim =' $iota_dimension ::results";
  static constexpr AttributeSpec specs[] = {{"iota_dimension", AttributeType::integer, true}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr ElementTypes types{true, true, false};
  static constexpr int least = 0, most = 0;

  static void check(const TypeRule& rule) {
    const TensorType& to = rule.stated(0);
    rule.require(!isBoolean(to.element), "expected a result of floats or integers, found " + toString(to));
    requireAxis(rule, "iota_dimension", rule.attributes().integer("iota_dimension"), to.shape.rank());
  }

  template <class D>
  static void denote(const Call<D>& call) {
    const TensorType& to = call.resultType();
    Walk walk(to.shape);
    walk.along(index(call.attributes().integer("iota_dimension"))) = 1;
    const auto fill = [&](auto& out, const auto& cell) {
      parallelBlocks(out.cells(), call.parallel && out.cells() >= parallelCells,
                     [&](std::int64_t first, std::int64_t last) {
                       walk.each(first, last, [&](std::int64_t i, std::int64_t n) { out[i] = cell(n); });
                     });
    };
    if (isFloat(to.element))
      fill(call.out().floats(), [&](std::int64_t n) { return floatCell(call.domain, to.element, DType::i64, n); });
    else fill(call.out().integers(), [&](std::int64_t n) { return wrapped(n, to.element); });
  }
};

/// The number of the process that runs it.
struct ProcessIdOperation : LocalOperation {
  static constexpr std::string_view format = "::results";
  static constexpr ElementTypes types{false, true, false};
  static constexpr int least = 0, most = 0;
  static void check(const TypeRule& rule) { rule.result(0, {DType::u32, Shape{}}); }
};

struct ReplicaId : ProcessIdOperation {
  static constexpr std::string_view name = "replica_id";
  static constexpr std::string_view formula = "the number of the replica";

  template <class D>
  static void denote(const Call<D>& call) {
    call.out().integers()[0] = call.replica;
  }
};

struct PartitionId : ProcessIdOperation {
  static constexpr std::string_view name = "partition_id";
  static constexpr std::string_view formula = "the number of the partition";

  template <class D>
  static void denote(const Call<D>& call) {
    call.out().integers()[0] = call.partition;
  }
};

}  // namespace shardlaw::stablehlo
