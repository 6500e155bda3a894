// RUN all
// IN 0 [5, 10, 15]
// IN 1 [3, 13, 23]
// IN 2 [10, 15, 20]
// OUT 0 [5, 13, 20]
func.func @main(%a: tensor<3xi32>, %b: tensor<3xi32>, %c: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.clamp %a, %b, %c : tensor<3xi32>
  func.return %0 : tensor<3xi32>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 0.0
// IN 1 [-1.0, 3.0, 7.0]
// IN 2 6.0
// OUT 0 [0.0, 3.0, 6.0]
func.func @main(%a: tensor<f32>, %b: tensor<3xf32>, %c: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.clamp %a, %b, %c : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  func.return %0 : tensor<3xf32>
}
// -----
// RUN native
// ERROR limit
func.func @main(%a: tensor<3xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.clamp %a, %b, %b : (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
