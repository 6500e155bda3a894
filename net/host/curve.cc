#include "net/host/curve.h"

#include "interp/number/shortest.h"

namespace shardlaw {
std::string toCsv(const Curve& curve) {
  std::string text = "step,epoch,learning_rate,train_loss,train_accuracy,test_accuracy\n";
  for (const CurveRow& row : curve.rows) {
    text += shortest(row.step);
    for (const double value : {row.epoch, row.learningRate, row.trainLoss, row.trainAccuracy}) {
      text += ',';
      text += shortest(value);
    }
    text += ',';
    if (row.testAccuracy) text += shortest(*row.testAccuracy);
    text += '\n';
  }
  return text;
}

}  // namespace shardlaw
