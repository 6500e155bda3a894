// RUN native
// ERROR padding: too large
func.func @main(%a: tensor<2xf32>, %i: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 1>, padding = dense<[[9223372036854775807, 9223372036854775807]]> : tensor<1x2xi64>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN native
// ERROR too large an extent
func.func @main(%a: tensor<3xf32>, %i: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 1>, base_dilations = array<i64: 9223372036854775807>} : (tensor<3xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN native exact
// IN 0 [1.0]
// IN 1 0.0
// OUT 0 [0.0, 1.0]
func.func @main(%a: tensor<1xf32>, %i: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 1>, base_dilations = array<i64: 9223372036854775807>, window_dilations = array<i64: 9223372036854775807>, padding = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN native
// ERROR expected entries of at least 1
func.func @main(%a: tensor<3xf32>, %i: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN native
// ERROR start
func.func @main(%a: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.slice %a [-9223372036854775807:2] : (tensor<3xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN all
// IN 0 [1.0, 2.0, 3.0]
// OUT 0 [2.0]
func.func @main(%a: tensor<3xf32>) -> tensor<1xf32> {
  %0 = stablehlo.slice %a [1:3:9223372036854775807] : (tensor<3xf32>) -> tensor<1xf32>
  func.return %0 : tensor<1xf32>
}
// -----
// RUN native
// ERROR expected an operand with cells to read
func.func @main(%a: tensor<0x2xf32>, %i: tensor<1xi32>) -> tensor<1x2xf32> {
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0, 2>} : (tensor<0x2xf32>, tensor<1xi32>) -> tensor<1x2xf32>
  func.return %0 : tensor<1x2xf32>
}
// -----
// RUN native
// ERROR feature_group_count
func.func @main(%a: tensor<1x4x4x3xf32>, %b: tensor<3x3x3x1xf32>) -> tensor<1x2x2x1xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 0 : i64} : (tensor<1x4x4x3xf32>, tensor<3x3x3x1xf32>) -> tensor<1x2x2x1xf32>
  func.return %0 : tensor<1x2x2x1xf32>
}
// -----
// RUN native
// ERROR rank
func.func @main(%a: tensor<1x1x1x1x1xf32>, %b: tensor<1x1x1x1x1xf32>) -> tensor<1x1x1x1xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<1x1x1x1x1xf32>, tensor<1x1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  func.return %0 : tensor<1x1x1x1xf32>
}
