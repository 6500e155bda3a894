// RUN native f64 f32 wide bounded
// IN 0 [0.0, -0.5, 1.0]
// OUT 0 ~ [0.0, -0.69314718055994530942, 0.69314718055994530942]
func.func @main(%a: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.log_plus_one %a : tensor<3xf64>
  func.return %0 : tensor<3xf64>
}
