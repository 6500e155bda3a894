// RUN native f64 f32 wide
// IN 0 [-2.5, 0.4, 0.5, 0.6, 2.5]
// OUT 0 [-3.0, 0.0, 1.0, 1.0, 3.0]
func.func @main(%a: tensor<5xf64>) -> tensor<5xf64> {
  %0 = stablehlo.round_nearest_afz %a : tensor<5xf64>
  func.return %0 : tensor<5xf64>
}
