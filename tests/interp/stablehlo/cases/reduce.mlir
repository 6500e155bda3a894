// RUN all
// IN 0 [[0, 1, 2, 3, 4, 5]]
// IN 1 0
// OUT 0 [15]
func.func @main(%a: tensor<1x6xi64>, %i: tensor<i64>) -> tensor<1xi64> {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [1] : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>
  func.return %0 : tensor<1xi64>
}
// -----
// RUN all
// IN 0 [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
// IN 1 0.5
// OUT 0 [5.5, 7.5, 9.5]
// OUT 1 21.5
func.func @main(%a: tensor<2x3xf32>, %i: tensor<f32>) -> (tensor<3xf32>, tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  func.return %0, %1 : tensor<3xf32>, tensor<f32>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 1.0
// IN 1 0.0
// OUT 0 1000.0
func.func @main(%a: tensor<1000xbf16>, %i: tensor<bf16>) -> tensor<bf16> {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<1000xbf16>, tensor<bf16>) -> tensor<bf16>
  func.return %0 : tensor<bf16>
}
// -----
// RUN all
// IN 0 [[1, 2, 3], [4, 5, 6]]
// IN 1 [[6, 5, 4], [3, 2, 1]]
// IN 2 0
// OUT 0 [6, 15]
// OUT 1 [0, 0]
func.func @main(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>, %i: tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0:2 = "stablehlo.reduce"(%a, %b, %i, %i) ({
  ^bb0(%x: tensor<i32>, %u: tensor<i32>, %y: tensor<i32>, %v: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    %t = stablehlo.minimum %u, %v : tensor<i32>
    stablehlo.return %s, %t : tensor<i32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
  func.return %0#0, %0#1 : tensor<2xi32>, tensor<2xi32>
}
// -----
// RUN native
// IN 0 30000.0
// IN 1 0.0
// IN 2 0.25
// OUT 0 0x7C00
// OUT 1 30000.0
func.func @main(%a: tensor<4xf16>, %i: tensor<f16>, %s: tensor<f16>) -> (tensor<f16>, tensor<f16>) {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<4xf16>, tensor<f16>) -> tensor<f16>
  %1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f16>) -> tensor<4xf16>
  %2 = stablehlo.multiply %a, %1 : tensor<4xf16>
  %3 = stablehlo.reduce(%2 init: %i) applies stablehlo.add across dimensions = [0] : (tensor<4xf16>, tensor<f16>) -> tensor<f16>
  func.return %0, %3 : tensor<f16>, tensor<f16>
}
