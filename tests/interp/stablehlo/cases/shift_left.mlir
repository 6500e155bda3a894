// RUN all
// IN 0 [-1, 0, 1]
// IN 1 [1, 2, 3]
// OUT 0 [-2, 0, 8]
func.func @main(%a: tensor<3xi8>, %b: tensor<3xi8>) -> tensor<3xi8> {
  %0 = stablehlo.shift_left %a, %b : tensor<3xi8>
  func.return %0 : tensor<3xi8>
}
// -----
// RUN all
// IN 0 [-1, 1, 1]
// IN 1 [8, -1, 7]
// OUT 0 [0, 0, -128]
func.func @main(%a: tensor<3xi8>, %b: tensor<3xi8>) -> tensor<3xi8> {
  %0 = stablehlo.shift_left %a, %b : tensor<3xi8>
  func.return %0 : tensor<3xi8>
}
