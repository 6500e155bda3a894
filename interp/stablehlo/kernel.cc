// Convolutions, products of matrices and sums in the field. Operands of products are gathered into rows of lanes, block
// by block, for the micro kernels of interp/kernel, in the order of summation of the denotations.
#include "interp/stablehlo/kernel.h"

#include <omp.h>

#include "interp/exec/parallel.h"
#include "interp/kernel/cells.h"
#include "interp/kernel/contraction.h"
#include "interp/stablehlo/operation/contraction.h"
#include "interp/stablehlo/operation/convolution.h"
#include "interp/stablehlo/operation/reduction.h"
#include "interp/stablehlo/operations.h"

namespace shardlaw::stablehlo {
namespace {

using kernel::Cell;
using kernel::Copier;
using Offsets = std::vector<std::int64_t>;

/// A product by its rows and terms: out[m, lane] = Σ_k a[row[m] + step[k]]·b(k, lane), k ascending.
template <class D>
struct Rows {
  const Cell<D>* a;
  Offsets row, step;
};

template <class D>
std::vector<Cell<D>> copied(const Tensor<typename D::Scalar>& from) {
  std::vector<Cell<D>> to(static_cast<std::size_t>(from.cells()));
  Copier copier;
  copier.copy(to.data(), from.view().data(), from.cells());
  copier.requireNumbers();
  return to;
}

/// How many lanes a task has: enough for the micro kernels, few enough to stay in the cache and to share among threads.
std::int64_t lanesPerTask(std::int64_t lanes, bool parallel) {
  const std::int64_t shares = parallel ? 2 * omp_get_max_threads() : 1;
  return std::clamp<std::int64_t>((lanes + shares - 1) / shares, 32, 512);
}

/// gather(first, count, k, to) writes b(k, first … first + count); scatter(first, count, m, from) takes the cells
/// out[m, first …] of a row.
template <class D, class Gather, class Scatter>
void multiply(const Rows<D>& rows, std::int64_t lanes, bool parallel, const Gather& gather, const Scatter& scatter) {
  using C = Cell<D>;
  constexpr std::int64_t block = 256;
  const auto terms = static_cast<std::int64_t>(rows.step.size()), count = static_cast<std::int64_t>(rows.row.size());
  const std::int64_t each = lanesPerTask(lanes, parallel), tasks = (lanes + each - 1) / each;
  parallelFor(tasks, parallel, [&](std::int64_t task) {
    const std::int64_t first = task * each, width = std::min(each, lanes - first), room = kernel::roundedUp<C>(width);
    std::vector<C> sums(static_cast<std::size_t>(count * room)), b(static_cast<std::size_t>(block * room));
    Offsets bStep;
    for (std::int64_t k = 0; k < block; ++k) bStep.push_back(k * room);
    for (std::int64_t start = 0; start < terms; start += block) {
      const std::int64_t some = std::min(block, terms - start);
      Copier copier;
      for (std::int64_t k = 0; k < some; ++k) gather(copier, first, width, start + k, b.data() + k * room);
      copier.requireNumbers();
      const std::span<const std::int64_t> step(rows.step.data() + start, static_cast<std::size_t>(some));
      kernel::contract(kernel::Contraction<C>{rows.a, rows.row, step, b.data(),
                                              std::span(bStep).first(static_cast<std::size_t>(some)), width,
                                              sums.data(), room});
    }
    for (std::int64_t m = 0; m < count; ++m) scatter(first, width, m, sums.data() + m * room);
  });
}

/// Lanes are the positions of one example after the other's: f(i, example, position) for lane first + i.
template <class F>
void eachLane(std::int64_t first, std::int64_t width, std::int64_t positions, const F& f) {
  std::int64_t n = first / positions, position = first % positions;
  for (std::int64_t i = 0; i < width; ++i) {
    f(i, n, position);
    if (++position == positions) position = 0, ++n;
  }
}

template <class D>
void convolution(const Call<D>& call) {
  if (!call.in(0).isFloats() || call.out().cells() == 0) return Convolution::denote(call);
  const ConvolutionPlan plan(call.attributes(), call.type(0).shape, call.type(1).shape, call.resultType().shape);
  const std::int64_t groups = std::max(plan.featureGroups, plan.batchGroups), features = plan.features / groups;
  // A group of one feature has no rows to share what is gathered.
  if (features == 1 && groups > 1) return Convolution::denote(call);
  const std::int64_t positions = plan.positions.cells();
  // Per position: where its terms lie in the input, and where the position lies in the output.
  Offsets from, to, kernelStep;
  std::vector<Convolution::Tap> taps;
  for (std::int64_t position = 0; position < positions; ++position) {
    to.push_back(Convolution::tapsAt(plan, position, taps));
    for (const Convolution::Tap& tap : taps) from.push_back(tap.input);
  }
  const auto tapCount = static_cast<std::int64_t>(taps.size());
  for (std::int64_t c = 0; c < plan.channels; ++c)
    for (const Convolution::Tap& tap : taps) kernelStep.push_back(c * plan.kernel.feature + tap.kernel);
  const auto weights = copied<D>(call.in(1).floats());
  const auto& input = call.in(0).floats();
  auto& output = call.out().floats();
  for (std::int64_t group = 0; group < groups; ++group) {
    Rows<D> rows{weights.data(), {}, kernelStep};
    for (std::int64_t f = 0; f < features; ++f) rows.row.push_back((group * features + f) * plan.kernel.batch);
    const std::int64_t channelStart = plan.featureGroups > 1 ? group * plan.channels : 0;
    const std::int64_t exampleStart = plan.batchGroups > 1 ? group * plan.batch : 0;
    multiply<D>(
        rows, plan.batch * positions, call.parallel,
        [&](Copier& copier, std::int64_t first, std::int64_t width, std::int64_t k, Cell<D>* row) {
          const std::int64_t tap = k % tapCount, channel = (channelStart + k / tapCount) * plan.input.feature;
          eachLane(first, width, positions, [&](std::int64_t i, std::int64_t n, std::int64_t position) {
            const std::int64_t at = from[static_cast<std::size_t>(position * tapCount + tap)];
            row[i] = at < 0 ? Cell<D>{} : copier.cell(input[(exampleStart + n) * plan.input.batch + channel + at]);
          });
        },
        [&](std::int64_t first, std::int64_t width, std::int64_t m, const Cell<D>* row) {
          const std::int64_t feature = (group * features + m) * plan.output.feature;
          eachLane(first, width, positions, [&](std::int64_t i, std::int64_t n, std::int64_t position) {
            const std::int64_t at = n * plan.output.batch + feature + to[static_cast<std::size_t>(position)];
            kernel::store(output.view().data() + at, row + i, 1);
          });
        });
  }
}

/// The offsets of all index tuples over some axes, in row-major order.
Offsets offsetsOf(const Shape& shape, const Offsets& axes) {
  const auto strides = stridesOf(shape);
  Offsets offsets{0};
  for (const std::int64_t axis : axes) {
    Offsets next;
    for (const std::int64_t offset : offsets)
      for (std::int64_t i = 0; i < shape[static_cast<int>(axis)]; ++i)
        next.push_back(offset + i * strides[static_cast<std::size_t>(axis)]);
    offsets = std::move(next);
  }
  return offsets;
}

Offsets freeAxes(const Shape& shape, const Offsets& batch, const Offsets& contracted) {
  Offsets axes;
  for (std::int64_t axis = 0; axis < shape.rank(); ++axis)
    if (std::find(batch.begin(), batch.end(), axis) == batch.end() &&
        std::find(contracted.begin(), contracted.end(), axis) == contracted.end())
      axes.push_back(axis);
  return axes;
}

template <class D>
void product(const Call<D>& call, const Contraction& axes) {
  const Shape &left = call.type(0).shape, &right = call.type(1).shape;
  const auto a = copied<D>(call.in(0).floats()), b = copied<D>(call.in(1).floats());
  const Offsets leftBatch = offsetsOf(left, axes.leftBatch), rightBatch = offsetsOf(right, axes.rightBatch);
  const Offsets rightStep = offsetsOf(right, axes.right);
  const Offsets columns = offsetsOf(right, freeAxes(right, axes.rightBatch, axes.right));
  const Rows<D> rows{a.data(), offsetsOf(left, freeAxes(left, axes.leftBatch, axes.left)), offsetsOf(left, axes.left)};
  const auto lanes = static_cast<std::int64_t>(columns.size()), count = static_cast<std::int64_t>(rows.row.size());
  auto* out = call.out().floats().view().data();
  for (std::size_t batch = 0; batch < leftBatch.size(); ++batch, out += count * lanes) {
    Rows<D> here = rows;
    here.a += leftBatch[batch];
    multiply<D>(
        here, lanes, call.parallel,
        [&](Copier&, std::int64_t first, std::int64_t width, std::int64_t k, Cell<D>* row) {
          const Cell<D>* from = b.data() + rightBatch[batch] + rightStep[static_cast<std::size_t>(k)];
          for (std::int64_t i = 0; i < width; ++i) row[i] = from[columns[static_cast<std::size_t>(first + i)]];
        },
        [&](std::int64_t first, std::int64_t width, std::int64_t m, const Cell<D>* row) {
          kernel::store(out + m * lanes + first, row, width);
        });
  }
}

template <class D>
void dotGeneral(const Call<D>& call) {
  if (!call.in(0).isFloats() || call.out().cells() == 0) return DotGeneral::denote(call);
  product(call, DotGeneral::axesOf(call.attributes()));
}
template <class D>
void dot(const Call<D>& call) {
  if (!call.in(0).isFloats() || call.out().cells() == 0) return Dot::denote(call);
  product(call, Dot::axesOf(call.type(0).shape));
}

/// Sums in the field: runs of residues below 2^52, of which 2^12 fit 64 bits.
void reduceExact(const Call<Exact>& call) {
  if (!call.in(0).isFloats() || Reduce::combinerOf(call.operation) != Combiner::add) return Reduce::denote(call);
  const Reduce::Plan plan = Reduce::planOf(call.attributes(), call.type(0).shape, call.resultType().shape);
  const Field* cells = call.in(0).floats().view().data();
  auto& out = call.out().floats();
  constexpr std::int64_t most = 4096;
  const auto sumFrom = [&](std::int64_t start) {
    unsigned __int128 total = call.in(1).floats()[0].residue();
    std::uint64_t seen = call.in(1).floats()[0].residue();
    plan.folded.runs(0, plan.folded.shape.cells(), [&](std::int64_t, const auto& at, std::int64_t length) {
      const Field* run = cells + start + at[0];
      const std::int64_t step = plan.folded.step(0);
      for (std::int64_t first = 0; first < length; first += most) {
        std::uint64_t sum = 0;
        for (std::int64_t i = first; i < std::min(length, first + most); ++i) {
          sum += run[i * step].residue();
          seen |= run[i * step].residue();
        }
        total += sum;
      }
    });
    if (seen >> 52 != 0) Field::refuseLowest();
    return Field::reduce(total);
  };
  const bool parallel = call.parallel && call.in(0).cells() >= parallelCells;
  parallelBlocks(out.cells(), parallel, [&](std::int64_t first, std::int64_t last) {
    plan.kept.each(first, last, [&](std::int64_t cell, std::int64_t start) { out[cell] = sumFrom(start); });
  });
}

template <class D>
DenoteFunction<D> find(const OperationInfo& info) {
  if constexpr (std::is_same_v<D, Exact>)
    if (&info == &operations::reduce) return &reduceExact;
  if (&info == &operations::convolution) return &convolution<D>;
  if (&info == &operations::dot_general) return &dotGeneral<D>;
  if (&info == &operations::dot) return &dot<D>;
  return nullptr;
}

}  // namespace

template <>
DenoteFunction<Exact> kernelOf(const OperationInfo& info) {
  return find<Exact>(info);
}
template <>
DenoteFunction<Native> kernelOf(const OperationInfo& info) {
  return find<Native>(info);
}
template <>
DenoteFunction<F64> kernelOf(const OperationInfo& info) {
  return find<F64>(info);
}
template <>
DenoteFunction<F32> kernelOf(const OperationInfo& info) {
  return find<F32>(info);
}

}  // namespace shardlaw::stablehlo
