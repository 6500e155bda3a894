// RUN native f64 f32 wide bounded
// IN 0 [0.0, 1.0]
// OUT 0 ~ [0.0, 1.7182818284590452354]
func.func @main(%a: tensor<2xf64>) -> tensor<2xf64> {
  %0 = stablehlo.exponential_minus_one %a : tensor<2xf64>
  func.return %0 : tensor<2xf64>
}
