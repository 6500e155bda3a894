// RUN native f64 f32 wide bounded
// IN 0 [[1.0, 2.0], [3.0, 4.0]]
// OUT 0 ~ [[0.0, 0.69314718055994530942], [1.0986122886681098, 1.3862943611198906]]
func.func @main(%a: tensor<2x2xf64>) -> tensor<2x2xf64> {
  %0 = stablehlo.log %a : tensor<2x2xf64>
  func.return %0 : tensor<2x2xf64>
}
