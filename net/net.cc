#include "net/net.h"

#include <algorithm>
#include <cctype>

#include "interp/error.h"
#include "net/builder.h"

namespace shardlaw {
namespace {

void requirePositive(const std::string& net, const char* what, std::int64_t found) {
  if (found < 1) throw Error("net " + net + ": expected " + what + " of at least 1, found " + std::to_string(found));
}

/// Convolutions and the dense layers after them are counted in one sequence, past 9 in letters: W9, Wa, Wb.
std::string label(int number) {
  constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  return number < static_cast<int>(digits.size()) ? std::string(1, digits[static_cast<std::size_t>(number)])
                                                  : std::to_string(number);
}

LayerId basicBlock(NetBuilder& net, LayerId from, const std::string& block, std::int64_t width, bool strided) {
  LayerId y = net.conv(from, block + "_1", width, 3, strided, false);
  y = net.relu(net.bn(y, block + "_1"), block + "_1");
  y = net.bn(net.conv(y, block + "_2", width, 3, false, false), block + "_2");
  LayerId shortcut = from;
  if (strided || net.shape(from)[0] != width)
    shortcut = net.bn(net.conv(from, block + "_p", width, 1, strided, false), block + "_p");
  return net.relu(net.add(y, shortcut, block), block);
}

Net tinyPlain() {
  return plainNet(
      {"tiny-bn", "the pattern of cifar8-bn in two stages, on maps of 4 × 8", Shape{2, 4, 8}, {2, 3}, 2, 5, 4});
}
Net tinyPlainSkeleton() { return plainNet({"tiny-bn-skeleton", "", Shape{1, 4, 4}, {1, 1}, 2, 1, 2}); }

Net tinyResidual() {
  return residualNet({"tiny-resnet",
                      "the pattern of resnet-34 in two stages, on maps of 16 × 8",
                      Shape{2, 16, 8},
                      3,
                      {2, 3},
                      {1, 2},
                      4});
}
Net tinyResidualSkeleton() { return residualNet({"tiny-resnet-skeleton", "", Shape{1, 8, 8}, 3, {1, 2}, {1, 2}, 2}); }

Net cifar8Wide() { return cifar8(512); }
Net cifar8Narrow() { return cifar8(64); }
Net cifar8Skeleton() { return plainNet({"cifar8-skeleton", "", Shape{1, 16, 16}, {1, 1, 1, 1}, 2, 1, 2}); }

/// The layer table of ResNet-34 (He et al., 2016, table 1).
Net resnet34() {
  return residualNet({"resnet-34",
                      "ResNet-34 on images of 224 × 224, 1000 classes",
                      Shape{3, 224, 224},
                      7,
                      {64, 128, 256, 512},
                      {3, 4, 6, 3},
                      1000});
}
Net resnet34Skeleton() {
  return residualNet({"resnet-34-skeleton", "", Shape{1, 32, 32}, 7, {1, 2, 3, 4}, {3, 4, 6, 3}, 2});
}

constexpr NamedNet table[] = {
    {"tiny-bn", true, tinyPlain, tinyPlainSkeleton},          {"tiny-resnet", true, tinyResidual, tinyResidualSkeleton},
    {"cifar8-bn", false, cifar8Wide, cifar8Skeleton, cifar8}, {"cifar8-bn-narrow", false, cifar8Narrow, cifar8Skeleton},
    {"resnet-34", false, resnet34, resnet34Skeleton},
};

}  // namespace

std::int64_t Net::parameterCells() const {
  std::int64_t cells = 0;
  for (const Parameter& parameter : parameters) cells += parameter.shape.cells();
  return cells;
}

Net plainNet(const PlainPattern& pattern) {
  NetBuilder net(pattern.name, pattern.summary, pattern.image);
  requirePositive(pattern.name, "stages", static_cast<std::int64_t>(pattern.widths.size()));
  requirePositive(pattern.name, "convolutions per stage", pattern.convolutions);
  requirePositive(pattern.name, "units", std::min(pattern.head, pattern.classes));
  LayerId y = imageInput;
  int number = 0;
  for (std::size_t stage = 0; stage < pattern.widths.size(); ++stage) {
    requirePositive(pattern.name, "channels", pattern.widths[stage]);
    for (int i = 0; i < pattern.convolutions; ++i) {
      const std::string name = label(++number);
      y = net.relu(net.bn(net.conv(y, name, pattern.widths[stage], 3, false, true), name), name);
    }
    y = net.maxPool2(y, std::to_string(stage + 1));
  }
  y = net.flatten(y);
  for (int i = 0; i < 2; ++i) {
    const std::string name = label(++number);
    y = net.relu(net.dense(y, name, pattern.head), name);
  }
  return std::move(net).finish(net.dense(y, label(++number), pattern.classes));
}

Net residualNet(const ResidualPattern& pattern) {
  NetBuilder net(pattern.name, pattern.summary, pattern.image);
  requirePositive(pattern.name, "stages", static_cast<std::int64_t>(pattern.widths.size()));
  requirePositive(pattern.name, "classes", pattern.classes);
  requirePositive(pattern.name, "rows of the stem's kernel", pattern.stemKernel);
  if (pattern.blocks.size() != pattern.widths.size())
    throw Error("net " + pattern.name + ": expected as many numbers of blocks as widths");
  for (const std::int64_t width : pattern.widths) requirePositive(pattern.name, "channels", width);
  for (const int blocks : pattern.blocks) requirePositive(pattern.name, "blocks per stage", blocks);
  LayerId y = net.conv(imageInput, "0", pattern.widths[0], pattern.stemKernel, true, false);
  y = net.maxPool3(net.relu(net.bn(y, "0"), "0"), "0");
  for (std::size_t stage = 0; stage < pattern.widths.size(); ++stage)
    for (int i = 0; i < pattern.blocks[stage]; ++i) {
      const std::string block = std::to_string(stage + 1) + "_" + std::to_string(i + 1);
      y = basicBlock(net, y, block, pattern.widths[stage], stage > 0 && i == 0);
    }
  return std::move(net).finish(net.dense(net.gap(y), "fc", pattern.classes));
}

Net cifar8(std::int64_t head) {
  return plainNet(
      {head == 512  ? "cifar8-bn"
       : head == 64 ? "cifar8-bn-narrow"
                    : "cifar8-bn-" + std::to_string(head),
       "the net of SEMANTICS 4, head 128 - " + std::to_string(head) + " - " + std::to_string(head) + " - 10",
       Shape{3, 32, 32},
       {16, 16, 32, 32},
       2,
       head,
       10});
}

std::span<const NamedNet> namedNets() { return table; }

const NamedNet& findNet(std::string_view name) {
  const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  std::string names;
  for (const NamedNet& net : table) {
    if (std::equal(net.name.begin(), net.name.end(), name.begin(), name.end(), same)) return net;
    names += (names.empty() ? "" : ", ") + std::string(net.name);
  }
  throw Error("no net is named '" + excerpt(name) + "'; there are " + names);
}

}  // namespace shardlaw
