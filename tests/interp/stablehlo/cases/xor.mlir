// RUN all
// IN 0 [[1, 2], [3, 4]]
// IN 1 [[5, 6], [7, 8]]
// OUT 0 [[4, 4], [4, 12]]
func.func @main(%a: tensor<2x2xi32>, %b: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %0 = stablehlo.xor %a, %b : tensor<2x2xi32>
  func.return %0 : tensor<2x2xi32>
}
// -----
// RUN all
// IN 0 [false, false, true, true]
// IN 1 [false, true, false, true]
// OUT 0 [false, true, true, false]
func.func @main(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %0 = stablehlo.xor %a, %b : tensor<4xi1>
  func.return %0 : tensor<4xi1>
}
