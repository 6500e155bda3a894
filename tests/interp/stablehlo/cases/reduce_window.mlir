// RUN all
// IN 0 [[1, 2], [3, 4], [5, 6]]
// IN 1 0
// OUT 0 [[0, 0], [3, 4]]
func.func @main(%a: tensor<3x2xi64>, %i: tensor<i64>) -> tensor<2x2xi64> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %z = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %z : tensor<i64>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  func.return %0 : tensor<2x2xi64>
}
// -----
// RUN all
// IN 0 [1.0, 2.0, 3.0]
// IN 1 10.0
// OUT 0 [21.0, 13.0, 15.0, 23.0]
func.func @main(%a: tensor<3xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
// -----
// RUN native f64 f32 wide
// IN 0 [[-1.0, -2.0, -3.0, -4.0], [-5.0, -6.0, -7.0, -8.0], [-9.0, -10.0, -11.0, -12.0], [-13.0, -14.0, -15.0, -16.0]]
// IN 1 0.0
// OUT 0 [[0.0, 0.0], [0.0, 0.0]]
func.func @main(%a: tensor<4x4xf32>, %i: tensor<f32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// -----
// RUN native f64 f32 wide
// IN 0 [[-1.0, -2.0, -3.0, -4.0], [-5.0, -6.0, -7.0, -8.0], [-9.0, -10.0, -11.0, -12.0], [-13.0, -14.0, -15.0, -16.0]]
// IN 1 0xFF800000
// OUT 0 [[-1.0, -3.0], [-9.0, -11.0]]
func.func @main(%a: tensor<4x4xf32>, %i: tensor<f32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// -----
// RUN native f64 f32 wide exact
// IN 0 [[-1.0, -1.0], [-1.0, -1.0]]
// IN 1 0xFF800000
// OUT 0 [[-1.0, -1.0], [-1.0, -1.0]]
func.func @main(%a: tensor<2x2xf32>, %i: tensor<f32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<1> : tensor<2x2xi64>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// -----
// RUN all
// IN 0 [-1.0]
// IN 1 7.0
// OUT 0 [49.0, -7.0]
func.func @main(%a: tensor<1xf32>, %i: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.multiply %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 1>, window_strides = array<i64: 2>, padding = dense<[[2, 0]]> : tensor<1x2xi64>} : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN native f64 f32
// IN 0 [1.0, 0x7FC00000, 3.0, 4.0]
// IN 1 0xFF800000
// OUT 0 [0x7FC00000, 0x7FC00000, 4.0]
func.func @main(%a: tensor<4xf32>, %i: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return %0 : tensor<3xf32>
}
// -----
// RUN native exact
// IN 0 [3, 4, 5]
// IN 1 0
// OUT 0 [7, 9]
func.func @main(%a: tensor<3xi32>, %i: tensor<i32>) -> tensor<2xi32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %z = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %z : tensor<i32>
  }) {window_dimensions = array<i64: 2>, padding = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}
// -----
// RUN native exact
// IN 0 [3, 4, 5, 6]
// IN 1 0
// OUT 0 [9]
func.func @main(%a: tensor<4xi32>, %i: tensor<i32>) -> tensor<1xi32> {
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %z = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %z : tensor<i32>
  }) {window_dimensions = array<i64: 2>, padding = dense<[[-1, -1]]> : tensor<1x2xi64>} : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
  func.return %0 : tensor<1xi32>
}
