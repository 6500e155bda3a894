// RUN all
// IN 0 [[0, 0, 0, 0], [0, 0, 1, 2], [0, 0, 3, 4]]
// OUT 0 [[1, 2], [3, 4]]
// OUT 1 [[0, 0], [0, 3]]
func.func @main(%a: tensor<3x4xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>) {
  %0 = stablehlo.slice %a [1:3, 2:4] : (tensor<3x4xi64>) -> tensor<2x2xi64>
  %1 = stablehlo.slice %a [0:3:2, 0:4:2] : (tensor<3x4xi64>) -> tensor<2x2xi64>
  func.return %0, %1 : tensor<2x2xi64>, tensor<2x2xi64>
}
// -----
// RUN native
// ERROR limit
func.func @main(%a: tensor<3xi64>) -> tensor<3xi64> {
  %0 = stablehlo.slice %a [1:4] : (tensor<3xi64>) -> tensor<3xi64>
  func.return %0 : tensor<3xi64>
}
