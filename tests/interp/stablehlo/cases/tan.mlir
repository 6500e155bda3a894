// RUN native f64 f32 wide
// IN 0 [0.0, 0.78539816339744830962]
// OUT 0 ~ [0.0, 1.0]
func.func @main(%a: tensor<2xf64>) -> tensor<2xf64> {
  %0 = stablehlo.tan %a : tensor<2xf64>
  func.return %0 : tensor<2xf64>
}
