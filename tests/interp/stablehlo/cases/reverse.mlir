// RUN all
// IN 0 [[1, 2], [3, 4], [5, 6]]
// OUT 0 [[2, 1], [4, 3], [6, 5]]
// OUT 1 [[6, 5], [4, 3], [2, 1]]
func.func @main(%a: tensor<3x2xi32>) -> (tensor<3x2xi32>, tensor<3x2xi32>) {
  %0 = stablehlo.reverse %a, dims = [1] : tensor<3x2xi32>
  %1 = stablehlo.reverse %a, dims = [0, 1] : tensor<3x2xi32>
  func.return %0, %1 : tensor<3x2xi32>, tensor<3x2xi32>
}
