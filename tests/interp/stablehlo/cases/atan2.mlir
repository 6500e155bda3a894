// RUN native f64 f32 wide
// IN 0 [0.0, 1.0, -1.0]
// IN 1 [1.0, 0.0, 0.0]
// OUT 0 ~ [0.0, 1.57079632679489661923, -1.57079632679489661923]
func.func @main(%a: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.atan2 %a, %b : tensor<3xf64>
  func.return %0 : tensor<3xf64>
}
// -----
// RUN bounded
// IN 0 [1.0]
// IN 1 [1.0]
// ERROR atan2 has no meaning in the domain bounded
func.func @main(%a: tensor<1xf32>, %b: tensor<1xf32>) -> tensor<1xf32> {
  %0 = stablehlo.atan2 %a, %b : tensor<1xf32>
  func.return %0 : tensor<1xf32>
}
