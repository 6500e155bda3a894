// RUN all
// IN 0 [[1, 5], [2, 5], [3, 6], [4, 4]]
// IN 1 [[5, 6], [7, 8]]
// IN 2 0
// OUT 0 [[0, 0], [0, 0], [5, 14], [7, 0]]
func.func @main(%a: tensor<4x2xi64>, %s: tensor<2x2xi64>, %i: tensor<i64>) -> tensor<4x2xi64> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %z = stablehlo.compare GE, %x, %y : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }, {
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %z = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %z : tensor<i64>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
  func.return %0 : tensor<4x2xi64>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [[1.0, 5.0], [2.0, 5.0], [3.0, 6.0], [4.0, 4.0]]
// IN 1 [[5.0, 6.0], [7.0, 8.0]]
// IN 2 0.5
// OUT 0 [[0.5, 0.5], [0.5, 0.5], [5.5, 14.5], [7.5, 0.5]]
func.func @main(%a: tensor<4x2xf32>, %s: tensor<2x2xf32>, %i: tensor<f32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  func.return %0 : tensor<4x2xf32>
}
// -----
// RUN native exact f64 f32 wide bounded
// IN 0 [[1, 5], [2, 5], [3, 6], [4, 4]]
// IN 1 [[5, 6], [7, 8]]
// IN 2 0
// OUT 0 [[0, 0], [0, 0], [5, 14], [7, 0]]
func.func @main(%a: tensor<4x2xi64>, %s: tensor<2x2xi64>, %i: tensor<i64>) -> tensor<4x2xi64> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %n = stablehlo.negate %y : tensor<i64>
    %m = stablehlo.negate %x : tensor<i64>
    %z = stablehlo.compare LE, %m, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }, {
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %z = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %z : tensor<i64>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
  func.return %0 : tensor<4x2xi64>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [[1.0, 5.0], [2.0, 5.0], [3.0, 6.0], [4.0, 4.0]]
// IN 1 [[5.0, 6.0], [7.0, 8.0]]
// IN 2 0.5
// OUT 0 [[0.5, 0.5], [0.5, 0.5], [5.5, 14.5], [7.5, 0.5]]
func.func @main(%a: tensor<4x2xf32>, %s: tensor<2x2xf32>, %i: tensor<f32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %n = stablehlo.negate %y : tensor<f32>
    %m = stablehlo.negate %x : tensor<f32>
    %z = stablehlo.compare LE, %m, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  func.return %0 : tensor<4x2xf32>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [1.0, 2.0, 2.0, 2.0]
// IN 1 [1.0]
// IN 2 0.0
// OUT 0 [0.0, 1.0, 0.0, 0.0]
func.func @main(%a: tensor<4xf32>, %s: tensor<1xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 4>} : (tensor<4xf32>, tensor<1xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [1.0, 2.0, 2.0, 2.0]
// IN 1 [1.0]
// IN 2 0.0
// OUT 0 [0.0, 0.0, 0.0, 1.0]
func.func @main(%a: tensor<4xf32>, %s: tensor<1xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 4>} : (tensor<4xf32>, tensor<1xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
// -----
// RUN exact
// IN 0 [2.0, 2.0, 2.0, 2.0]
// IN 1 [1.0]
// IN 2 0.0
// OUT 0 [1.0, 0.0, 0.0, 0.0]
func.func @main(%a: tensor<4xf32>, %s: tensor<1xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 4>} : (tensor<4xf32>, tensor<1xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
// -----
// RUN native exact
// IN 0 [1, 2, 3]
// IN 1 [5, 6]
// IN 2 2
// OUT 0 [2, 10, 12]
func.func @main(%a: tensor<3xi32>, %s: tensor<2xi32>, %i: tensor<i32>) -> tensor<3xi32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %z = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %z = stablehlo.multiply %x, %y : tensor<i32>
    stablehlo.return %z : tensor<i32>
  }) {window_dimensions = array<i64: 2>} : (tensor<3xi32>, tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  func.return %0 : tensor<3xi32>
}
// -----
// RUN bounded exact
// IN 0 [3.0, 1.0]
// IN 1 [1.0, 3.0]
// IN 2 [5.0]
// OUT 0 [5.0, 0.0]
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>, %s: tensor<1xf32>) -> tensor<2xf32> {
  %three = stablehlo.constant dense<3.0> : tensor<2xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.divide %a, %three : tensor<2xf32>
  %1 = stablehlo.multiply %0, %b : tensor<2xf32>
  %2 = "stablehlo.select_and_scatter"(%1, %s, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<2xf32>, tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %2 : tensor<2xf32>
}
