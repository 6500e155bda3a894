#include "net/builder.h"

#include "interp/error.h"

namespace shardlaw {

NetBuilder::NetBuilder(std::string name, std::string summary, const Shape& image) {
  net_.name = std::move(name);
  net_.summary = std::move(summary);
  net_.image = image;
  if (image.rank() != 3 || image.cells() == 0)
    throw Error("net " + net_.name + ": expected an image [C,H,W], found " + toString(image));
}

void NetBuilder::refuse(const std::string& label, const std::string& message) const {
  throw Error("net " + net_.name + ", layer " + label + ": " + message);
}

const Shape& NetBuilder::shape(LayerId id) const {
  return id == imageInput ? net_.image : shapes_.at(static_cast<std::size_t>(id));
}

LayerId NetBuilder::layer(Layer added, const Shape& shape) {
  if (shape.cells() < 1) refuse(added.label, "expected at least one cell, found " + toString(shape));
  net_.layers.push_back(std::move(added));
  shapes_.push_back(shape);
  return static_cast<LayerId>(net_.layers.size() - 1);
}

int NetBuilder::parameter(const std::string& name, const Shape& shape, Initial initial, std::int64_t fanIn) {
  net_.parameters.push_back({name, shape, initial, fanIn});
  return static_cast<int>(net_.parameters.size() - 1);
}

Shape NetBuilder::halved(LayerId from, const std::string& label) const {
  const Shape& map = shape(from);
  if (map[1] % 2 != 0 || map[2] % 2 != 0) refuse(label, "expected a map of even extents, found " + toString(map));
  return Shape{map[0], map[1] / 2, map[2] / 2};
}

LayerId NetBuilder::conv(LayerId from, const std::string& label, std::int64_t outputs, std::int64_t kernel,
                         bool strided, bool bias) {
  const Shape map = shape(from);
  const Shape result = strided ? halved(from, "conv" + label) : map;
  const std::int64_t fanIn = map[0] * kernel * kernel;
  Layer added{strided ? LayerKind::convStrided : LayerKind::conv, {from}, {}, {}, "conv" + label};
  added.parameters.push_back(parameter("W" + label, Shape{outputs, map[0], kernel, kernel}, Initial::heNormal, fanIn));
  if (bias) added.parameters.push_back(parameter("cb" + label, Shape{outputs}, Initial::zeros));
  return layer(std::move(added), Shape{outputs, result[1], result[2]});
}

LayerId NetBuilder::bn(LayerId from, const std::string& label) {
  const Shape channels{shape(from)[0]};
  Layer added{LayerKind::bn, {from}, {}, {}, "bn" + label};
  added.parameters = {parameter("g" + label, channels, Initial::ones),
                      parameter("bt" + label, channels, Initial::zeros)};
  for (const bool isVariance : {false, true}) {
    added.statistics.push_back(static_cast<int>(net_.statistics.size()));
    net_.statistics.push_back({"n" + label + (isVariance ? "var" : "mu"), channels, isVariance});
  }
  return layer(std::move(added), shape(from));
}

LayerId NetBuilder::relu(LayerId from, const std::string& label) {
  return layer({LayerKind::relu, {from}, {}, {}, "relu" + label}, shape(from));
}
LayerId NetBuilder::maxPool2(LayerId from, const std::string& label) {
  return layer({LayerKind::maxPool2, {from}, {}, {}, "pool" + label}, halved(from, "pool" + label));
}
LayerId NetBuilder::maxPool3(LayerId from, const std::string& label) {
  const Shape& map = shape(from);
  return layer({LayerKind::maxPool3, {from}, {}, {}, "pool" + label},
               Shape{map[0], (map[1] + 1) / 2, (map[2] + 1) / 2});
}
LayerId NetBuilder::gap(LayerId from) { return layer({LayerKind::gap, {from}, {}, {}, "gap"}, Shape{shape(from)[0]}); }
LayerId NetBuilder::flatten(LayerId from) {
  return layer({LayerKind::flatten, {from}, {}, {}, "flatten"}, Shape{shape(from).cells()});
}

LayerId NetBuilder::dense(LayerId from, const std::string& label, std::int64_t outputs) {
  const std::int64_t inputs = shape(from)[0];
  Layer added{LayerKind::dense, {from}, {}, {}, "dense" + label};
  added.parameters = {parameter("W" + label, Shape{inputs, outputs}, Initial::heNormal, inputs),
                      parameter("b" + label, Shape{outputs}, Initial::zeros)};
  return layer(std::move(added), Shape{outputs});
}

LayerId NetBuilder::add(LayerId a, LayerId b, const std::string& label) {
  if (!(shape(a) == shape(b)))
    refuse("join" + label, "expected two of one shape, found " + toString(shape(a)) + " and " + toString(shape(b)));
  return layer({LayerKind::add, {a, b}, {}, {}, "join" + label}, shape(a));
}

Net NetBuilder::finish(LayerId logits) && {
  if (logits != static_cast<LayerId>(net_.layers.size() - 1) || shape(logits).rank() != 1)
    refuse("logits", "expected the last layer, of shape [classes]");
  net_.classes = shape(logits)[0];
  return std::move(net_);
}

}  // namespace shardlaw
