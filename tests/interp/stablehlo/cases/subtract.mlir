// RUN all
// IN 0 [[6.0, 8.0], [10.0, 12.0]]
// IN 1 [[5.0, 6.0], [7.0, 8.0]]
// OUT 0 [[1.0, 2.0], [3.0, 4.0]]
func.func @main(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.subtract %a, %b : tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// -----
// RUN all
// IN 0 [0, 5]
// IN 1 [1, 2]
// OUT 0 [255, 3]
func.func @main(%a: tensor<2xui8>, %b: tensor<2xui8>) -> tensor<2xui8> {
  %0 = stablehlo.subtract %a, %b : tensor<2xui8>
  func.return %0 : tensor<2xui8>
}
