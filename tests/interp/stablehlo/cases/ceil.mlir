// RUN native f64 f32
// IN 0 [-1.5, -0.25, 0.2530, 0.8166, 2.0]
// OUT 0 [-1.0, -0.0, 1.0, 1.0, 2.0]
func.func @main(%a: tensor<5xf32>) -> tensor<5xf32> {
  %0 = stablehlo.ceil %a : tensor<5xf32>
  func.return %0 : tensor<5xf32>
}
