// RUN native f64 f32 wide bounded
// IN 0 [[1.0, 4.0], [16.0, 25.0]]
// OUT 0 ~ [[1.0, 0.5], [0.25, 0.2]]
func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.rsqrt %a : tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
