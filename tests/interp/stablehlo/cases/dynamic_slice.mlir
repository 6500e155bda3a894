// RUN all
// IN 0 [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]]
// IN 1 -1
// IN 2 3
// OUT 0 [[1, 1], [1, 1]]
func.func @main(%a: tensor<4x4xi32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<2x2xi32> {
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 2] : (tensor<4x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2xi32>
  func.return %0 : tensor<2x2xi32>
}
// -----
// RUN native
// ERROR start indices
func.func @main(%a: tensor<2x3xf32>, %i: tensor<i32>) -> tensor<1x1xf32> {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>) -> tensor<1x1xf32>
  func.return %0 : tensor<1x1xf32>
}
