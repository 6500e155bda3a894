// Collectives that move cells between processes without computing.
#pragma once

#include "interp/stablehlo/operation/collective.h"
#include "interp/stablehlo/operation/rules.h"
#include "interp/stablehlo/operation/slicing.h"

namespace shardlaw::stablehlo {

namespace detail {

/// Copies part number `part` of a tensor, cut into equal parts along an axis, to an offset along an axis of another.
template <class D>
void movePart(const Cells<D>& from, int cut, std::int64_t part, std::int64_t parts, Cells<D>& to, int axis,
              std::int64_t offset) {
  std::vector<std::int64_t> extents = extentsOf(from.shape());
  extents[index(cut)] /= parts;
  Walks<2> box{Shape(extents)};
  const std::vector<std::int64_t> fromStrides = stridesOf(from.shape()), toStrides = stridesOf(to.shape());
  std::copy(fromStrides.begin(), fromStrides.end(), box.stride[0].begin());
  std::copy(toStrides.begin(), toStrides.end(), box.stride[1].begin());
  box.start[0] = part * extents[index(cut)] * fromStrides[index(cut)];
  box.start[1] = offset * toStrides[index(axis)];
  copyBox(from, to, box, true);
}

}  // namespace detail

struct AllGather : CollectiveOperation {
  static constexpr std::string_view name = "all_gather";
  static constexpr std::string_view formula =
      "the operands of the processes of a group one behind the other along an axis, in the group's order";
  static constexpr AttributeSpec specs[] = {{"all_gather_dim", AttributeType::integer, true},
                                            SHARDLAW_GROUP_ATTRIBUTES};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = -1;

  static void check(const TypeRule& rule);

  template <class D>
  static void denoteGroup(const GroupCall<D>& call) {
    const auto axis = static_cast<int>(call.operation.attributes.integer("all_gather_dim"));
    for (std::size_t i = 0; i < call.operation.operands.size(); ++i) {
      std::int64_t offset = 0;
      Cells<D>& whole = call.results[0][i];
      requireMembers(call, whole.shape()[axis], call.operands[0][i]->shape()[axis] * call.members());
      for (const auto& operands : call.operands)
        offset += Concatenate::placeAlong(*operands[i], whole, axis, offset, true);
      for (std::size_t m = 1; m < call.results.size(); ++m) call.results[m][i] = whole;
    }
  }

 private:
  template <class D>
  static void requireMembers(const GroupCall<D>& call, std::int64_t stated, std::int64_t gathered) {
    if (stated != gathered)
      throw Error("expected a group whose operands make " + std::to_string(stated) + " along the axis, found " +
                  std::to_string(call.members()) + " processes with " + std::to_string(gathered));
  }
};

struct ReduceScatter : CollectiveOperation {
  static constexpr std::string_view name = "reduce_scatter";
  static constexpr std::string_view formula =
      "the body's fold of the operand over the processes of a group; process i of the group gets part i along an axis";
  static constexpr AttributeSpec specs[] = {{"scatter_dimension", AttributeType::integer, true},
                                            SHARDLAW_GROUP_ATTRIBUTES};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = 1;
  static constexpr int regions = 1;
  static constexpr Degrees degrees = Degrees::sums;
  static constexpr bool rounds = true;

  static void check(const TypeRule& rule);

  template <class D>
  static void denoteGroup(const GroupCall<D>& call) {
    const auto axis = static_cast<int>(call.operation.attributes.integer("scatter_dimension"));
    const TensorType& type = call.function.type(call.operation.operands[0]);
    const std::int64_t part = call.results[0][0].shape()[axis];
    if (part * call.members() != type.shape[axis])
      throw Error("expected a group of " + std::to_string(part == 0 ? 0 : type.shape[axis] / part) +
                  " processes, found " + std::to_string(call.members()));
    // Folded as a whole, as all_reduce has it, then cut.
    Cells<D> whole = Cells<D>::unwritten(type);
    foldOverGroup(call, 0, whole);
    for (std::int64_t m = 0; m < call.members(); ++m)
      detail::movePart(whole, axis, m, call.members(), call.results[index(m)][0], axis, 0);
  }
};

struct AllToAll : CollectiveOperation {
  static constexpr std::string_view name = "all_to_all";
  static constexpr std::string_view formula =
      "cuts each operand into parts along one axis; process i of a group gets everyone's part i, put together along "
      "another axis";
  static constexpr AttributeSpec specs[] = {{"split_dimension", AttributeType::integer, true},
                                            {"concat_dimension", AttributeType::integer, true},
                                            {"split_count", AttributeType::integer, true},
                                            {"replica_groups", AttributeType::matrix, true},
                                            {"channel_id", AttributeType::integer}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = -1;

  static void check(const TypeRule& rule);

  template <class D>
  static void denoteGroup(const GroupCall<D>& call) {
    const Attributes& given = call.operation.attributes;
    const auto split = static_cast<int>(given.integer("split_dimension")),
               join = static_cast<int>(given.integer("concat_dimension"));
    const std::int64_t count = given.integer("split_count");
    if (count != call.members())
      throw Error("split_count: expected the number of processes of a group, " + std::to_string(call.members()) +
                  ", found " + std::to_string(count));
    for (std::size_t i = 0; i < call.operation.operands.size(); ++i) {
      for (std::int64_t to = 0; to < count; ++to) {
        std::int64_t offset = 0;
        for (std::int64_t from = 0; from < count; ++from) {
          const Cells<D>& operand = *call.operands[index(from)][i];
          detail::movePart(operand, split, to, count, call.results[index(to)][i], join, offset);
          offset += split == join ? operand.shape()[join] / count : operand.shape()[join];
        }
      }
    }
  }
};

struct CollectivePermute : CollectiveOperation {
  static constexpr std::string_view name = "collective_permute";
  static constexpr std::string_view formula =
      "the operand of the process that sends to this one; zeros where none does";
  static constexpr AttributeSpec specs[] = {{"source_target_pairs", AttributeType::matrix, true},
                                            {"channel_id", AttributeType::integer}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = 1;

  static void check(const TypeRule& rule);

  template <class D>
  static void denoteGroup(const GroupCall<D>& call) {
    const Matrix pairs = call.operation.attributes.matrix("source_target_pairs");
    const auto memberOf = [&](std::int64_t process) {
      const auto found = std::find(call.processes.begin(), call.processes.end(), process);
      if (found == call.processes.end())
        throw Error("source_target_pairs: expected processes of the program, found " + std::to_string(process));
      return static_cast<std::size_t>(found - call.processes.begin());
    };
    std::vector<const Cells<D>*> source(index(call.members()), nullptr);
    for (std::int64_t row = 0; row < pairs.rows(); ++row)
      source[memberOf(pairs.at(row, 1))] = call.operands[memberOf(pairs.at(row, 0))][0];
    for (std::size_t m = 0; m < source.size(); ++m) {
      Cells<D>& result = call.results[m][0];
      if (source[m] != nullptr) result = *source[m];
      else
        result.visit([](auto& cells) {
          const std::decay_t<decltype(cells[0])> zero{};
          std::fill(cells.view().data(), cells.view().data() + cells.cells(), zero);
        });
    }
  }
};

struct CollectiveBroadcast : CollectiveOperation {
  static constexpr std::string_view name = "collective_broadcast";
  static constexpr std::string_view formula = "the operand of the first process of a group; zeros in processes of none";
  static constexpr AttributeSpec specs[] = {{"replica_groups", AttributeType::matrix, true},
                                            {"channel_id", AttributeType::integer}};
  static constexpr std::span<const AttributeSpec> attributes = specs;
  static constexpr int least = 1, most = 1;

  static void check(const TypeRule& rule) { rule.result(0, rule.operand(0)); }

  template <class D>
  static void denoteGroup(const GroupCall<D>& call) {
    for (auto& results : call.results) results[0] = *call.operands[0][0];
  }
};

}  // namespace shardlaw::stablehlo
