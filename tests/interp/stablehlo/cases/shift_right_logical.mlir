// RUN all
// IN 0 [-1, 0, 8]
// IN 1 [1, 2, 3]
// OUT 0 [127, 0, 1]
func.func @main(%a: tensor<3xi8>, %b: tensor<3xi8>) -> tensor<3xi8> {
  %0 = stablehlo.shift_right_logical %a, %b : tensor<3xi8>
  func.return %0 : tensor<3xi8>
}
// -----
// RUN all
// IN 0 [255, 255]
// IN 1 [7, 8]
// OUT 0 [1, 0]
func.func @main(%a: tensor<2xui8>, %b: tensor<2xui8>) -> tensor<2xui8> {
  %0 = stablehlo.shift_right_logical %a, %b : tensor<2xui8>
  func.return %0 : tensor<2xui8>
}
