// RUN all
// IN 0 [0, 1, 2, 127]
// OUT 0 [0, 1, 1, 7]
func.func @main(%a: tensor<4xi64>) -> tensor<4xi64> {
  %0 = stablehlo.popcnt %a : tensor<4xi64>
  func.return %0 : tensor<4xi64>
}
// -----
// RUN all
// IN 0 [-1]
// OUT 0 [8]
func.func @main(%a: tensor<1xi8>) -> tensor<1xi8> {
  %0 = stablehlo.popcnt %a : tensor<1xi8>
  func.return %0 : tensor<1xi8>
}
