// RUN all
// OUT 0 [[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]
// OUT 1 [[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]
func.func @main() -> (tensor<4x5xi32>, tensor<2x3xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<4x5xi32>
  %1 = stablehlo.iota dim = 1 : tensor<2x3xf32>
  func.return %0, %1 : tensor<4x5xi32>, tensor<2x3xf32>
}
// -----
// RUN native
// ERROR iota_dimension
func.func @main() -> tensor<4xi32> {
  %0 = stablehlo.iota dim = 1 : tensor<4xi32>
  func.return %0 : tensor<4xi32>
}
