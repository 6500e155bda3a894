// RUN all
// IN 0 [[0, 1], [2, 3]]
// IN 1 [[4, 5], [6, 7]]
// OUT 0 [[0, 5], [12, 21]]
func.func @main(%a: tensor<2x2xi64>, %b: tensor<2x2xi64>) -> tensor<2x2xi64> {
  %0 = "stablehlo.map"(%a, %b) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %z = stablehlo.multiply %x, %y : tensor<i64>
    stablehlo.return %z : tensor<i64>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  func.return %0 : tensor<2x2xi64>
}
