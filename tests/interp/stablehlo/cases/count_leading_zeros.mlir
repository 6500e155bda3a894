// RUN all
// IN 0 [[0, 1], [128, -1]]
// OUT 0 [[32, 31], [24, 0]]
func.func @main(%a: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %0 = stablehlo.count_leading_zeros %a : tensor<2x2xi32>
  func.return %0 : tensor<2x2xi32>
}
// -----
// RUN all
// IN 0 [1, 255]
// OUT 0 [7, 0]
func.func @main(%a: tensor<2xui8>) -> tensor<2xui8> {
  %0 = stablehlo.count_leading_zeros %a : tensor<2xui8>
  func.return %0 : tensor<2xui8>
}
