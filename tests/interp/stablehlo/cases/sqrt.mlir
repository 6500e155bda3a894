// RUN native f64 f32 wide bounded
// IN 0 [[0.0, 1.0], [4.0, 9.0]]
// OUT 0 [[0.0, 1.0], [2.0, 3.0]]
func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.sqrt %a : tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
