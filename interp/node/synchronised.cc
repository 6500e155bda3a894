#include "interp/node/synchronised.h"

#include "interp/node/nodes.h"

namespace shardlaw {

ValueId addSyncStatistics(Builder& builder, ValueId x) {
  const ValueId mean = builder.apply(nodes::allReduceMean, {builder.apply(nodes::bnBatchMean, {x})});
  const ValueId var = builder.apply(nodes::allReduceMean, {builder.apply(nodes::bnBatchVarAt, {x, mean})});
  return builder.apply(nodes::bnPack, {mean, var});
}

SyncForward addSyncForward(Builder& builder, ValueId x, ValueId gamma, ValueId beta, const Rational& eps) {
  const ValueId statistics = addSyncStatistics(builder, x);
  const ValueId y = builder.apply(nodes::bnSync, {x, gamma, beta, statistics}, {{"eps", Attribute{eps}}});
  return {statistics, y};
}

SyncBackward addSyncBackward(Builder& builder, ValueId x, ValueId gamma, ValueId dy, ValueId statistics,
                             const Rational& eps) {
  const Attributes attributes{{"eps", Attribute{eps}}};
  const ValueId betaGrad = builder.apply(nodes::bnBetaGrad, {dy});
  const ValueId gammaGrad = builder.apply(nodes::bnSyncGammaGrad, {x, dy, statistics}, attributes);
  const ValueId local = builder.apply(nodes::bnSyncDyStats, {x, gamma, dy, statistics}, attributes);
  const ValueId dyStatistics = builder.apply(nodes::allReduceMean, {local});
  return {dyStatistics, builder.apply(nodes::bnSyncBack, {x, gamma, dy, dyStatistics}, attributes), gammaGrad,
          betaGrad};
}

}  // namespace shardlaw
