// RUN all
// IN 0 [[1, 2, 3], [4, 5, 6]]
// OUT 0 [[1, 2], [3, 4], [5, 6]]
func.func @main(%a: tensor<2x3xi32>) -> tensor<3x2xi32> {
  %0 = stablehlo.reshape %a : (tensor<2x3xi32>) -> tensor<3x2xi32>
  func.return %0 : tensor<3x2xi32>
}
