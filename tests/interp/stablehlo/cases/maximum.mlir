// RUN all
// IN 0 [[1, 2], [7, 8]]
// IN 1 [[5, 6], [3, 4]]
// OUT 0 [[5, 6], [7, 8]]
func.func @main(%a: tensor<2x2xi32>, %b: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %0 = stablehlo.maximum %a, %b : tensor<2x2xi32>
  func.return %0 : tensor<2x2xi32>
}
// -----
// RUN all
// IN 0 [18446744073709551615, 1]
// IN 1 [1, 2]
// OUT 0 [18446744073709551615, 2]
func.func @main(%a: tensor<2xui64>, %b: tensor<2xui64>) -> tensor<2xui64> {
  %0 = stablehlo.maximum %a, %b : tensor<2xui64>
  func.return %0 : tensor<2xui64>
}
// -----
// RUN native f64 f32
// IN 0 [0x7FC00000, 1.0, -0.0, 0.0]
// IN 1 [1.0, 0x7FC00000, 0.0, -0.0]
// OUT 0 [0x7FC00000, 0x7FC00000, 0.0, 0.0]
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.maximum %a, %b : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
// -----
// RUN native f32
// IN 0 [-1.0, -0.0, 1.0e-45, 0x7FC00000]
// OUT 0 [0.0, 0.0, 1.0e-45, 0x7FC00000]
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.maximum %a, %z : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
