// RUN all
// IN 0 [[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]], [[[25, 26], [27, 28], [29, 30], [31, 32]], [[33, 34], [35, 36], [37, 38], [39, 40]], [[41, 42], [43, 44], [45, 46], [47, 48]]]]
// IN 1 [[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]
// OUT 0 [[[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]], [[[33, 34], [35, 36]], [[35, 36], [37, 38]], [[41, 42], [43, 44]]]], [[[[1, 2], [3, 4]], [[13, 14], [15, 16]], [[21, 22], [23, 24]]], [[[43, 44], [45, 46]], [[33, 34], [35, 36]], [[27, 28], [29, 30]]]]]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32> {
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>, indices_are_sorted = false} : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  func.return %0 : tensor<2x2x3x2x2xi32>
}
// -----
// RUN native exact
// IN 0 [[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0], [13.0, 14.0], [15.0, 16.0]], [[17.0, 18.0], [19.0, 20.0], [21.0, 22.0], [23.0, 24.0]]], [[[25.0, 26.0], [27.0, 28.0], [29.0, 30.0], [31.0, 32.0]], [[33.0, 34.0], [35.0, 36.0], [37.0, 38.0], [39.0, 40.0]], [[41.0, 42.0], [43.0, 44.0], [45.0, 46.0], [47.0, 48.0]]]]
// IN 1 [[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]
// OUT 0 [[[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [5.0, 6.0]], [[13.0, 14.0], [15.0, 16.0]]], [[[33.0, 34.0], [35.0, 36.0]], [[35.0, 36.0], [37.0, 38.0]], [[41.0, 42.0], [43.0, 44.0]]]], [[[[1.0, 2.0], [3.0, 4.0]], [[13.0, 14.0], [15.0, 16.0]], [[21.0, 22.0], [23.0, 24.0]]], [[[43.0, 44.0], [45.0, 46.0]], [[33.0, 34.0], [35.0, 36.0]], [[27.0, 28.0], [29.0, 30.0]]]]]
func.func @main(%a: tensor<2x3x4x2xf32>, %i: tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xf32> {
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>, indices_are_sorted = false} : (tensor<2x3x4x2xf32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xf32>
  func.return %0 : tensor<2x2x3x2x2xf32>
}
// -----
// RUN all
// IN 0 [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
// IN 1 [2, 0, -7, 9]
// OUT 0 [[5.0, 6.0], [1.0, 2.0], [1.0, 2.0], [5.0, 6.0]]
func.func @main(%a: tensor<3x2xf32>, %i: tensor<4xi32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>} : (tensor<3x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  func.return %0 : tensor<4x2xf32>
}
