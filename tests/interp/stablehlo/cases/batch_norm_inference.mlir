// RUN native f64 f32 wide bounded
// IN 0 [[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]
// IN 1 [1.0, 1.0]
// IN 2 [1.0, 1.0]
// IN 3 [2.0, 3.0]
// IN 4 [1.0, 1.0]
// OUT 0 ~ [[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]
func.func @main(%a: tensor<2x2x2xf64>, %s: tensor<2xf64>, %o: tensor<2xf64>, %m: tensor<2xf64>, %v: tensor<2xf64>) -> tensor<2x2x2xf64> {
  %0 = "stablehlo.batch_norm_inference"(%a, %s, %o, %m, %v) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2x2xf64>
  func.return %0 : tensor<2x2x2xf64>
}
