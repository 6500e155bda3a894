// The tables of the named nets, written out by hand from SEMANTICS 4 and from He et al., 2016, table 1.
#include "net/net.h"
#include "tests/net/refusal.h"

#include <catch2/catch.hpp>
#include <map>

#include "interp/error.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;
using Rows = std::vector<std::string>;

/// "W1 [16,3,3,3]" for every parameter.
Rows parameterRows(const Net& net) {
  Rows rows;
  for (const Parameter& parameter : net.parameters) rows.push_back(parameter.name + " " + toString(parameter.shape));
  return rows;
}
Rows statisticRows(const Net& net) {
  Rows rows;
  for (const Statistic& statistic : net.statistics) rows.push_back(statistic.name + " " + toString(statistic.shape));
  return rows;
}

const Rows convolutionRows{
    "W1 [16,3,3,3]",  "cb1 [16]", "g1 [16]", "bt1 [16]", "W2 [16,16,3,3]", "cb2 [16]", "g2 [16]", "bt2 [16]",
    "W3 [16,16,3,3]", "cb3 [16]", "g3 [16]", "bt3 [16]", "W4 [16,16,3,3]", "cb4 [16]", "g4 [16]", "bt4 [16]",
    "W5 [32,16,3,3]", "cb5 [32]", "g5 [32]", "bt5 [32]", "W6 [32,32,3,3]", "cb6 [32]", "g6 [32]", "bt6 [32]",
    "W7 [32,32,3,3]", "cb7 [32]", "g7 [32]", "bt7 [32]", "W8 [32,32,3,3]", "cb8 [32]", "g8 [32]", "bt8 [32]"};

TEST_CASE("cifar8 has the 38 parameters of SEMANTICS 4 in their order, at both heads") {
  Rows wide = convolutionRows, narrow = convolutionRows;
  wide.insert(wide.end(), {"W9 [128,512]", "b9 [512]", "Wa [512,512]", "ba [512]", "Wb [512,10]", "bb [10]"});
  narrow.insert(narrow.end(), {"W9 [128,64]", "b9 [64]", "Wa [64,64]", "ba [64]", "Wb [64,10]", "bb [10]"});
  CHECK(wide.size() == 38);
  CHECK(parameterRows(findNet("cifar8-bn").make()) == wide);
  CHECK(parameterRows(findNet("cifar8-bn-narrow").make()) == narrow);
  CHECK(parameterRows(cifar8(512)) == wide);
  CHECK(cifar8(512).name == "cifar8-bn");
  CHECK(cifar8(64).name == "cifar8-bn-narrow");
  CHECK(cifar8(32).name == "cifar8-bn-32");
}

TEST_CASE("cifar8 has 16 slots of statistics, mean before variance") {
  const Rows expected{"n1mu [16]", "n1var [16]", "n2mu [16]", "n2var [16]", "n3mu [16]", "n3var [16]",
                      "n4mu [16]", "n4var [16]", "n5mu [32]", "n5var [32]", "n6mu [32]", "n6var [32]",
                      "n7mu [32]", "n7var [32]", "n8mu [32]", "n8var [32]"};
  const Net net = cifar8(512);
  CHECK(statisticRows(net) == expected);
  for (std::size_t i = 0; i < net.statistics.size(); ++i) CHECK(net.statistics[i].isVariance == (i % 2 == 1));
}

TEST_CASE("cifar8's layers: two convolutions and a pool, four times, then three dense layers") {
  const Net net = cifar8(64);
  CHECK(net.image == Shape{3, 32, 32});
  CHECK(net.classes == 10);
  Rows labels;
  for (const Layer& layer : net.layers) labels.push_back(layer.label);
  const Rows expected{"conv1", "bn1",     "relu1",  "conv2", "bn2",    "relu2", "pool1", "conv3", "bn3",
                      "relu3", "conv4",   "bn4",    "relu4", "pool2",  "conv5", "bn5",   "relu5", "conv6",
                      "bn6",   "relu6",   "pool3",  "conv7", "bn7",    "relu7", "conv8", "bn8",   "relu8",
                      "pool4", "flatten", "dense9", "relu9", "densea", "relua", "denseb"};
  CHECK(labels == expected);
  for (std::size_t i = 0; i < net.layers.size(); ++i)
    CHECK(net.layers[i].from == std::vector<LayerId>{static_cast<LayerId>(i) - 1});
  // 16·27 + 3·16·144 + 32·144 + 3·32·288 weights, 3·(4·16 + 4·32) of bias, γ and β; and the head.
  CHECK(net.parameterCells() == 432 + 6912 + 4608 + 27648 + 576 + (128 * 64 + 64) + (64 * 64 + 64) + (64 * 10 + 10));
}

TEST_CASE("weights start normal with their fan-in, γ at 1, biases and β at 0") {
  const Net net = cifar8(64);
  const std::map<std::string, std::int64_t> fanIn{{"W1", 27},  {"W2", 144}, {"W3", 144}, {"W4", 144},
                                                  {"W5", 144}, {"W6", 288}, {"W7", 288}, {"W8", 288},
                                                  {"W9", 128}, {"Wa", 64},  {"Wb", 64}};
  for (const Parameter& parameter : net.parameters) {
    INFO(parameter.name);
    const auto found = fanIn.find(parameter.name);
    CHECK((parameter.initial == Initial::heNormal) == (found != fanIn.end()));
    if (found != fanIn.end()) CHECK(parameter.fanIn == found->second);
    else CHECK((parameter.initial == Initial::ones) == (parameter.name[0] == 'g'));
  }
}

TEST_CASE("ResNet-34 has 36 convolutions and 21,797,672 parameters") {
  const Net net = findNet("ResNet-34").make();
  // The count that is published for 1000 classes.
  CHECK(net.parameterCells() == 21'797'672);
  std::map<std::string, int> convolutions;
  int strided = 0, normalised = 0, joins = 0;
  for (const Layer& layer : net.layers) {
    if (layer.kind == LayerKind::bn) ++normalised;
    if (layer.kind == LayerKind::add) ++joins;
    if (layer.kind != LayerKind::conv && layer.kind != LayerKind::convStrided) continue;
    strided += layer.kind == LayerKind::convStrided ? 1 : 0;
    REQUIRE(layer.parameters.size() == 1);
    ++convolutions[toString(net.parameters[static_cast<std::size_t>(layer.parameters[0])].shape)];
  }
  const std::map<std::string, int> expected{{"[64,3,7,7]", 1},     {"[64,64,3,3]", 6},   {"[128,64,3,3]", 1},
                                            {"[128,128,3,3]", 7},  {"[128,64,1,1]", 1},  {"[256,128,3,3]", 1},
                                            {"[256,256,3,3]", 11}, {"[256,128,1,1]", 1}, {"[512,256,3,3]", 1},
                                            {"[512,512,3,3]", 5},  {"[512,256,1,1]", 1}};
  CHECK(convolutions == expected);
  // The stem, and in each of three stages the first convolution and the projection beside it.
  CHECK(strided == 7);
  CHECK(normalised == 36);
  CHECK(joins == 3 + 4 + 6 + 3);
  CHECK(net.statistics.size() == 72);
  CHECK(net.parameters.size() == 36 + 72 + 2);
  CHECK(net.parameters.back().shape == Shape{1000});
  CHECK(net.parameters[net.parameters.size() - 2].shape == Shape{512, 1000});
}

TEST_CASE("a residual block joins its input with what two convolutions make of it") {
  const Net net = findNet("tiny-resnet").make();
  const Rows expected{"W0 [2,2,3,3]",     "g0 [2]",     "bt0 [2]",     "W1_1_1 [2,2,3,3]", "g1_1_1 [2]", "bt1_1_1 [2]",
                      "W1_1_2 [2,2,3,3]", "g1_1_2 [2]", "bt1_1_2 [2]", "W2_1_1 [3,2,3,3]", "g2_1_1 [3]", "bt2_1_1 [3]",
                      "W2_1_2 [3,3,3,3]", "g2_1_2 [3]", "bt2_1_2 [3]", "W2_1_p [3,2,1,1]", "g2_1_p [3]", "bt2_1_p [3]",
                      "W2_2_1 [3,3,3,3]", "g2_2_1 [3]", "bt2_2_1 [3]", "W2_2_2 [3,3,3,3]", "g2_2_2 [3]", "bt2_2_2 [3]",
                      "Wfc [3,4]",        "bfc [4]"};
  CHECK(parameterRows(net) == expected);
  std::map<std::string, std::vector<std::string>> from;
  for (const Layer& layer : net.layers)
    for (const LayerId id : layer.from)
      from[layer.label].push_back(id == imageInput ? "image" : net.layers[static_cast<std::size_t>(id)].label);
  CHECK(from["conv0"] == Rows{"image"});
  CHECK(from["join1_1"] == Rows{"bn1_1_2", "pool0"});
  CHECK(from["join2_1"] == Rows{"bn2_1_2", "bn2_1_p"});
  CHECK(from["conv2_1_p"] == Rows{"relu1_1"});
  CHECK(from["join2_2"] == Rows{"bn2_2_2", "relu2_1"});
  CHECK(from["gap"] == Rows{"relu2_2"});
}

TEST_CASE("plain nets of other depths, widths and images") {
  const Net net = plainNet({"one", "", Shape{1, 6, 10}, {5}, 1, 7, 3});
  CHECK(parameterRows(net) == Rows{"W1 [5,1,3,3]", "cb1 [5]", "g1 [5]", "bt1 [5]", "W2 [75,7]", "b2 [7]", "W3 [7,7]",
                                   "b3 [7]", "W4 [7,3]", "b4 [3]"});
  CHECK(net.classes == 3);
  // Twelve convolutions on maps of 8 × 16, 4 × 8, 2 × 4, 1 × 2: the sequence of labels passes from digits to letters.
  const Net deep = plainNet({"deep", "", Shape{2, 16, 32}, {1, 2, 3, 4}, 3, 2, 2});
  CHECK(deep.parameters[4 * 9].name == "Wa");
  CHECK(deep.parameters[4 * 12].name == "Wd");
  CHECK(deep.parameters[4 * 12].shape == Shape{4 * 1 * 2, 2});
  CHECK(deep.statistics.size() == 24);
}

TEST_CASE("a net that cannot be built is refused, and says where") {
  const auto plain = [](const Shape& image, std::vector<std::int64_t> widths, int convolutions = 2,
                        std::int64_t head = 2, std::int64_t classes = 2) {
    return refusalOf([&] { plainNet({"net", "", image, std::move(widths), convolutions, head, classes}); });
  };
  CHECK(plain(Shape{1, 4, 4}, {1, 1}) == "accepted");
  CHECK_THAT(plain(Shape{1, 4, 6}, {1, 1}), Contains("layer pool2: expected a map of even extents, found [1,2,3]"));
  CHECK_THAT(plain(Shape{1, 2, 4}, {1, 1}), Contains("pool2") && Contains("even extents"));
  CHECK_THAT(plain(Shape{4, 4}, {1}), Contains("expected an image [C,H,W], found [4,4]"));
  CHECK_THAT(plain(Shape{0, 4, 4}, {1}), Contains("expected an image"));
  CHECK_THAT(plain(Shape{1, 4, 4}, {1, 0}), Contains("expected channels of at least 1, found 0"));
  CHECK_THAT(plain(Shape{1, 4, 4}, {}), Contains("expected stages of at least 1, found 0"));
  CHECK_THAT(plain(Shape{1, 4, 4}, {1}, 0), Contains("expected convolutions per stage of at least 1, found 0"));
  CHECK_THAT(plain(Shape{1, 4, 4}, {1}, 1, 0), Contains("expected units of at least 1, found 0"));
  CHECK_THAT(plain(Shape{1, 4, 4}, {1}, 1, 1, -1), Contains("expected units of at least 1, found -1"));
  CHECK_THAT(refusalOf([] { cifar8(0); }), Contains("expected units of at least 1"));

  const auto residual = [](const Shape& image, std::int64_t kernel, std::vector<std::int64_t> widths,
                           std::vector<int> blocks, std::int64_t classes = 2) {
    return refusalOf([&] { residualNet({"net", "", image, kernel, std::move(widths), std::move(blocks), classes}); });
  };
  CHECK(residual(Shape{1, 8, 8}, 3, {1, 2}, {1, 1}) == "accepted");
  CHECK_THAT(residual(Shape{1, 7, 8}, 3, {1}, {1}), Contains("layer conv0: expected a map of even extents"));
  // 4 × 12 has 1 × 3 after the stem and the pool.
  CHECK_THAT(residual(Shape{1, 4, 12}, 3, {1, 1}, {1, 1}), Contains("layer conv2_1_1: expected a map of even extents"));
  CHECK_THAT(residual(Shape{1, 8, 8}, 0, {1}, {1}), Contains("kernel of at least 1, found 0"));
  CHECK_THAT(residual(Shape{1, 8, 8}, 3, {1, 0}, {1, 1}), Contains("channels of at least 1, found 0"));
  CHECK_THAT(residual(Shape{1, 8, 8}, 3, {1, 1}, {1}), Contains("as many numbers of blocks as widths"));
  CHECK_THAT(residual(Shape{1, 8, 8}, 3, {1, 1}, {1, 0}), Contains("blocks per stage of at least 1, found 0"));
  CHECK_THAT(residual(Shape{1, 8, 8}, 3, {1}, {1}, 0), Contains("classes of at least 1, found 0"));
}

TEST_CASE("nets are found whatever their case; an unknown one is answered with the names there are") {
  CHECK(findNet("TINY-bn").name == "tiny-bn");
  CHECK(findNet("resnet-34").make().name == "resnet-34");
  CHECK(refusalOf([] { findNet("tiny"); }) ==
        "no net is named 'tiny'; there are tiny-bn, tiny-resnet, cifar8-bn, cifar8-bn-narrow, resnet-34");
  CHECK_THAT(refusalOf([] { findNet(""); }), Contains("no net is named ''"));
}

TEST_CASE("a skeleton has the layers of its net, at sizes of their own") {
  for (const NamedNet& named : namedNets()) {
    INFO(named.name);
    const Net net = named.make(), skeleton = named.skeleton();
    CHECK(net.name == named.name);
    REQUIRE(skeleton.layers.size() == net.layers.size());
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
      CHECK(skeleton.layers[i].label == net.layers[i].label);
      CHECK(skeleton.layers[i].kind == net.layers[i].kind);
      CHECK(skeleton.layers[i].from == net.layers[i].from);
      CHECK(skeleton.layers[i].parameters == net.layers[i].parameters);
      CHECK(skeleton.layers[i].statistics == net.layers[i].statistics);
    }
  }
}

}  // namespace
}  // namespace shardlaw::test
