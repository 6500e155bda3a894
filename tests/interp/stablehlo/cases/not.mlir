// RUN all
// IN 0 [[1, 2], [3, 4]]
// OUT 0 [[-2, -3], [-4, -5]]
func.func @main(%a: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %0 = stablehlo.not %a : tensor<2x2xi32>
  func.return %0 : tensor<2x2xi32>
}
// -----
// RUN all
// IN 0 [true, false]
// OUT 0 [false, true]
func.func @main(%a: tensor<2xi1>) -> tensor<2xi1> {
  %0 = stablehlo.not %a : tensor<2xi1>
  func.return %0 : tensor<2xi1>
}
// -----
// RUN all
// IN 0 [0, 254]
// OUT 0 [255, 1]
func.func @main(%a: tensor<2xui8>) -> tensor<2xui8> {
  %0 = stablehlo.not %a : tensor<2xui8>
  func.return %0 : tensor<2xui8>
}
