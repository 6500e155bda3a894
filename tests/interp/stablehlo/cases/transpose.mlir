// RUN all
// IN 0 [[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]
// OUT 0 [[[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]]
func.func @main(%a: tensor<2x3x2xi32>) -> tensor<2x3x2xi32> {
  %0 = stablehlo.transpose %a, dims = [2, 1, 0] : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
  func.return %0 : tensor<2x3x2xi32>
}
// -----
// RUN native
// ERROR permutation
func.func @main(%a: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.transpose %a, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
