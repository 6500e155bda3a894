// RUN all
// IN 0 [[1, 2, 3], [4, 5, 6]]
// IN 1 0
// OUT 0 [[0, 0, 0, 0], [1, 0, 0, 2], [0, 0, 0, 0], [4, 0, 0, 5], [0, 0, 0, 0]]
func.func @main(%a: tensor<2x3xi32>, %b: tensor<i32>) -> tensor<5x4xi32> {
  %0 = stablehlo.pad %a, %b, low = [1, 0], high = [1, -3], interior = [1, 2] : (tensor<2x3xi32>, tensor<i32>) -> tensor<5x4xi32>
  func.return %0 : tensor<5x4xi32>
}
// -----
// RUN all
// IN 0 [1.0, 2.0, 3.0, 4.0]
// IN 1 9.0
// OUT 0 [2.0, 9.0, 3.0, 9.0, 4.0, 9.0]
func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<6xf32> {
  %0 = stablehlo.pad %a, %b, low = [-2], high = [1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  func.return %0 : tensor<6xf32>
}
// -----
// RUN all
// IN 0 [1.0, 2.0]
// IN 1 9.0
// OUT 0 [9.0, 9.0]
func.func @main(%a: tensor<2xf32>, %b: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.pad %a, %b, low = [-4611686018427387904], high = [4611686018427387904], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN native
// ERROR extent
func.func @main(%a: tensor<3xf32>, %b: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.pad %a, %b, low = [0], high = [0], interior = [9223372036854775807] : (tensor<3xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
