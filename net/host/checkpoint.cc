#include "net/host/checkpoint.h"

#include <cmath>

#include "interp/error.h"
#include "interp/tensor/npz.h"

namespace shardlaw {
namespace {

constexpr std::int64_t columns = 6;
/// What a net's own names cannot be.
constexpr const char* curveName = "curve";
constexpr const char* aboutName = "run";

Array textArray(const std::string& text) {
  Array array = zeros(DType::u8, Shape{static_cast<std::int64_t>(text.size())});
  array.bytes.assign(text.begin(), text.end());
  return array;
}

Array curveArray(const Curve& curve) {
  Tensor<double> cells(Shape{static_cast<std::int64_t>(curve.rows.size()), columns});
  std::int64_t at = 0;
  for (const CurveRow& row : curve.rows)
    for (const double cell : {static_cast<double>(row.step), row.epoch, row.learningRate, row.trainLoss,
                              row.trainAccuracy, row.testAccuracy.value_or(std::nan(""))})
      cells[at++] = cell;
  return arrayOf(cells);
}

std::vector<CurveRow> rowsOf(const std::string& path, const Array& array) {
  if (array.type != DType::f64 || array.shape.rank() != 2 || array.shape[1] != columns)
    throw Error(path + ", curve: expected f64 of shape [rows,6], found " + std::string(toString(array.type)) + " " +
                toString(array.shape));
  const Tensor<double> cells = tensorOf<double>(array);
  std::vector<CurveRow> rows;
  for (std::int64_t i = 0; i < array.shape[0]; ++i) {
    const auto cell = [&](std::int64_t column) { return cells[i * columns + column]; };
    if (cell(0) != static_cast<double>(i + 1))
      throw Error(path + ", curve: expected step " + std::to_string(i + 1) + " in row " + std::to_string(i));
    CurveRow row{i + 1, cell(1), cell(2), cell(3), cell(4), {}};
    if (!std::isnan(cell(5))) row.testAccuracy = cell(5);
    rows.push_back(row);
  }
  return rows;
}

template <class F>
Tensor<F> stateTensor(const std::string& path, const NpzFile& file, const std::string& name, const Shape& shape) {
  const Array array = file.read(name);
  const DType wanted = sizeof(F) == 8 ? DType::f64 : DType::f32;
  if (array.type != wanted || !(array.shape == shape))
    throw Error(path + ", " + name + ": expected " + std::string(toString(wanted)) + " " + toString(shape) +
                ", found " + std::string(toString(array.type)) + " " + toString(array.shape));
  return tensorOf<F>(array);
}

}  // namespace

template <class F>
void saveCheckpoint(const std::string& path, const Net& net, const TrainState<F>& state, const std::string& about) {
  std::vector<NamedArray> arrays{{aboutName, textArray(about)}, {curveName, curveArray(state.curve)}};
  const auto add = [&](const std::vector<Tensor<F>>& tensors, const std::string& suffix) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      arrays.push_back({net.parameters[i].name + suffix, arrayOf(tensors[i])});
  };
  add(state.theta, "");
  add(state.m, "m");
  add(state.v, "v");
  for (std::size_t i = 0; i < state.running.size(); ++i)
    arrays.push_back({net.statistics[i].name, arrayOf(state.running[i])});
  writeNpz(path, arrays);
}

template <class F>
TrainState<F> readCheckpoint(const std::string& path, const Net& net, const std::string& about) {
  const NpzFile file = NpzFile::open(path);
  const Array text = file.read(aboutName);
  const std::string found(text.bytes.begin(), text.bytes.end());
  if (text.type != DType::u8 || found != about)
    throw Error(path + ": expected a checkpoint of this run (" + about + "), found one of another (" +
                excerpt(found, 400) + ")");
  TrainState<F> state;
  state.curve.rows = rowsOf(path, file.read(curveName));
  const auto read = [&](std::vector<Tensor<F>>& tensors, const std::string& suffix) {
    for (const Parameter& parameter : net.parameters)
      tensors.push_back(stateTensor<F>(path, file, parameter.name + suffix, parameter.shape));
  };
  read(state.theta, "");
  read(state.m, "m");
  read(state.v, "v");
  for (const Statistic& statistic : net.statistics)
    state.running.push_back(stateTensor<F>(path, file, statistic.name, statistic.shape));
  return state;
}

template void saveCheckpoint(const std::string&, const Net&, const TrainState<float>&, const std::string&);
template void saveCheckpoint(const std::string&, const Net&, const TrainState<double>&, const std::string&);
template TrainState<float> readCheckpoint(const std::string&, const Net&, const std::string&);
template TrainState<double> readCheckpoint(const std::string&, const Net&, const std::string&);

}  // namespace shardlaw
