// RUN native f64 f32 wide bounded
// IN 0 [-1.0, 0.0, 1.0]
// OUT 0 ~ [-0.76159415595576485, 0.0, 0.76159415595576485]
func.func @main(%a: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.tanh %a : tensor<3xf64>
  func.return %0 : tensor<3xf64>
}
