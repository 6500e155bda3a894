// RUN all
// IN 0 [-1, 0, 8]
// IN 1 [1, 2, 3]
// OUT 0 [-1, 0, 1]
func.func @main(%a: tensor<3xi8>, %b: tensor<3xi8>) -> tensor<3xi8> {
  %0 = stablehlo.shift_right_arithmetic %a, %b : tensor<3xi8>
  func.return %0 : tensor<3xi8>
}
// -----
// RUN all
// IN 0 [-128, 127, -128]
// IN 1 [8, 9, 7]
// OUT 0 [-1, 0, -1]
func.func @main(%a: tensor<3xi8>, %b: tensor<3xi8>) -> tensor<3xi8> {
  %0 = stablehlo.shift_right_arithmetic %a, %b : tensor<3xi8>
  func.return %0 : tensor<3xi8>
}
