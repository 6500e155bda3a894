// RUN native f64 f32
// IN 0 [0x7FF8000000000001, -1.0, -0.0, 5.0]
// OUT 0 [0x7FF8000000000000, -1.0, -0.0, 1.0]
func.func @main(%a: tensor<4xf64>) -> tensor<4xf64> {
  %0 = stablehlo.sign %a : tensor<4xf64>
  func.return %0 : tensor<4xf64>
}
// -----
// RUN all
// IN 0 [-5, 0, 7]
// OUT 0 [-1, 0, 1]
func.func @main(%a: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.sign %a : tensor<3xi32>
  func.return %0 : tensor<3xi32>
}
