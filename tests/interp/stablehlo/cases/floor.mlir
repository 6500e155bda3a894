// RUN native f64 f32 wide
// IN 0 [-0.8166, -0.2530, 0.2530, 0.8166, 2.0]
// OUT 0 [-1.0, -1.0, 0.0, 0.0, 2.0]
func.func @main(%a: tensor<5xf32>) -> tensor<5xf32> {
  %0 = stablehlo.floor %a : tensor<5xf32>
  func.return %0 : tensor<5xf32>
}
