// RUN native f64 f32 wide
// IN 0 [0.0, 1.0, 8.0, -27.0]
// OUT 0 ~ [0.0, 1.0, 2.0, -3.0]
func.func @main(%a: tensor<4xf64>) -> tensor<4xf64> {
  %0 = stablehlo.cbrt %a : tensor<4xf64>
  func.return %0 : tensor<4xf64>
}
