// RUN native f64 f32 wide bounded
// IN 0 [[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]
// IN 1 [1.0, 1.0]
// IN 2 [1.0, 1.0]
// OUT 0 ~ [[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]
// OUT 1 ~ [2.0, 3.0]
// OUT 2 ~ [1.0, 1.0]
func.func @main(%a: tensor<2x2x2xf64>, %s: tensor<2xf64>, %o: tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %o) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  func.return %0#0, %0#1, %0#2 : tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>
}
// -----
// RUN native f32
// IN 0 [[100000.0], [100000.0078125], [100000.015625], [100000.0234375], [100000.03125], [100000.0390625], [100000.046875], [100000.0546875]]
// IN 1 1.0
// IN 2 0.0
// OUT 0 ~ [100000.0273]
// OUT 1 [0.0003204345703125]
func.func @main(%a: tensor<8x1xf32>, %s: tensor<1xf32>, %o: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %o) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64} : (tensor<8x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<8x1xf32>, tensor<1xf32>, tensor<1xf32>)
  func.return %0#1, %0#2 : tensor<1xf32>, tensor<1xf32>
}
// -----
// RUN native exact wide f64
// IN 0 [[5.0]]
// IN 1 3.0
// IN 2 2.0
// OUT 0 [[2.0]]
// OUT 1 [5.0]
// OUT 2 [0.0]
func.func @main(%a: tensor<1x1xf32>, %s: tensor<1xf32>, %o: tensor<1xf32>) -> (tensor<1x1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %o) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64} : (tensor<1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x1xf32>, tensor<1xf32>, tensor<1xf32>)
  func.return %0#0, %0#1, %0#2 : tensor<1x1xf32>, tensor<1xf32>, tensor<1xf32>
}
// -----
// RUN exact
// IN 0 [[[[0.0, -6.0], [-1.0, 8.0], [-3.0, -4.0], [-7.0, 0.0], [-3.0, 8.0]], [[3.0, 0.0], [6.0, 5.0], [5.0, 3.0], [-9.0, -9.0], [-3.0, 2.0]], [[0.0, 3.0], [6.0, 4.0], [1.0, 6.0], [6.0, 9.0], [4.0, 4.0]]], [[[-8.0, 8.0], [9.0, 9.0], [1.0, -4.0], [2.0, 6.0], [-5.0, -7.0]], [[8.0, 5.0], [9.0, 9.0], [-3.0, -2.0], [0.0, -9.0], [-8.0, 6.0]], [[5.0, -7.0], [3.0, 3.0], [-5.0, 8.0], [6.0, -6.0], [1.0, 1.0]]]]
// IN 1 [1.0, 2.0, 3.0]
// IN 2 [4.0, 5.0, 6.0]
// OUT 0 0.0
// OUT 1 0.0
func.func @main(%a: tensor<2x3x5x2xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>) -> (tensor<2x3x5x2xf32>, tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %o) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64} : (tensor<2x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>)
  %1 = stablehlo.transpose %a, dims = [0, 2, 3, 1] : (tensor<2x3x5x2xf32>) -> tensor<2x5x2x3xf32>
  %2:3 = "stablehlo.batch_norm_training"(%1, %s, %o) {epsilon = 1.0e-05 : f32, feature_index = 3 : i64} : (tensor<2x5x2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x5x2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %3 = stablehlo.transpose %2#0, dims = [0, 3, 1, 2] : (tensor<2x5x2x3xf32>) -> tensor<2x3x5x2xf32>
  %4 = stablehlo.subtract %0#0, %3 : tensor<2x3x5x2xf32>
  %5 = stablehlo.subtract %0#2, %2#2 : tensor<3xf32>
  func.return %4, %5 : tensor<2x3x5x2xf32>, tensor<3xf32>
}
// -----
// RUN native
// ERROR tensor<4xf32>
func.func @main(%a: tensor<2x4xbf16>, %s: tensor<4xf32>) -> tensor<2x4xbf16> {
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %s) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64} : (tensor<2x4xbf16>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xbf16>, tensor<4xf32>, tensor<4xf32>)
  func.return %0#0 : tensor<2x4xbf16>
}
// -----
// RUN native
// ERROR bf16
func.func @main(%a: tensor<2x4xbf16>, %s: tensor<4xf32>) -> tensor<2x4xbf16> {
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %s) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64} : (tensor<2x4xbf16>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xbf16>, tensor<4xf32>, tensor<4xf32>)
  func.return %0#0 : tensor<2x4xbf16>
}
// -----
// RUN native
// ERROR tensor<18xf32>
func.func @main(%a: tensor<2x36xf32>, %s: tensor<18xf32>) -> tensor<2x36xf32> {
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %s) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64} : (tensor<2x36xf32>, tensor<18xf32>, tensor<18xf32>) -> (tensor<2x36xf32>, tensor<18xf32>, tensor<18xf32>)
  func.return %0#0 : tensor<2x36xf32>
}
