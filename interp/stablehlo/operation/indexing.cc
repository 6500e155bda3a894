#include "interp/stablehlo/operation/indexing.h"

#include <algorithm>
#include <limits>

namespace shardlaw::stablehlo {
namespace {

/// How the attributes and operands of the two are called.
struct Words {
  std::string_view window, collapsed, tensorBatch, indexBatch, map;
};
constexpr Words ofGather{"offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
                         "start_index_map"};
constexpr Words ofScatter{"update_window_dims", "inserted_window_dims", "input_batching_dims",
                          "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"};

Indexing indexingBy(const Words& words, const Attributes& attributes) {
  return {.window = attributes.integers(words.window),
          .collapsed = attributes.integers(words.collapsed),
          .tensorBatch = attributes.integers(words.tensorBatch),
          .indexBatch = attributes.integers(words.indexBatch),
          .map = attributes.integers(words.map),
          .vectorAxis = attributes.integer("index_vector_dim", 0),
          .sizes = attributes.integers("slice_sizes")};
}

std::vector<std::int64_t> joined(std::vector<std::int64_t> a, const std::vector<std::int64_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Everything but the extents of the slices; those of the indices without their components.
std::vector<std::int64_t> checkIndexing(const TypeRule& rule, const Words& words, const Indexing& indexing,
                                        const TensorType& tensor, std::size_t indicesOperand, int slicesRank) {
  const TensorType& indices = rule.operand(indicesOperand);
  requireIntegers(rule, indicesOperand);
  const int rank = tensor.shape.rank(), indexRank = indices.shape.rank();
  rule.requireCount(words.window, indexing.window.size() + indexing.collapsed.size() + indexing.tensorBatch.size(),
                    index(rank));
  rule.require(indexing.vectorAxis >= 0 && indexing.vectorAxis <= indexRank,
               "index_vector_dim: expected 0 to " + std::to_string(indexRank) + ", found " +
                   std::to_string(indexing.vectorAxis));
  const std::int64_t components =
      indexing.vectorAxis < indexRank ? indices.shape[static_cast<int>(indexing.vectorAxis)] : 1;
  rule.requireCount(words.map, indexing.map.size(), index(components));
  rule.requireAxes(words.window, indexing.window, slicesRank);
  requireAscending(rule, words.window, indexing.window);
  rule.requireAxes(words.collapsed, joined(indexing.collapsed, indexing.tensorBatch), rank);
  requireAscending(rule, words.collapsed, indexing.collapsed);
  requireAscending(rule, words.tensorBatch, indexing.tensorBatch);
  rule.requireAxes(words.indexBatch, indexing.indexBatch, indexRank);
  rule.require(!contains(indexing.indexBatch, indexing.vectorAxis),
               std::string(words.indexBatch) + ": expected another axis than index_vector_dim, " +
                   std::to_string(indexing.vectorAxis));
  rule.requireCount(words.indexBatch, indexing.indexBatch.size(), indexing.tensorBatch.size());
  for (std::size_t i = 0; i < indexing.indexBatch.size(); ++i)
    rule.require(tensor.shape[static_cast<int>(indexing.tensorBatch[i])] ==
                     indices.shape[static_cast<int>(indexing.indexBatch[i])],
                 "expected axis " + std::to_string(indexing.tensorBatch[i]) + " of " + toString(tensor) +
                     " as long as axis " + std::to_string(indexing.indexBatch[i]) + " of " + toString(indices));
  rule.requireAxes(words.map, joined(indexing.map, indexing.tensorBatch), rank);
  std::vector<std::int64_t> batch;
  for (int axis = 0; axis < indexRank; ++axis)
    if (axis != indexing.vectorAxis) batch.push_back(indices.shape[axis]);
  rule.require(index(slicesRank) == batch.size() + indexing.window.size(),
               "expected slices of rank " + std::to_string(batch.size() + indexing.window.size()) + ", found " +
                   std::to_string(slicesRank));
  return batch;
}

/// The extents of slices: window extents at the window axes, the others in order.
std::vector<std::int64_t> combined(int rank, const std::vector<std::int64_t>& windowAxes,
                                   const std::vector<std::int64_t>& window, const std::vector<std::int64_t>& batch) {
  std::vector<std::int64_t> extents;
  for (std::size_t w = 0, b = 0; extents.size() < index(rank);)
    extents.push_back(contains(windowAxes, static_cast<std::int64_t>(extents.size())) ? window[w++] : batch[b++]);
  return extents;
}

}  // namespace

Indexing Gather::indexingOf(const Attributes& attributes) { return indexingBy(ofGather, attributes); }
Indexing Scatter::indexingOf(const Attributes& attributes) { return indexingBy(ofScatter, attributes); }

void Gather::check(const TypeRule& rule) {
  const Indexing indexing = indexingOf(rule.attributes());
  const TensorType& operand = rule.operand(0);
  const int rank = rule.stated(0).shape.rank();
  const auto batch = checkIndexing(rule, ofGather, indexing, operand, 1, rank);
  rule.requireCount("slice_sizes", indexing.sizes.size(), index(operand.shape.rank()));
  std::vector<std::int64_t> window;
  for (int axis = 0; axis < operand.shape.rank(); ++axis) {
    const std::int64_t size = indexing.sizes[index(axis)];
    const bool dropped = contains(indexing.collapsed, axis) || contains(indexing.tensorBatch, axis);
    rule.require(size >= 0 && size <= operand.shape[axis] && (!dropped || size <= 1),
                 "slice_sizes: expected sizes that fit into " + toString(operand) +
                     ", and at most 1 along collapsed and batching axes, found " + listed(indexing.sizes));
    if (!dropped) window.push_back(size);
  }
  const Shape shape = shapeOf(rule, combined(rank, indexing.window, window, batch));
  // A slice without cells along a dropped axis would have to read a cell that is not there.
  for (int axis = 0; axis < operand.shape.rank(); ++axis)
    rule.require(operand.shape[axis] > 0 || shape.cells() == 0,
                 "expected an operand with cells to read, found " + toString(operand));
  rule.result(0, {operand.element, shape});
}

void Scatter::check(const TypeRule& rule) {
  rule.require(rule.operands() % 2 == 1, "expected inputs, indices, and as many updates as inputs, found " +
                                             std::to_string(rule.operands()) + " operands");
  const std::size_t inputs = rule.operands() / 2;
  const TensorType &tensor = rule.operand(0), &updates = rule.operand(inputs + 1);
  const Indexing indexing = indexingOf(rule.attributes());
  const auto batch = checkIndexing(rule, ofScatter, indexing, tensor, inputs, updates.shape.rank());
  std::vector<std::int64_t> window;
  for (const std::int64_t axis : indexing.window) window.push_back(updates.shape[static_cast<int>(axis)]);
  const auto kept = axesWithout(tensor.shape.rank(), indexing.collapsed, indexing.tensorBatch);
  for (std::size_t i = 0; i < window.size(); ++i)
    rule.require(window[i] <= tensor.shape[static_cast<int>(kept[i])],
                 "expected windows that fit into " + toString(tensor) + ", found updates " + toString(updates));
  const auto extents = combined(updates.shape.rank(), indexing.window, window, batch);
  rule.require(extents == extentsOf(updates.shape), "operand " + std::to_string(inputs + 1) + ": expected extents " +
                                                        listed(extents) + ", found " + toString(updates));
  std::vector<TensorType> scalars;
  for (std::size_t i = 0; i < inputs; ++i) {
    const DType element = rule.operand(i).element;
    rule.require(rule.operand(i).shape == tensor.shape, "operand " + std::to_string(i) + ": expected the shape of " +
                                                            toString(tensor) + ", found " + toString(rule.operand(i)));
    const TensorType& update = rule.operand(inputs + 1 + i);
    rule.require(update.shape == updates.shape && update.element == element,
                 "operand " + std::to_string(inputs + 1 + i) + ": expected " +
                     toString(TensorType{element, updates.shape}) + ", found " + toString(update));
    scalars.push_back({element, Shape{}});
    rule.result(i, rule.operand(i));
  }
  std::vector<TensorType> arguments = scalars;
  arguments.insert(arguments.end(), scalars.begin(), scalars.end());
  rule.requireRegion(0, arguments, scalars);
}

bool Scatter::replaces(const Region& body) {
  const auto half = static_cast<std::ptrdiff_t>(body.arguments.size() / 2);
  return body.operations.empty() &&
         std::equal(body.arguments.begin() + half, body.arguments.end(), body.results.begin(), body.results.end());
}

IndexWalk::IndexWalk(const Indexing& indexing, const Shape& tensor, const Shape& indices, const Shape& slices)
    : tensor_(tensor), slices_(slices), tensorStrides_(stridesOf(tensor)), map_(indexing.map) {
  const std::vector<std::int64_t> strides = stridesOf(indices);
  const auto kept = axesWithout(tensor.rank(), indexing.collapsed, indexing.tensorBatch);
  sizes_.assign(index(tensor.rank()), 1);
  windowAxis_.fill(-1);
  batchAxis_.fill(-1);
  std::int64_t from = 0;  // axis of the indices
  std::size_t window = 0;
  for (int axis = 0; axis < slices.rank(); ++axis) {
    const auto a = index(axis);
    if (contains(indexing.window, axis)) {
      windowAxis_[a] = kept[window++];
      sizes_[index(windowAxis_[a])] = slices[axis];
      continue;
    }
    if (from == indexing.vectorAxis) ++from;
    indexStride_[a] = strides[index(from)];
    for (std::size_t i = 0; i < indexing.indexBatch.size(); ++i)
      if (indexing.indexBatch[i] == from) batchAxis_[a] = indexing.tensorBatch[i];
    ++from;
  }
  if (indexing.vectorAxis < indices.rank()) componentStride_ = strides[index(indexing.vectorAxis)];
}

std::int64_t IndexWalk::positionOf(const std::int64_t* indices, bool isUnsigned64, bool clamps,
                                   std::int64_t cell) const {
  Strides at{};  // in the tensor, without the index
  std::int64_t entry = 0;
  for (int axis = slices_.rank() - 1; axis >= 0; --axis) {
    const auto a = index(axis);
    const std::int64_t i = cell % slices_[axis];
    cell /= slices_[axis];
    entry += i * indexStride_[a];
    if (windowAxis_[a] >= 0) at[index(windowAxis_[a])] += i;
    if (batchAxis_[a] >= 0) at[index(batchAxis_[a])] += i;
  }
  for (std::size_t component = 0; component < map_.size(); ++component) {
    const auto axis = static_cast<int>(map_[component]);
    std::int64_t start = indices[entry + static_cast<std::int64_t>(component) * componentStride_];
    if (isUnsigned64 && start < 0) start = std::numeric_limits<std::int64_t>::max();
    if (clamps) start = std::clamp<std::int64_t>(start, 0, tensor_[axis] - sizes_[index(axis)]);
    else if (start < 0 ? start < -tensor_[axis] : start >= tensor_[axis]) return -1;
    at[index(axis)] += start;
  }
  std::int64_t position = 0;
  for (int axis = 0; axis < tensor_.rank(); ++axis) {
    const auto a = index(axis);
    if (at[a] < 0 || at[a] >= tensor_[axis]) return -1;
    position += at[a] * tensorStrides_[a];
  }
  return position;
}

}  // namespace shardlaw::stablehlo
