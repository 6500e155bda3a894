// RUN exact bounded
// IN 0 [17.1, -17.1, 17.1, -17.1]
// IN 1 [3.0, 3.0, -3.0, -3.0]
// OUT 0 [5.7, -5.7, -5.7, 5.7]
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.divide %a, %b : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
// -----
// RUN all
// IN 0 [17, -17, 17, -17]
// IN 1 [3, 3, -3, -3]
// OUT 0 [5, -5, -5, 5]
func.func @main(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.divide %a, %b : tensor<4xi32>
  func.return %0 : tensor<4xi32>
}
// -----
// RUN all
// IN 0 [1, -2147483648, 7]
// IN 1 [0, -1, -7]
// OUT 0 [-1, -2147483648, -1]
func.func @main(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.divide %a, %b : tensor<3xi32>
  func.return %0 : tensor<3xi32>
}
// -----
// RUN all
// IN 0 [255, 9]
// IN 1 [2, 0]
// OUT 0 [127, 255]
func.func @main(%a: tensor<2xui8>, %b: tensor<2xui8>) -> tensor<2xui8> {
  %0 = stablehlo.divide %a, %b : tensor<2xui8>
  func.return %0 : tensor<2xui8>
}
