// RUN native f64 f32 wide bounded
// IN 0 [[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]
// IN 1 [1.0, 1.0]
// IN 2 [2.0, 3.0]
// IN 3 [1.0, 1.0]
// IN 4 0.1
// OUT 0 ~ 0.0
// OUT 1 ~ [0.0, 0.0]
// OUT 2 ~ [0.4, 0.4]
func.func @main(%a: tensor<2x2x2xf64>, %s: tensor<2xf64>, %m: tensor<2xf64>, %v: tensor<2xf64>, %g: tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %0:3 = "stablehlo.batch_norm_grad"(%a, %s, %m, %v, %g) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  func.return %0#0, %0#1, %0#2 : tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [[1.0], [3.0]]
// IN 1 1.0
// IN 2 2.0
// IN 3 1.0
// IN 4 [[1.0], [0.0]]
// OUT 0 ~ [[0.0], [0.0]]
func.func @main(%a: tensor<2x1xf32>, %s: tensor<1xf32>, %m: tensor<1xf32>, %v: tensor<1xf32>, %g: tensor<2x1xf32>) -> tensor<2x1xf32> {
  %0:3 = "stablehlo.batch_norm_grad"(%a, %s, %m, %v, %g) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>)
  func.return %0#0 : tensor<2x1xf32>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [[1.0], [3.0]]
// IN 1 1.0
// IN 2 2.0
// IN 3 1.0
// IN 4 [[1.0], [0.0]]
// OUT 0 ~ [[0.17677669529663689], [-0.17677669529663689]]
func.func @main(%a: tensor<2x1xf32>, %s: tensor<1xf32>, %m: tensor<1xf32>, %v: tensor<1xf32>, %g: tensor<2x1xf32>) -> tensor<2x1xf32> {
  %0:3 = "stablehlo.batch_norm_grad"(%a, %s, %m, %v, %g) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>)
  func.return %0#0 : tensor<2x1xf32>
}
