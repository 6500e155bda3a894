// RUN all
// IN 0 [[1, 2], [3, 4], [5, 6]]
// IN 1 [[7, 8]]
// OUT 0 [[1, 2], [3, 4], [5, 6], [7, 8]]
func.func @main(%a: tensor<3x2xi64>, %b: tensor<1x2xi64>) -> tensor<4x2xi64> {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>
  func.return %0 : tensor<4x2xi64>
}
// -----
// RUN all
// IN 0 [[1.0], [2.0]]
// IN 1 [[3.0, 4.0], [5.0, 6.0]]
// OUT 0 [[1.0, 3.0, 4.0], [2.0, 5.0, 6.0]]
func.func @main(%a: tensor<2x1xf32>, %b: tensor<2x2xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
// -----
// RUN native
// ERROR operand 1
func.func @main(%a: tensor<2x2xf32>, %b: tensor<3x1xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x2xf32>, tensor<3x1xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
