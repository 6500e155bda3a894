// RUN native f64 f32 wide bounded
// IN 0 [0.0, 2.0, -2.0]
// OUT 0 ~ [0.5, 0.88079707797788244, 0.11920292202211756]
func.func @main(%a: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.logistic %a : tensor<3xf64>
  func.return %0 : tensor<3xf64>
}
