// RUN all
// IN 0 [[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]], [[[25, 26], [27, 28], [29, 30], [31, 32]], [[33, 34], [35, 36], [37, 38], [39, 40]], [[41, 42], [43, 44], [45, 46], [47, 48]]]]
// IN 1 [[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]
// IN 2 1
// OUT 0 [[[[3, 4], [6, 7], [6, 7], [7, 8]], [[9, 10], [11, 12], [15, 16], [17, 18]], [[17, 18], [19, 20], [22, 23], [24, 25]]], [[[25, 26], [28, 29], [30, 31], [31, 32]], [[35, 36], [38, 39], [38, 39], [39, 40]], [[41, 42], [44, 45], [46, 47], [47, 48]]]]
func.func @main(%a: tensor<2x3x4x2xi64>, %i: tensor<2x2x3x2xi64>, %u: tensor<2x2x3x2x2xi64>) -> tensor<2x3x4x2xi64> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %z = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %z : tensor<i64>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>, indices_are_sorted = false, unique_indices = false} : (tensor<2x3x4x2xi64>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xi64>) -> tensor<2x3x4x2xi64>
  func.return %0 : tensor<2x3x4x2xi64>
}
// -----
// RUN native exact
// IN 0 [[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0], [13.0, 14.0], [15.0, 16.0]], [[17.0, 18.0], [19.0, 20.0], [21.0, 22.0], [23.0, 24.0]]], [[[25.0, 26.0], [27.0, 28.0], [29.0, 30.0], [31.0, 32.0]], [[33.0, 34.0], [35.0, 36.0], [37.0, 38.0], [39.0, 40.0]], [[41.0, 42.0], [43.0, 44.0], [45.0, 46.0], [47.0, 48.0]]]]
// IN 1 [[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]
// IN 2 1.0
// OUT 0 [[[[3.0, 4.0], [6.0, 7.0], [6.0, 7.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0], [15.0, 16.0], [17.0, 18.0]], [[17.0, 18.0], [19.0, 20.0], [22.0, 23.0], [24.0, 25.0]]], [[[25.0, 26.0], [28.0, 29.0], [30.0, 31.0], [31.0, 32.0]], [[35.0, 36.0], [38.0, 39.0], [38.0, 39.0], [39.0, 40.0]], [[41.0, 42.0], [44.0, 45.0], [46.0, 47.0], [47.0, 48.0]]]]
func.func @main(%a: tensor<2x3x4x2xf32>, %i: tensor<2x2x3x2xi64>, %u: tensor<2x2x3x2x2xf32>) -> tensor<2x3x4x2xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>, indices_are_sorted = false, unique_indices = false} : (tensor<2x3x4x2xf32>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xf32>) -> tensor<2x3x4x2xf32>
  func.return %0 : tensor<2x3x4x2xf32>
}
// -----
// RUN native exact
// IN 0 [[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]], [[[25, 26], [27, 28], [29, 30], [31, 32]], [[33, 34], [35, 36], [37, 38], [39, 40]], [[41, 42], [43, 44], [45, 46], [47, 48]]]]
// IN 1 [[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]
// IN 2 1
// OUT 0 [[[[3, 4], [6, 7], [6, 7], [7, 8]], [[9, 10], [11, 12], [15, 16], [17, 18]], [[17, 18], [19, 20], [22, 23], [24, 25]]], [[[25, 26], [28, 29], [30, 31], [31, 32]], [[35, 36], [38, 39], [38, 39], [39, 40]], [[41, 42], [44, 45], [46, 47], [47, 48]]]]
func.func @main(%a: tensor<2x3x4x2xi64>, %i: tensor<2x2x3x2xi64>, %u: tensor<2x2x3x2x2xi64>) -> tensor<2x3x4x2xi64> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %n = stablehlo.negate %y : tensor<i64>
    %z = stablehlo.subtract %x, %n : tensor<i64>
    stablehlo.return %z : tensor<i64>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>, indices_are_sorted = false, unique_indices = false} : (tensor<2x3x4x2xi64>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xi64>) -> tensor<2x3x4x2xi64>
  func.return %0 : tensor<2x3x4x2xi64>
}
// -----
// RUN all
// IN 0 [1.0, 2.0, 3.0]
// IN 1 [[2], [0], [2], [-1]]
// IN 2 [5.0, 6.0, 7.0, 8.0]
// OUT 0 [6.0, 2.0, 7.0]
func.func @main(%a: tensor<3xf32>, %i: tensor<4x1xi32>, %u: tensor<4xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<3xf32>
  func.return %0 : tensor<3xf32>
}
// -----
// RUN native exact
// IN 0 [1.0, 2.0]
// IN 1 [[9223372036854775807], [-9223372036854775808], [1]]
// IN 2 [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]
// OUT 0 [1.0, 3.0]
func.func @main(%a: tensor<2xf32>, %i: tensor<3x1xi64>, %u: tensor<3x2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<2xf32>, tensor<3x1xi64>, tensor<3x2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
