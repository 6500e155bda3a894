// RUN all
// IN 0 [[1, 2, 3], [3, 2, 1]]
// IN 1 [[3, 2, 1], [1, 2, 3]]
// OUT 0 [[3, 2, 3], [1, 2, 1]]
// OUT 1 [[1, 2, 1], [3, 2, 3]]
func.func @main(%a: tensor<2x3xi64>, %b: tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>) {
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>, %u: tensor<i64>, %v: tensor<i64>):
    %z = stablehlo.compare GT, %x, %y : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2x3xi64>, tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>)
  func.return %0#0, %0#1 : tensor<2x3xi64>, tensor<2x3xi64>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [[3.0, 1.0, 2.0, 1.0], [4.0, 3.0, 2.0, 1.0]]
// IN 1 [[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]
// OUT 0 [[1.0, 1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0]]
// OUT 1 [[1.0, 3.0, 2.0, 0.0], [3.0, 2.0, 1.0, 0.0]]
func.func @main(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<f32>, %v: tensor<f32>):
    %z = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  func.return %0#0, %0#1 : tensor<2x4xf32>, tensor<2x4xf32>
}
// -----
// RUN native exact
// IN 0 [5, 3, 5, 1]
// IN 1 [1, 9, 0, 2]
// OUT 0 [1, 3, 5, 5]
// OUT 1 [2, 9, 0, 1]
func.func @main(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %u: tensor<i32>, %v: tensor<i32>):
    %l = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %e = stablehlo.compare EQ, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %m = stablehlo.compare LT, %u, %v : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %n = stablehlo.and %e, %m : tensor<i1>
    %z = stablehlo.or %l, %n : tensor<i1>
    stablehlo.return %z : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  func.return %0#0, %0#1 : tensor<4xi32>, tensor<4xi32>
}
// -----
// RUN bounded
// IN 0 [3.0, 1.0]
// IN 1 [1.0, 3.0]
// ERROR the order of cells depends on a comparison that is uncertain
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %three = stablehlo.constant dense<3.0> : tensor<2xf32>
  %0 = stablehlo.divide %a, %three : tensor<2xf32>
  %1 = stablehlo.multiply %0, %b : tensor<2xf32>
  %2 = "stablehlo.sort"(%1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %2 : tensor<2xf32>
}
// -----
// RUN degree
// IN 0 [3.0, 1.0]
// ERROR sorting floats has no meaning
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %2 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %2 : tensor<2xf32>
}
