#include "net/host/curve.h"

#include <charconv>

namespace shardlaw {
namespace {

template <class T>
void append(std::string& text, T value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace

std::string toCsv(const Curve& curve) {
  std::string text = "step,epoch,learning_rate,train_loss,train_accuracy,test_accuracy\n";
  for (const CurveRow& row : curve.rows) {
    append(text, row.step);
    for (const double value : {row.epoch, row.learningRate, row.trainLoss, row.trainAccuracy}) {
      text += ',';
      append(text, value);
    }
    text += ',';
    if (row.testAccuracy) append(text, *row.testAccuracy);
    text += '\n';
  }
  return text;
}

}  // namespace shardlaw
