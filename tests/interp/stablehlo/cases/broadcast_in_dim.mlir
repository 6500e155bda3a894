// RUN all
// IN 0 [[1, 2, 3]]
// OUT 0 [[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]
func.func @main(%a: tensor<1x3xi32>) -> tensor<2x3x2xi32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [2, 1] : (tensor<1x3xi32>) -> tensor<2x3x2xi32>
  func.return %0 : tensor<2x3x2xi32>
}
