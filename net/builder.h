// Makes nets layer by layer, and the tables of parameters and statistics with them.
#pragma once

#include "net/net.h"

namespace shardlaw {

/// Every function adds one layer and returns its id. Labels name parameters: conv("3") has W3, and cb3 where it has a
/// bias; bn("3") has g3, bt3 and the statistics n3mu, n3var; dense("9") has W9 and b9. They throw Error where the
/// layer does not fit what it reads.
class NetBuilder {
 public:
  NetBuilder(std::string name, std::string summary, const Shape& image);

  LayerId conv(LayerId from, const std::string& label, std::int64_t outputs, std::int64_t kernel, bool strided,
               bool bias);
  LayerId bn(LayerId from, const std::string& label);
  LayerId relu(LayerId from, const std::string& label);
  LayerId maxPool2(LayerId from, const std::string& label);
  LayerId maxPool3(LayerId from, const std::string& label);
  LayerId gap(LayerId from);
  LayerId flatten(LayerId from);
  LayerId dense(LayerId from, const std::string& label, std::int64_t outputs);
  LayerId add(LayerId a, LayerId b, const std::string& label);

  /// Of one example.
  const Shape& shape(LayerId id) const;
  /// `logits` must be the layer added last.
  Net finish(LayerId logits) &&;

 private:
  LayerId layer(Layer added, const Shape& shape);
  int parameter(const std::string& name, const Shape& shape, Initial initial, std::int64_t fanIn = 0);
  Shape halved(LayerId from, const std::string& label) const;
  [[noreturn]] void refuse(const std::string& label, const std::string& message) const;

  Net net_;
  std::vector<Shape> shapes_;
};

}  // namespace shardlaw
