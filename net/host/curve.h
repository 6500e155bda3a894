// Learning curves: as CSV, and drawn as SVG.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlaw {

/// What was measured at one step of training.
struct CurveRow {
  std::int64_t step = 0;  // optimizer steps taken
  double epoch = 0;       // passes over the training set
  double learningRate = 0;
  double trainLoss = 0;
  double trainAccuracy = 0;            // of 1
  std::optional<double> testAccuracy;  // of 1, where it was measured
};

/// A run: what its legend says, and its rows in the order of their steps.
struct Curve {
  std::string name;
  std::vector<CurveRow> rows;
};

/// The rows under the header step,epoch,learning_rate,train_loss,train_accuracy,test_accuracy. Numbers are the shortest
/// decimals that read as the same f64, "nan", "inf" or "-inf"; what was not measured is empty. Lines end in \n. The
/// same bytes under every locale.
std::string toCsv(const Curve& curve);

/// A drawing of the runs over one another, 720 units wide: their training loss above their training and test accuracy,
/// over steps. Where losses span a factor of 100 or more, their axis is logarithmic. A run that coincides with one
/// before it is a thin line on a broad one. Values that are not finite are gaps. More rows than can be told apart are
/// drawn by the least and the greatest of each column.
///
/// SVG 1.1 without scripts or external references; dark where the viewer asks for dark. The same runs give the same
/// bytes, under every locale. Names are escaped. O(rows).
std::string toSvg(const std::vector<Curve>& runs, const std::string& title = "");

}  // namespace shardlaw
